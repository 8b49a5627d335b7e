import { describe, expect, it } from 'vitest';
import type { ContextField, Score } from '../api/types';
import { aboutOf, asking } from './asking';
import { assumptions } from './context';
import type { Question } from './doubts';
import { parse } from './notation';

const FIELDS: ReadonlySet<ContextField> = new Set(['win', 'seat', 'prevalent'] as const);
const score = (more: Partial<Score> = {}): Score =>
  ({ total: 10, awards: [], assumed: [], ...more }) as unknown as Score;
const doubt = (kind: string, affects_score = true): Question =>
  ({ at: 0, doubt: { kind, affects_score, tiles: [], alternatives: [] }, pieces: [], choices: [] }) as never;
const about = (text: string, doubts: readonly Question[] = [], context = {}) =>
  asking({ hand: parse(text).hand, context, doubts, fields: FIELDS, score: score() }).map(aboutOf);

describe('what is asked', () => {
  it('is first how the hand was won, then which tile won, then the tiles, then the winds', () => {
    const doubts = [doubt('tile'), doubt('winning_tile'), doubt('flower', false)];
    expect(about('EEE123m456p789s55s', doubts)).toEqual([
      'win',
      'winning_tile',
      'tiles',
      'seat',
      'prevalent',
    ]);
  });

  it('is nothing that a person has told', () => {
    expect(about('EEE123m456p789s55s', [], { win: 'discard', seat: 'S', prevalent: 'E' })).toEqual([]);
  });

  it('is no wind that can’t count', () => {
    expect(about('EE123m456p789s555s')).toEqual(['win']);
  });
});

describe('what is assumed', () => {
  const { hand } = parse('123456789m11pFFF');

  it('has its value', () => {
    expect(assumptions(score({ assumed: ['seat', 'win', 'from'] }), hand)).toEqual([
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
