/**
 * What a score still hangs on, as questions in the order in which they are asked: first those about
 * the win, the one that narrows the total most before the others, then the doubts about the tiles.
 *
 * The service says which fields that were not given change the total. How the hand was won is asked
 * in any case, because it decides who pays. Invariant: nothing that a person told is asked.
 */
import type { Context, ContextField, OpenField, Score, TotalRange } from '../api/types';
import type { Question } from './doubts';

export type Asked =
  /** `open` has the totals that each answer leaves possible, where they differ. */
  | { readonly kind: 'win'; readonly open: OpenField | null }
  | { readonly kind: 'wind'; readonly field: 'seat' | 'prevalent'; readonly open: OpenField }
  | { readonly kind: 'doubt'; readonly question: Question };

/** What a question is about, for the words that name it beside a range of totals. */
export type About = 'win' | 'winning_tile' | 'seat' | 'prevalent' | 'tiles';

export function aboutOf(asked: Asked): About {
  if (asked.kind === 'win') return 'win';
  if (asked.kind === 'wind') return asked.field;
  return asked.question.doubt.kind === 'winning_tile' ? 'winning_tile' : 'tiles';
}

interface Facts {
  readonly context: Context;
  /** The doubts of the reading that are still open. */
  readonly doubts: readonly Question[];
  /** The fields that may be asked: those that the rule sets need, and that no table asks. */
  readonly fields: ReadonlySet<ContextField>;
  readonly score: Score | null;
  readonly range: TotalRange | null;
}

export function asking({ context, doubts, fields, score, range }: Facts): Asked[] {
  const matters = doubts.filter(({ doubt }) => doubt.affects_score);
  const about = (tile: boolean): Asked[] =>
    matters
      .filter(({ doubt }) => (doubt.kind === 'winning_tile') === tile)
      .map((question) => ({ kind: 'doubt', question }));
  const open = (range?.open ?? []).flatMap((one): Asked[] => {
    if (one.field === 'winning_tile') return about(true);
    if (one.field === 'win') return fields.has('win') ? [{ kind: 'win', open: one }] : [];
    const wind = one.field === 'seat' || one.field === 'prevalent' ? one.field : null;
    return wind && fields.has(wind) ? [{ kind: 'wind', field: wind, open: one }] : [];
  });
  const asked = new Set(open.map(aboutOf));
  const unasked = fields.has('win') && context.win === undefined && score !== null && !asked.has('win');
  return [
    ...open,
    ...(unasked ? [{ kind: 'win', open: null } as const] : []),
    ...(asked.has('winning_tile') ? [] : about(true)),
    ...about(false),
  ];
}
