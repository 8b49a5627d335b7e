/**
 * The tiles: their codes, their order, and what is known of a face without a hand.
 *
 * Codes are those of the API. A red five (`0m`) is a five here; the hand knows which of its fives are
 * red. `?` is a flower of which only the number is known.
 */

export const SUITS = ['m', 'p', 's'] as const;
type Suit = (typeof SUITS)[number];
type Rank = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type SuitTile = `${Rank}${Suit}`;

export const HONORS = ['E', 'S', 'W', 'N', 'C', 'F', 'P'] as const;
type Honor = (typeof HONORS)[number];
export type TileCode = SuitTile | Honor;

export const FLOWERS = ['f1', 'f2', 'f3', 'f4', 's1', 's2', 's3', 's4'] as const;
export type FlowerCode = (typeof FLOWERS)[number];
export const UNNAMED = '?';

/** Anything that can lie in a hand. */
export type Face = TileCode | FlowerCode | typeof UNNAMED;

const RANKS: readonly Rank[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

export const TILES: readonly TileCode[] = [
  ...SUITS.flatMap((suit) => RANKS.map((rank): TileCode => `${rank}${suit}`)),
  ...HONORS,
];

/** The order of tiles in a sorted hand: characters, dots, bamboo, winds, dragons, flowers. */
const ORDER = new Map<string, number>([...TILES, ...FLOWERS, UNNAMED].map((code, at) => [code, at]));

export const isTile = (code: string): code is TileCode =>
  ORDER.has(code) && !isFlower(code) && code !== UNNAMED;

export const isFlower = (code: string): code is FlowerCode => (FLOWERS as readonly string[]).includes(code);

/** Tells whether a code of the API is that of a red five. */
export const isRed = (code: string): boolean => /^0[mps]$/.test(code);

/** The fives, of which each suit can have red ones. */
export const FIVES: readonly SuitTile[] = SUITS.map((suit): SuitTile => `5${suit}`);

/** The code of a five as a red one; of any other face its own. */
export const redOf = (face: Face): string =>
  (FIVES as readonly Face[]).includes(face) ? `0${face.slice(1)}` : face;

/**
 * A code of the API as a face of a hand; `null` for a back and for anything that is not a face.
 */
export function faceOf(code: string): Face | null {
  const plain = isRed(code) ? `5${code.slice(1)}` : code;
  return isTile(plain) || isFlower(plain) || plain === UNNAMED ? plain : null;
}

export const inOrder = (a: Face, b: Face): number => (ORDER.get(a) ?? 0) - (ORDER.get(b) ?? 0);

/** Rank and suit, or `null` for an honor or a flower. */
export function suited(face: Face): { rank: Rank; suit: Suit } | null {
  const found = /^([1-9])([mps])$/.exec(face);
  return found ? { rank: Number(found[1]) as Rank, suit: found[2] as Suit } : null;
}

/** Sorted tiles, the suit once behind each run. */
export function printTiles(list: readonly Face[]): string {
  return list
    .map((face, at) => {
      const next = list[at + 1];
      const here = suited(face);
      return here && next && suited(next)?.suit === here.suit ? String(here.rank) : face;
    })
    .join('');
}

/** The tile so many ranks higher in its suit, if there is one. */
export function higher(face: Face, by: number): SuitTile | null {
  const tile = suited(face);
  const rank = (tile?.rank ?? 0) + by;
  return tile && rank >= 1 && rank <= 9 ? `${rank as Rank}${tile.suit}` : null;
}

export type SetKind = 'chow' | 'pung' | 'kong';

/** Returns the kind of set that tiles form, in any order; `null` if they are not a set. */
export function setKind(faces: readonly Face[]): SetKind | null {
  const sorted = [...faces].sort(inOrder);
  const [low] = sorted;
  if (low === undefined || !sorted.every(isTile)) return null;
  const same = sorted.every((face) => face === low);
  if (same && sorted.length === 3) return 'pung';
  if (same && sorted.length === 4) return 'kong';
  const chow = sorted.length === 3 && sorted.every((face, at) => face === higher(low, at));
  return chow ? 'chow' : null;
}
