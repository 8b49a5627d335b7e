/**
 * State of what is pointed at, highlighted and open: one place for photo, strip, questions and
 * result, which all show the same tiles.
 */
import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
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

/** Shape that is drawn; the choice is kept for the next photo. */
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

/**
 * Moves the focus to the next question once one was answered, or to the part itself after the last,
 * so that a screen reader reads it, once. `questions` names those that are open, in their order.
 */
export function useNextQuestion(part: RefObject<HTMLElement | null>, questions: string): void {
  const answered = useRef(false);
  useEffect(() => {
    const element = part.current;
    const note = ({ target }: Event): void => {
      answered.current = target instanceof Element && target.closest('.asked button, .chips button') !== null;
    };
    element?.addEventListener('click', note, true);
    return () => element?.removeEventListener('click', note, true);
  }, []);
  useEffect(() => {
    const focused = document.activeElement;
    const isLost = !focused || focused === document.body || part.current?.contains(focused);
    if (!answered.current || !isLost) return;
    answered.current = false;
    const next = part.current?.querySelector<HTMLElement>('.asked') ?? part.current;
    if (next && !next.hasAttribute('tabindex')) next.tabIndex = -1;
    next?.focus({ preventScroll: true });
  }, [questions]);
}
