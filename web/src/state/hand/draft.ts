/** The hand on the screen, stored on the device as text, so that it survives closing the page. */
import { read, write } from '../../browser/storage';
import { isEmpty } from '../../model/hand';
import { NotationError, parse, print, type Written } from '../../model/notation';
import type { Edit } from './edit';

interface Draft {
  readonly text?: unknown;
  readonly supposed?: boolean;
}

/** Stores a hand; as an effect, whenever it changes. */
export function keepDraft(edit: Edit): void {
  const hand = edit.hand.value;
  if (isEmpty(hand)) return;
  const text = print(hand, edit.context.value);
  if (text !== null) write('draft', { text, supposed: hand.supposed });
}

/** The hand that was on the screen last; `null` without one. */
export function lastDraft(): Written | null {
  const { text, supposed = false } = (read('draft') ?? {}) as Draft;
  if (typeof text !== 'string') return null;
  try {
    const { hand, context } = parse(text);
    return { hand: { ...hand, supposed: supposed && hand.winning !== null }, context };
  } catch (error) {
    if (error instanceof NotationError) return null;
    throw error;
  }
}
