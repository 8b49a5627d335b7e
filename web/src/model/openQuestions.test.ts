import { describe, expect, it } from 'vitest';
import type { ContextDto, ContextField, OpenField, Score, TotalRange } from '../api/types';
import { assumptions } from './context';
import type { Question } from './doubts';
import { parse } from './notation';
import { mayWin, openQuestions, subjectOf, subjectsOf } from './openQuestions';

const FIELDS: ReadonlySet<ContextField> = new Set(['win', 'seat', 'prevalent'] as const);
const score = (more: Partial<Score> = {}): Score =>
  ({ total: 10, awards: [], assumed: [], ...more }) as unknown as Score;
const doubt = (kind: string, totals: readonly number[], affects_score = true): Question =>
  ({
    doubt: { id: kind, kind, affects_score, tiles: [], alternatives: [] },
    pieces: [],
    choices: totals.map((total) => ({ total, left: [total, total], hand: {}, reply: { kind: 'yes' } })),
  }) as never;
/** A field whose answers leave these ranges. */
const field = (name: string, ...answers: (readonly [number, number])[]): OpenField => ({
  field: name,
  answers: answers.map(([min, max], at) => ({ answer: `${at}`, min, max })),
});
const range = (...open: OpenField[]): TotalRange => ({ min: 10, max: 20, open });
const about = (found: TotalRange | null, doubts: readonly Question[] = [], context = {}) =>
  openQuestions({ context, doubts, fields: FIELDS, score: score(), range: found }).map((one) =>
    subjectsOf(one).join(' + '),
  );

describe('the open questions', () => {
  it('begin with how the hand was won, then come by how far they narrow the total', () => {
    const open = range(
      field('seat', [10, 20], [12, 20]),
      field('winning_tile', [10, 12], [18, 20]),
      field('win', [10, 20]),
    );
    expect(about(open, [doubt('tile', [10, 14]), doubt('flower', [10, 11], false)])).toEqual([
      'win + winning_tile',
      'tiles',
      'seat',
    ]);
  });

  it('join how the hand was won with what has few answers, where more than two are open', () => {
    const seat = field('seat', [10, 20], [12, 20]);
    const tile = (answers: number): OpenField =>
      field('winning_tile', ...Array.from({ length: answers }, (_, at) => [10, 10 + at] as const));
    const claimed = doubt('exposed_set', [10, 14]);
    expect(about(range(seat), [claimed])).toEqual(['win + tiles', 'seat']);
    expect(about(range(seat, tile(8)))).toEqual(['win + winning_tile', 'seat']);
    // Two are two taps in any case, and more rows would be a wall of buttons.
    expect(about(range(), [claimed])).toEqual(['win', 'tiles']);
    expect(about(range(seat, tile(9)))[0]).toBe('win');
    // Two doubts of two answers have four rows.
    expect(about(range(seat), [claimed, doubt('flower', [10, 11])])).toEqual(['win + tiles', 'seat']);
    // Once the hand is known to be won, a question stands by itself.
    expect(about(range(seat), [claimed], { win: 'discard' })).toEqual(['tiles', 'seat']);
  });

  it('join how the hand was won with all that a look at the tiles tells', () => {
    const read = (id: string): Question => {
      const about = doubt('tile', [10, 14, 15]);
      const choices = about.choices.map((choice, at) => ({ ...choice, current: at === 0 }));
      return { ...about, doubt: { ...about.doubt, id, tiles: [0] }, choices };
    };
    const [first] = openQuestions({
      context: {},
      doubts: [read('one'), read('two')],
      fields: FIELDS,
      score: score(),
      range: range(field('seat', [10, 20], [12, 20])),
    });
    expect(first?.kind === 'win_with' && first.about.kind).toBe('as_read');
  });

  it('include how the hand was won even if that changes no total, because it decides who pays', () => {
    expect(about(null)).toEqual(['win']);
  });

  it('join round and seat where both change the total', () => {
    const winds = range(field('seat', [10, 12]), field('prevalent', [10, 12]));
    expect(about(winds)).toEqual(['win', 'winds']);
    expect(about(winds, [], { win: 'discard', seat: 'S' })).toEqual(['prevalent']);
  });

  it('ask for a ready hand where its rules count one, beside what else changes the total', () => {
    const ready = field('declared', [10, 10], [11, 11]);
    const fields = new Set<ContextField>([...FIELDS, 'declared', 'dealer']);
    const facts = { context: { win: 'discard' } as const, doubts: [], fields, isReadyOpen: true };
    const scored = score({ legal: true, dealer_tai: 1 });
    const found = openQuestions({
      ...facts,
      score: scored,
      range: range(ready, field('seat', [10, 12], [14, 20])),
    });
    expect(found.map(subjectOf)).toEqual(['seat', 'ready', 'dealer']);
    expect(found.at(1)).toEqual({ kind: 'ready', open: ready });
    const typed = openQuestions({ ...facts, score: scored, range: null });
    expect(typed.map(subjectOf)).toEqual(['ready', 'dealer']);
    expect(openQuestions({ ...facts, fields: FIELDS, score: scored, range: null })).toEqual([]);
  });

  it('ask who fed the set that makes a player liable, unless a photo asks it already', () => {
    const fields = new Set<ContextField>(['feeder']);
    const facts = { fields, score: score({ assumed: ['feeder'] }), range: null };
    const ask = (doubts: readonly Question[], context = {}) =>
      openQuestions({ ...facts, context, doubts }).map(subjectOf);
    expect(ask([])).toEqual(['feeder']);
    expect(ask([doubt('feeder', [32000])])).toEqual(['feeder']);
    expect(ask([], { feeder: 'nobody' })).toEqual([]);
    expect(openQuestions({ ...facts, context: {}, doubts: [], score: score() })).toEqual([]);
  });

  it('leave out what a person has answered, and what a table asks', () => {
    expect(about(null, [], { win: 'discard' })).toEqual([]);
    expect(about(range(field('completes', [10, 20])), [], { win: 'discard' })).toEqual([]);
  });
});

