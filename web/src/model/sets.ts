/**
 * Tiles of the hand that form each set of a score, so that a fan can light up its tiles.
 *
 * The score lists sets by codes. Each of its sets takes tiles that no earlier set has taken: melds
 * as they are, then concealed tiles; the winning tile goes to the set that it completed.
 */
import type { Award, ScoredSet } from '../api/types';
import { type Hand, type Piece, pieces } from './hand';
import { faceOf } from './tiles';

interface PlacedSet {
  readonly set: ScoredSet;
  readonly pieces: readonly Piece[];
}

const key = (set: ScoredSet): string =>
  `${set.kind}${set.concealed}${set.winning}${[...set.tiles].sort().join()}`;

/** The sets of a score with their pieces, in the score's order. */
export function placeSets(hand: Hand, sets: readonly ScoredSet[]): PlacedSet[] {
  const free = new Map(pieces(hand).map((piece) => [piece.id, piece]));
  const order = [...sets.entries()].sort(([, a], [, b]) => Number(b.winning) - Number(a.winning));
  const placed = new Map<number, Piece[]>();
  for (const [at, set] of order) {
    placed.set(at, take(hand, set, free));
  }
  return sets.map((set, at) => ({ set, pieces: placed.get(at) ?? [] }));
}

function take(hand: Hand, set: ScoredSet, free: Map<number, Piece>): Piece[] {
  const wanted = set.tiles.map(faceOf);
  const meld = hand.melds.find(
    (one) =>
      one.pieces.length === wanted.length &&
      one.pieces.every((piece) => free.has(piece.id)) &&
      [...one.pieces.map((piece) => piece.face)].sort().join() === [...wanted].sort().join(),
  );
  if (meld && (!set.concealed || set.kind === 'kong')) {
    for (const piece of meld.pieces) free.delete(piece.id);
    return [...meld.pieces];
  }
  const rank = (piece: Piece): number => Number(piece.id === hand.winning) * (set.winning ? -1 : 1);
  return wanted.flatMap((face) => {
    const held = hand.concealed.filter((piece) => piece.face === face && free.has(piece.id));
    const [piece] = held.sort((a, b) => rank(a) - rank(b));
    if (!piece) return [];
    free.delete(piece.id);
    return [piece];
  });
}

/** The pieces of the sets that earned a fan; all tiles for a fan of the whole hand. */
export function litBy(hand: Hand, sets: readonly ScoredSet[], award: Award): Set<number> {
  if (award.code === 'flower_tiles') return new Set(hand.flowers.map((piece) => piece.id));
  const formed = new Set(award.sets.flat().map(key));
  if (formed.size === 0) {
    return new Set([...hand.concealed, ...hand.melds.flatMap((meld) => meld.pieces)].map((p) => p.id));
  }
  const placed = placeSets(hand, sets).filter(({ set }) => formed.has(key(set)));
  return new Set(placed.flatMap((one) => one.pieces.map((piece) => piece.id)));
}
