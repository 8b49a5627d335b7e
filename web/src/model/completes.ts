/**
 * Which set the winning tile can have completed: a pair, a pung or a chow of the hand.
 *
 * Where rules give points for it, the winner chooses, unless the set is exposed. Only sets that
 * occur in some decomposition of the whole hand are offered; special hands have no such set.
 */
import { type Hand, pieceOf } from './hand';
import { type Face, higher, inOrder, isTile, printTiles } from './tiles';

const SETS = 4;

/** The sets as text, such as `456m`, `111p`, `EE`; in the order of their tiles, each once. */
export function completions(hand: Hand): string[] {
  const won = hand.winning === null ? undefined : pieceOf(hand, hand.winning)?.face;
  const tiles = hand.concealed.map(({ face }) => face).sort(inOrder);
  if (won === undefined || !tiles.every(isTile) || hand.melds.length > SETS) return [];
  const found = new Set<string>();
  for (const sets of readings(tiles, SETS - hand.melds.length, true)) {
    for (const set of sets) if (set.includes(won)) found.add(printTiles(set));
  }
  return [...found].sort();
}

/** All ways to divide sorted tiles into a number of sets, and a pair if there is none yet. */
function readings(tiles: readonly Face[], sets: number, pair: boolean): (readonly Face[])[][] {
  const [first, second, third] = tiles;
  if (first === undefined) return sets === 0 && !pair ? [[]] : [];
  const chow = [first, higher(first, 1), higher(first, 2)].filter((face) => face !== null);
  const starts: { readonly set: readonly Face[]; readonly fits: boolean }[] = [
    { set: [first, first], fits: pair && second === first },
    { set: [first, first, first], fits: sets > 0 && second === first && third === first },
    { set: chow, fits: sets > 0 && chow.length === 3 && chow.every((face) => tiles.includes(face)) },
  ];
  return starts
    .filter(({ fits }) => fits)
    .flatMap(({ set }) => {
      const isPair = set.length === 2;
      const rest = readings(without(tiles, set), isPair ? sets : sets - 1, pair && !isPair);
      return rest.map((others) => [set, ...others]);
    });
}

function without(tiles: readonly Face[], taken: readonly Face[]): Face[] {
  const rest = [...tiles];
  for (const face of taken) rest.splice(rest.indexOf(face), 1);
  return rest;
}