describe('a hand that is no legal win as it is scored now', () => {
  const facts = (found: TotalRange | null, doubts: readonly Question[] = [], more: Partial<Score> = {}) => {
    const scored = score({ legal: false, ...more });
    const context = { win: 'discard' } as const;
    const fields = new Set<ContextField>([...FIELDS, 'riichi']);
    const questions = openQuestions({ context, doubts, fields, score: scored, range: found });
    return { score: scored, range: found, questions, atTable: false };
  };
  const open = field('winning_tile', [5, 5], [10, 11]);

  it('is not refused while another answer makes it one', () => {
    expect(mayWin(facts({ ...range(open), legal: null }))).toBe(true);
    expect(mayWin(facts({ ...range(open), legal: false, partial: true }))).toBe(true);
    expect(mayWin(facts(null, [doubt('tile', [10])]))).toBe(true);
    // Of a reading without a score, because as it was read the hand does not win.
    expect(mayWin({ ...facts(null, [doubt('tile', [10])]), score: null })).toBe(true);
  });

  it('is not refused while riichi is open, which is a yaku by itself', () => {
    expect(mayWin(facts(null, [], { han: 0 }))).toBe(true);
  });

  it('is not refused before the table has said how it was won', () => {
    const asked = { ...facts({ ...range(), legal: null }), questions: [] };
    expect(mayWin(asked)).toBe(false);
    expect(mayWin({ ...asked, atTable: true })).toBe(true);
  });

  it('is refused once no answer changes that', () => {
    expect(mayWin(facts(null))).toBe(false);
    expect(mayWin(facts({ ...range(open), legal: false }))).toBe(false);
  });
});

describe('the assumptions', () => {
  const { hand } = parse('123456789m11pFFF');

  it('have their values', () => {
    const assumed_values: ContextDto = { seat: 'E', win: 'discard', from: 'left' };
    expect(assumptions(score({ assumed: ['seat', 'win', 'from'], assumed_values }), hand, {}, [])).toEqual([
      { field: 'seat', value: 'E' },
      { field: 'win', value: 'discard' },
      { field: 'from', value: 'left', robbed: false },
    ]);
  });

  it('name riichi once, whether the service names it or not', () => {
    const assumed_values: ContextDto = { win: 'discard', riichi: 'no', ippatsu: false, dora_indicators: [] };
    const assumed = ['win', 'riichi', 'ippatsu', 'dora_indicators'] as const;
    const list = assumptions(score({ assumed, assumed_values, han: 2, legal: true }), hand, {}, []);
    expect(list).toEqual([
      { field: 'win', value: 'discard' },
      ...['riichi', 'dora_indicators', 'honba'].map((value) => ({ field: 'riichi', value })),
    ]);
  });

  it('include a supposed winning tile', () => {
    expect(assumptions(score(), { ...hand, supposed: true }, {}, [])).toEqual([
      { field: 'winning_tile', value: 'F' },
    ]);
  });
});
