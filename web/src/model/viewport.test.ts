import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Polygon } from '../api/types';
import { hit, inPhoto, MAX_SCALE, moved, WHOLE, zoomed } from './viewport';

const FRAME = { width: 300, height: 200 };
const PHOTO = { width: 1500, height: 1000 };
const point = fc.tuple(
  fc.double({ min: 0, max: 300, noNaN: true }),
  fc.double({ min: 0, max: 200, noNaN: true }),
);
const factor = fc.double({ min: 0.2, max: 5, noNaN: true });

describe('a photo in its frame', () => {
  it('keeps what is under the fingers while it is zoomed in', () => {
    fc.assert(
      fc.property(point, fc.double({ min: 1, max: MAX_SCALE, noNaN: true }), (at, by) => {
        const before = inPhoto(WHOLE, FRAME, PHOTO, at);
        const after = inPhoto(zoomed(WHOLE, FRAME, at, by), FRAME, PHOTO, at);
        expect(after[0]).toBeCloseTo(before[0], 6);
        expect(after[1]).toBeCloseTo(before[1], 6);
      }),
    );
  });

  it('never shows anything beside the photo', () => {
    fc.assert(
      fc.property(point, factor, fc.tuple(point, point), (at, by, [to, from]) => {
        const view = moved(zoomed(WHOLE, FRAME, at, by), FRAME, to[0] - from[0], to[1] - from[1]);
        const [left, top] = inPhoto(view, FRAME, PHOTO, [0, 0]);
        const [right, bottom] = inPhoto(view, FRAME, PHOTO, [300, 200]);
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(-1e-6);
        expect(right).toBeLessThanOrEqual(1500 + 1e-6);
        expect(bottom).toBeLessThanOrEqual(1000 + 1e-6);
      }),
    );
  });
});

describe('a tap', () => {
  const tile = (x: number): Polygon => [
    [x, 10],
    [x + 20, 10],
    [x + 20, 40],
    [x, 40],
  ];
  const row = [tile(0), tile(20), tile(80)];

  it.each([
    ['in a tile', [30, 20], 1],
    ['beside the last tile', [108, 20], 2],
    ['between two tiles, nearer to the second', [66, 20], 2],
    ['below the first tile', [10, 50], 0],
    ['far from all tiles', [200, 200], -1],
  ] as const)('%s', (_, at, expected) => expect(hit(row, at, 24)).toBe(expected));
});
