/**
 * What is pointed at, highlighted and open: one place for photo, strip, questions and result, which
 * all show the same tiles.
 */
import { signal } from '@preact/signals';
import type { Shape } from './gestures';

/** The tile of the open sheet: one of the hand, or one in the photo that was left out. */
export type Open = { readonly piece: number } | { readonly seen: number };

export const open = signal<Open | null>(null);

/** The piece under the pointer or the keyboard's focus, in the photo or the strip. */
export const pointed = signal<number | null>(null);

/** The pieces of a highlighted fan; all others are dimmed. */
export const lit = signal<ReadonlySet<number> | null>(null);

/** Pieces selected to be moved together; `null` outside of selecting. */
export const selected = signal<ReadonlySet<number> | null>(null);

/** The palette for adding tiles is open. */
export const adding = signal(false);

/** A box or an outline is to be drawn around the hand in the photo. */
export const pointing = signal(false);

/** Which of the two is drawn; the choice is kept for the next photo. */
export const shape = signal<Shape>('box');

/** The last action, for screen readers and for a short note on the screen. */
export const note = signal('');

export function toggleSelected(id: number): void {
  const next = new Set(selected.value);
  if (!next.delete(id)) next.add(id);
  selected.value = next;
}

/** Resets everything when another hand is shown. */
export function forget(): void {
  open.value = null;
  pointed.value = null;
  lit.value = null;
  selected.value = null;
  adding.value = false;
  pointing.value = false;
}

/** Scrolls to a part of the page, unfolds and focuses it. */
export function goTo(id: string): void {
  const part = document.getElementById(id);
  if (part instanceof HTMLDetailsElement) part.open = true;
  part?.scrollIntoView();
  const focused = part instanceof HTMLDetailsElement ? part.querySelector('summary') : part;
  focused?.focus({ preventScroll: true });
}
