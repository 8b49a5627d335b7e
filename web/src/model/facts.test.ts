import { describe, expect, it } from 'vitest';
import type { Award, Context, Ruleset, Score, ScoredSet } from '../api/types';
import {
  completions,
  declarable,
  FROM,
  lacksReady,
  neededFields,
  possibleFeeders,
  possibleWins,
  remembered,
  toSend,
  valuesOf,
} from './context';
import { EMPTY, pieceOf } from './hand';
import { parse } from './notation';
import { settlement, WINDS } from './payments';
import { stepped } from './review';
import { litBy, placeSets } from './sets';
import { faceOf, setKind, TILES } from './tiles';
import { withField } from './win';

const set = (
  kind: ScoredSet['kind'],
  tiles: ScoredSet['tiles'],
  facts: Partial<ScoredSet> = {},
): ScoredSet => ({
  kind,
  tiles,
  concealed: true,
  winning: false,
  ...facts,
});
const award = (code: string, sets: ScoredSet[][]): Award => ({
  code,
  paragraph: '1',
  number: 1,
  name: code,
  points: 1,
  count: 1,
  sets,
  explanation: '',
});

describe('the tiles of a fan', () => {
  const { hand } = parse('[123m,1]11m123m456p99s9s||a');
  const claimed = set('chow', ['1m', '2m', '3m'], { concealed: false });
  const drawn = set('chow', ['1m', '2m', '3m']);
  const won = set('pung', ['9s', '9s', '9s'], { winning: true });
  const sets = [claimed, drawn, set('chow', ['4p', '5p', '6p']), won, set('pair', ['1m', '1m'])];
  const faces = (ids: Iterable<number>): string[] =>
    [...ids].map((id) => pieceOf(hand, id)?.face ?? '').sort();

  it('are the tiles of its sets, each tile in one set', () => {
    const placed = placeSets(hand, sets);
    const all = placed.flatMap(({ pieces }) => pieces.map(({ id }) => id));
    expect(new Set(all).size).toBe(14);
    const [meld] = hand.melds;
    expect(placed[0]?.pieces).toEqual(meld?.pieces);
    expect(placed[3]?.pieces.some(({ id }) => id === hand.winning)).toBe(true);
  });

  it('light up alone', () => {
    expect(faces(litBy(hand, sets, award('pure_double_chow', [[claimed, drawn]])))).toEqual([
      '1m',
      '1m',
      '2m',
      '2m',
      '3m',
      '3m',
    ]);
    expect(faces(litBy(hand, sets, award('pung', [[won]])))).toEqual(['9s', '9s', '9s']);
    expect(litBy(hand, sets, award('whole', [])).size).toBe(14);
    expect(faces(litBy(hand, sets, award('flower_tiles', [])))).toEqual(['f1']);
  });
});

