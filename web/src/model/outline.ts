/**
 * A line drawn around a hand, as the polygon that the service takes.
 *
 * Input: the places of a finger, in order, and where the photo ends. Output: a polygon of few
 * corners within the photo, or nothing if the line encloses nothing. The line is closed from its end
 * to its beginning.
 */
import type { Corner } from '../api/types';
import type { Size } from './viewport';

/** Corners of a region, at most: the service takes no more. */
export const MAX_CORNERS = 32;

/**
 * Returns the outline with fewer corners: it leaves out the corner that changes the outline least,
 * again and again (Visvalingam and Whyatt 1993).
 */
export function simplified(line: readonly Corner[], max: number = MAX_CORNERS): Corner[] {
  const corners = line.filter((one, at) => !isSame(one, line[at - 1]));
  while (corners.length > max) {
    const weights = corners.map((one, at) => {
      const before = corners.at(at - 1) ?? one;
      const after = corners[(at + 1) % corners.length] ?? one;
      return Math.abs(area([before, one, after]));
    });
    corners.splice(weights.indexOf(Math.min(...weights)), 1);
  }
  return corners;
}

/** The area of a polygon, negative if its corners go round the other way (the shoelace formula). */
export function area(polygon: readonly Corner[]): number {
  const parts = polygon.map(([x, y], at) => {
    const [nextX, nextY] = polygon[(at + 1) % polygon.length] ?? [x, y];
    return x * nextY - nextX * y;
  });
  return parts.reduce((sum, part) => sum + part, 0) / 2;
}

/** A point in the photo, or the nearest on its edge: a finger may leave the frame. */
export const within = ({ width, height }: Size, [x, y]: Corner): Corner => [
  Math.min(width, Math.max(0, x)),
  Math.min(height, Math.max(0, y)),
];

const isSame = (one: Corner, other: Corner | undefined): boolean =>
  other !== undefined && one[0] === other[0] && one[1] === other[1];
