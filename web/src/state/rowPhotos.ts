/**
 * Photos of the hands of an evening, by the keys of the changes that entered them, so that a row of the
 * sheet opens to its photo. They are small, stay on this device, and the oldest make room for new ones.
 */
import { Store } from '../browser/database';
import { shrunk } from '../photo/prepare';

/** Maximum number of photos that are kept: those of some evenings. */
const MAX_KEPT = 64;

/** Long side of a photo that is kept, in pixels: enough to see each tile on a phone. */
const LONG_SIDE = 1200;

interface Kept {
  readonly key: string;
  /** Id of the game; an earlier build kept none. */
  readonly of?: string;
  readonly at: number;
  readonly blob: Blob;
}

const store = new Store('tilesight-rows', 'photos');

/** Photos that are being stored; a row that is opened meanwhile waits for them. */
let last: Promise<unknown> = Promise.resolve();

/** Does one thing with the photos after the other; what fails changes nothing. */
function queue(act: () => Promise<unknown>): void {
  last = last.then(act).catch(() => null);
}

const find = (key: string): Promise<Kept | null | undefined> =>
  store.act('readonly', (photos) => photos.get(key) as IDBRequest<Kept | undefined>);

const listed = async (): Promise<readonly Kept[]> =>
  (await store.act('readonly', (photos) => photos.getAll() as IDBRequest<Kept[]>)) ?? [];

async function removeAll(photos: readonly Kept[]): Promise<void> {
  for (const { key } of photos) await store.act('readwrite', (kept) => kept.delete(key));
}

/** Keeps the photo of a hand of a game. */
export function keepRowPhoto(key: string, photo: Blob, of: string): void {
  queue(async () => keep({ key, of, blob: await shrunk(photo, LONG_SIDE) }));
}

/** Keeps the photo of a change for another one too, which enters the same hand again. */
export function copyRowPhoto(from: string, key: string): void {
  queue(async () => {
    const kept = await find(from);
    if (kept) await keep({ ...kept, key });
  });
}

/** Removes the photos of a game. */
export function removeRowPhotos(of: string): void {
  queue(async () => removeAll((await listed()).filter((one) => one.of === of)));
}

async function keep(photo: Omit<Kept, 'at'>): Promise<void> {
  const latest = [...(await listed())].sort((one, other) => other.at - one.at);
  await removeAll(latest.slice(MAX_KEPT - 1));
  const kept: Kept = { ...photo, at: Date.now() };
  await store.act('readwrite', (photos) => photos.put(kept, kept.key));
}

/** Returns the photo of a hand by the first of some keys that has one; `null` where this device has none. */
export async function photoOfRow(keys: readonly string[]): Promise<Blob | null> {
  await last;
  for (const key of keys) {
    const kept = await find(key);
    if (kept) return kept.blob;
  }
  return null;
}
