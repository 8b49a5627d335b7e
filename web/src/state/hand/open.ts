/**
 * Ways to open a hand: from photos, from what was read or stored before, or typed; and photos that
 * are added to an open hand or taken out of it.
 *
 * Invariant: no correction is lost. What would read a corrected hand again opens a hand beside it.
 */
import { batch } from '@preact/signals';
import { asFailure } from '../../api/failure';
import type { Context, Reading, Wind, WinKind } from '../../api/types';
import { EMPTY, type Hand } from '../../model/hand';
import type { History } from '../../model/history';
import type { Others } from '../../model/others';
import { baseOf, MAX_PHOTOS, without } from '../../model/together';
import { prepare } from '../../photo/prepare';
import { usualContext } from '../prefs';
import { isCorrected } from './edit';
import { create, currentId, type Entry, entries, open } from './entry';
import { copyOf, newPicture, type PhotoAim, type Picture, release } from './photos';
import { fail, look, send, takeReading } from './reading';
import type { WonBy } from './table';

/** Opens hands, each with its photos, and shows the first. */
export function addPhotos(hands: readonly (readonly Blob[])[]): void {
  show(
    hands.map((files) =>
      create({ pictures: files.map((file) => newPicture(file)), context: usualContext() }),
    ),
  );
}

/** Opens the photo of a hand of which it is known how it was won. */
export function addPhotoOf(file: Blob, won: WonBy, win: WinKind): void {
  show([create({ pictures: [newPicture(file)], context: { ...usualContext(), win }, won })]);
}

/** Opens hands, shows the first and reads them all. */
function show(added: readonly Entry[]): void {
  entries.value = [...entries.value, ...added];
  currentId.value = added[0]?.id ?? currentId.value;
  for (const entry of added) void look(entry);
}

/** Opens a photo that was read already, by the viewfinder. */
export async function addRead(file: Blob, reading: Reading, won?: WonBy, win?: WinKind): Promise<void> {
  const context = { ...usualContext(), ...(win && { win }) };
  const entry = create({ pictures: [newPicture(file)], context, won });
  open(entry);
  try {
    const photo = await prepare(file);
    entry.photos.pictures.value = [{ file, turns: 0, photo, prepared: true }];
    takeReading(entry, reading);
  } catch (error) {
    fail(entry, asFailure(error));
  }
}

/** Opens a hand that is typed, or that was written before: then `context` is all that is known. */
export function addTyped(
  hand: Hand = EMPTY,
  context: Context | null = null,
  won?: WonBy,
  others: Others = {},
): Entry {
  const entry = create({ hand, context: context ?? usualContext(), won, others });
  // What a draft or a score sheet says is not kept from another hand.
  if (context) entry.edit.keptRound.value = null;
  open(entry);
  return entry;
}

/** Opens a hand that a link describes, on the screen if `shown`. */
export function addLinked(hand: Hand, context: Context, shown: boolean): void {
  const entry = create({ hand, context });
  entry.edit.keptRound.value = null;
  open(entry, shown);
}

/** A hand as it was before the page was loaded again. */
export interface Reopened {
  readonly pictures: readonly Picture[];
  /** Reading of its photos; `null` if they are to be read. */
  readonly reading: Reading | null;
  readonly edits: History<Hand>;
  readonly context: Context;
  readonly keptRound: Wind | null;
  readonly won: WonBy;
  readonly others: Others;
  readonly aim: PhotoAim;
}

/** Opens a hand as it was before, on the screen if `shown`. */
export function reopen(before: Reopened, shown: boolean): Entry {
  const { pictures, reading, context, won, others } = before;
  const entry = create({ pictures, context, won, others });
  entry.edit.keptRound.value = before.keptRound;
  entry.photos.aim.value = before.aim;
  open(entry, shown);
  if (reading && pictures.every(({ prepared }) => prepared)) {
    batch(() => {
      takeReading(entry, reading);
      entry.edit.history.value = before.edits;
    });
  } else {
    void look(entry);
  }
  return entry;
}

/**
 * Reads a hand again with more photos of it. A corrected hand stays as it is, and all photos are
 * opened beside it.
 */
export function addPhotosTo(entry: Entry, files: readonly Blob[]): void {
  const { photos, edit, table } = entry;
  const pictures = [...photos.pictures.peek(), ...files.map((file) => newPicture(file))];
  photos.notRead.value = null;
  if (pictures.length > MAX_PHOTOS) {
    photos.notRead.value = { kind: 'too-many' };
  } else if (isCorrected(edit)) {
    const beside = create({
      pictures: copyOf(pictures),
      context: edit.context.peek(),
      won: table.won.peek(),
      others: table.others.peek(),
    });
    show([beside]);
  } else {
    photos.tries = 0;
    photos.pictures.value = pictures;
    void look(entry);
  }
}

/** Takes a photo out that is not read, or that was left out of the reading. */
export function dropPhoto(entry: Entry, at: number): void {
  const { photos } = entry;
  const pictures = photos.pictures.peek();
  const reading = photos.reading.peek();
  release(pictures.slice(at, at + 1));
  batch(() => {
    photos.pictures.value = pictures.filter((_, i) => i !== at);
    if (reading && at < photos.countRead) {
      const { photo = 0, ...aim } = photos.aim.peek();
      photos.aim.value = { ...aim, photo: photo - Number(at < photo) };
      photos.countRead -= 1;
      photos.reading.value = without(reading, at);
    }
    photos.shown.value = reading ? baseOf(photos.reading.peek() ?? reading) : 0;
    if (reading && pictures.length - 1 === photos.countRead) photos.phase.value = { kind: 'ready' };
    else void look(entry);
  });
}

/** Opens a photo that was left out as a hand of its own. */
export function openApart(entry: Entry, at: number): void {
  const picture = entry.photos.pictures.peek()[at];
  if (!picture) return;
  dropPhoto(entry, at);
  show([create({ pictures: copyOf([picture]), context: usualContext() })]);
}

/**
 * Reads another of the hands in a photo. If the current hand was corrected, the other one is
 * opened beside it.
 */
export function lookAt(entry: Entry, aim: PhotoAim): void {
  entry.photos.notRead.value = null;
  if (!isCorrected(entry.edit)) {
    entry.photos.aim.value = aim;
    send(entry);
    return;
  }
  const pictures = copyOf(entry.photos.pictures.peek());
  const beside = create({ pictures, context: usualContext() });
  beside.photos.aim.value = aim;
  show([beside]);
}
