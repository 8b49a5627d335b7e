/**
 * Questions that a score still depends on, in the order in which they are asked: first how the hand
 * was won, then the one that narrows the total most, about the win or about the tiles.
 *
 * The service says which fields that were not given change the total. How the hand was won is asked
 * in any case, because it decides who pays. Riichi has questions of its own, whose answers no photo
 * shows: they come in the order in which they change the score. Invariant: nothing that a person gave
 * is asked.
 */
import type { Context, ContextField, OpenField, Repair, Score, TotalRange } from '../api/types';
import { isIdle, isRepaired, type Question } from './doubts';
import { COUNTS, type IndicatorField } from './riichi';

export type Asked =
  /** `open` has the totals that each answer leaves possible, where they differ. */
  | { readonly kind: 'win'; readonly open: OpenField | null }
  | { readonly kind: 'wind'; readonly field: 'seat' | 'prevalent'; readonly open: OpenField }
  /** Seat and round in one answer, where both change the total. */
  | { readonly kind: 'winds'; readonly open: OpenField }
  | { readonly kind: 'winning_tile'; readonly open: OpenField }
  | { readonly kind: 'doubt'; readonly question: Question }
  /** Riichi and ippatsu in one answer. */
  | { readonly kind: 'riichi' }
  | { readonly kind: 'indicators'; readonly field: IndicatorField }
  /** Counters and riichi sticks, and norths where three play and they are not known. */
  | { readonly kind: 'on_table'; readonly norths: boolean };

/** Subject of a question, for the words that name it beside a range of totals. */
export type About =
  | Exclude<Asked['kind'], 'wind' | 'doubt' | 'indicators'>
  | 'seat'
  | 'prevalent'
  | 'tiles'
  | 'norths'
  | IndicatorField;

export function aboutOf(asked: Asked): About {
  if (asked.kind === 'wind' || asked.kind === 'indicators') return asked.field;
  if (asked.kind === 'on_table' && asked.norths) return 'norths';
  if (asked.kind !== 'doubt') return asked.kind;
  return asked.question.doubt.kind === 'winning_tile' ? 'winning_tile' : 'tiles';
}

interface Facts {
  readonly context: Context;
  /** The doubts of the reading that are still open. */
  readonly doubts: readonly Question[];
  /** The fields that may be asked: those that the rule sets need, and that no table asks. */
  readonly fields: ReadonlySet<ContextField>;
  readonly score: Score | null;
  /** The totals that are possible, and what they depend on; `null` where there is one or none. */
  readonly range: TotalRange | null;
  /** The indicators that are not known, or too few. */
  readonly indicators?: readonly IndicatorField[];
  /** Repairs of a hand that does not win: then nothing else is asked about that. */
  readonly repairs?: readonly Repair[];
}

export function asking(facts: Facts): Asked[] {
  const { context, doubts, fields, score, range, repairs = [] } = facts;
  const matters = doubts.filter(
    (question) =>
      question.doubt.affects_score &&
      !isIdle(question) &&
      !(repairs.length > 0 && isRepaired(question.doubt)),
  );
  const [tile, others] = [true, false].map((wanted) =>
    matters
      .filter(({ doubt }) => (doubt.kind === 'winning_tile') === wanted)
      .map((question): Asked => ({ kind: 'doubt', question })),
  );
  const open = range?.open ?? [];
  const of = (field: string): OpenField | undefined => open.find((one) => one.field === field);
  const mayAsk = (field: 'win' | 'seat' | 'prevalent'): boolean =>
    fields.has(field) && context[field] === undefined;
  const winning = of('winning_tile');
  const rest = [
    ...(winning ? ofWinningTile(winning, tile ?? []) : (tile ?? [])),
    ...(others ?? []),
    ...together(
      (['seat', 'prevalent'] as const).flatMap((field) => {
        const wind = of(field);
        return wind && mayAsk(field) ? [{ kind: 'wind', field, open: wind } as const] : [];
      }),
    ),
  ];
  const win: Asked[] = score && mayAsk('win') ? [{ kind: 'win', open: of('win') ?? null }] : [];
  rest.sort((one, other) => narrows(other) - narrows(one));
  const table = onTable(facts);
  // A north is a han, as a dora is; a counter changes only the payments.
  const isFirst = table.some(({ norths }) => norths);
  return [...win, ...ofWinner(facts), ...(isFirst ? table : []), ...rest, ...(isFirst ? [] : table)];
}

/**
 * Questions that the winner of riichi alone can answer. Riichi is one han and leads to ippatsu and ura dora; each
 * dora is one han as well. A yakuman counts none of them.
 */
function ofWinner({ context, fields, score, indicators = [] }: Facts): Asked[] {
  if (typeof score?.han !== 'number' || score.yakuman) return [];
  const isCallOpen = context.riichi === undefined || (fields.has('ippatsu') && context.ippatsu === undefined);
  return [
    ...(fields.has('riichi') && isCallOpen ? [{ kind: 'riichi' } as const] : []),
    // Dora are no yaku: they change nothing of a hand without one.
    ...indicators
      .filter((field) => score.legal && fields.has(field))
      .map((field) => ({ kind: 'indicators', field }) as const),
  ];
}

/** Counters change the payments, norths the han but of a yakuman; nothing is paid for a hand without a yaku. */
function onTable({ context, fields, score }: Facts): Extract<Asked, { kind: 'on_table' }>[] {
  const counted = COUNTS.filter((field) => fields.has(field) && !(field === 'norths' && score?.yakuman));
  const open = counted.filter((field) => context[field] === undefined);
  if (typeof score?.han !== 'number' || !score.legal || open.length === 0) return [];
  return [{ kind: 'on_table', norths: open.includes('norths') }];
}

/** The winds as one question, if both are open: people know them as a pair. */
function together(winds: readonly Extract<Asked, { kind: 'wind' }>[]): readonly Asked[] {
  const [seat, prevalent] = winds;
  return seat && prevalent ? [{ kind: 'winds', open: seat.open }] : winds;
}

/** Returns by how many points any answer narrows the total at least; 0 where that is not known. */
function narrows(asked: Asked): number {
  if (asked.kind === 'doubt') {
    const ends = asked.question.choices.flatMap(({ left }) => (left ? [left] : []));
    if (ends.length === 0) return 0;
    const width = Math.max(...ends.map(([least, most]) => most - least));
    return Math.max(...ends.map(([, most]) => most)) - Math.min(...ends.map(([least]) => least)) - width;
  }
  const answers = ('open' in asked && asked.open?.answers) || [];
  if (answers.length === 0) return 0;
  const ends = answers.flatMap(({ least, most }) => [least, most]);
  const left = Math.max(...answers.map(({ least, most }) => most - least));
  return Math.max(...ends) - Math.min(...ends) - left;
}

/**
 * Returns the questions that ask which tile won: with all tiles and their totals, unless it may be
 * one of an exposed set, which only the doubt knows.
 */
function ofWinningTile(open: OpenField, doubts: readonly Asked[]): Asked[] {
  const inSet = doubts.filter(
    (one) => one.kind === 'doubt' && one.question.choices.some(({ reply }) => reply.kind === 'in_set'),
  );
  return inSet.length > 0 ? inSet : [{ kind: 'winning_tile', open }];
}