describe('the win context', () => {
  const rules = (fields: string[]): Ruleset => ({
    id: 'mcr-wmo',
    name: 'x',
    short_name: 'x',
    game: 'mcr',
    summary: '',
    minimum: 8,
    minimum_unit: 'points',
    scores_everybody: false,
    seats: WINDS,
    hand: { sets: 4, tiles: 14 },
    conventions: { turned_in_claimed_kong: 'one' },
    payments: [],
    options: [],
    lines: [],
    context: fields.map((field) => ({ field: field as 'seat', default: null, values: CODES })),
  });
  const CODES = ['original_call', 'heaven', 'earth', 'flower_replacement', 'dangerous_game'];

  it('offers the seats and players that any of the rule sets has', () => {
    const choices = (field: 'seat' | 'from', values: string[]): Ruleset => ({
      ...rules([]),
      context: [{ field, default: null, values }],
    });
    const three = choices('seat', ['E', 'S', 'W']);
    const four = choices('seat', ['E', 'S', 'W', 'N']);
    expect(valuesOf([three], 'seat', WINDS)).toEqual(['E', 'S', 'W']);
    expect(valuesOf([three, four], 'seat', WINDS)).toEqual(WINDS);
    expect(valuesOf([], 'seat', WINDS)).toEqual(WINDS);
    expect(valuesOf([choices('from', ['left', 'right'])], 'from', FROM)).toEqual(['left', 'right']);
    const { hand } = parse('123m');
    const north = { seat: 'N', win: 'discard' } as const;
    expect(toSend(north, hand, [three])).toEqual({ win: 'discard' });
    expect(toSend(north, hand, [four])).toEqual(north);
    expect(stepped({ seat: 'W' }, 's', hand, [three]).seat).toBe('E');
  });

  it('asks only for fields that a rule set needs', () => {
    const { hand } = parse('123m');
    const both = [rules(['seat']), rules(['win', 'from'])];
    expect([...neededFields(both, { win: 'discard' }, hand)]).toEqual(['seat', 'win', 'from']);
    expect([...neededFields([rules(['win', 'from'])], { win: 'self_drawn' }, hand)]).toEqual(['win']);
  });

  it('asks for the feeder only if rules make the feeder pay', () => {
    const of = (text: string) => [...neededFields([rules(['feeder'])], {}, parse(text).hand)];
    expect(of('[CCC,2][FFF,1]PPP123m22s')).toEqual(['feeder']);
    expect(of('[EEE,2][SSSS,1][WWW,3]NNN22s')).toEqual(['feeder']);
    expect(of('[CCC,2][FFF,1]PP123m234s')).toEqual([]);
    const given = { feeder: 'left' } as const;
    expect(toSend(given, parse('[CCC,2][FFF,1]PPP123m22s').hand)).toEqual(given);
    expect(toSend(given, parse('[CCC,2][FFF,1]PP123m234s').hand)).toEqual({});
  });

  it('offers those who can have fed a set alone', () => {
    const of = (text: string) => possibleFeeders(parse(text).hand, { win: 'self_drawn' });
    expect(of('[CCC,2][FFF,1]PPP123m22s')).toEqual(['left', 'across', 'nobody']);
    expect(of('[CCC,2][FFF,1][PPP,1]123m22s')).toEqual(['left', 'across']);
  });

  it('offers a kong replacement only with a kong', () => {
    expect(possibleWins(parse('123m').hand, {})).not.toContain('kong_replacement');
    expect(possibleWins(parse('[EEEE]123m').hand, {})).toContain('kong_replacement');
  });

  it('never contradicts itself', () => {
    const { hand } = parse('123m');
    expect(toSend({ win: 'self_drawn', from: 'left' }, hand)).toEqual({ win: 'self_drawn' });
    expect(toSend({ win: 'discard', from: 'left' }, hand)).toEqual({ win: 'discard', from: 'left' });
  });

  it('sends that nothing was declared, which answers the question whether a ready hand was', () => {
    const { hand } = parse('123m456m789p234s55s67p5p');
    expect(toSend({ declared: [] }, hand)).toEqual({ declared: [] });
    expect(toSend({ declared: ['ready'] }, hand)).toEqual({ declared: ['ready'] });
    // A discard is no win with the tiles that were dealt, and what is left out is no answer.
    const won = { win: 'discard' } as const;
    expect(toSend({ ...won, declared: ['heaven'] }, hand)).toEqual(won);
  });

  it('asks for a ready hand where a rule set counts one, unless the cap is reached or somebody said it', () => {
    const { hand } = parse('123m456m789p234s55s67p5p');
    const club = (values: string[]): Ruleset => ({
      ...rules([]),
      id: 'tw-star31',
      context: [{ field: 'declared', default: [], values }],
    });
    const score = { ruleset: 'tw-star31', legal: true, total: 3, raw_tai: 3 } as unknown as Score;
    const plays = [club(['ready', 'earth_ready'])];
    expect(lacksReady(score, hand, {}, plays)).toBe(true);
    expect(lacksReady(score, hand, { declared: [] }, plays)).toBe(false);
    expect(lacksReady({ ...score, raw_tai: 4 }, hand, {}, plays)).toBe(false);
    expect(lacksReady({ ...score, legal: false }, hand, {}, plays)).toBe(false);
    expect(lacksReady(score, hand, {}, [club(['earth_ready'])])).toBe(false);
    expect(lacksReady({ ...score, ruleset: 'tw-common' }, hand, {}, plays)).toBe(false);
  });

  it('offers possible declarations', () => {
    const of = (context: Context, text = '123m') =>
      declarable([rules(['declared'])], context, parse(text).hand);
    const won = (...more: string[]) => CODES.filter((code) => ['original_call', ...more].includes(code));
    expect(of({ seat: 'E', win: 'self_drawn' })).toEqual(won('heaven'));
    expect(of({ seat: 'S', win: 'discard' })).toEqual(won('earth', 'dangerous_game'));
    expect(of({ seat: 'S', win: 'robbed_kong' }, '[EEE,1]123m')).toEqual(won());
    expect(of({ seat: 'S', win: 'self_drawn' }, '[EEE,1]123m||a')).toEqual(won('flower_replacement'));
    expect(declarable([rules(['win'])], {}, EMPTY)).toEqual([]);
    expect([...neededFields([rules(['win'])], {}, EMPTY)]).not.toContain('declared');
  });

  it('sends no field that another one excludes', () => {
    const { hand } = parse('123456789m11pFF+F');
    const given = { seat: 'E', win: 'discard', declared: ['heaven', 'dangerous_game'] } as const;
    expect(toSend(given, hand)).toEqual({ ...given, declared: ['dangerous_game'] });
    expect(toSend({ ...given, win: 'self_drawn' }, hand).declared).toEqual(['heaven']);
    expect(toSend({ seat: 'S', declared: ['heaven'] }, hand)).toEqual({ seat: 'S' });
    expect(toSend({ completes: 'FFF' }, hand)).toEqual({ completes: 'FFF' });
    expect(toSend({ completes: '11p' }, hand)).toEqual({});
  });

  it('asks which set the last tile completed only if there are several', () => {
    const of = (text: string) => [...neededFields([rules(['completes'])], {}, parse(text).hand)];
    expect(of('[EEE,1][CCC,1]45556m33s+3s')).toEqual([]);
    expect(of('[EEE,1][CCC,1][789m,1]4456m+4m')).toEqual(['completes']);
    expect(of('[EEE,1][CCC,1][789m,1]4555m+4m')).toEqual([]);
  });

  it('is forgotten, except for the round wind', () => {
    const rare = {
      seat: 'S',
      prevalent: 'W',
      win: 'robbed_kong',
      from: 'left',
      last_wall_tile: true,
      last_of_kind: true,
    } as const;
    expect(remembered(rare)).toEqual({ prevalent: 'W' });
    expect(withField(withField({}, 'seat', 'E'), 'seat', undefined)).toEqual({});
  });
});

