/** Photos come and go: what is sent, what stays when that fails, and that no memory is kept. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failure } from '../../api/failure';
import type { Reading } from '../../api/types';
import { online } from '../../browser/online';
import { missing } from '../../engine/place';
import { prepare } from '../../photo/prepare';
import {
  answerBoth,
  change,
  isOwnCorrection,
  redoHand,
  setContext,
  setContextOfGame,
  undoChange,
  undoHand,
} from './edit';
import { current, entries, leave } from './entry';
import { addPhotos, addPhotosTo, addTyped, dropPhoto, lookAt } from './open';
import { tryAgain, turn } from './reading';

/** Values that the browser keeps between visits. */
const stored = vi.hoisted(() => new Map<string, unknown>());
vi.mock('../../browser/storage', () => ({
  read: (name: string) => stored.get(name) ?? null,
  write: (name: string, value: unknown) => stored.set(name, value),
}));

vi.mock('../../photo/prepare', async (original) => ({
  ...(await original<typeof import('../../photo/prepare')>()),
  prepare: vi.fn(),
}));

/** Photos whose addresses were made and not yet given back. */
const held = new Set<string>();
/** The names of the photos of each request, and what is answered. */
const sent: string[][] = [];
let answers: (photos: readonly string[]) => Response;

const file = (name: string): Blob => new File([name], name);

const read = (photos: readonly string[], leftOut?: string): Response => {
  const list = photos.map((name, index) => ({
    index,
    base: index === 0,
    used: name !== leftOut,
    tiles: 1,
    left_out: name === leftOut ? 'other_tiles' : null,
  }));
  const reading = {
    hand: { concealed: [] },
    tiles: [],
    doubts: [],
    ...(photos.length > 1 && { photos: list }),
  };
  return Response.json({ reading });
};

beforeEach(() => {
  // This device can't read.
  missing.value = 'no-simd';
  online.value = true;
  answers = (photos) => read(photos);
  let made = 0;
  vi.mocked(prepare).mockImplementation(async (blob) => {
    const name = await blob.text();
    if (name === 'notes') throw failure('unsupported-media');
    const url = `blob:${name}-${made++}`;
    held.add(url);
    const quality = { sharpness: name === 'blurred' ? 1 : 1000, brightness: 200 };
    return { blob: new Blob([name]), url, width: 100, height: 100, quality };
  });
  vi.stubGlobal('URL', Object.assign(URL, { revokeObjectURL: (url: string) => held.delete(url) }));
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (path !== '/v1/hands') return Response.json({});
    const photos = (init.body as FormData).getAll('photo') as File[];
    const names = await Promise.all(photos.map((photo) => photo.text()));
    sent.push(names);
    return answers(names);
  });
});

afterEach(() => {
  for (const entry of entries.peek()) leave(entry);
  expect(held.size, 'every photo is released').toBe(0);
  sent.length = 0;
  vi.unstubAllGlobals();
});

const hand = () => {
  const entry = current.peek();
  if (!entry) throw new Error('no hand is open');
  return entry;
};
const settled = (kind: string) => vi.waitFor(() => expect(hand().photos.phase.peek().kind).toBe(kind));
const numbers = (reading: Reading | null) => reading?.photos?.map(({ index }) => index);

async function opened(...names: string[]): Promise<void> {
  addPhotos([names.map(file)]);
  await settled('ready');
}

it('several photos of a hand are sent together', async () => {
  await opened('a', 'b', 'c');
  expect(sent).toEqual([['a', 'b', 'c']]);
  expect(entries.peek()).toHaveLength(1);
});

it('a photo that is added is sent with the first', async () => {
  await opened('a');
  addPhotosTo(hand(), [file('b')]);
  await settled('ready');
  expect(sent).toEqual([['a'], ['a', 'b']]);
  expect(held.size).toBe(2);
});

