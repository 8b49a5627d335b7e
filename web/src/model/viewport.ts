/**
 * Position of a photo in its frame: scaled and shifted, in the frame's pixels.
 *
 * Invariants: the scale is between 1, at which the whole photo fits, and `MAX_SCALE`; along each side the photo
 * either lies in the middle or has no edge in the frame.
 */
import type { Corner, Polygon } from '../api/types';
import type { Box } from './inView';

export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A tile of 15 pixels on a phone gets 90, about as large as a finger needs. */
export const MAX_SCALE = 6;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** A frame, and the photo in it. */
export interface Framed {
  readonly frame: Size;
  readonly photo: Size;
}

/** Returns the size of a pixel of the photo at scale 1, in pixels of the frame. */
export const pixelOf = ({ frame, photo }: Framed): number =>
  Math.min(frame.width / photo.width, frame.height / photo.height);

/** Returns where a side begins: in the middle if there is room, or else so that no edge is seen. */
const sideAt = (at: number, room: number, length: number): number =>
  length <= room ? (room - length) / 2 : clamp(at, room - length, 0);

/** The view with its scale and its edges within bounds. */
function held({ scale, x, y }: View, framed: Framed): View {
  const { frame, photo } = framed;
  const fitting = clamp(scale, 1, MAX_SCALE);
  const pixel = pixelOf(framed) * fitting;
  return {
    scale: fitting,
    x: sideAt(x, frame.width, photo.width * pixel),
    y: sideAt(y, frame.height, photo.height * pixel),
  };
}

/** The whole photo. */
export const whole = (framed: Framed): View => held({ scale: 1, x: 0, y: 0 }, framed);

/** Shows a part of the photo in the middle of the frame, as large as it fits. */
export function closeTo({ left, top, width, height }: Box, framed: Framed): View {
  const { frame } = framed;
  const fitting = pixelOf({ frame, photo: { width, height } }) / pixelOf(framed);
  const scale = clamp(fitting, 1, MAX_SCALE);
  const pixel = pixelOf(framed) * scale;
  const x = frame.width / 2 - (left + width / 2) * pixel;
  const y = frame.height / 2 - (top + height / 2) * pixel;
  return held({ scale, x, y }, framed);
}

/** Zooms by a factor; what lies at `at` stays there. */
export function zoomed(view: View, framed: Framed, [x, y]: Corner, factor: number): View {
  const scale = clamp(view.scale * factor, 1, MAX_SCALE);
  const ratio = scale / view.scale;
  return held({ scale, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio }, framed);
}

export const moved = (view: View, framed: Framed, dx: number, dy: number): View =>
  held({ ...view, x: view.x + dx, y: view.y + dy }, framed);

/** A point of the frame in the photo's pixels. */
export function inPhoto(view: View, framed: Framed, [x, y]: Corner): Corner {
  const pixel = pixelOf(framed) * view.scale;
  return [(x - view.x) / pixel, (y - view.y) / pixel];
}

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