describe('the set that the last tile completed', () => {
  const of = (text: string) => completions(parse(text).hand, {});
  it('is one of any decomposition', () => {
    // The cases are in `crates/tilesight-core/src/rules/completions.rs`.
    expect(of('[CCC,1]2223334455s+4s')).toEqual(['234s', '345s', '444s']);
    expect(of('123456789m11pFF')).toEqual([]);
  });
});

describe('the payers', () => {
  it('are the players below zero, the largest amount first', () => {
    expect(settlement({ E: -8, S: -8, W: 44, N: -28 })).toEqual({
      winner: 'W',
      gains: 44,
      payers: [
        { seat: 'N', pays: 28 },
        { seat: 'E', pays: 8 },
        { seat: 'S', pays: 8 },
      ],
    });
    expect(settlement({ E: 0, S: 0, W: 0, N: 0 }).winner).toBeNull();
  });
});

describe('tiles', () => {
  it('are 34', () => expect(new Set(TILES).size).toBe(34));
  it.each<[string, string | null]>([
    ['0p', '5p'],
    ['5p', '5p'],
    ['f3', 'f3'],
    ['s1', 's1'],
    ['?', '?'],
    ['back', null],
    ['none', null],
    ['0z', null],
  ])('%s is %s', (code, face) => expect(faceOf(code)).toBe(face));
  it.each<[string[], string | null]>([
    [['3m', '1m', '2m'], 'chow'],
    [['E', 'E', 'E'], 'pung'],
    [['E', 'E', 'E', 'E'], 'kong'],
    [['E', 'S', 'W'], null],
    [['8m', '9m', '1m'], null],
    [['9m', '1p', '2p'], null],
    [['1m', '1m'], null],
    [['f1', 'f1', 'f1'], null],
  ])('%j form %s', (codes, kind) => expect(setKind(codes.map((code) => faceOf(code) ?? '?'))).toBe(kind));
});
