/**
 * The live count: whether a winning hand has this many tiles, and if not, why.
 *
 * A kong counts as a set of three, so that every hand of a game has as many; extra copies and invalid
 * sets are listed as well. These are facts; `i18n` has the words.
 */
import { type Hand, kindOf, pieces } from './hand';
import { isTile, type TileCode } from './tiles';

/** Size of a winner's hand, with each kong as three tiles. */
export interface HandSize {
  readonly tiles: number;
  /** Sets beside the pair. */
  readonly sets: number;
}

/** The size of most games. */
export const USUAL: HandSize = { tiles: 14, sets: 4 };
/** The size of the game of sixteen tiles, with the winning one. */
export const LARGE: HandSize = { tiles: 17, sets: 5 };
const COPIES = 4;

export interface Count {
  /** Tiles, each kong counted as three. */
  readonly tiles: number;
  readonly kongs: number;
  /** Tiles too few (negative) or too many. */
  readonly off: number;
  /** Melds that are not a set, by id. */
  readonly broken: readonly number[];
  /** Tiles of which there are more than exist. */
  readonly copies: readonly TileCode[];
  readonly tooManyMelds: boolean;
  readonly noWinning: boolean;
  /** Whether the server can be asked for a score. */
  readonly ready: boolean;
}

export function count(hand: Hand, size: HandSize = USUAL): Count {
  const kinds = hand.melds.map((meld) => ({ meld, kind: kindOf(meld) }));
  const kongs = kinds.filter(({ kind }) => kind === 'kong').length;
  const inMelds = hand.melds.reduce((sum, meld) => sum + meld.pieces.length, 0);
  const tiles = hand.concealed.length + inMelds - kongs;
  const broken = kinds.filter(({ kind }) => kind === null).map(({ meld }) => meld.id);
  const copies = tooMany(hand);
  const tooManyMelds = hand.melds.length > size.sets;
  const noWinning = hand.winning === null;
  const off = tiles - size.tiles;
  const legal = off === 0 && broken.length === 0 && copies.length === 0 && !tooManyMelds;
  return { tiles, kongs, off, broken, copies, tooManyMelds, noWinning, ready: legal && !noWinning };
}

function tooMany(hand: Hand): TileCode[] {
  const found = new Map<TileCode, number>();
  for (const { face } of pieces(hand)) {
    if (isTile(face)) found.set(face, (found.get(face) ?? 0) + 1);
  }
  return [...found].filter(([, number]) => number > COPIES).map(([face]) => face);
}
