/**
 * A hand that is entered with a tile pad: a tap adds a tile to the hand, or a whole set beside it.
 *
 * Invariant: there are at most four copies of a tile, eight flowers, and one copy of each flower that
 * has a name.
 */
import { add, mayAddFlower, setKongState, setRed } from './edit';
import { type Hand, pieces } from './hand';
import { type Face, higher, isTile, type SetKind, UNNAMED } from './tiles';

/** Tiles that a tap adds. */
export type PadKind = 'concealed' | SetKind | 'hidden';
export const PAD_KINDS: readonly PadKind[] = ['concealed', 'chow', 'pung', 'kong', 'hidden'];

/** Returns the kinds for a number of players: of three none claims a chow. */
export const padKinds = (players: number): readonly PadKind[] =>
  PAD_KINDS.filter((kind) => kind !== 'chow' || players !== 3);

/** Tells whether a number of players have a tile: three have no 2 to 8 of characters. */
export const isPlayed = (face: Face, players: number): boolean => players !== 3 || !/^[2-8]m$/.test(face);

/** The tiles that a tap on a face adds; `null` if it can't begin such a set. */
function added(face: Face, kind: PadKind): readonly Face[] | null {
  if (kind === 'concealed') return [face];
  if (!isTile(face)) return null;
  if (kind !== 'chow') return Array.from({ length: kind === 'pung' ? 3 : 4 }, () => face);
  const chow = [face, higher(face, 1), higher(face, 2)];
  return chow.every((one) => one !== null) ? chow : null;
}

const MAX_COPIES = 4;

/** Tells whether a tap on a face adds something. */
export function canTap(hand: Hand, face: Face, kind: PadKind): boolean {
  const tiles = added(face, kind);
  if (!tiles) return false;
  const copies = (one: Face): number => pieces(hand).filter((piece) => piece.face === one).length;
  if (!isTile(face)) return mayAddFlower(hand) && (face === UNNAMED || copies(face) === 0);
  return tiles.every((one) => copies(one) + tiles.filter((other) => other === one).length <= MAX_COPIES);
}

/** The hand after a tap on a face, a chow by its lowest tile; that tile can be a red five. */
export function tap(hand: Hand, face: Face, kind: PadKind, red = false): Hand {
  const tapped = plainTap(hand, face, kind);
  // The tile of the tap is the first that was added.
  return red && tapped !== hand ? setRed(tapped, hand.nextId, true) : tapped;
}

function plainTap(hand: Hand, face: Face, kind: PadKind): Hand {
  const tiles = canTap(hand, face, kind) ? added(face, kind) : null;
  if (!tiles) return hand;
  if (kind === 'concealed') return add(hand, face);
  const [first, ...rest] = tiles;
  const begun = first ? add(hand, first, 'new meld') : hand;
  const meld = begun.melds.at(-1)?.id ?? 0;
  const made = rest.reduce((grown, one) => add(grown, one, { meld }), begun);
  return kind === 'hidden' ? setKongState(made, meld, 'concealed') : made;
}
