/**
 * The way of a hand's photos from a file to a reading, through the phases of `photos.ts`.
 *
 * Photos are prepared, then the hand waits in a queue. Invariants: one hand is read at a time, since
 * each is answered in less time than two at once; a hand that was read stays as it was when more
 * photos of it can't be read.
 */
import { batch } from '@preact/signals';
import { asFailure, type Failure } from '../../api/failure';
import type { Reading } from '../../api/types';
import { online } from '../../browser/online';
import { engine } from '../../engine';
import { canRead } from '../../engine/place';
import { toSend } from '../../model/context';
import { begin } from '../../model/history';
import { fromReading } from '../../model/reading';
import { baseOf, placed, sendingOrder } from '../../model/together';
import { type Photo, prepare, type Turns } from '../../photo/prepare';
import { type Warning, warnings } from '../../photo/quality';
import { allSetsKnown, setsToUse } from '../ownSets';
import { chosenRulesets, rulesets } from '../prefs';
import { type Entry, entries, isOpen } from './entry';
import { type Picture, release } from './photos';
import { setDoubts } from './verdict';

/**
 * After so many failed uploads the photo is at fault and not the network, and it is not sent
 * again.
 */
const MAX_TRIES = 3;

/** Maximum time for reading a hand, in milliseconds. */
const PATIENCE = 90_000;

/** Prepares the photos that are not prepared yet and sends all, unless there is a warning. */
export async function look(entry: Entry): Promise<void> {
  const { photos } = entry;
  photos.phase.value = { kind: 'preparing' };
  const warned = new Map<number, readonly Warning[]>();
  for (const [at, picture] of photos.pictures.peek().entries()) {
    if (picture.prepared) continue;
    let photo: Photo;
    try {
      photo = await prepare(picture.file, picture.turns);
    } catch (error) {
      const several = photos.pictures.peek().length > 1;
      fail(entry, asFailure(error), several ? at : undefined);
      return;
    }
    const prepared = { ...picture, photo, prepared: true };
    if (!isOpen(entry)) {
      release([prepared]);
      return;
    }
    release([picture]);
    photos.pictures.value = photos.pictures.peek().map((one, i) => (i === at ? prepared : one));
    const found = warnings(photo.quality);
    if (found.length > 0) warned.set(at, found);
  }
  const [first] = warned.keys();
  if (first === undefined) {
    send(entry);
    return;
  }
  photos.shown.value = first;
  photos.phase.value = { kind: 'warned', warnings: [...new Set([...warned.values()].flat())] };
}

/** The hand can't be read; with more photos than before, it stays as it was without them. */
export function fail({ photos }: Entry, failure: Failure, at?: number): void {
  const reading = photos.reading.peek();
  const pictures = photos.pictures.peek();
  if (!reading || pictures.length <= photos.countRead) {
    if (at !== undefined) photos.shown.value = at;
    photos.phase.value = { kind: 'failed', failure, ...(at !== undefined && { at }) };
    return;
  }
  release(pictures.slice(photos.countRead));
  batch(() => {
    photos.pictures.value = pictures.slice(0, photos.countRead);
    photos.shown.value = baseOf(reading);
    photos.notRead.value = { kind: 'photo', failure };
    photos.phase.value = { kind: 'ready' };
  });
}

/** Retries the step that failed: preparing or sending. */
export function tryAgain(entry: Entry): void {
  entry.photos.tries = 0;
  if (entry.photos.pictures.peek().every(({ prepared }) => prepared)) send(entry);
  else void look(entry);
}

/** Puts the photos of a hand into the queue. */
export function send(entry: Entry): void {
  entry.photos.phase.value = { kind: 'waiting' };
  void readNext();
}

/** Turns the photo on the screen. */
export function turn(entry: Entry): void {
  const { pictures, shown, aim } = entry.photos;
  pictures.value = pictures.peek().map((one, at) => (at === shown.peek() ? quarter(one) : one));
  aim.value = {};
  void look(entry);
}

const quarter = (picture: Picture): Picture => ({
  ...picture,
  turns: ((picture.turns + 1) % 4) as Turns,
  prepared: false,
});

let isReading = false;

/** Reads the hands in the queue, one after the other. */
export async function readNext(): Promise<void> {
  const next = entries.peek().find(({ photos }) => photos.phase.peek().kind === 'waiting');
  if (isReading || !next || !canRead.peek()) return;
  isReading = true;
  try {
    await readOne(next);
  } finally {
    isReading = false;
  }
  await readNext();
}

async function readOne(entry: Entry): Promise<void> {
  entry.photos.phase.value = { kind: 'reading' };
  try {
    takeReading(entry, await readingOf(entry));
  } catch (error) {
    takeFailure(entry, asFailure(error));
  }
}

/** Shows what the photos of a hand were read as. */
export function takeReading({ photos, edit, verdict }: Entry, reading: Reading): void {
  const hand = fromReading(reading);
  batch(() => {
    photos.reading.value = reading;
    photos.countRead = photos.pictures.peek().length;
    photos.shown.value = baseOf(reading);
    edit.history.value = begin(hand);
    edit.changes.value = [];
    setDoubts(verdict, reading, hand);
    photos.phase.value = { kind: 'ready' };
  });
}

/** Sends the photos of a hand, the one that is pointed at first. */
async function readingOf({ photos, edit }: Entry): Promise<Reading> {
  const blobs = photos.pictures.peek().flatMap(({ photo }) => photo?.blob ?? []);
  const { photo: first, ...aim } = photos.aim.peek();
  const order = sendingOrder(blobs.length, first);
  const context = toSend(edit.context.peek(), edit.hand.peek(), chosenRulesets.peek());
  const signal = AbortSignal.timeout(PATIENCE);
  await allSetsKnown();
  const { reading } = await engine.readHand(
    order.flatMap((at) => blobs[at] ?? []),
    context,
    rulesets.peek()[0],
    signal,
    aim,
    setsToUse.peek(),
  );
  return placed(reading, order);
}

function takeFailure(entry: Entry, failure: Failure): void {
  const { photos } = entry;
  if (photos.aim.peek().region && photos.reading.peek() && failure.kind === 'no-hand') {
    // Nothing was in the box: the hand that was read before stays.
    photos.aim.value = {};
    photos.notRead.value = { kind: 'part' };
    photos.phase.value = { kind: 'ready' };
    return;
  }
  photos.tries += 1;
  if (failure.kind === 'offline' && photos.tries < MAX_TRIES) {
    online.value = false;
    photos.phase.value = { kind: 'waiting' };
  } else {
    fail(entry, failure);
  }
}
