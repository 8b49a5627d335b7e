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
  readonly at: number;
  readonly blob: Blob;
}

const store = new Store('tilesight-rows', 'photos');

/** Photos that are being stored; a row that is opened meanwhile waits for them. */
let last: Promise<unknown> = Promise.resolve();

/** Keeps the photo of a hand. */
export function keepRowPhoto(key: string, photo: Blob): void {
  last = last.then(() => keep(key, photo)).catch(() => null);
}

async function keep(key: string, photo: Blob): Promise<void> {
  const blob = await shrunk(photo, LONG_SIDE);
  const all = (await store.act('readonly', (photos) => photos.getAll() as IDBRequest<Kept[]>)) ?? [];
  const oldest = all.sort((one, other) => other.at - one.at).slice(MAX_KEPT - 1);
  for (const one of oldest) await store.act('readwrite', (photos) => photos.delete(one.key));
  await store.act('readwrite', (photos) => photos.put({ key, at: Date.now(), blob } satisfies Kept, key));
}

/** Returns the photo of a hand by the first of some keys that has one; `null` where this device has none. */
export async function photoOfRow(keys: readonly string[]): Promise<Blob | null> {
  await last;
  for (const key of keys) {
    const kept = await store.act('readonly', (photos) => photos.get(key) as IDBRequest<Kept | undefined>);
    if (kept) return kept.blob;
  }
  return null;
}
