/** The open hands, photographed or typed, and which one is on the screen. */
import { computed, effect, signal } from '@preact/signals';
import type { Context } from '../../api/types';
import { EMPTY, type Hand } from '../../model/hand';
import type { Others } from '../../model/others';
import { keepDraft } from './draft';
import { newEdit } from './edit';
import type { Parts } from './parts';
import { newPhotos, type Picture, release } from './photos';
import { keepScored } from './scoring';
import { newTable, releaseSnaps, type WonBy } from './table';
import { newVerdict } from './verdict';

/** An open hand. */
export interface Entry extends Parts {
  readonly id: number;
  /** Aborts the requests for this hand. */
  readonly stop: () => void;
}

export const entries = signal<readonly Entry[]>([]);
export const currentId = signal<number | null>(null);
export const current = computed(() => entries.value.find(({ id }) => id === currentId.value) ?? null);

let nextId = 1;

/** Parts that a new hand has from the start. */
interface Start {
  readonly pictures?: readonly Picture[];
  readonly hand?: Hand;
  readonly context: Context;
  readonly won?: WonBy | undefined;
  readonly others?: Others;
}

/** Makes a hand, which is not open yet. */
export function create({ pictures = [], hand = EMPTY, context, won, others }: Start): Entry {
  const id = nextId++;
  const parts: Parts = {
    photos: newPhotos(pictures),
    edit: newEdit(hand, context, pictures.length > 0),
    verdict: newVerdict(),
    table: newTable(won, others),
  };
  const stopScoring = effect(() => keepScored(parts));
  const stopDraft = effect(() => {
    if (currentId.value === id) keepDraft(parts.edit);
  });
  const stop = (): void => {
    stopScoring();
    stopDraft();
  };
  return { ...parts, id, stop };
}

/** Opens a hand, on the screen if `shown`. */
export function open(entry: Entry, shown = true): void {
  entries.value = [...entries.value, entry];
  if (shown) currentId.value = entry.id;
}

/** Tells whether a hand is still open. */
export const isOpen = (entry: Entry): boolean => entries.peek().includes(entry);

/** Closes a hand and releases its photos. The last of the others comes to the screen. */
export function leave(entry: Entry): void {
  entry.stop();
  release(entry.photos.pictures.peek());
  releaseSnaps(entry.table);
  entries.value = entries.value.filter((one) => one !== entry);
  if (currentId.value === entry.id) currentId.value = entries.value.at(-1)?.id ?? null;
}
