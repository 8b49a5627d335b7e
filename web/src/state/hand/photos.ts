/**
 * The photos of an open hand: which there are, how far they are, and what was read of them.
 *
 * Invariant: `reading` is of the first `countRead` photos, so that photos which can't be added are
 * dropped without it.
 */
import { type Signal, signal } from '@preact/signals';
import type { Aim } from '../../api/engine';
import type { Failure } from '../../api/failure';
import type { Reading } from '../../api/types';
import type { Photo, Turns } from '../../photo/prepare';
import type { Warning } from '../../photo/quality';

type Phase =
  | { readonly kind: 'preparing' }
  | { readonly kind: 'warned'; readonly warnings: readonly Warning[] }
  /** Waits in the queue, or for the server to be reached. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'reading' }
  /** `at` names the photo that failed, of several. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly at?: number }
  | { readonly kind: 'ready' };

/** Reason why photos, or a part of one, were not read; the hand stays as it was read before. */
export type NotRead =
  /** No hand in the part of the photo that was pointed at. */
  | { readonly kind: 'part' }
  /** More photos than are read together. */
  | { readonly kind: 'too-many' }
  /** More photos of the hand could not be read. */
  | { readonly kind: 'photo'; readonly failure: Failure };

/** A photo of a hand. */
export interface Picture {
  /** The file as it was chosen. */
  readonly file: Blob;
  readonly turns: Turns;
  /** Photo as it is shown and sent; `null` until it is prepared. */
  readonly photo: Photo | null;
  /** Whether `photo` is turned as `turns` says. */
  readonly prepared: boolean;
}

/** Place of the hand that is read, and which of its photos the place is in. */
export interface PhotoAim extends Aim {
  readonly photo?: number;
}

export interface Photos {
  /** Empty for a typed hand. */
  readonly pictures: Signal<readonly Picture[]>;
  /** Index of the photo on the screen. */
  readonly shown: Signal<number>;
  /** Place of the hand that is read; empty for the likeliest hand in the photo. */
  readonly aim: Signal<PhotoAim>;
  readonly notRead: Signal<NotRead | null>;
  readonly phase: Signal<Phase>;
  readonly reading: Signal<Reading | null>;
  /** Number of photos that the reading is of: the first ones. */
  countRead: number;
  /**
   * Number of failed attempts to read the photos; it limits the retries while the server is
   * unreachable.
   */
  tries: number;
}

export function newPhotos(pictures: readonly Picture[]): Photos {
  return {
    pictures: signal(pictures),
    shown: signal(0),
    aim: signal({}),
    notRead: signal(null),
    phase: signal<Phase>(pictures.length > 0 ? { kind: 'preparing' } : { kind: 'ready' }),
    reading: signal(null),
    countRead: 0,
    tries: 0,
  };
}

export const newPicture = (file: Blob, turns: Turns = 0): Picture => ({
  file,
  turns,
  photo: null,
  prepared: false,
});

/** Returns the photos for another hand, which prepares them for itself. */
export const copyOf = (pictures: readonly Picture[]): Picture[] =>
  pictures.map(({ file, turns }) => newPicture(file, turns));

/** Frees the memory of photos that are not shown any more. */
export function release(pictures: readonly Picture[]): void {
  for (const { photo } of pictures) {
    if (photo) URL.revokeObjectURL(photo.url);
  }
}

/** Returns the photo on the screen. */
export const shownPhoto = ({ pictures, shown }: Photos): Photo | null =>
  pictures.value[shown.value]?.photo ?? null;

/** Tells whether more photos can be added to a hand. */
export const takesPhotos = ({ phase, pictures }: Photos): boolean =>
  phase.value.kind === 'ready' && pictures.value.length > 0;
