import { expect, it } from 'vitest';
import type { Doubt, Reading } from '../api/types';
import {
  address,
  beside,
  changedFields,
  closeUp,
  contextOf,
  correctionOf,
  draftOf,
  type Group,
  groupsOf,
  handBox,
  handOf,
  isSettled,
  kept,
  nextOpen,
  placeIn,
  type QueuedPhoto,
  question,
  type ReviewPhoto,
  stepped,
  suggestion,
  within,
} from './review';

const queued = (index: number, group: Group, done = false): QueuedPhoto => ({
  index,
  id: `${index}.jpg`,
  group,
  expected_change: 1,
  done,
});

const doubt = (id: string, hands: readonly (string | null)[], affects_score = true): Doubt => ({
  id,
  kind: 'tile',
  tiles: [],
  question: `${id}?`,
  alternatives: hands.map((hand) => ({ answer: 'x', p: 0.5, total: 8, hand })),
  affects_score,
});

function photo(group: Group, doubts: readonly Doubt[], scored: boolean): ReviewPhoto {
  const score = scored ? ({ total: 8 } as Reading['score']) : null;
  const tile = (role: string, x: number) => ({
    role,
    polygon: [
      [x, 40],
      [x + 10, 40],
      [x + 10, 60],
      [x, 60],
    ],
  });
  const tiles = [tile('concealed', 30), tile('concealed', 60), tile('ignored', 90)];
  const reading = { hand: {}, score, doubts, tiles } as unknown as Reading;
  return {
    ...queued(3, group),
    original: { reading, image: { width: 100, height: 80 } },
    now: { hand: reading.hand, score: score ?? null, doubts },
    corrected: null,
    given: { seat: 'W', win: 'discard', from: 'left' },
    correction: null,
    reviewer: '',
    note: '',
  };
}

it('asks what can be answered, and is settled when nothing is left', () => {
  const open = photo('tile', [doubt('a', [null]), doubt('b', ['1m', null]), doubt('c', ['1m'], false)], true);
  expect(question(open)?.id).toBe('b');
  expect(isSettled(open)).toBe(false);
  expect(isSettled(photo('tile', [doubt('c', ['1m'], false)], true))).toBe(true);
  expect(isSettled(photo('tile', [], false))).toBe(false);
  expect(question(photo('not_a_hand', [doubt('a', [])], false))).toBe(null);
});

it('suggests what is likeliest', () => {
  const cases: readonly [Group, boolean, object | null][] = [
    ['winning_tile', true, { accepted: true }],
    ['sixteen_tiles', false, { game: 'sixteen-tile' }],
    ['not_a_hand', false, { no_hand: true }],
    ['failed', false, { no_hand: true }],
    ['near_win', false, null],
  ];
  for (const [group, scored, expected] of cases) {
    expect([group, correctionOf(suggestion(photo(group, [], scored)))]).toEqual([group, expected]);
  }
});

it('keeps what was corrected of a photo that is accepted again', () => {
  const shown = photo('tile', [], true);
  const accept = { accepted: true };
  expect(kept(shown, accept, false)).toEqual(accept);
  const typed = { ...shown, correction: { hand: '11m', context: { seat: 'S' as const } } };
  expect(kept(typed, accept, false)).toEqual({ ...typed.correction, accepted: true });
  expect(kept(typed, accept, true)).toEqual(accept);
  expect(kept(typed, { no_hand: true }, false)).toEqual({ no_hand: true });
  expect(kept({ ...shown, correction: { no_hand: true } }, accept, false)).toEqual(accept);
});

it('goes to the next photo that nobody has answered', () => {
  const photos = [queued(5, 'tile'), queued(2, 'set', true), queued(9, 'tile'), queued(1, 'set')];
  expect([null, 5, 9, 1].map((index) => nextOpen(photos, index))).toEqual([5, 9, 1, 5]);
  expect(nextOpen([queued(2, 'set', true)], 2)).toBe(null);
  expect([beside(photos, 5, -1), beside(photos, 5, 1), beside(photos, 1, 1), beside([], 1, 1)]).toEqual([
    5,
    2,
    1,
    null,
  ]);
  expect(within(photos, 'set').map(({ index }) => index)).toEqual([2, 1]);
  expect(groupsOf(photos)).toEqual([
    { group: 'tile', left: 2, all: 2 },
    { group: 'set', left: 1, all: 2 },
  ]);
});

it('finds its place in the address again', () => {
  for (const [index, group] of [
    [87, 'winning_tile'],
    [0, null],
    [null, null],
  ] as const) {
    for (const home of ['#review', '#job=0198f0c2a5b17c3d9e4f60718293a4b5']) {
      expect(placeIn(address(home, index, group))).toEqual({ index, group });
    }
  }
  expect(placeIn('#review/x/nonsense')).toEqual({ index: null, group: null });
});

it('steps through the win context and sends what is not as it was given', () => {
  const shown = photo('tile', [], true);
  const hand = handOf(shown);
  const given = contextOf(shown, draftOf(shown));
  expect(changedFields(shown, given)).toEqual({});
  const north = stepped(given, 's', hand);
  expect(changedFields(shown, north)).toEqual({ seat: 'N' });
  expect(changedFields(shown, stepped(north, 's', hand))).toEqual({ seat: 'E' });
  // Nobody discarded a tile that was drawn.
  const drawn = { ...given, win: 'self_drawn' as const };
  expect(changedFields(shown, drawn)).toEqual({ win: 'self_drawn' });
  expect(stepped({}, 'w', hand).win).toBe('self_drawn');
  expect(stepped(stepped({}, 'l', hand), 'l', hand).last_wall_tile).toBe(false);
  const said = { ...shown, correction: { accepted: true, context: { seat: 'S' as const } } };
  expect(contextOf(said, draftOf(said))).toEqual({ seat: 'S', win: 'discard', from: 'left' });
});

it('enlarges the hand within the photo', () => {
  const box = handBox(photo('tile', [], true));
  expect(box).toMatchObject({ x: 26.25, y: 36.25, width: 47.5, height: 27.5 });
  const empty = photo('no_tiles', [], false);
  const none = {
    ...empty,
    original: { ...empty.original, reading: { ...empty.original.reading, tiles: [] } as never },
  };
  expect(handBox(none)).toEqual({ x: 0, y: 0, width: 100, height: 80 });
});

it('a tile beside the hand is shown when it is asked about, and large', () => {
  const beside = photo('tiles_missing', [], true);
  const hand = handBox(beside);
  const box = handBox(beside, [2]);
  expect((hand?.x ?? 0) + (hand?.width ?? 0)).toBeLessThan(90);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThanOrEqual(100);
  const close = closeUp(beside, [2]);
  expect(close?.width).toBeLessThan(30);
  expect(close?.x).toBeLessThan(90);
  expect(closeUp(beside, [])).toBeNull();
  expect(closeUp(beside, [0, 1, 2, 0, 1])).toBeNull();
});
