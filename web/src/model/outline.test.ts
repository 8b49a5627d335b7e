import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Corner } from '../api/types';
import { area, MAX_CORNERS, simplified, within } from './outline';

/** A circle of many points, as a finger draws it. */
const circle = (points: number, radius: number): Corner[] =>
  Array.from({ length: points }, (_, at) => {
    const angle = (at / points) * 2 * Math.PI;
    return [200 + radius * Math.cos(angle), 200 + radius * Math.sin(angle)];
  });

describe('an outline drawn by hand', () => {
  it('keeps its shape with no more corners than the service takes', () => {
    const drawn = circle(400, 150);
    const polygon = simplified(drawn);
    expect(polygon).toHaveLength(MAX_CORNERS);
    expect(Math.abs(area(polygon) / area(drawn))).toBeGreaterThan(0.98);
  });

  it('keeps the corners of an L, and drops what lies on its sides', () => {
    const steps = (from: Corner, to: Corner): Corner[] =>
      Array.from({ length: 20 }, (_, at): Corner => {
        const part = at / 20;
        return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
      });
    const shape: Corner[] = [
      [0, 0],
      [100, 0],
      [100, 50],
      [50, 50],
      [50, 100],
      [0, 100],
    ];
    const drawn = shape.flatMap((corner, at) => steps(corner, shape[(at + 1) % shape.length] ?? corner));
    expect(simplified(drawn, 6)).toEqual(shape);
  });

  it('has only points that were drawn, in their order, each once in a row', () => {
    const point = fc.tuple(fc.nat(300), fc.nat(300));
    fc.assert(
      fc.property(fc.array(point, { maxLength: 80 }), (drawn) => {
        const polygon = simplified(drawn);
        expect(polygon.length).toBeLessThanOrEqual(MAX_CORNERS);
        let from = 0;
        for (const corner of polygon) {
          const at = drawn.indexOf(corner as (typeof drawn)[number], from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + 1;
        }
      }),
    );
  });

  it('ends where the photo ends', () => {
    const photo = { width: 300, height: 200 };
    expect(within(photo, [-5, 50])).toEqual([0, 50]);
    expect(within(photo, [310, 250])).toEqual([300, 200]);
  });
});
