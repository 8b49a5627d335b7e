/**
 * The set that a tile of the hand can have been claimed for, with its neighbours.
 *
 * Of all chows and pungs that the concealed tiles allow, the one whose tiles lie nearest together
 * in the photo; without a photo, the first in the order of the tiles.
 */
import { type Corner, polygonOf, type Reading } from '../api/types';
import type { Hand, Piece } from './hand';
import { type SetKind, setKind } from './tiles';

interface Claimable {
  readonly kind: Exclude<SetKind, 'kong'>;
  readonly pieces: readonly Piece[];
}

export function claimable(hand: Hand, reading: Reading | null, id: number): Claimable | null {
  const piece = hand.concealed.find((one) => one.id === id);
  if (!piece) return null;
  const others = hand.concealed.filter((one) => one.id !== id);
  const found = others.flatMap((second, at) =>
    others.slice(at + 1).flatMap((third): (Claimable & { readonly spread: number })[] => {
      const pieces = [piece, second, third];
      const kind = setKind(pieces.map(({ face }) => face));
      if (kind !== 'chow' && kind !== 'pung') return [];
      return [{ kind, pieces, spread: spread(reading, piece, [second, third]) }];
    }),
  );
  return found.reduce<(typeof found)[number] | null>(
    (best, one) => (best && best.spread <= one.spread ? best : one),
    null,
  );
}

/**
 * Returns the sum of the distances of two tiles from a third one; 0 where the photo does not show
 * them.
 */
function spread(reading: Reading | null, piece: Piece, others: readonly Piece[]): number {
  const from = centre(reading, piece);
  const to = others.map((one) => centre(reading, one));
  return to.reduce((sum, at) => sum + (from && at ? Math.hypot(from[0] - at[0], from[1] - at[1]) : 0), 0);
}

function centre(reading: Reading | null, { seen }: Piece): Corner | null {
  const tile = seen === null ? undefined : reading?.tiles[seen];
  if (!tile) return null;
  const [a, , c] = polygonOf(tile);
  return [(a[0] + c[0]) / 2, (a[1] + c[1]) / 2];
}
