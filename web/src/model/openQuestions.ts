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
import { lacksDealer } from './dealer';
import { asRead, isIdle, isRepaired, type Question } from './doubts';
import { COUNTS, type IndicatorField } from './riichi';

export type OpenQuestion =
  /** `open` has the totals that each answer leaves possible, where they differ. */
  | { readonly kind: 'win'; readonly open: OpenField | null }
  /** Question about the win and another one in one answer, where further questions are open. */
  | { readonly kind: 'win_with'; readonly open: OpenField | null; readonly about: Beside }
  | { readonly kind: 'wind'; readonly field: 'seat' | 'prevalent'; readonly open: OpenField }
  /** Seat and round in one answer, where both change the total. */
  | { readonly kind: 'winds'; readonly open: OpenField }
  | { readonly kind: 'winning_tile'; readonly open: OpenField }
  | { readonly kind: 'doubt'; readonly about: Question }
  /** Riichi and ippatsu in one answer. */
  | { readonly kind: 'riichi' }
  | { readonly kind: 'indicators'; readonly field: IndicatorField }
  /** Counters and riichi sticks, and norths where three play and they are not known. */
  | { readonly kind: 'on_table'; readonly norths: boolean }
  /** Whether the hand was declared ready, in the game of sixteen tiles. */
  | { readonly kind: 'ready'; readonly open: OpenField | null }
  /** The dealer and his streak there. */
  | { readonly kind: 'dealer' }
  /** The player who fed the last of the sets that make their feeder liable. */
  | { readonly kind: 'feeder' };

/** Question with few answers, which can be asked together with how the hand was won. */
export type Beside =
  | Extract<OpenQuestion, { kind: 'winning_tile' }>
  /** Doubts with few answers together, or more that a look at the tiles that were read answers. */
  | { readonly kind: 'doubts' | 'as_read'; readonly doubts: readonly Question[] };

/** Subject of a question, for the words that name it beside a range of totals. */
type Subject =
  | Exclude<OpenQuestion['kind'], 'wind' | 'win_with' | 'doubt' | 'indicators'>
  | 'seat'
  | 'prevalent'
  | 'tiles'
  | 'norths'
  | IndicatorField;

export function subjectOf(question: OpenQuestion): Subject {
  if (question.kind === 'win_with') return 'win';
  if (question.kind === 'wind' || question.kind === 'indicators') return question.field;
  if (question.kind === 'on_table' && question.norths) return 'norths';
  if (question.kind !== 'doubt') return question.kind;
  const { kind } = question.about.doubt;
  return kind === 'winning_tile' || kind === 'feeder' ? kind : 'tiles';
}

/** Subjects of a question: two where one answer tells both. */
export function subjectsOf(question: OpenQuestion): readonly Subject[] {
  if (question.kind !== 'win_with') return [subjectOf(question)];
  const { about } = question;
  if (about.kind === 'winning_tile') return ['win', 'winning_tile'];
  const of = about.doubts.map((one) => subjectOf(asQuestion(one)));
  return [...new Set<Subject>(['win', ...of])];
}

/** Returns the doubts that a question asks about. */
export function doubtsIn(question: OpenQuestion): readonly Question[] {
  if (question.kind === 'doubt') return [question.about];
  return question.kind === 'win_with' && question.about.kind !== 'winning_tile' ? question.about.doubts : [];
}

/** Subjects whose answers no total and no range holds yet: each adds han or counters. */
const UNCOUNTED = ['riichi', 'dora_indicators', 'ura_indicators', 'norths', 'on_table'] as const;
export type Uncounted = (typeof UNCOUNTED)[number];

/** Returns the subjects of open questions that the totals count nothing of. */
export function uncountedOf(questions: readonly OpenQuestion[]): Uncounted[] {
  const open = questions.map(subjectOf);
  return UNCOUNTED.filter((subject) => open.includes(subject));
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
  /** Whether nobody said if the hand was declared ready, which its rules count. */
  readonly isReadyOpen?: boolean;
  /** The indicators that are not known, or too few. */
  readonly indicators?: readonly IndicatorField[];
  /** Repairs of a hand that does not win: then nothing else is asked about that. */
  readonly repairs?: readonly Repair[];
}

