/**
 * The browser's back button: from a hand, the score sheet, a series, the own sets or the viewfinder to the
 * start, instead of out of the page. The address contains nothing of a hand; the history only has the
 * view.
 */
import { batch, effect } from '@preact/signals';
import type { Address } from '../api/games';
import { address, close, open, showing } from './evening';
import { isSame } from './evenings';
import { currentId, entries } from './hand/entry';
import { showingSeries } from './series';
import { showingSets } from './teaching';
import { viewing } from './viewfinder';

/** The view that an entry of the history has. */
interface View {
  readonly hand?: number | null;
  readonly evening?: boolean;
  /** The evening on the screen; `null` for their list. */
  readonly game?: Address | null;
  readonly camera?: boolean;
  readonly sets?: boolean;
  readonly series?: boolean;
}

const handOf = (state: unknown): number | null => (state as View | null)?.hand ?? null;
const eveningOf = (state: unknown): boolean => (state as View | null)?.evening ?? false;
const gameOf = (state: unknown): Address | null => (state as View | null)?.game ?? null;
const cameraOf = (state: unknown): boolean => (state as View | null)?.camera ?? false;
const setsOf = (state: unknown): boolean => (state as View | null)?.sets ?? false;
const seriesOf = (state: unknown): boolean => (state as View | null)?.series ?? false;

export function followHistory(): void {
  const before: unknown = history.state;
  // After a reload the earlier hands no longer exist, but the evening that was on the screen does.
  const isEvening = eveningOf(before) && handOf(before) === null && isSame(gameOf(before), address.peek());
  if (isEvening && location.hash === '') showing.value = true;
  history.replaceState(showing.peek() ? before : null, '', location.href);
  effect(() => {
    const id = currentId.value;
    const evening = showing.value;
    const camera = viewing.value;
    const sets = showingSets.value;
    const series = showingSeries.value;
    const { state } = history;
    const game = evening ? address.value : null;
    const isShown =
      eveningOf(state) === evening &&
      cameraOf(state) === camera &&
      setsOf(state) === sets &&
      seriesOf(state) === series;
    if (!isShown || handOf(state) !== id || !isSame(gameOf(state), game))
      history.pushState({ hand: id, evening, game, camera, sets, series }, '', './');
  });
  window.addEventListener('popstate', ({ state }) => {
    const id = handOf(state);
    batch(() => {
      if (eveningOf(state)) showEvening(gameOf(state));
      showing.value = eveningOf(state);
      viewing.value = cameraOf(state);
      showingSets.value = setsOf(state);
      showingSeries.value = seriesOf(state);
      currentId.value = entries.peek().some((entry) => entry.id === id) ? id : null;
    });
  });
}

/** Shows an evening again that another one took the place of, or the list. */
function showEvening(game: Address | null): void {
  if (isSame(game, address.peek())) return;
  if (game) open(game);
  else close();
}
