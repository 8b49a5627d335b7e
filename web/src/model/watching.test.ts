import { expect, it } from 'vitest';
import type { SeenFrame } from '../../../bindings/npm/index.js';
import { type Held, hold, outlinesIn, sureness, totalsIn } from './watching';

const POLYGON = [
  [0, 0],
  [3, 0],
  [3, 4],
  [0, 4],
] as const;
const IN_NEWEST = POLYGON.map(([x, y]) => [x + 10, y]);

const tile = (role: string, views: readonly number[] = [], meld?: number) => ({
  tile: '1m',
  role,
  meld,
  polygon: POLYGON,
  photo: views[0],
  views: views.map((photo) => ({ photo, polygon: photo === 1 ? IN_NEWEST : POLYGON, p: 0.9 })),
});

interface Given {
  readonly hand?: string;
  readonly same?: number;
  readonly steady?: boolean;
  readonly status?: string;
  readonly score?: unknown;
  readonly tiles?: readonly unknown[];
  readonly frames?: readonly number[];
}

function frame({
  hand = '11m',
  same = 1,
  steady = false,
  status = 'ok',
  score,
  tiles = [],
  frames = [0],
}: Given) {
  const photos =
    frames.length > 1 ? frames.map((_, index) => ({ index, used: true, base: index === 0 })) : undefined;
  const reading = { status, hand: { notation: hand }, score, tiles, photos };
  return { answer: { reading }, frames, base: 0, same, steady } as unknown as SeenFrame;
}

it('is sure of what is steady alone', () => {
  expect(sureness(frame({ steady: true }))).toBe('steady');
  expect(sureness(frame({}))).toBe('open');
  expect(sureness(frame({ status: 'no_hand' }))).toBe('nothing');
});

it('holds a steady hand until another one is steady, or it is gone', () => {
  const steady = frame({ steady: true, same: 3 });
  const held = hold(null, steady);
  expect(hold(null, frame({}))).toBeNull();
  const after = (...frames: SeenFrame[]): Held | null => frames.reduce<Held | null>(hold, held);

  const doubtful = frame({});
  const glare = frame({ hand: '1P' });
  const left = frame({ same: 0 });
  expect(after(doubtful, doubtful, doubtful, doubtful)).toEqual(held);
  expect(after(glare, left)).toEqual({ found: steady, others: 2 });
  expect(after(glare, left, doubtful)).toEqual(held);
  expect(after(glare, left, glare)).toBeNull();
  const another = frame({ hand: '99s', steady: true, same: 3 });
  expect(after(another)?.found).toBe(another);
});

it('outlines the tiles of the hand where the newest frame shows them', () => {
  const tiles = [
    tile('concealed', [0, 1]),
    tile('meld', [1], 2),
    tile('winning', [0]),
    tile('ignored', [0, 1]),
  ];
  expect(outlinesIn(frame({ tiles, frames: [4, 5] }))).toEqual([
    { polygon: IN_NEWEST, meld: null, winning: false },
    { polygon: IN_NEWEST, meld: 2, winning: false },
  ]);
  const alone = [tile('winning'), tile('ignored')];
  expect(outlinesIn(frame({ tiles: alone }))).toEqual([{ polygon: POLYGON, meld: null, winning: true }]);
});

it('tells the range of a total that hangs on how the hand was won', () => {
  expect(totalsIn(frame({}))).toBeNull();
  expect(totalsIn(frame({ score: { total: 20 } }))).toEqual([20, 20]);
  expect(totalsIn(frame({ score: { total: 20, range: { min: 20, max: 22 } } }))).toEqual([20, 22]);
});