export function openQuestions(facts: Facts): OpenQuestion[] {
  const { context, doubts, fields, score, range, isReadyOpen = false, repairs = [] } = facts;
  const matters = doubts.filter(
    (question) =>
      question.doubt.affects_score &&
      !isIdle(question) &&
      !(repairs.length > 0 && isRepaired(question.doubt)),
  );
  const ofTile = matters.filter(({ doubt }) => doubt.kind === 'winning_tile').map(asQuestion);
  const ofRest = matters.filter(({ doubt }) => doubt.kind !== 'winning_tile').map(asQuestion);
  const openField = (field: string): OpenField | undefined => range?.open?.find((one) => one.field === field);
  const mayAsk = (field: 'win' | 'seat' | 'prevalent'): boolean =>
    fields.has(field) && context[field] === undefined;
  const winning = openField('winning_tile');
  const winds = (['seat', 'prevalent'] as const).flatMap((field) => {
    const open = openField(field);
    return open && mayAsk(field) ? [{ kind: 'wind', field, open } as const] : [];
  });
  const win: OpenQuestion[] = score && mayAsk('win') ? [{ kind: 'win', open: openField('win') ?? null }] : [];
  const first = [...win, ...ofWinner(facts)];
  const rest = [...(winning ? ofWinningTile(winning, ofTile) : ofTile), ...ofRest, ...together(winds)];
  if (isReadyOpen && fields.has('declared'))
    rest.push({ kind: 'ready', open: openField('declared') ?? null });
  rest.sort((one, other) => narrows(other) - narrows(one));
  const table = onTable(facts);
  // The tai of the dealer change only the payments.
  const asksDealer = score !== null && hasDealer(fields) && lacksDealer(score, context, fields);
  if (asksDealer) rest.push({ kind: 'dealer' });
  if (lacksFeeder(facts)) rest.push({ kind: 'feeder' });
  // A north is a han, as a dora is; a counter changes only the payments.
  const isTableFirst = table.some(({ norths }) => norths);
  if (!isTableFirst) return withWin([...first, ...rest, ...table]);
  // A question about winds has room for what lies on the table.
  const wind = rest.filter(isAboutWinds);
  const others = rest.filter((one) => !isAboutWinds(one));
  return withWin([...first, ...wind, ...table, ...others]);
}

const isAboutWinds = ({ kind }: OpenQuestion): boolean => kind === 'wind' || kind === 'winds';

/**
 * The most answers of a question beside how the hand was won, each in a row of four: no more buttons than the round
 * and the seat have together.
 */
const MAX_ROWS = 5;

/** The most tiles that may have won, each in a row of four ways: those of a hand whose winning tile lies unmarked. */
const MAX_TILES = 8;

/**
 * Asks how the hand was won together with what else no photo shows, where more than two questions are open: a player
 * who won by a claimed set says both in one sentence.
 */
function withWin(questions: readonly OpenQuestion[]): OpenQuestion[] {
  const win = questions.find(({ kind }) => kind === 'win');
  const beside = besideWin(questions);
  if (win?.kind !== 'win' || !beside || questions.length < 3) return [...questions];
  const merged = { kind: 'win_with', open: win.open, about: beside.about } as const;
  return [merged, ...questions.filter((one) => one !== win && !beside.of.includes(one))];
}

/** The question to be asked beside how the hand was won, and those that it stands for; `null` for none. */
function besideWin(
  questions: readonly OpenQuestion[],
): { readonly about: Beside; readonly of: readonly OpenQuestion[] } | null {
  const tile = questions.find((one) => one.kind === 'winning_tile');
  if (tile && tile.open.answers.length <= MAX_TILES) return { about: tile, of: [tile] };
  const all = questions.filter((one) => one.kind === 'doubt');
  const few = fewAnswers(all);
  const doubts = all.map(({ about }) => about);
  if (few.length < all.length && asRead(doubts).length > 0)
    return { about: { kind: 'as_read', doubts }, of: all };
  return few.length > 0
    ? { about: { kind: 'doubts', doubts: few.map(({ about }) => about) }, of: few }
    : null;
}

type DoubtQuestion = Extract<OpenQuestion, { kind: 'doubt' }>;

