import { describe, expect, it } from 'vitest';
import type { ContextField, Score, TotalRange } from '../api/types';
import { aboutOf, asking } from './asking';
import { assumptions } from './context';
import type { Question } from './doubts';
import { parse } from './notation';

const FIELDS: ReadonlySet<ContextField> = new Set(['win', 'seat', 'prevalent'] as const);
const score = (more: Partial<Score> = {}): Score =>
  ({ total: 10, awards: [], assumed: [], ...more }) as unknown as Score;
const doubt = (kind: string, affects_score = true): Question =>
  ({ at: 0, doubt: { kind, affects_score, tiles: [], alternatives: [] }, pieces: [], choices: [] }) as never;
const open = (...fields: string[]): TotalRange => ({
  least: 10,
  most: 20,
  open: fields.map((field) => ({ field, answers: [] })),
});
const about = (range: TotalRange | null, doubts: readonly Question[] = [], context = {}) =>
  asking({ context, doubts, fields: FIELDS, score: score(), range }).map(aboutOf);

describe('what is asked', () => {
  it('is first what narrows the total most, then the tiles', () => {
    const doubts = [doubt('tile'), doubt('winning_tile'), doubt('flower', false)];
    expect(about(open('winning_tile', 'win', 'seat'), doubts)).toEqual([
      'winning_tile',
      'win',
      'seat',
      'tiles',
    ]);
  });

  it('is how the hand was won even if that changes no total, because it decides who pays', () => {
    expect(about(null)).toEqual(['win']);
    expect(about(open('seat'))).toEqual(['seat', 'win']);
  });

  it('is nothing that a person has told', () => {
    expect(about(null, [], { win: 'discard' })).toEqual([]);
  });
});

describe('what is assumed', () => {
  const { hand } = parse('123456789m11pFFF');

  it('has its value', () => {
    const assumed_values = { seat: 'E', win: 'discard', from: 'left' };
    expect(assumptions(score({ assumed: ['seat', 'win', 'from'], assumed_values }), hand)).toEqual([
      { field: 'seat', value: 'E' },
      { field: 'win', value: 'discard' },
      { field: 'from', value: 'left' },
    ]);
  });

  it('can be the winning tile', () => {
    expect(assumptions(score(), { ...hand, supposed: true })).toEqual([
      { field: 'winning_tile', value: 'F' },
    ]);
  });
});
