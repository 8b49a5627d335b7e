/**
 * From a reading to a hand that can be edited, with every piece tied to the tile in the photo that
 * it was read from.
 *
 * The reading has the hand as codes and the photo as tiles; a tile belongs to the first piece of
 * its role that has its face. Backs of a kong are tied to it by their group.
 */
import type { Reading } from '../api/types';
import { faces, fromDto, type Hand, type Meld, type Piece } from './hand';
import { faceOf } from './tiles';

export function fromReading(reading: Reading): Hand {
  const hand = fromDto(reading.hand);
  const free = new Set(reading.tiles.map((_, at) => at));
  const winning = hand.concealed.find((piece) => piece.id === hand.winning);
  const tiedWinning = winning && tie([winning], byRole(reading, free, ['winning']), reading, free);
  const concealed = tie(
    hand.concealed.filter((piece) => piece.id !== hand.winning),
    byRole(reading, free, ['concealed', 'winning']),
    reading,
    free,
  );
  const tied: Hand = {
    ...hand,
    concealed: [...concealed, ...(tiedWinning ?? [])],
    melds: hand.melds.map((meld) => tieMeld(meld, reading, free)),
    flowers: tie(hand.flowers, byRole(reading, free, ['flower']), reading, free),
  };
  return suppose(tied, reading.supposed_winning_tile);
}

/** Marks the winning tile that a score supposed; the same hand if nothing changes. */
export function suppose(hand: Hand, code: string | null | undefined): Hand {
  const before = hand.concealed.find(({ id }) => id === hand.winning);
  if ((before && !hand.supposed) || !code || before?.face === faceOf(code)) return hand;
  const piece = hand.concealed.findLast((one) => one.face === faceOf(code));
  return piece ? { ...hand, winning: piece.id, supposed: true } : hand;
}

const byRole = (reading: Reading, free: ReadonlySet<number>, roles: readonly string[]): number[] =>
  [...free].filter((at) => roles.includes(reading.tiles[at]?.role ?? ''));

/** Ties each piece to the first unused tile of its face, and takes that tile out of `free`. */
function tie(list: readonly Piece[], among: number[], reading: Reading, free: Set<number>): Piece[] {
  return list.map((piece) => {
    const at = among.find((i) => free.has(i) && faceOf(reading.tiles[i]?.tile ?? '') === piece.face);
    if (at === undefined) return piece;
    free.delete(at);
    return { ...piece, seen: at };
  });
}

/** A meld lies in one group of the photo: the one that shares most faces with it. */
function tieMeld(meld: Meld, reading: Reading, free: Set<number>): Meld {
  const groups = new Map<number, number[]>();
  for (const at of byRole(reading, free, ['meld'])) {
    const group = reading.tiles[at]?.group ?? -1;
    groups.set(group, [...(groups.get(group) ?? []), at]);
  }
  const wanted = faces(meld.pieces);
  const shared = (group: number[]): number =>
    group.filter((at) => wanted.includes(faceOf(reading.tiles[at]?.tile ?? '') ?? '?')).length;
  const [best] = [...groups.values()].sort((a, b) => shared(b) - shared(a));
  if (!best || shared(best) === 0) return meld;
  const pieces = tie(meld.pieces, best, reading, free);
  const backs = best.filter((at) => free.has(at) && reading.tiles[at]?.tile === 'back');
  const withBacks = pieces.map((piece) => {
    const back = piece.seen === null ? backs.shift() : undefined;
    if (back === undefined) return piece;
    free.delete(back);
    return { ...piece, seen: back };
  });
  return { ...meld, pieces: withBacks };
}
