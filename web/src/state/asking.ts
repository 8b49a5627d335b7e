/** What is asked of a hand as it is now: the open questions, the best one first. */
import type { ContextField, Scored } from '../api/types';
import { type Asked, asking } from '../model/asking';
import { asked as askedFields } from '../model/context';
import { type Question, questions } from '../model/doubts';
import { isEntering } from './evening';
import type { Entry } from './hands';
import { chosen, known } from './prefs';

/** The open doubts of the photo, for the hand as it is now. */
export function doubtsOf(entry: Entry): Question[] {
  const reading = entry.reading.value;
  return reading ? questions(entry.hand.value, reading) : [];
}

/** What is asked, by a rule set's score; in an evening the table asks how the hand was won. */
export function askedOf(entry: Entry, scored: Scored | undefined): Asked[] {
  const hand = entry.hand.value;
  const context = entry.context.value;
  // Offline without any known rule set, the fields that all of them have.
  const needed: ReadonlySet<ContextField> =
    known.value.length > 0
      ? askedFields(chosen.value, context, hand)
      : new Set(['win', 'seat', 'prevalent'] as const);
  const table = isEntering(entry.won.value.entry);
  const fields = new Set([...needed].filter((field) => !(table && field !== 'completes')));
  return asking({ hand, context, doubts: doubtsOf(entry), fields, score: scored?.score ?? null });
}

/** Whether the total is not final: something that it hangs on was assumed. */
export function isProvisional(entry: Entry, scored: Scored | undefined): boolean {
  const assumed = scored?.score?.assumed ?? [];
  return askedOf(entry, scored).length > 0 || assumed.includes('win');
}
