/**
 * Reads photos of the other players' hands, one after the other, each as a hand that has not won.
 * The result fills the seat's text, which can be edited.
 */
import type { Context, Wind } from '../api/types';
import { engine } from '../engine';
import type { Hand } from '../model/hand';
import { type OtherHand, seen, typed } from '../model/others';
import { type Photo, prepare } from '../photo/prepare';
import { asFailure, type Entry, entries, type Snap } from './hands';
import { setsToUse } from './ownSets';
import { chosen } from './prefs';

function keep(entry: Entry, seat: Wind, snap: Snap): void {
  const old = entry.snaps.peek()[seat];
  if (old?.kind === 'read') URL.revokeObjectURL(old.photo.url);
  entry.snaps.value = { ...entry.snaps.peek(), [seat]: snap };
}

export function type(entry: Entry, seat: Wind, text: string): void {
  entry.others.value = { ...entry.others.value, [seat]: typed(text) };
}

/** Answers a doubt with the hand that the answer makes. */
export function answer(entry: Entry, seat: Wind, hand: Hand): void {
  const reading = entry.others.peek()[seat]?.reading;
  if (reading) entry.others.value = { ...entry.others.value, [seat]: seen(reading, hand) };
}

/** The server answers each photo in less time than two at once. */
let last: Promise<void> = Promise.resolve();

export function snap(entry: Entry, seat: Wind, file: Blob): void {
  const begun: Snap = { kind: 'reading' };
  keep(entry, seat, begun);
  const before = entry.others.peek()[seat];
  last = last.then(() => readOne(entry, seat, file, begun, before));
}

/** Reads a photo of a seat, unless a later one has taken its place. */
async function readOne(
  entry: Entry,
  seat: Wind,
  file: Blob,
  begun: Snap,
  before: OtherHand | undefined,
): Promise<void> {
  const isLatest = (): boolean => entry.snaps.peek()[seat] === begun;
  if (!isLatest()) return;
  let photo: Photo | null = null;
  try {
    photo = await prepare(file, 0);
    const { prevalent } = entry.context.peek();
    const context: Context = { won: false, seat, ...(prevalent && { prevalent }) };
    const ruleset = chosen.peek().find((one) => one.scores_everybody)?.id;
    const { reading } = await engine.readHand(
      [photo.blob],
      context,
      ruleset,
      AbortSignal.timeout(90_000),
      {},
      setsToUse.peek(),
    );
    // Text typed in the meantime wins, and a closed hand needs no result.
    const others = entry.others.peek();
    if (isLatest() && others[seat] === before) entry.others.value = { ...others, [seat]: seen(reading) };
    if (isLatest() && entries.peek().includes(entry)) keep(entry, seat, { kind: 'read', photo });
    else URL.revokeObjectURL(photo.url);
  } catch (error) {
    if (photo) URL.revokeObjectURL(photo.url);
    if (isLatest()) keep(entry, seat, { kind: 'failed', failure: asFailure(error) });
  }
}
