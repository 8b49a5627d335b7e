/**
 * The photographed hand that is on the screen, kept on this device so that a reload does not lose it:
 * its photos, what was read of them, and what a person changed.
 *
 * One hand at most is kept, in the browser's own database; nothing of it is sent. It is removed when
 * another hand begins, when it is closed or entered into an evening, and after `MAX_AGE`. Where the
 * browser refuses storage, nothing is kept and the page works as before.
 */
import { effect } from '@preact/signals';
import { Store } from '../browser/database';
import { loaded } from '../engine/device';
import { EMPTY } from '../model/hand';
import type { History } from '../model/history';
import { typed } from '../model/others';
import type { Photo } from '../photo/prepare';
import { current, type Entry, entries } from './hand/entry';
import { type Reopened, reopen } from './hand/open';
import type { Picture } from './hand/photos';
import { staying } from './here';

/** Maximum number of bytes of the photos that are kept: eight photos as they are prepared. */
const MAX_BYTES = 48 * 1024 * 1024;

/** Maximum age of a kept hand, in milliseconds: an evening, not the next one. */
const MAX_AGE = 12 * 60 * 60 * 1000;

/** Maximum number of steps that can be undone after a reload. */
const MAX_STEPS = 20;

/** A photo without its address, which does not outlive the page. */
interface KeptPicture extends Omit<Picture, 'photo'> {
  readonly photo: Omit<Photo, 'url'> | null;
}

/** The photos of a hand. They are written only when they change. */
interface KeptPhotos {
  readonly of: string;
  readonly pictures: readonly KeptPicture[];
}

/** The hand without its photos. */
interface KeptHand extends Omit<Reopened, 'pictures' | 'others'> {
  readonly of: string;
  readonly at: number;
  readonly others: Readonly<Record<string, string>>;
}

/** The two values in the database. */
interface Kept {
  readonly photos: KeptPhotos;
  readonly hand: KeptHand;
}

// --- the database ------------------------------------------------------------------------------

const store = new Store('tilesight', 'hand');

let last: Promise<unknown> = Promise.resolve();

/** Writes one after the other, so that what is begun last is kept. */
function queue(act: () => Promise<unknown>): void {
  last = last.then(act, act);
}

const put = <N extends keyof Kept>(name: N, value: Kept[N]): void =>
  queue(async () => {
    const stored = await store.act('readwrite', (hand) => hand.put(value, name));
    // Half of a hand is of no use, and a full storage is to be free for other things.
    if (stored === null) await store.act('readwrite', (hand) => hand.clear());
  });

const clear = (): void => queue(() => store.act('readwrite', (hand) => hand.clear()));

// --- keeping -------------------------------------------------------------------------------------

/** The name of each hand, by which its two parts find each other. */
const names = new WeakMap<Entry, string>();

function nameOf(entry: Entry): string {
  const name = names.get(entry) ?? crypto.randomUUID();
  names.set(entry, name);
  return name;
}

function kept({ file, turns, photo, prepared }: Picture): KeptPicture {
  if (!photo || !prepared) return { file, turns, photo: null, prepared: false };
  const { url: _, ...rest } = photo;
  // The prepared photo is smaller, stands upright and has no metadata.
  return { file: photo.blob, turns: 0, photo: rest, prepared: true };
}

const bytesOf = (pictures: readonly KeptPicture[]): number =>
  pictures.reduce((sum, { file }) => sum + file.size, 0);

const shortened = <T>({ past, present }: History<T>): History<T> => ({
  past: past.slice(-MAX_STEPS),
  present,
  future: [],
});

function textsOf(entry: Entry): Record<string, string> {
  const pairs = Object.entries(entry.table.others.value).flatMap(([seat, other]) =>
    other && other.text !== '' ? [[seat, other.text] as const] : [],
  );
  return Object.fromEntries(pairs);
}

/** Keeps the hand on the screen, from now on. */
export function keepHand(): void {
  /** The hand whose photos were stored last, by its name, and those photos. */
  let stored: { readonly name: string; readonly pictures: readonly Picture[] } | null = null;
  effect(() => {
    const entry = current.value;
    const open = entries.value;
    if (!entry) {
      // At the start page the last hand is still open, or nothing is.
      if (open.some((one) => names.get(one) === stored?.name)) return;
      if (stored) clear();
      stored = null;
      return;
    }
    const name = nameOf(entry);
    const pictures = entry.photos.pictures.value;
    if (name !== stored?.name) clear();
    if (name !== stored?.name || pictures !== stored.pictures) putPhotos(name, pictures);
    stored = { name, pictures };
    if (pictures.length > 0) put('hand', handOf(entry, name));
  });
}

/** Keeps photos; of those that are too large nothing is kept. */
function putPhotos(of: string, pictures: readonly Picture[]): void {
  const photos = pictures.map(kept);
  if (photos.length > 0 && bytesOf(photos) <= MAX_BYTES) put('photos', { of, pictures: photos });
  else clear();
}

/** Returns what is kept of a hand besides its photos. */
function handOf(entry: Entry, name: string): KeptHand {
  const { photos, edit, table } = entry;
  const isRead = photos.countRead === photos.pictures.value.length;
  return {
    of: name,
    at: Date.now(),
    // A hand that is read again is kept as it was read before, with all of its photos.
    reading: isRead ? photos.reading.value : null,
    edits: shortened(edit.history.value),
    context: edit.context.value,
    keptRound: edit.keptRound.value,
    won: table.won.value,
    others: textsOf(entry),
    aim: photos.aim.value,
  };
}

// --- restoring -----------------------------------------------------------------------------------

function reopened({ photo, ...picture }: KeptPicture): Picture {
  return { ...picture, photo: photo && { ...photo, url: URL.createObjectURL(photo.blob) } };
}

/** Opens the kept hand again, on the screen if `show` and nobody went elsewhere; whether there was one. */
export async function restoreHand(show: boolean): Promise<boolean> {
  const isHere = staying();
  const [photos, hand] = await Promise.all([
    store.act('readonly', (parts) => parts.get('photos') as IDBRequest<KeptPhotos | undefined>),
    store.act('readonly', (parts) => parts.get('hand') as IDBRequest<KeptHand | undefined>),
  ]);
  if (!photos || !hand || photos.of !== hand.of || Date.now() - hand.at > MAX_AGE) {
    if (photos || hand) clear();
    return false;
  }
  // The other players' hands are read from their text.
  if (Object.keys(hand.others).length > 0) await loaded().catch(() => null);
  // Someone who already began another hand goes on with that.
  if (entries.peek().length > 0) return false;
  const others = Object.fromEntries(Object.entries(hand.others).map(([seat, text]) => [seat, typed(text)]));
  const edits = hand.edits ?? { past: [], present: EMPTY, future: [] };
  const entry = reopen({ ...hand, edits, others, pictures: photos.pictures.map(reopened) }, show && isHere());
  names.set(entry, hand.of);
  return true;
}
