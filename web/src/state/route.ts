/**
 * The browser's way back: from a hand or the score sheet to the start, instead of out of the page and
 * away from both. Nothing of a hand stands in the address; the history only knows what was looked at.
 */
import { effect } from '@preact/signals';
import { showing } from './evening';
import { currentId, entries } from './hands';

interface Looked {
  readonly hand?: number | null;
  readonly evening?: boolean;
}

const handOf = (state: unknown): number | null => (state as Looked | null)?.hand ?? null;
const eveningOf = (state: unknown): boolean => (state as Looked | null)?.evening ?? false;

export function followHistory(): void {
  // After a reload the hands of before are gone.
  history.replaceState(null, '', location.href);
  effect(() => {
    const id = currentId.value;
    const evening = showing.value;
    if (handOf(history.state) !== id || eveningOf(history.state) !== evening) {
      history.pushState({ hand: id, evening }, '', '/');
    }
  });
  window.addEventListener('popstate', ({ state }) => {
    const id = handOf(state);
    showing.value = eveningOf(state);
    currentId.value = entries.peek().some((entry) => entry.id === id) ? id : null;
  });
}
