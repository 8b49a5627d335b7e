import { describe, expect, it } from 'vitest';
import { fitted } from './prepare';
import { type Grey, measure, warnings } from './quality';

/** Vertical stripes whose edges take `soft` pixels, between two greys. */
function stripes(soft: number, low: number, high: number): Grey {
  const width = 240;
  const height = 180;
  const period = 40;
  const pixels = new Uint8ClampedArray(width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    const x = (at % width) % period;
    const edge = Math.min(x, Math.abs(x - period / 2), period - x);
    const share = Math.min(1, edge / Math.max(soft, 1));
    const side = x < period / 2 ? 1 : -1;
    pixels[at] = (low + high) / 2 + (side * share * (high - low)) / 2;
  }
  return { width, height, pixels };
}

describe('the quality of a photo', () => {
  it.each<[string, Grey, string[]]>([
    ['a sharp one', stripes(1, 40, 220), []],
    ['a blurred one', stripes(20, 40, 220), ['blurred']],
    ['a dark one', stripes(1, 0, 90), []],
    ['a very dark one', stripes(1, 0, 25), ['dark']],
    ['a black one', stripes(1, 0, 0), ['dark']],
  ])('of %s', async (_, grey, expected) => expect(warnings(await measure(grey))).toEqual(expected));

  it('is that of the sharpest part, so a plain table does not matter', async () => {
    const grey = stripes(1, 40, 220);
    const plain = {
      ...grey,
      pixels: grey.pixels.map((pixel, at) => (at < grey.pixels.length * 0.75 ? 120 : pixel)),
    };
    expect(warnings(await measure(plain))).toEqual([]);
  });
});

describe('the size of what is sent', () => {
  it.each([
    [
      [4000, 3000],
      [2000, 1500],
    ],
    [
      [3000, 4000],
      [1500, 2000],
    ],
    [
      [1280, 960],
      [1280, 960],
    ],
    [
      [10_000, 2],
      [2000, 1],
    ],
  ])('of %j is %j', ([width = 0, height = 0], [w, h]) =>
    expect(fitted(width, height, 2000)).toEqual({ width: w, height: h }));
});
