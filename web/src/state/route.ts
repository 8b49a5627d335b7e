/**
 * The browser's back button: from a hand, the score sheet or the viewfinder to the start, instead of
 * out of the page. The address contains nothing of a hand; the history only has the view.
 */
import { effect } from '@preact/signals';
import { showing } from './evening';
import { currentId, entries } from './hands';
import { viewing } from './viewfinder';

interface Looked {
  readonly hand?: number | null;
  readonly evening?: boolean;
  readonly camera?: boolean;
}

const handOf = (state: unknown): number | null => (state as Looked | null)?.hand ?? null;
const eveningOf = (state: unknown): boolean => (state as Looked | null)?.evening ?? false;
const cameraOf = (state: unknown): boolean => (state as Looked | null)?.camera ?? false;

export function followHistory(): void {
  // After a reload the earlier hands no longer exist.
  history.replaceState(null, '', location.href);
  effect(() => {
    const id = currentId.value;
    const evening = showing.value;
    const camera = viewing.value;
    const { state } = history;
    if (handOf(state) !== id || eveningOf(state) !== evening || cameraOf(state) !== camera) {
      history.pushState({ hand: id, evening, camera }, '', './');
    }
  });
  window.addEventListener('popstate', ({ state }) => {
    const id = handOf(state);
    showing.value = eveningOf(state);
    viewing.value = cameraOf(state);
    currentId.value = entries.peek().some((entry) => entry.id === id) ? id : null;
  });
}
