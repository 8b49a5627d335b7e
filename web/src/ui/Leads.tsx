/** The totals that an answer leaves possible, in small print beside its words. */
import { useMemo } from 'preact/hooks';
import type { Context, OpenField, Scored } from '../api/types';
import { lang } from '../browser/lang';
import { module } from '../engine/module';
import { t } from '../i18n';
import type { Hand } from '../model/hand';
import type { Entry } from '../state/hand/entry';
import { type Outcome, outcomeOf } from '../state/outcomes';
import { totalText } from './words';

/** A hand, and the rule set by which it is scored. */
export interface Asked {
  readonly entry: Entry;
  readonly scored: Scored | undefined;
}

/** Returns what an answer leads to that makes the win context this one, and the hand if it changes that. */
export function useOutcome(
  { entry, scored }: Asked,
  context: Context,
  hand: Hand = entry.edit.hand.value,
): Outcome | undefined {
  const doubts = entry.verdict.doubts.value;
  return useMemo(
    () => scored && outcomeOf(entry, scored.ruleset, context, hand),
    [hand, doubts, JSON.stringify(context), scored?.ruleset, lang.value, module.value],
  );
}

/** An outcome in words: a total, a range, or that it is no win. */
export const outcomeText = (outcome: Outcome): string => (outcome ? totalText(outcome) : t.value.noWin);

/** An outcome as a number, where there is little room. */
export function shortOutcome(outcome: Outcome): string {
  if (!outcome) return '–';
  const [min, max] = outcome;
  return min === max ? `${min}` : `${min}–${max}`;
}

/** Returns the totals that the service names for an answer. */
export function namedOutcome(open: OpenField | null, answer: string): Outcome | undefined {
  const left = open?.answers.find((one) => one.answer === answer);
  return left && [left.min, left.max];
}

interface LeadsProps extends Asked {
  /** The win context with the answer. */
  readonly context: Context;
  /** The totals as the service names them, where it does. */
  readonly named?: Outcome | undefined;
}

export function Leads({ entry, scored, context, named }: LeadsProps) {
  const own = useOutcome({ entry, scored }, context);
  const outcome = named ?? own;
  return outcome === undefined ? null : <small>{outcomeText(outcome)}</small>;
}