it('a corrected hand stays, and all its photos are read beside it', async () => {
  await opened('a');
  const corrected = hand();
  change(corrected, { ...corrected.edit.hand.peek() });
  addPhotosTo(corrected, [file('b')]);
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  await settled('ready');
  expect(sent[1]).toEqual(['a', 'b']);
  expect(hand()).not.toBe(corrected);
  expect(corrected.photos.pictures.peek()).toHaveLength(1);
  expect(corrected.edit.history.peek().past).toHaveLength(1);
});

it('more than eight are refused before anything is sent', async () => {
  await opened('a');
  addPhotosTo(
    hand(),
    Array.from({ length: 8 }, () => file('b')),
  );
  expect(hand().photos.notRead.peek()).toEqual({ kind: 'too-many' });
  expect(sent).toHaveLength(1);
  expect(hand().photos.pictures.peek()).toHaveLength(1);
});

it('a hand stays as it was read when the photo that is added is not one', async () => {
  await opened('a');
  const before = hand().photos.reading.peek();
  addPhotosTo(hand(), [file('b'), file('notes')]);
  await vi.waitFor(() => expect(hand().photos.notRead.peek()?.kind).toBe('photo'));
  expect(hand().photos.phase.peek().kind).toBe('ready');
  expect(hand().photos.reading.peek()).toBe(before);
  expect(hand().photos.pictures.peek()).toHaveLength(1);
  expect(sent).toHaveLength(1);
});

it('a hand stays as it was read when the service refuses the photos', async () => {
  await opened('a');
  answers = () => Response.json({ type: 'urn:tilesight:problem:other', status: 500 }, { status: 500 });
  addPhotosTo(hand(), [file('b')]);
  await vi.waitFor(() => expect(hand().photos.notRead.peek()?.kind).toBe('photo'));
  expect(hand().photos.pictures.peek()).toHaveLength(1);
  expect(held.size).toBe(1);
});

it('photos that wait for the network are read later', async () => {
  await opened('a');
  online.value = false;
  addPhotosTo(hand(), [file('b')]);
  await settled('waiting');
  expect(sent).toHaveLength(1);
  online.value = true;
  tryAgain(hand());
  await settled('ready');
  expect(sent[1]).toEqual(['a', 'b']);
});

it('of several new photos the one that is none is named, and the others are read without it', async () => {
  addPhotos([[file('a'), file('notes'), file('c')]]);
  await settled('failed');
  expect(hand().photos.phase.peek()).toMatchObject({ kind: 'failed', at: 1 });
  dropPhoto(hand(), 1);
  await settled('ready');
  expect(sent).toEqual([['a', 'c']]);
});

it('a blurred photo that is added can be left out, and the hand is there again', async () => {
  await opened('a');
  addPhotosTo(hand(), [file('blurred')]);
  await settled('warned');
  expect(hand().photos.shown.peek()).toBe(1);
  dropPhoto(hand(), 1);
  expect(hand().photos.phase.peek().kind).toBe('ready');
  expect(sent).toHaveLength(1);
});

it('a photo that was left out is taken away without another request', async () => {
  answers = (photos) => read(photos, 'b');
  await opened('a', 'b', 'c');
  dropPhoto(hand(), 1);
  expect(hand().photos.phase.peek().kind).toBe('ready');
  expect(numbers(hand().photos.reading.peek())).toEqual([0, 1]);
  expect(sent).toHaveLength(1);
  addPhotosTo(hand(), [file('d')]);
  await settled('ready');
  expect(sent[1]).toEqual(['a', 'c', 'd']);
});

it('the photo that is pointed at is sent first and keeps its place', async () => {
  await opened('a', 'b', 'c');
  lookAt(hand(), { region: [[1, 2]], photo: 2 });
  await settled('ready');
  expect(sent[1]).toEqual(['c', 'a', 'b']);
  expect(numbers(hand().photos.reading.peek())).toEqual([0, 1, 2]);
  expect(hand().photos.shown.peek()).toBe(2);
  expect(
    hand()
      .photos.pictures.peek()
      .map(({ photo }) => photo?.url.slice(5, 6)),
  ).toEqual(['a', 'b', 'c']);
});

