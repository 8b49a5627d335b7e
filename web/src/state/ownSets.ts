/**
 * The own sets of this device, and which of them photos are read with.
 *
 * Sets are files in the browser's own database and are sent nowhere. Invariants: no two have one
 * name; a choice of a set that is gone is the automatic one; where the browser refuses storage, sets
 * last until the page is closed.
 */
import { batch, computed, signal } from '@preact/signals';
import type { SetsToUse } from '../api/engine';
import { mergeSets, type SetContent, showSet } from '../engine/sets';
import { freeName } from '../model/sheet';
import { Store } from './database';
import { read, write } from './storage';

/** A set with what is shown of it. */
export interface OwnSet {
  /** Name of the record; the set's own `id` changes with its content. */
  readonly key: string;
  readonly file: Uint8Array;
  readonly content: SetContent;
}

/** Choices that are not a set. */
export const AUTO = 'auto';
export const NONE = 'none';

/** Maximum number of bytes that are read of a file, more than any set has. */
const MAX_FILE = 1_000_000;

const store = new Store('tilesight-sets', 'sets');

/** All sets, by their names. */
export const ownSets = signal<readonly OwnSet[]>([]);

const wanted = signal(textOf(read('set')));

/** The chosen set by its key, `AUTO` or `NONE`. */
export const setChoice = computed((): string => {
  const isThere = wanted.value === NONE || ownSets.value.some(({ key }) => key === wanted.value);
  return isThere ? wanted.value : AUTO;
});

/** Set that photos are read with; `null` for none. */
export const setsToUse = computed((): SetsToUse | null => {
  const one = ownSets.value.find(({ key }) => key === setChoice.value);
  if (one) return { files: [one.file], choice: one.content.name };
  if (setChoice.value === NONE || ownSets.value.length === 0) return null;
  return { files: ownSets.value.map(({ file }) => file), choice: AUTO };
});

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : AUTO;
}

/** Reads photos with this set from now on. */
export function chooseSet(choice: string): void {
  wanted.value = choice;
  write('set', choice);
}

const sorted = (sets: readonly OwnSet[]): OwnSet[] =>
  [...sets].sort((a, b) => a.content.name.localeCompare(b.content.name));

let loading: Promise<void> | null = null;

/** Until the sets that are kept are loaded. Nothing is read before that. */
export function setsLoaded(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const kept = await store.act('readonly', (sets) => sets.getAll() as IDBRequest<OwnSet[]>);
  if (kept) ownSets.value = sorted(kept);
}

/** Keeps a set, in place of that with the same key. Whether it outlives the page. */
export async function keepSet(file: Uint8Array, key: string = crypto.randomUUID()): Promise<boolean> {
  const own = { key, file, content: await showSet(file) };
  ownSets.value = sorted([...ownSets.peek().filter((one) => one.key !== key), own]);
  return (await store.act('readwrite', (sets) => sets.put(own, key))) !== null;
}

/** A set under the wished name, or with a number if another set has that name. */
async function named(file: Uint8Array, wished: string, own?: OwnSet): Promise<Uint8Array> {
  const others = ownSets.peek().filter(({ key }) => key !== own?.key);
  const taken = others.map(({ content }) => content.name);
  const name = freeName(wished, taken);
  return name === (own?.content.name ?? wished) ? file : mergeSets([file], name);
}

/** Outcome of adding a file. */
export type Added = 'added' | 'known' | 'unkept';

/** Adds the set of a file. A file that is no set is refused with the reason. */
export async function addFile(blob: Blob): Promise<Added> {
  const file = new Uint8Array(await blob.slice(0, MAX_FILE).arrayBuffer());
  const { id, name } = await showSet(file);
  if (ownSets.peek().some(({ content }) => content.id === id)) return 'known';
  return (await keepSet(await named(file, name))) ? 'added' : 'unkept';
}

/** Gives a set another name. */
export async function renameSet(own: OwnSet, name: string): Promise<boolean> {
  return keepSet(await named(own.file, name, own), own.key);
}

/** Adds to a set what other files of the same tiles know. */
export async function addToSet(
  { key, file, content }: OwnSet,
  others: readonly Uint8Array[],
): Promise<boolean> {
  return keepSet(await mergeSets([file, ...others], content.name), key);
}

/** Keeps a set that was learned. */
export async function keepLearned(file: Uint8Array, name: string): Promise<boolean> {
  return keepSet(await named(file, name));
}

export async function deleteSet({ key }: OwnSet): Promise<void> {
  batch(() => {
    ownSets.value = ownSets.peek().filter((one) => one.key !== key);
    if (wanted.peek() === key) chooseSet(AUTO);
  });
  await store.act('readwrite', (sets) => sets.delete(key));
}