/** Returns the first doubts whose answers, each with each, have a row. */
function fewAnswers(all: readonly DoubtQuestion[]): readonly DoubtQuestion[] {
  let rows = 1;
  return all.filter(({ about: { choices } }) => {
    const isTappable = choices.length > 1 && choices.every(({ hand }) => hand !== null);
    if (!isTappable || rows * choices.length > MAX_ROWS) return false;
    rows *= choices.length;
    return true;
  });
}

interface Open {
  readonly score: Score | null;
  readonly range: TotalRange | null;
  readonly questions: readonly OpenQuestion[];
  /** Whether the table has not said yet how the hand was won. */
  readonly atTable: boolean;
}

/**
 * Tells whether a hand is a legal win or may become one by an answer that is still open. Nothing is refused
 * before.
 */
export function mayWin({ score, range, questions, atTable }: Open): boolean {
  if (score?.legal) return true;
  if (questions.length === 0 && !atTable) return false;
  // Riichi is a yaku by itself, and ranges count none.
  if (score && questions.some(({ kind }) => kind === 'riichi')) return true;
  if (range) return range.legal !== false || range.partial === true;
  return questions.flatMap(doubtsIn).some(wins);
}

const wins = ({ choices }: Question): boolean => choices.some(({ left }) => left !== null);

/** Tells whether the payments hang on who fed a set, and neither a person nor a doubt of a photo says or asks it. */
const lacksFeeder = ({ context, doubts, fields, score }: Facts): boolean =>
  fields.has('feeder') &&
  context.feeder === undefined &&
  (score?.assumed.includes('feeder') ?? false) &&
  !doubts.some(({ doubt }) => doubt.kind === 'feeder');

/** Tells whether the dealer may be asked about: his streak is left out where it changes nothing. */
const hasDealer = (fields: ReadonlySet<ContextField>): boolean =>
  fields.has('dealer') || fields.has('dealer_streak');

const asQuestion = (about: Question): OpenQuestion => ({ kind: 'doubt', about });

/**
 * Questions that the winner of riichi alone can answer. Riichi is one han and leads to ippatsu and ura dora; each
 * dora is one han as well. A yakuman counts none of them.
 */
function ofWinner({ context, fields, score, indicators = [] }: Facts): OpenQuestion[] {
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
function onTable({ context, fields, score }: Facts): Extract<OpenQuestion, { kind: 'on_table' }>[] {
  const counted = COUNTS.filter((field) => fields.has(field) && !(field === 'norths' && score?.yakuman));
  const open = counted.filter((field) => context[field] === undefined);
  if (typeof score?.han !== 'number' || !score.legal || open.length === 0) return [];
  return [{ kind: 'on_table', norths: open.includes('norths') }];
}

/** The winds as one question, if both are open: people know them as a pair. */
function together(winds: readonly Extract<OpenQuestion, { kind: 'wind' }>[]): readonly OpenQuestion[] {
  const [seat, prevalent] = winds;
  return seat && prevalent ? [{ kind: 'winds', open: seat.open }] : winds;
}

/** Returns by how many points any answer narrows the total at least; 0 where that is not known. */
function narrows(question: OpenQuestion): number {
  if (question.kind === 'doubt') {
    const ends = question.about.choices.flatMap(({ left }) => (left ? [left] : []));
    if (ends.length === 0) return 0;
    const width = Math.max(...ends.map(([min, max]) => max - min));
    return Math.max(...ends.map(([, max]) => max)) - Math.min(...ends.map(([min]) => min)) - width;
  }
  const answers = ('open' in question && question.open?.answers) || [];
  if (answers.length === 0) return 0;
  const ends = answers.flatMap(({ min, max }) => [min, max]);
  const left = Math.max(...answers.map(({ min, max }) => max - min));
  return Math.max(...ends) - Math.min(...ends) - left;
}

/**
 * Returns the questions that ask which tile won: with all tiles and their totals, unless it may be
 * one of an exposed set, which only the doubt knows.
 */
function ofWinningTile(open: OpenField, doubts: readonly OpenQuestion[]): OpenQuestion[] {
  const inSet = doubts.filter(
    (one) => one.kind === 'doubt' && one.about.choices.some(({ reply }) => reply.kind === 'in_set'),
  );
  return inSet.length > 0 ? inSet : [{ kind: 'winning_tile', open }];
}
