/**
 * The own sets of this device and those of the service, and which of them photos are read with.
 *
 * The sets of this device are files in the browser's own database and are sent nowhere. Of the
 * service's sets only the names are known; they are offered where the service reads photos.
 * Invariants: no two sets of this device have one name; a choice of a set that is gone is the
 * automatic one; where the browser refuses storage, sets last until the page is closed.
 */
import { batch, computed, signal } from '@preact/signals';
import { fetchOwnSets } from '../api/client';
import type { SetsToUse } from '../api/engine';
import { Store } from '../browser/database';
import { read, write } from '../browser/storage';
import { learnPlace, missing, place } from '../engine/place';
import { mergeSets, type SetContent, showSet } from '../engine/sets';
import { freeName } from '../model/sheet';
import { needsServer } from './prefs';

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

/** Names of the service's sets, in their order; empty until they are known. */
const onServer = signal<readonly string[]>([]);

/** Whether the service reads photos, where no set of this device is used. */
export const serverReads = computed(() => needsServer.value || place.value === 'server');

/** Names of the service's sets that photos can be read with now. */
export const serverSets = computed(() => (serverReads.value ? onServer.value : []));

/** Prefix of choices that are a set of the service, before its name or `AUTO`. */
const SERVER = 'server:';

/** Returns the choice that is a set of the service, by its name or `AUTO`. */
export const onServerAs = (name: string): string => SERVER + name;

const wanted = signal(textOf(read('set')));

const isOffered = (choice: string): boolean =>
  choice === NONE ||
  ownSets.value.some(({ key }) => key === choice) ||
  serverSets.value.some((name) => choice === onServerAs(name)) ||
  (serverSets.value.length > 0 && ownSets.value.length > 0 && choice === onServerAs(AUTO));

/** The chosen set: by its key, one of the service as `onServerAs` has it, `AUTO` or `NONE`. */
export const setChoice = computed((): string => (isOffered(wanted.value) ? wanted.value : AUTO));

/** Whether this device can read photos with its own sets. */
const usesOwn = computed(() => ownSets.value.length > 0 && missing.value === null && !needsServer.value);

/** Set that photos are read with; `null` for none. `AUTO` prefers the sets of this device. */
export const setsToUse = computed((): SetsToUse | null => {
  const choice = setChoice.value;
  const one = ownSets.value.find(({ key }) => key === choice);
  if (one) return { files: [one.file], choice: one.content.name };
  if (choice.startsWith(SERVER)) return { files: null, choice: choice.slice(SERVER.length) };
  if (choice === NONE) return null;
  if (usesOwn.value) return { files: ownSets.value.map(({ file }) => file), choice: AUTO };
  return serverSets.value.length > 0 ? { files: null, choice: AUTO } : null;
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

/** Waits until the stored sets are loaded. No photo is read before that. */
export function setsLoaded(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const kept = await store.act('readonly', (sets) => sets.getAll() as IDBRequest<OwnSet[]>);
  if (kept) ownSets.value = sorted(kept);
}

let asking: Promise<void> | null = null;

/** Asks the service for its sets, if it reads photos. */
export function learnServerSets(): Promise<void> {
  if (!serverReads.peek()) return Promise.resolve();
  asking = fetchOwnSets()
    .then(({ sets }) => {
      onServer.value = sets.map(({ name }) => name);
    })
    .catch(() => {
      // Without an answer, or a key: the last names stay, and it is asked again with the next photo.
      asking = null;
    });
  return asking;
}

/** Waits until all sets are known that photos may be read with. */
export async function allSetsKnown(): Promise<void> {
  await Promise.all([setsLoaded(), learnPlace()]);
  if (serverReads.peek()) await (asking ?? learnServerSets());
}

/** Keeps a set, in place of that with the same key. Whether it outlives the page. */
async function keepSet(file: Uint8Array, key: string = crypto.randomUUID()): Promise<boolean> {
  await setsLoaded();
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
  const [{ id, name }] = await Promise.all([showSet(file), setsLoaded()]);
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

/** Deletes a set. It is shown until it is gone from the device. */
export async function deleteSet({ key }: OwnSet): Promise<void> {
  await store.act('readwrite', (sets) => sets.delete(key));
  batch(() => {
    ownSets.value = ownSets.peek().filter((one) => one.key !== key);
    if (wanted.peek() === key) chooseSet(AUTO);
  });
}
