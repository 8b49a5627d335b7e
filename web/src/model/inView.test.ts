import { describe, expect, it } from 'vitest';
import type { Corner, HandInView, Reading, SeenTile } from '../api/types';
import { around, hull, inView } from './inView';

const square = (x: number, y: number, side = 10): [Corner, Corner, Corner, Corner] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
];

const tile = (code: string, x: number, y: number): SeenTile => ({
  tile: code,
  polygon: square(x, y),
  face_up: true,
  sideways: false,
  score: 0.9,
  p: 0.9,
  candidates: [],
  role: 'concealed',
  group: 0,
});

const TILES = [tile('1m', 0, 100), tile('2m', 20, 100), tile('E', 5, 0), tile('back', 25, 0)];

const reading = (hands_in_view?: HandInView[]): Reading => ({
  status: 'ok',
  hand: { concealed: [], winning_tile: null, melds: [], flowers: [] },
  probability: 1,
  tiles_probability: 1,
  score_probability: 1,
  conventions: { turned_in_claimed_kong: 'one' },
  tiles: TILES,
  doubts: [],
  score: null,
  ...(hands_in_view && { hands_in_view }),
});

const LOWER: HandInView = { tiles: [0, 1], focus: { x: 5, y: 105 }, notation: '12m' };
const UPPER: HandInView = { tiles: [2, 3], focus: { x: 10, y: 5 }, notation: 'E' };

describe('hands in view', () => {
  it('offer no choice if there is only one', () => {
    expect(inView(reading())).toEqual([]);
    expect(inView(reading([LOWER]))).toEqual([]);
  });

  it('keep their letters, whichever of them is read', () => {
    for (const hands of [
      [LOWER, UPPER],
      [UPPER, LOWER],
    ]) {
      const found = inView(reading(hands));
      expect(found.map(({ letter, focus }) => [letter, focus])).toEqual([
        ['A', UPPER.focus],
        ['B', LOWER.focus],
      ]);
      expect(found.findIndex(({ current }) => current)).toBe(hands[0] === UPPER ? 0 : 1);
    }
  });

  it('show their faces in order', () => {
    const mixed = [tile('E', 0, 100), tile('2m', 20, 100), tile('1m', 5, 0)];
    const hands = [{ ...LOWER, tiles: [0, 1, 2] }, UPPER];
    const [first] = inView({ ...reading(hands), tiles: [...mixed, tile('9s', 25, 0)] });
    expect(first?.faces).toEqual(['1m', '2m', 'E']);
  });

  it('show all visible faces and outline all tiles', () => {
    const [upper] = inView(reading([LOWER, UPPER]));
    expect(upper?.faces).toEqual(['E']);
    expect(upper?.outline).toEqual(
      expect.arrayContaining([
        [5, 0],
        [35, 0],
        [35, 10],
        [5, 10],
      ]),
    );
    expect(upper?.outline).toHaveLength(4);
  });
});

describe('the hull', () => {
  it('leaves out points inside and on an edge', () => {
    expect(hull([...square(0, 0, 30), ...square(10, 10), [15, 0], [30, 15]])).toEqual([
      [0, 0],
      [30, 0],
      [30, 30],
      [0, 30],
    ]);
  });

  it('keeps the requested margin', () => {
    expect(around(square(0, 0), 3)).toEqual([
      [-3, -3],
      [13, -3],
      [13, 13],
      [-3, 13],
    ]);
  });

  it('of fewer than three corners is these corners', () => {
    expect(hull([])).toEqual([]);
    expect(hull([[1, 2]])).toEqual([[1, 2]]);
  });
});
