/**
 * Position of a photo in its frame: scaled and shifted, in the frame's pixels.
 *
 * Invariants: the scale is between 1, the whole photo, and `MAX_SCALE`; no edge of the photo is
 * drawn into the frame.
 */
import type { Corner, Polygon } from '../api/types';

export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };

/** A tile of 15 pixels on a phone gets 90, about as large as a finger needs. */
export const MAX_SCALE = 6;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** The view with its scale and its edges within bounds. */
function held({ scale, x, y }: View, frame: Size): View {
  const fitting = clamp(scale, 1, MAX_SCALE);
  return {
    scale: fitting,
    x: clamp(x, frame.width * (1 - fitting), 0),
    y: clamp(y, frame.height * (1 - fitting), 0),
  };
}

/** Zooms by a factor; what lies at `at` stays there. */
export function zoomed(view: View, frame: Size, [x, y]: Corner, factor: number): View {
  const scale = clamp(view.scale * factor, 1, MAX_SCALE);
  const ratio = scale / view.scale;
  return held({ scale, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio }, frame);
}

export const moved = (view: View, frame: Size, dx: number, dy: number): View =>
  held({ ...view, x: view.x + dx, y: view.y + dy }, frame);

/** A point of the frame in the photo's pixels. */
export const inPhoto = (view: View, frame: Size, photo: Size, [x, y]: Corner): Corner => [
  ((x - view.x) / view.scale / frame.width) * photo.width,
  ((y - view.y) / view.scale / frame.height) * photo.height,
];

/**
 * The polygon that a tap means: the one that it is in, or else the nearest within `reach` pixels;
 * -1 if there is none. Small tiles are hard to hit with a finger.
 */
export function hit(polygons: readonly (Polygon | null)[], at: Corner, reach: number): number {
  const distances = polygons.map((polygon) => {
    if (!polygon) return Number.POSITIVE_INFINITY;
    return contains(polygon, at) ? 0 : distance(polygon, at);
  });
  const nearest = Math.min(...distances);
  return nearest <= reach ? distances.indexOf(nearest) : -1;
}

/** Tells whether a point is in a convex polygon; its corners may go round either way. */
function contains(polygon: Polygon, [x, y]: Corner): boolean {
  const sides = polygon.map(([ax, ay], at) => {
    const [bx, by] = polygon[(at + 1) % polygon.length] ?? [ax, ay];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  });
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

/** Returns the distance of a point from the edge of a polygon. */
function distance(polygon: Polygon, [x, y]: Corner): number {
  const edges = polygon.map(([ax, ay], at) => {
    const [bx, by] = polygon[(at + 1) % polygon.length] ?? [ax, ay];
    const dx = bx - ax;
    const dy = by - ay;
    const along = clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1), 0, 1);
    return Math.hypot(x - ax - along * dx, y - ay - along * dy);
  });
  return Math.min(...edges);
}