it('a photo that is turned is prepared anew, and the others are not', async () => {
  await opened('a', 'b');
  hand().photos.shown.value = 1;
  turn(hand());
  await settled('ready');
  expect(vi.mocked(prepare).mock.lastCall?.[1]).toBe(1);
  expect(
    hand()
      .photos.pictures.peek()
      .map(({ turns }) => turns),
  ).toEqual([0, 1]);
  expect(held.size).toBe(2);
});

it('the seat of a hand is not the next one’s, and a round that is kept is known as kept', () => {
  const first = addTyped();
  setContext(first.edit, { seat: 'S', prevalent: 'W', win: 'self_drawn' });
  const next = addTyped();
  expect(next.edit.context.value).toEqual({ prevalent: 'W' });
  expect(next.edit.keptRound.value).toBe('W');
  setContext(next.edit, { prevalent: 'W', seat: 'N' });
  expect(next.edit.keptRound.value).toBe('W');
  setContext(next.edit, { prevalent: 'N', seat: 'N' });
  expect(next.edit.keptRound.value).toBeNull();
  // What an evening or a link says is neither kept nor called so.
  setContextOfGame(next.edit, { prevalent: 'S', seat: 'E' });
  expect(addTyped().edit.context.value).toEqual({ prevalent: 'N' });
  expect(addTyped(undefined, { prevalent: 'N' }).edit.keptRound.value).toBeNull();
});

it('changes of the hand and of the win are taken back in their order', () => {
  const entry = addTyped(undefined, {});
  const empty = entry.edit.hand.value;
  const flowers = { ...empty, flowers: [{ id: 1, face: 'f1' as const, seen: null }] };
  change(entry, flowers);
  setContext(entry.edit, { win: 'self_drawn' });
  change(entry, empty);
  undoChange(entry.edit);
  expect(entry.edit.hand.value).toMatchObject(flowers);
  undoChange(entry.edit);
  expect(entry.edit.context.value).toEqual({});
  redoHand(entry.edit);
  expect(entry.edit.hand.value).toMatchObject(empty);
  setContext(entry.edit, { win: 'discard' });
  // The hand alone, as its own button does.
  undoHand(entry.edit);
  undoHand(entry.edit);
  expect([entry.edit.hand.value, entry.edit.context.value]).toMatchObject([empty, { win: 'discard' }]);
  undoChange(entry.edit);
  expect([entry.edit.context.value, entry.edit.changes.value]).toEqual([{}, []]);
});

it('an answer about the hand and its win is taken back with one tap', () => {
  const entry = addTyped(undefined, {});
  const empty = entry.edit.hand.value;
  const flowers = { ...empty, flowers: [{ id: 1, face: 'f1' as const, seen: null }] };
  answerBoth(entry, flowers, { win: 'discard' });
  expect(entry.edit.changes.value).toHaveLength(1);
  undoChange(entry.edit);
  expect([entry.edit.hand.value, entry.edit.context.value]).toEqual([empty, {}]);
  // The button of the hand alone leaves what was said of the win.
  answerBoth(entry, flowers, { win: 'discard' });
  undoHand(entry.edit);
  expect([entry.edit.hand.value, entry.edit.context.value]).toEqual([empty, { win: 'discard' }]);
  undoChange(entry.edit);
  expect([entry.edit.context.value, entry.edit.changes.value]).toEqual([{}, []]);
});

it('a corrected hand is one after a reload too, and one that was only answered is not', async () => {
  await opened('a');
  const { edit } = hand();
  const answered = [{ doubt: 'winning_tile', answer: null }];
  change(hand(), { ...edit.hand.peek(), answered });
  expect(isOwnCorrection(edit)).toBe(false);
  change(hand(), { ...edit.hand.peek() });
  expect(isOwnCorrection(edit)).toBe(true);
  edit.history.value = structuredClone(edit.history.peek());
  expect(isOwnCorrection(edit)).toBe(true);
  undoHand(edit);
  expect(isOwnCorrection(edit)).toBe(false);
});
