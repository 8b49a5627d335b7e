/** Places of the tiles in photos of a hand, and what stays when the photos change places. */
import { describe, expect, it } from 'vitest';
import type { Reading, SeenTile } from '../api/types';
import {
  alsoIn,
  baseOf,
  isClearIn,
  namedFrom,
  namedTiles,
  ofOnePhoto,
  outlineIn,
  placed,
  sendingOrder,
  showing,
  without,
} from './together';

type Corners = [number, number][];

const square = (left: number, top: number): Corners => [
  [left, top],
  [left + 30, top],
  [left + 30, top + 40],
  [left, top + 40],
];

const tile = (
  polygon: Corners,
  photo?: number,
  views: readonly [number, Corners, number?][] = [],
): SeenTile =>
  ({
    tile: '1m',
    polygon,
    role: 'concealed',
    candidates: [],
    ...(photo !== undefined && { photo }),
    ...(views.length > 0 && {
      views: views.map(([at, corners, p = 0.9]) => ({ photo: at, polygon: corners, p })),
    }),
  }) as unknown as SeenTile;

const photo = (index: number, base: boolean, used = true) => ({ index, base, used, tiles: 2 });

/** Three photos: 1 is the base, 2 shows another hand; the second tile is hidden in the base. */
const reading = {
  tiles: [
    tile(square(10, 10), 1, [
      [0, square(110, 10)],
      [1, square(10, 10)],
    ]),
    tile(square(50, 10), 0, [
      [0, square(150, 10)],
      [1, square(52, 10), 0.1],
    ]),
    tile(Array(4).fill([100, 100]) as Corners, 0, [[0, square(190, 10)]]),
  ],
  photos: [photo(0, false), photo(1, true), photo(2, false, false)],
} as unknown as Reading;
const alone = { tiles: [tile(square(10, 10))] } as unknown as Reading;
const [first, hidden, beyond] = reading.tiles as [SeenTile, SeenTile, SeenTile];

describe('the photos of a hand', () => {
  it('show tiles where each has them', () => {
    expect(baseOf(reading)).toBe(1);
    expect(outlineIn(reading, first, 0)).toEqual(square(110, 10));
    expect(outlineIn(reading, first, 1)).toEqual(square(10, 10));
    expect(outlineIn(reading, first, 2)).toBeNull();
  });

  it('show in the base where a hidden tile lies, but nothing beyond its edge', () => {
    expect(outlineIn(reading, hidden, 1)).toEqual(square(52, 10));
    expect(outlineIn(reading, { ...hidden, views: [] }, 1)).toEqual(square(50, 10));
    expect([0, 1].map((at) => isClearIn(reading, hidden, at))).toEqual([true, false]);
    expect(outlineIn(reading, beyond, 1)).toBeNull();
  });

  it('name tiles', () => {
    expect(namedFrom(reading, first)).toEqual({ photo: 1, polygon: square(10, 10) });
    expect(namedFrom(reading, hidden)).toEqual({ photo: 0, polygon: square(150, 10) });
    expect(alsoIn(reading, first)).toEqual([0]);
    expect(alsoIn(reading, hidden)).toEqual([]);
    expect([0, 1, 2].map((at) => namedTiles(reading, at))).toEqual([2, 1, 0]);
  });

  it('show several tiles in one picture, in the base if it has them all', () => {
    expect(showing(reading, [first]).photo).toBe(1);
    expect(showing(reading, [first, hidden])).toEqual({
      photo: 0,
      polygons: [square(110, 10), square(150, 10)],
    });
  });

  it('are one photo where nothing else was sent', () => {
    const [only] = alone.tiles as [SeenTile];
    expect(namedFrom(alone, only)).toEqual({ photo: 0, polygon: square(10, 10) });
    expect(showing(alone, [only, only])).toEqual({ photo: 0, polygons: [square(10, 10), square(10, 10)] });
    expect(placed(alone, [0])).toBe(alone);
  });
});

describe('the order of photos', () => {
  it('has the one that is pointed at first', () => {
    expect(sendingOrder(3)).toEqual([0, 1, 2]);
    expect(sendingOrder(3, 2)).toEqual([2, 0, 1]);
  });

  it('is that of the page once they are read', () => {
    const back = placed(reading, [2, 0, 1]);
    expect(back.photos?.map(({ index, used }) => [index, used])).toEqual([
      [0, true],
      [1, false],
      [2, true],
    ]);
    expect(baseOf(back)).toBe(0);
    expect(namedFrom(back, back.tiles[0] as SeenTile)).toEqual({ photo: 0, polygon: square(10, 10) });
    expect(namedFrom(back, back.tiles[1] as SeenTile)).toEqual({ photo: 2, polygon: square(150, 10) });
  });

  it('closes up when one is taken out', () => {
    const two = without(reading, 2);
    expect(two.photos?.length).toBe(2);
    expect(two.tiles).toEqual(reading.tiles);
    const moved = without(placed(reading, [1, 2, 0]), 0);
    expect(baseOf(moved)).toBe(1);
    expect(moved.tiles[1]?.photo).toBe(0);
  });

  it('ends with a photo alone', () => {
    const pair = { ...reading, photos: [photo(0, false, false), photo(1, true)] } as unknown as Reading;
    const one = without(pair, 0);
    expect(one.photos).toBeUndefined();
    expect(one.tiles.every((seen) => seen.photo === undefined && seen.views === undefined)).toBe(true);
    expect(baseOf(one)).toBe(0);
    expect(ofOnePhoto(reading)).toEqual({ ...one, photos: undefined });
  });
});
