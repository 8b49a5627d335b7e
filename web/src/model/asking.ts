/**
 * What a score still hangs on, as questions in the order in which they are asked: how the hand was
 * won, which tile won, the doubts that change the score, the winds.
 *
 * A question is open while its field took a default. Invariant: a field that a person gave is not
 * asked for, and neither is one that can't change the total.
 */
import type { Context, ContextField, Score } from '../api/types';
import type { Question } from './doubts';
import { type Hand, pieces } from './hand';

export type Asked =
  | { readonly kind: 'win' }
  | { readonly kind: 'wind'; readonly field: 'seat' | 'prevalent' }
  | { readonly kind: 'doubt'; readonly question: Question };

/** What a question is about, for the words that name it beside a range of totals. */
export type About = 'win' | 'winning_tile' | 'seat' | 'prevalent' | 'tiles';

export function aboutOf(asked: Asked): About {
  if (asked.kind === 'win') return 'win';
  if (asked.kind === 'wind') return asked.field;
  return asked.question.doubt.kind === 'winning_tile' ? 'winning_tile' : 'tiles';
}

interface Facts {
  readonly hand: Hand;
  readonly context: Context;
  /** The doubts of the reading that are still open. */
  readonly doubts: readonly Question[];
  /** The fields that the rule sets need. */
  readonly fields: ReadonlySet<ContextField>;
  readonly score: Score | null;
}

export function asking({ hand, context, doubts, fields, score }: Facts): Asked[] {
  const open = (field: 'win' | 'seat' | 'prevalent'): boolean =>
    fields.has(field) && context[field] === undefined;
  const matters = doubts.filter(({ doubt }) => doubt.affects_score);
  const [won, others] = [true, false].map((wanted) =>
    matters
      .filter(({ doubt }) => (doubt.kind === 'winning_tile') === wanted)
      .map((question): Asked => ({ kind: 'doubt', question })),
  );
  const winds = (['seat', 'prevalent'] as const)
    .filter((field) => open(field) && windCounts(hand, field, score))
    .map((field): Asked => ({ kind: 'wind', field }));
  const win: Asked[] = open('win') && score ? [{ kind: 'win' }] : [];
  return [...win, ...(won ?? []), ...(others ?? []), ...winds];
}

/** A wind matters where the hand has a set of winds, or where a line that counts depends on it. */
function windCounts(hand: Hand, field: 'seat' | 'prevalent', score: Score | null): boolean {
  if (!score) return false;
  if (score.awards.some(({ depends_on }) => depends_on?.includes(field))) return true;
  const faces = pieces(hand).map(({ face }) => face);
  return ['E', 'S', 'W', 'N'].some((wind) => faces.filter((face) => face === wind).length >= 3);
}
