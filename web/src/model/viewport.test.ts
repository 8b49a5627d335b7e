import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Polygon } from '../api/types';
import { closeTo, hit, inPhoto, MAX_SCALE, moved, whole, zoomed } from './viewport';

const FRAME = { width: 300, height: 200 };
const FRAMED = { frame: FRAME, photo: { width: 1500, height: 1000 } };
/** A photo that is higher than wide in the same frame. */
const PORTRAIT = { frame: FRAME, photo: { width: 1000, height: 1500 } };
const WHOLE = whole(FRAMED);
const point = fc.tuple(
  fc.double({ min: 0, max: 300, noNaN: true }),
  fc.double({ min: 0, max: 200, noNaN: true }),
);
const factor = fc.double({ min: 0.2, max: 5, noNaN: true });

describe('a photo in its frame', () => {
  it('keeps what is under the fingers while it is zoomed in', () => {
    fc.assert(
      fc.property(point, fc.double({ min: 1, max: MAX_SCALE, noNaN: true }), (at, by) => {
        const before = inPhoto(WHOLE, FRAMED, at);
        const after = inPhoto(zoomed(WHOLE, FRAMED, at, by), FRAMED, at);
        expect(after[0]).toBeCloseTo(before[0], 6);
        expect(after[1]).toBeCloseTo(before[1], 6);
      }),
    );
  });

  it('never shows anything beside the photo', () => {
    fc.assert(
      fc.property(point, factor, fc.tuple(point, point), (at, by, [to, from]) => {
        const view = moved(zoomed(WHOLE, FRAMED, at, by), FRAMED, to[0] - from[0], to[1] - from[1]);
        const [left, top] = inPhoto(view, FRAMED, [0, 0]);
        const [right, bottom] = inPhoto(view, FRAMED, [300, 200]);
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(-1e-6);
        expect(right).toBeLessThanOrEqual(1500 + 1e-6);
        expect(bottom).toBeLessThanOrEqual(1000 + 1e-6);
      }),
    );
  });
});

describe('a part of a photo', () => {
  const share = fc.double({ min: 0.02, max: 0.9, noNaN: true });

  it.each([
    ['as wide as its frame', FRAMED],
    ['higher than wide', PORTRAIT],
  ])('is whole in the frame of a photo that is %s', (_, framed) => {
    const { photo } = framed;
    fc.assert(
      fc.property(share, share, share, share, (across, down, wide, high) => {
        const width = photo.width * wide * (1 - across);
        const height = photo.height * high * (1 - down);
        const box = { left: photo.width * across, top: photo.height * down, width, height };
        const view = closeTo(box, framed);
        const [left, top] = inPhoto(view, framed, [0, 0]);
        const [right, bottom] = inPhoto(view, framed, [FRAME.width, FRAME.height]);
        expect(left).toBeLessThanOrEqual(box.left + 1e-6);
        expect(top).toBeLessThanOrEqual(box.top + 1e-6);
        expect(right).toBeGreaterThanOrEqual(box.left + width - 1e-6);
        expect(bottom).toBeGreaterThanOrEqual(box.top + height - 1e-6);
        expect(view.scale).toBeGreaterThanOrEqual(whole(framed).scale);
      }),
    );
  });

  it('is larger in a high photo than the whole photo shows it', () => {
    const view = closeTo({ left: 50, top: 700, width: 900, height: 100 }, PORTRAIT);
    // As wide as the frame, where the whole photo has less than half of its width.
    expect(view.scale).toBeCloseTo(2.5, 6);
    expect(inPhoto(view, PORTRAIT, [150, 100])).toEqual([500, 750]);
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
