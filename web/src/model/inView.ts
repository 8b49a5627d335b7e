/**
 * The hands in a photo, to choose from: in the order in which they lie, so that each keeps its
 * letter whichever hand is read.
 */
import { type Corner, type Focus, polygonOf, type Reading } from '../api/types';
import { type Face, faceOf, inOrder } from './tiles';

interface InView {
  /** A, B, ... from the upper left on: numbers are those of the page's hands. */
  readonly letter: string;
  readonly focus: Focus;
  /** Hull around all tiles of the hand, in the photo's pixels. */
  readonly outline: readonly Corner[];
  /** Faces of the tiles, in the order of the suits. */
  readonly faces: readonly Face[];
  /** Whether this is the hand that was read. */
  readonly current: boolean;
}

/** The choices; empty where the photo shows fewer than two hands. */
export function inView(reading: Reading): InView[] {
  const hands = reading.hands_in_view ?? [];
  if (hands.length < 2) return [];
  const found = hands.map((hand, at) => {
    const tiles = hand.tiles.flatMap((tile) => reading.tiles[tile] ?? []);
    return {
      focus: hand.focus,
      outline: hull(tiles.flatMap((tile) => polygonOf(tile))),
      faces: tiles.flatMap((tile) => faceOf(tile.tile) ?? []).sort(inOrder),
      current: at === 0,
    };
  });
  const top = ({ outline }: { readonly outline: readonly Corner[] }) =>
    Math.min(...outline.map(([, y]) => y));
  const left = ({ outline }: { readonly outline: readonly Corner[] }) => Math.min(...outline.map(([x]) => x));
  found.sort((a, b) => top(a) - top(b) || left(a) - left(b));
  return found.map((hand, at) => ({ ...hand, letter: String.fromCharCode('A'.charCodeAt(0) + at) }));
}

/** The convex hull, clockwise as the photo shows it (Andrew's monotone chain). */
export function hull(corners: readonly Corner[]): Corner[] {
  const sorted = [...corners].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = (list: readonly Corner[]): Corner[] => {
    const chain: Corner[] = [];
    for (const corner of list) {
      while (chain.length > 1 && !turnsRight(chain.at(-2), chain.at(-1), corner)) chain.pop();
      chain.push(corner);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** The hull of corners with a margin, so that its outline covers no face. */
export const around = (corners: readonly Corner[], room: number): Corner[] =>
  hull(
    corners.flatMap(([x, y]): Corner[] => [
      [x - room, y - room],
      [x + room, y - room],
      [x + room, y + room],
      [x - room, y + room],
    ]),
  );

/** Tells whether a point is within a hull, whose corners go round clockwise. */
export const isWithin = (outline: readonly Corner[], at: Corner): boolean =>
  outline.length > 2 &&
  outline.every((corner, i) => turnsRight(corner, outline[(i + 1) % outline.length], at));

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The upright box around corners. */
export function boxOf(corners: readonly Corner[], margin = 0): Box {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const left = Math.min(...xs) - margin;
  const top = Math.min(...ys) - margin;
  return { left, top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top };
}

/** Tells whether the path over three corners turns clockwise, with y pointing down. */
function turnsRight(a: Corner | undefined, b: Corner | undefined, c: Corner): boolean {
  if (!a || !b) return true;
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
}
