/**
 * An open hand as a person has it now, what is known of its win, and the changes that can be taken
 * back.
 *
 * Invariant: `hand`, the present of `history`, is what is shown, sent and scored.
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Context, Wind } from '../../api/types';
import { settle } from '../../model/doubts';
import { type Hand, isEmpty } from '../../model/hand';
import { begin, type History, redo, step, undo } from '../../model/history';
import { rememberContext, usualContext } from '../prefs';
import type { Verdict } from './verdict';

/** A change that a person can take back: of the hand, or of what is known of the win. */
type Change =
  | { readonly kind: 'hand' }
  | {
      readonly kind: 'win';
      readonly context: Context;
      readonly keptRound: Wind | null;
      /** Whether one tap changed the hand too. */
      readonly withHand?: boolean;
    };

export interface Edit {
  /** Whether the hand is typed from nothing: then its tiles come before its score. */
  readonly typing: boolean;
  readonly history: Signal<History<Hand>>;
  readonly hand: ReadonlySignal<Hand>;
  readonly context: Signal<Context>;
  /** The round wind that is kept from an earlier hand, until a person chooses one. */
  readonly keptRound: Signal<Wind | null>;
  /** Changes that can be taken back, the last one at the end. */
  readonly changes: Signal<readonly Change[]>;
}

export function newEdit(hand: Hand, context: Context, isPhotographed: boolean): Edit {
  const history = signal(begin(hand));
  return {
    typing: !isPhotographed && isEmpty(hand),
    history,
    hand: computed(() => history.value.present),
    context: signal(context),
    keptRound: signal(keptRoundOf(context)),
    changes: signal([]),
  };
}

const keptRoundOf = ({ prevalent }: Context): Wind | null =>
  prevalent !== undefined && prevalent === usualContext().prevalent ? prevalent : null;

/** Tells whether a person changed the hand that was read. */
export const isCorrected = ({ history }: Edit): boolean => history.value.past.length > 0;

/** Tells whether a person corrected the hand, and did not only answer what was asked. */
export const isOwnCorrection = ({ history }: Edit): boolean =>
  [...history.value.past, history.value.present].some(({ corrected }) => corrected);

/** Changes the hand, and answers the doubts that the change settles. */
export function change(
  { edit, verdict }: { readonly edit: Edit; readonly verdict: Verdict },
  hand: Hand,
): void {
  const before = edit.hand.peek();
  const settled = settle(before, hand, verdict.doubts.peek());
  if (settled === before) return;
  // An answer is marked as one in the hand that it makes.
  const isAnswer = hand.answered.length > before.answered.length;
  const corrected = settled.corrected || !isAnswer;
  batch(() => {
    edit.history.value = step(edit.history.value, corrected ? { ...settled, corrected } : settled);
    edit.changes.value = [...edit.changes.value, { kind: 'hand' }];
  });
}

/** Sets what a person says of the win. A round wind that was chosen is kept for the next hand. */
export function setContext(edit: Edit, context: Context): void {
  const before = edit.context.peek();
  const isRoundChosen = context.prevalent !== before.prevalent;
  batch(() => {
    edit.changes.value = [
      ...edit.changes.value,
      { kind: 'win', context: before, keptRound: edit.keptRound.peek() },
    ];
    edit.context.value = context;
    if (isRoundChosen) edit.keptRound.value = null;
  });
  if (isRoundChosen) rememberContext(context);
}

/** Takes an answer about the hand and about its win, which one tap gave and one takes back. */
export function answerBoth(
  entry: { readonly edit: Edit; readonly verdict: Verdict },
  hand: Hand,
  context: Context,
): void {
  const { edit } = entry;
  const before = edit.history.peek();
  batch(() => {
    change(entry, hand);
    setContext(edit, context);
    if (edit.history.peek() === before) return;
    const changes = edit.changes.peek();
    const last = changes.at(-1);
    if (last?.kind === 'win') edit.changes.value = [...changes.slice(0, -2), { ...last, withHand: true }];
  });
}

/** Sets what an evening knows of the win. Its winds are not kept: the evening has the next ones. */
export function setContextOfGame(edit: Edit, context: Context): void {
  batch(() => {
    edit.context.value = context;
    edit.keptRound.value = null;
  });
}

/** Takes back the last change, be it of the hand or of the win. */
export function undoChange(edit: Edit): void {
  const last = edit.changes.peek().at(-1);
  if (last?.kind === 'hand') undoHand(edit);
  if (last?.kind !== 'win') return;
  batch(() => {
    edit.changes.value = edit.changes.value.slice(0, -1);
    edit.context.value = last.context;
    edit.keptRound.value = last.keptRound;
    if (last.withHand) edit.history.value = undo(edit.history.value);
  });
  rememberContext(last.context);
}

/** Takes back the last change of the hand. */
export function undoHand(edit: Edit): void {
  const changes = edit.changes.peek();
  const last = changes.findLastIndex((one) => one.kind === 'hand' || one.withHand);
  batch(() => {
    edit.history.value = undo(edit.history.value);
    // What the same tap said of the win stays.
    edit.changes.value = changes.flatMap((one, at) => {
      if (at !== last) return [one];
      return one.kind === 'win' ? [{ ...one, withHand: false }] : [];
    });
  });
}

/** Makes the last change of the hand again that was taken back. */
export function redoHand(edit: Edit): void {
  batch(() => {
    edit.history.value = redo(edit.history.value);
    edit.changes.value = [...edit.changes.value, { kind: 'hand' }];
  });
}
