/**
 * The browser's back button: from a hand or the score sheet to the start, instead of out of the
 * page. The address contains nothing of a hand; the history only has the view.
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
  // After a reload the earlier hands no longer exist.
  history.replaceState(null, '', location.href);
  effect(() => {
    const id = currentId.value;
    const evening = showing.value;
    if (handOf(history.state) !== id || eveningOf(history.state) !== evening) {
      history.pushState({ hand: id, evening }, '', './');
    }
  });
  window.addEventListener('popstate', ({ state }) => {
    const id = handOf(state);
    showing.value = eveningOf(state);
    currentId.value = entries.peek().some((entry) => entry.id === id) ? id : null;
  });
}
