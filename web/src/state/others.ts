/**
 * Reads photos of the other players' hands, one after the other, each as a hand that has not won.
 * The result fills the seat's text, which can be edited.
 */
import { asFailure } from '../api/failure';
import type { Context, Wind } from '../api/types';
import { engine } from '../engine';
import type { Hand } from '../model/hand';
import { type OtherHand, seen, typed } from '../model/others';
import { type Photo, prepare } from '../photo/prepare';
import { type Entry, entries } from './hand/entry';
import { type Snap, setSnap, type Table } from './hand/table';
import { setsToUse } from './ownSets';
import { chosenRulesets } from './prefs';

export function type({ others }: Table, seat: Wind, text: string): void {
  others.value = { ...others.value, [seat]: typed(text) };
}

/** Answers a doubt with the hand that the answer makes. */
export function answer({ others }: Table, seat: Wind, hand: Hand): void {
  const reading = others.peek()[seat]?.reading;
  if (reading) others.value = { ...others.value, [seat]: seen(reading, hand) };
}

/** The server answers each photo in less time than two at once. */
let last: Promise<void> = Promise.resolve();

export function snap(entry: Entry, seat: Wind, file: Blob): void {
  const begun: Snap = { kind: 'reading' };
  setSnap(entry.table, seat, begun);
  const before = entry.table.others.peek()[seat];
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
  const isLatest = (): boolean => entry.table.snaps.peek()[seat] === begun;
  if (!isLatest()) return;
  let photo: Photo | null = null;
  try {
    photo = await prepare(file, 0);
    const { prevalent } = entry.edit.context.peek();
    const context: Context = { won: false, seat, ...(prevalent && { prevalent }) };
    const ruleset = chosenRulesets.peek().find((one) => one.scores_everybody)?.id;
    const { reading } = await engine.readHand(
      [photo.blob],
      context,
      ruleset,
      AbortSignal.timeout(90_000),
      {},
      setsToUse.peek(),
    );
    // Text typed in the meantime wins, and a closed hand needs no result.
    const others = entry.table.others.peek();
    if (isLatest() && others[seat] === before)
      entry.table.others.value = { ...others, [seat]: seen(reading) };
    if (isLatest() && entries.peek().includes(entry)) setSnap(entry.table, seat, { kind: 'read', photo });
    else URL.revokeObjectURL(photo.url);
  } catch (error) {
    if (photo) URL.revokeObjectURL(photo.url);
    if (isLatest()) setSnap(entry.table, seat, { kind: 'failed', failure: asFailure(error) });
  }
}
