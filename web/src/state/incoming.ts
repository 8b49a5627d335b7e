/**
 * Photos that came in several at once, or beside an open hand: the page asks what they show. Nothing
 * is prepared or sent before that.
 */
import { signal } from '@preact/signals';
import { current, type Entry } from './hand/entry';
import { addPhotos, addPhotosTo } from './hand/open';
import { takesPhotos } from './hand/photos';

export interface Incoming {
  readonly files: readonly Blob[];
  /** The open hand that they may be more photos of. */
  readonly hand: Entry | null;
}

/** Photos that the page asks about; `null` for none. */
export const incoming = signal<Incoming | null>(null);

/** Whether the link that was opened is not whole, so that no hand could be read from it. */
export const isLinkBroken = signal(false);

/** Takes photos that are to be opened: one is a hand, of several it is asked. */
export function take(files: readonly Blob[]): void {
  if (files.length > 1) incoming.value = { files, hand: null };
  else open(files, 'each');
}

/** Takes photos that may as well be of the hand on the screen. */
function receive(files: readonly Blob[]): void {
  const hand = current.peek();
  if (files.length > 0 && hand && takesPhotos(hand.photos)) incoming.value = { files, hand };
  else take(files);
}

/** Meaning of the photos: more of the open hand, one new hand, or one hand each. */
export type Shown = 'open' | 'one' | 'each';

export function answer(shown: Shown): void {
  const photos = incoming.peek();
  incoming.value = null;
  if (photos?.hand && shown === 'open') addPhotosTo(photos.hand, photos.files);
  else if (photos) open(photos.files, shown);
}

function open(files: readonly Blob[], shown: Shown): void {
  addPhotos(shown === 'one' ? [files] : files.map((file) => [file]));
}

/** Takes photos that are dropped on the page or pasted into it. */
export function listen(): void {
  window.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  window.addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    receive(files);
  });
  window.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    receive(files);
  });
}
