/** Open questions about a hand as it is now, the best one first. */
import type { ContextField, DoubtKind, Player, Scored, TotalRange } from '../api/types';
import { lacksReady, neededFields } from '../model/context';
import { type Question, questions } from '../model/doubts';
import { dealFor, declarers, isOpenAfterRiichi, missing } from '../model/evening';
import type { Hand } from '../model/hand';
import { mayWin, type OpenQuestion, openQuestions } from '../model/openQuestions';
import { lacksIndicators, OF_WINNER } from '../model/riichi';
import { game, isEntering } from './evening';
import type { Entry } from './hand/entry';
import { allRulesets, chosenRulesets } from './prefs';

/** The open doubts of the photo, for the hand as it is now or as an answer makes it. */
export function doubtsOf(entry: Entry, hand: Hand = entry.edit.hand.value): Question[] {
  const reading = entry.photos.reading.value;
  // Until they are computed anew, doubts are about the hand before.
  return reading
    ? questions(hand, reading, entry.verdict.doubts.value, entry.verdict.about.value === hand)
    : [];
}

/** Tells whether the winner laid a riichi stick in the evening's deal, so that the hand has riichi. */
export function hasStick({ table }: Entry): boolean {
  const now = game.value;
  const won = table.won.value;
  const { winner } = won;
  const deal = now && isEntering(won) ? dealFor(now, won) : null;
  return !!now && !!deal && winner !== null && declarers(now, deal).includes(winner);
}

/**
 * Returns the questions that are asked, by a rule set's score; in an evening the table asks how the
 * hand was won.
 */
export function questionsOf(entry: Entry, scored: Scored | undefined): OpenQuestion[] {
  const context = entry.edit.context.value;
  // Offline without any known rule set, the fields that all of them have.
  const needed: ReadonlySet<ContextField> =
    allRulesets.value.length > 0
      ? neededFields(chosenRulesets.value, context, entry.edit.hand.value)
      : new Set(['win', 'seat', 'prevalent'] as const);
  const hand = entry.edit.hand.value;
  const fields = isEntering(entry.table.won.value)
    ? new Set([...OF_WINNER, 'declared' as const, 'feeder' as const].filter((field) => needed.has(field)))
    : needed;
  const score = scored?.score ?? null;
  return openQuestions({
    context,
    doubts: doubtsOf(entry),
    fields,
    score,
    range: rangeOf(entry, scored),
    isReadyOpen: score !== null && lacksReady(score, hand, context, allRulesets.value),
    indicators: (['dora_indicators', 'ura_indicators'] as const).filter((field) =>
      lacksIndicators(context, hand, field),
    ),
    repairs: scored?.score ? [] : entry.verdict.repairs.value,
  });
}

/**
 * The totals that are possible: of a photo with every answer to its doubts, by the rule set that it
 * was read by.
 */
export function rangeOf(entry: Entry, scored: Scored | undefined): TotalRange | null {
  const scoring = entry.verdict.scoring.value;
  const first = scoring.kind === 'done' && scored === scoring.scores[0];
  const range = entry.photos.reading.value && first ? entry.verdict.possible.value : null;
  return range ?? scored?.score?.range ?? null;
}

/** The lowest and the highest total that the open questions leave possible. */
export function totalsOf(entry: Entry, scored: Scored): readonly [number, number] {
  const range = rangeOf(entry, scored);
  const ends = [scored.score?.total, range?.min, range?.max];
  const known = ends.filter((total) => typeof total === 'number');
  return [Math.min(...known), Math.max(...known)];
}

/** Tells whether the hand is a legal win, or may be one once what is open is answered. */
export function mayBeWin(entry: Entry, scored: Scored | undefined): boolean {
  const won = entry.table.won.value;
  return mayWin({
    score: scored?.score ?? null,
    range: rangeOf(entry, scored),
    questions: questionsOf(entry, scored),
    atTable: isEntering(won) && missing(entry.edit.context.value, won) !== null,
  });
}

/**
 * Tells whether a set was claimed although the winner laid a riichi stick. While it is asked how a set was
 * made, nobody knows.
 */
export function isOpenRiichi(entry: Entry, declared: readonly Player[]): boolean {
  const isAsked = doubtsOf(entry).some(({ doubt }) => OF_SETS.includes(doubt.kind));
  return !isAsked && isOpenAfterRiichi(entry.edit.hand.value, entry.table.won.value, declared);
}

/** Doubts whose answers say whether a set was claimed. */
const OF_SETS: readonly DoubtKind[] = ['exposed_set', 'concealed_kong', 'added_kong', 'hidden_kong'];

/** Tells whether the total is not final, because something that it depends on was assumed. */
export const isProvisional = (entry: Entry, scored: Scored | undefined): boolean =>
  questionsOf(entry, scored).length > 0 || (scored?.score?.assumed.includes('win') ?? false);
