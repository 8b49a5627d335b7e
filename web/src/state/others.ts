/**
 * The hands of those who did not win, on their way: photos of them are read one after the other, each
 * as a hand that has not won. What was read fills the seat's text, which a person may mend.
 */
import { signal } from '@preact/signals';
import { type Failure, readHand } from '../api/client';
import type { Context, Wind } from '../api/types';
import type { Hand } from '../model/hand';
import { seen, typed } from '../model/others';
import { type Photo, prepare } from '../photo/prepare';
import { asFailure, type Entry } from './hands';
import { chosen } from './prefs';

/** What became of the photo of a seat's hand. */
export type Snap =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'read'; readonly photo: Photo };

/** The photos of the hands on the table, by `keyOf` a hand and a seat. */
export const snaps = signal<ReadonlyMap<string, Snap>>(new Map());

export const keyOf = (entry: Entry, seat: Wind): string => `${entry.id} ${seat}`;

function keep(entry: Entry, seat: Wind, snap: Snap | null): void {
  const key = keyOf(entry, seat);
  const old = snaps.peek().get(key);
  if (old?.kind === 'read') URL.revokeObjectURL(old.photo.url);
  const rest = [...snaps.peek()].filter(([one]) => one !== key);
  snaps.value = new Map(snap ? [...rest, [key, snap]] : rest);
}

export function type(entry: Entry, seat: Wind, text: string): void {
  entry.others.value = { ...entry.others.value, [seat]: typed(text) };
}

/** A doubt of a reading is answered by the hand that the answer makes. */
export function answer(entry: Entry, seat: Wind, hand: Hand): void {
  const reading = entry.others.peek()[seat]?.reading;
  if (reading) entry.others.value = { ...entry.others.value, [seat]: seen(reading, hand) };
}

/** The server answers each photo in less time than two at once. */
let last: Promise<void> = Promise.resolve();

export function snap(entry: Entry, seat: Wind, file: Blob): void {
  keep(entry, seat, { kind: 'reading' });
  last = last.then(() => readOne(entry, seat, file));
}

/** Forgets the photos of a hand that is put away. */
export function forget(entry: Entry): void {
  for (const seat of ['E', 'S', 'W', 'N'] as const) keep(entry, seat, null);
}

async function readOne(entry: Entry, seat: Wind, file: Blob): Promise<void> {
  try {
    const photo = await prepare(file, 0);
    const { prevalent } = entry.context.peek();
    const context: Context = { won: false, seat, ...(prevalent && { prevalent }) };
    const ruleset = chosen.peek().find((one) => one.scores_everybody)?.id;
    const { reading } = await readHand(photo.blob, context, ruleset, AbortSignal.timeout(90_000));
    entry.others.value = { ...entry.others.peek(), [seat]: seen(reading) };
    keep(entry, seat, { kind: 'read', photo });
  } catch (error) {
    keep(entry, seat, { kind: 'failed', failure: asFailure(error) });
  }
}
