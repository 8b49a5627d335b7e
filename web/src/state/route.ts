/**
 * The browser's way back: from a hand to the start, instead of out of the page and away from the hand.
 * Nothing of a hand stands in the address; the history only knows which one was looked at.
 */
import { effect } from '@preact/signals';
import { currentId, entries } from './hands';

const handOf = (state: unknown): number | null =>
  (state as { readonly hand?: number | null } | null)?.hand ?? null;

export function followHistory(): void {
  // After a reload the hands of before are gone.
  history.replaceState(null, '', location.href);
  effect(() => {
    const id = currentId.value;
    if (handOf(history.state) !== id) history.pushState({ hand: id }, '', '/');
  });
  window.addEventListener('popstate', ({ state }) => {
    const id = handOf(state);
    currentId.value = entries.peek().some((entry) => entry.id === id) ? id : null;
  });
}
