import { describe, expect, it } from 'vitest';
import type { Reading } from '../api/types';
import { lyingIn } from './lying';

const tile = (x: number, y: number, group: number) => ({
  group,
  polygon: [
    [x - 10, y - 14],
    [x + 10, y - 14],
    [x + 10, y + 14],
    [x - 10, y + 14],
  ],
});

const reading = (...tiles: ReturnType<typeof tile>[]) => ({ tiles }) as unknown as Reading;

const all = (of: Reading) => lyingIn(of, [...of.tiles.keys()], 0);

describe('the order of tiles in a photo', () => {
  it('follows a row that lies askew', () => {
    const askew = reading(tile(60, 70, 0), tile(0, 0, 0), tile(20, 24, 0), tile(40, 46, 0));
    expect(all(askew)).toEqual([[1, 2, 3, 0]]);
  });

  it('goes down a row that stands upright', () => {
    expect(all(reading(tile(3, 60, 0), tile(0, 0, 0), tile(2, 30, 0)))).toEqual([[1, 2, 0]]);
  });

  it('takes the groups of a row from left to right, and the upper row first', () => {
    const rows = reading(
      tile(200, 105, 0),
      tile(0, 100, 1),
      tile(100, 104, 1),
      tile(150, 20, 2),
      tile(20, 12, 3),
    );
    expect(all(rows)).toEqual([[4], [3], [1, 2], [0]]);
  });

  it('goes along a table that is seen askew', () => {
    const askew = reading(
      ...[0, 1, 2, 3].map((at) => tile(at * 20, 100 - at * 6, 0)),
      ...[5, 6].map((at) => tile(at * 20, 100 - at * 6, 1)),
      tile(100, 30, 2),
    );
    expect(all(askew)).toEqual([[6], [0, 1, 2, 3], [4, 5]]);
  });

  it('leaves out what the photo does not show', () => {
    expect(lyingIn(reading(tile(0, 0, 0), tile(30, 0, 0)), [1, 7], 0)).toEqual([[1]]);
  });
});
