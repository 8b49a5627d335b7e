import { describe, expect, it } from 'vitest';
import type { Context, ContextField, Deal, Game, Ruleset, Score } from '../api/types';
import { module } from '../engine/module';
import { assumptions, neededFields, toSend } from './context';
import * as edit from './edit';
import { areHundreds, type HandPoints, isOpenAfterRiichi, mayLay, paymentsOf, withGame } from './evening';
import { EMPTY, type Hand, pieces, toDto } from './hand';
import { parse, print } from './notation';
import { type OpenQuestion, openQuestions, subjectOf } from './openQuestions';
import { tap } from './pad';
import { faanRows } from './payments';
import {
  callsOf,
  copiesLeft,
  missingFacts as factsOf,
  fitting,
  lacksIndicators,
  type MissingFact,
  maxIndicators,
  maxOf,
  neededIndicators,
  telling,
  withCall,
} from './riichi';
import { type Face, TILES } from './tiles';
import { hanValues, keptPoints, mayBeLiable } from './values';

const hand = (text: string): Hand => parse(text).hand;
const ruleset = (id: string): Ruleset => {
  const found = module.value?.rulesets().rulesets.find((one) => one.id === id);
  if (!found) throw new Error(`${id} is not shipped`);
  return found as Ruleset;
};
const RIICHI = ruleset('riichi-tenhou');
const THREE = ruleset('riichi-three');

describe('indicators that give dora', () => {
  it.each([
    ['[CCC,2]123m456p789s5s5s', 'riichi-tenhou'],
    ['[EEE,1][PPP,2]NN123m78p9p', 'riichi-tenhou'],
    ['[SSS,1][FFFF,3]WW111m78p9p', 'riichi-wrc'],
    ['[CCC,1]111m99m456p78p9p', 'riichi-three'],
  ])('are those by which %s counts dora by %s', (text, id) => {
    const context: Context = { win: 'discard', from: 'left', seat: 'S', prevalent: 'E', riichi: 'no' };
    const isDora = (face: Face): boolean => {
      // The kong of a hand turns up a second indicator, which gives nothing here.
      const indicators = [face, ...(text.includes('FFFF') ? ['7s'] : [])];
      const given = { ...context, dora_indicators: indicators } as never;
      const [scored] = module.value?.scores(text, [id], given) ?? [];
      return scored?.score?.awards.some(({ code }) => code === 'dora') ?? false;
    };
    const offered = telling(context, hand(text), 'dora_indicators', ruleset(id).seats.length);
    expect(offered.length).toBeGreaterThan(3);
    expect(offered).toEqual(TILES.filter(isDora));
  });
});

describe('a red five', () => {
  it('stays red in text, and is a five in every other way', () => {
    const read = hand('[067p,1]406m789s55m34s5s');
    expect(
      pieces(read)
        .filter(({ red }) => red)
        .map(({ face }) => face),
    ).toEqual(['5m', '5p']);
    expect(print(read)).toBe('[067p,1]40556m34789s5s');
    expect(toDto(read).melds?.[0]?.tiles).toContain('0p');
  });

  it('is typed and taken back', () => {
    const typed = edit.addNext(EMPTY, '5s', true);
    expect(toDto(typed).concealed).toEqual(['0s']);
    const id = typed.concealed[0]?.id ?? 0;
    expect(toDto(edit.setRed(typed, id, false)).concealed).toEqual(['5s']);
    expect(toDto(edit.setFace(typed, id, '6s')).concealed).toEqual(['6s']);
    expect(edit.setRed(edit.addNext(EMPTY, '6s'), 1, true)).toEqual(edit.addNext(EMPTY, '6s'));
    expect(toDto(tap(EMPTY, '5p', 'pung', true)).melds?.[0]?.tiles).toEqual(['0p', '5p', '5p']);
  });
});

describe('the riichi fields that are sent', () => {
  const all: Context = {
    riichi: 'double',
    ippatsu: true,
    dora_indicators: ['1m'],
    ura_indicators: ['E'],
    honba: 1,
  };

  it.each<[string, Context, Context]>([
    ['123456789m1122p', all, all],
    ['[111z]', all, { dora_indicators: ['1m'], honba: 1 }],
    // With a kong at least two indicators lie face up.
    ['[9999m]', all, { riichi: 'double', ippatsu: true, ura_indicators: ['E'], honba: 1 }],
    ['123m', { ...all, riichi: 'no' }, { riichi: 'no', dora_indicators: ['1m'], honba: 1 }],
    ['123m', { ...all, declared: ['heaven'] }, { declared: ['heaven'], dora_indicators: ['1m'], honba: 1 }],
    ['123m', { dora_indicators: [] }, {}],
    // A kong ends ippatsu, fewer ura than dora lie there, and of no tile there are five.
    [
      '[9999m]',
      { ...all, win: 'kong_replacement', dora_indicators: ['1m', '2m'] },
      {
        riichi: 'double',
        win: 'kong_replacement',
        dora_indicators: ['1m', '2m'],
        ura_indicators: ['E'],
        honba: 1,
      },
    ],
    [
      '123m',
      { riichi: 'riichi', dora_indicators: ['1m'], ura_indicators: ['1m', '2m'] },
      { riichi: 'riichi', dora_indicators: ['1m'] },
    ],
    ['111m', { dora_indicators: ['1m', '1m'] }, {}],
    [
      '111m',
      { riichi: 'riichi', dora_indicators: ['1m'], ura_indicators: ['1m'] },
      { riichi: 'riichi', dora_indicators: ['1m'] },
    ],
    ['0555p', { dora_indicators: ['0p'] }, {}],
  ])('%s with %j is %j', (text, context, sent) => {
    expect(fitting(context, hand(text))).toEqual(sent);
  });

  it('need one more indicator for each kong, the last of which may be turned late', () => {
    const kong = hand('[9999m,1]');
    expect(neededIndicators({ win: 'discard' }, kong)).toBe(2);
    expect(neededIndicators({ win: 'kong_replacement' }, kong)).toBe(1);
    expect(lacksIndicators({ dora_indicators: ['1m'] }, kong, 'dora_indicators')).toBe(true);
    expect(lacksIndicators({ dora_indicators: [] }, kong, 'dora_indicators')).toBe(false);
  });

  it('offer no ippatsu with a replacement tile, and no copy of a tile that is used up', () => {
    const replaced: Context = { win: 'kong_replacement', riichi: 'riichi' };
    expect(callsOf(replaced).map(({ ippatsu }) => ippatsu)).toEqual([false, false, false]);
    expect(callsOf({ win: 'self_drawn' })).toHaveLength(5);
    expect([...neededFields([RIICHI], replaced, hand('[9999m]'))]).not.toContain('ippatsu');
    const left = (face: Face, context: Context): number =>
      copiesLeft(context, hand('111mNN'), 'ura_indicators', face);
    expect(left('1m', { dora_indicators: ['1m'] })).toBe(0);
    expect(left('N', { norths: 1 })).toBe(1);
    expect(maxIndicators({ dora_indicators: ['1m', '2m'] }, 'ura_indicators')).toBe(2);
    expect(maxIndicators({}, 'ura_indicators')).toBe(5);
    expect(lacksIndicators({ dora_indicators: ['1m', '1m'] }, hand('111m'), 'dora_indicators')).toBe(true);
  });

  it('lose what only riichi allows when its declaration is taken back', () =>
    expect(withCall(all, { riichi: 'no', ippatsu: false })).toEqual({
      riichi: 'no',
      dora_indicators: ['1m'],
      honba: 1,
    }));

  it('are left out in other games, and of hands that were called', () => {
    const closed = hand('123m406p789s55m34s5s');
    const fields = (ids: readonly string[], context: Context, of: Hand): string[] =>
      [...neededFields(ids.map(ruleset), context, of)].filter(
        (field) => !/^(seat|prevalent|win|from)$/.test(field),
      );
    expect(fields(['mcr-wmo', 'hk-old', 'mmm', 'classical-dmjl'], {}, closed)).not.toContain('riichi');
    expect(fields(['riichi-wrc'], {}, closed)).toEqual(
      expect.arrayContaining(['riichi', 'dora_indicators', 'honba', 'riichi_sticks']),
    );
    expect(fields(['riichi-wrc'], {}, closed)).not.toContain('ippatsu');
    expect(fields(['riichi-wrc'], { riichi: 'riichi' }, closed)).toEqual(
      expect.arrayContaining(['ippatsu', 'ura_indicators']),
    );
    expect(fields(['riichi-wrc'], { riichi: 'riichi' }, hand('[123m,1]406p789s55m34s5s'))).not.toContain(
      'riichi',
    );
    expect(toSend({ riichi: 'riichi', ippatsu: true }, hand('[123m,1]406p789s55m34s5s'))).toEqual({});
  });
});

describe('the questions of riichi', () => {
  const closed = hand('123m406p789s55m34s5s');
  const score = { han: 3, yakuman: 0, legal: true, total: 1000 } as Score;
  const about = (context: Context, of: Score | null = score): string[] => {
    const fields = neededFields([RIICHI], context, closed);
    const indicators = (['dora_indicators', 'ura_indicators'] as const).filter((field) =>
      lacksIndicators(context, closed, field),
    );
    return openQuestions({ context, doubts: [], fields, score: of, range: null, indicators }).map(
      (one: OpenQuestion) => subjectOf(one),
    );
  };

  it('come in the order in which they change the score', () => {
    expect(about({})).toEqual(['win', 'riichi', 'dora_indicators', 'on_table']);
    const win = { win: 'self_drawn' } as const;
    expect(about({ ...win, riichi: 'no' })).toEqual(['dora_indicators', 'on_table']);
    // A stick on the table of an evening says riichi, and nothing of ippatsu.
    expect(about({ ...win, riichi: 'riichi' })).toEqual([
      'riichi',
      'dora_indicators',
      'ura_indicators',
      'on_table',
    ]);
    const given = { ...win, riichi: 'riichi', ippatsu: false, dora_indicators: ['1m'] } as const;
    expect(about(given)).toEqual(['ura_indicators', 'on_table']);
    expect(about({ ...given, ura_indicators: [], honba: 0, riichi_sticks: 1 })).toEqual([]);
  });

  it('ask three players for the norths that were set aside', () => {
    const given: Context = {
      win: 'self_drawn',
      riichi: 'no',
      dora_indicators: ['1m'],
      honba: 0,
      riichi_sticks: 0,
    };
    const about = (context: Context, of = score, held = closed): string[] => {
      const fields = neededFields([THREE], context, held);
      return openQuestions({ context, doubts: [], fields, score: of, range: null }).map(subjectOf);
    };
    expect(about(given)).toEqual(['norths']);
    const { honba: _, ...without } = given;
    expect(about({ ...without, norths: 0 })).toEqual(['on_table']);
    expect(about({ ...given, norths: 2 })).toEqual([]);
    // A yakuman counts none, nobody sets one aside before the first turn, and there are but four.
    expect(about(given, { ...score, yakuman: 1 })).toEqual([]);
    expect(about({ ...given, declared: ['heaven'] })).toEqual([]);
    expect(about(given, score, hand('[NNNN]123m406p789s55m'))).toEqual([]);
  });

  it('leave out what a yakuman does not count, and other games', () => {
    expect(about({ win: 'discard' }, { ...score, yakuman: 1 })).toEqual(['on_table']);
    expect(about({ win: 'discard' }, { total: 24, legal: true } as Score)).toEqual([]);
    // Without a yaku riichi alone makes a difference.
    expect(about({ win: 'discard' }, { ...score, legal: false })).toEqual(['riichi']);
  });

  it('are named as assumptions until they are answered, and where nobody knows', () => {
    const facts = (of: Score, context: Context, rules = RIICHI): MissingFact[] =>
      factsOf(of, context, closed, neededFields([rules], context, closed));
    expect(facts(score, {})).toEqual(['riichi', 'dora_indicators', 'honba']);
    expect(facts(score, {}, THREE)).toEqual(['riichi', 'dora_indicators', 'norths', 'honba']);
    expect(facts(score, { norths: 0 }, THREE)).toEqual(['riichi', 'dora_indicators', 'honba']);
    expect(facts({ ...score, yakuman: 1 }, {}, THREE)).toEqual(['honba']);
    const given = { riichi: 'riichi', dora_indicators: [], ura_indicators: ['1m'], honba: 0 } as const;
    expect(facts(score, given)).toEqual(['dora_indicators']);
    expect(facts(score, { riichi: 'double', dora_indicators: ['1m'] })).toEqual(['ura_indicators', 'honba']);
    expect(facts({ ...score, yakuman: 1 }, {})).toEqual(['honba']);
    expect(facts({ ...score, legal: false }, {})).toEqual([]);
    expect(facts({ total: 24, legal: true } as Score, {})).toEqual([]);
  });

  it('name the red five that four fives hold', () => {
    const counted = { ...score, assumed: [], assumed_red_fives: ['0p'] } as unknown as Score;
    expect(assumptions(counted, closed, {}, [])).toContainEqual({ field: 'red_fives', value: ['0p'] });
  });

  it('are assumed of the rule set that the score is by', () => {
    const by = (ruleset: string): unknown[] =>
      assumptions({ ...score, ruleset, assumed: [] } as unknown as Score, closed, {}, [RIICHI, THREE]).map(
        ({ value }) => value,
      );
    expect(by('riichi-three')).toContain('norths');
    expect(by('riichi-tenhou')).not.toContain('norths');
  });

  it('count the norths that the hand leaves, and send no others', () => {
    expect([closed, hand('123mNN')].map((held) => maxOf('norths', held))).toEqual([4, 2]);
    expect(maxOf('honba', closed)).toBe(99);
    const sent = (context: Context, text = '123mNN'): unknown => fitting(context, hand(text)).norths;
    expect([2, 3, 0].map((norths) => sent({ norths }))).toEqual([2, undefined, 0]);
    expect([2, 0].map((norths) => sent({ norths, declared: ['earth'] }))).toEqual([undefined, 0]);
  });

  it('leave the table to an evening, which knows it', () => {
    const deal = {
      number: 2,
      round: 'E',
      seats: [1, 2, 3, 0],
      repeats: 0,
      honba: 2,
      riichi_sticks: 1,
    } as Deal;
    const known = withGame({ win: 'self_drawn' }, deal, { winner: 2, discarder: null }, [2]);
    expect(known).toMatchObject({ seat: 'S', prevalent: 'E', honba: 2, riichi_sticks: 1, riichi: 'riichi' });
    const fields = new Set<ContextField>(['riichi', 'ippatsu', 'dora_indicators', 'ura_indicators']);
    const list = openQuestions({ context: known, doubts: [], fields, score, range: null });
    expect(list.map(subjectOf)).toEqual(['riichi']);
    // A stick binds its player, and a hand with called sets can't follow it.
    const by = (riichi: Context['riichi'], winner: 1 | 2): Context['riichi'] =>
      withGame({ win: 'self_drawn', ...(riichi && { riichi }) }, deal, { winner, discarder: null }, [2])
        .riichi;
    expect([by('no', 2), by('double', 2), by('no', 1)]).toEqual(['riichi', 'double', 'no']);
    const won = { winner: 2, discarder: null } as const;
    const open = hand('[123m,1]406p789s55m34s5s');
    expect([isOpenAfterRiichi(open, won, [2]), isOpenAfterRiichi(closed, won, [2])]).toEqual([true, false]);
    expect(isOpenAfterRiichi(open, won, [1])).toBe(false);
  });
});

describe('points that are entered without tiles', () => {
  const deal = { number: 2, round: 'E', seats: [0, 1, 2, 3], repeats: 0, honba: 1, riichi_sticks: 2 } as Deal;
  const paid = (winner: 0 | 1, discarder: 3 | null, points: number) =>
    paymentsOf(RIICHI, deal, { kind: 'points', winner, discarder, points });

  it('are paid with counters, and the winner takes the sticks', () => {
    expect(paid(0, 3, 2900)).toEqual([5200, 0, 0, -3200]);
    expect(paid(1, 3, 1000)).toEqual([0, 3300, 0, -1300]);
  });

  it('tell the shares of a self-draw', () => {
    expect(paid(1, null, 1100)).toEqual([-600, 3400, -400, -400]);
    expect(paid(1, null, 5200)).toEqual([-2700, 7500, -1400, -1400]);
    expect(paid(0, null, 1500)).toEqual([3800, -600, -600, -600]);
    expect(paid(1, null, 64000)).toEqual([-32100, 66300, -16100, -16100]);
  });

  it('are paid by the liable player as the game pays them', () => {
    const engine = module.value;
    if (!engine) throw new Error('the module is built before the tests');
    const names = ['Anna', 'Bo', 'Clara', 'Dorte'] as [string, string, string, string];
    for (const id of ['riichi-tenhou', 'riichi-majsoul', 'riichi-wrc'] as const) {
      const begun = engine.Evening.begin({ players: names, ruleset: id });
      const drawn = begun.change({ kind: 'add', play: { kind: 'exhaustive_draw', tenpai: [0] } });
      const next = drawn.next as Deal;
      const record = begun.toJSON();
      for (const [winner, discarder, points, liable] of [
        [1, null, 32_000, 3],
        [1, 0, 32_000, 3],
        [1, 3, 32_000, 3],
        [0, null, 48_000, 2],
        [1, null, 64_000, 0],
        [1, 2, 64_000, 0],
      ] as const) {
        const play: HandPoints = { kind: 'points', winner, discarder, points, liable };
        const rules = ruleset(id);
        expect(mayBeLiable(rules, points, winner === 0, discarder === null)).toBe(true);
        const row = engine.Evening.open(record).change({ kind: 'add', play }).rows.at(-1);
        expect(paymentsOf(rules, next, play), JSON.stringify([id, play])).toEqual(row?.payments);
      }
      expect(mayBeLiable(ruleset(id), 8000, false, true)).toBe(false);
    }
  });

  it('of a self-draw among three are taken and paid as they are shown', () => {
    const engine = module.value;
    if (!engine) throw new Error('the module is built before the tests');
    const evening = engine.Evening.begin({ players: ['Anna', 'Bo', 'Clara'], ruleset: 'riichi-three' });
    const next = evening.view().next as Deal;
    const record = evening.toJSON();
    for (const winner of [0, 1] as const) {
      const values = hanValues(THREE, winner === 0, true);
      expect(values.find(({ row }) => row.limit === 'yakuman')?.points).toBe(winner === 0 ? 32_000 : 24_000);
      for (const points of new Set(values.map((value) => value.points))) {
        const play: HandPoints = { kind: 'points', winner, discarder: null, points };
        const row = engine.Evening.open(record).change({ kind: 'add', play }).rows.at(-1);
        expect(paymentsOf(THREE, next, play), JSON.stringify(play)).toEqual(row?.payments);
      }
    }
  });

  it('stay in a correction only where a hand has the same for its winner', () => {
    const before: HandPoints = { kind: 'points', winner: 1, discarder: 3, points: 8000 };
    const kept = (winner: 0 | 1 | 2, discarder: 3 | null, rules = RIICHI) =>
      keptPoints(rules, deal, before, { winner, discarder });
    expect([kept(2, 3), kept(0, 3), kept(1, null)]).toEqual([8000, null, null]);
    expect(kept(0, null, ruleset('hk-old'))).toBe(8000);
  });

  it('are those that the game takes, and no others', () => {
    expect(hanValues(ruleset('hk-old'), false, false)).toEqual([]);
    const engine = module.value;
    if (!engine) throw new Error('the module is built before the tests');
    const names = ['Anna', 'Bo', 'Clara', 'Dorte'] as [string, string, string, string];
    // All totals of one rule set, and some of the others, which differ in few: each is an evening of
    // its own.
    for (const [id, step] of [
      ['riichi-tenhou', 100],
      ['riichi-majsoul', 1100],
      ['riichi-mleague', 1100],
    ] as const) {
      const evening = engine.Evening.begin({ players: names, ruleset: id });
      const next = evening.change({ kind: 'add', play: { kind: 'exhaustive_draw', tenpai: [] } })
        .next as Deal;
      const record = evening.toJSON();
      const offered = (winner: 0 | 1, discarder: 3 | null, points: number): boolean =>
        hanValues(ruleset(id), next.seats[0] === winner, discarder === null).some(
          (value) => value.points === points,
        );
      const takes = (play: HandPoints): boolean => {
        try {
          engine.Evening.open(record).change({ kind: 'add', play });
          return true;
        } catch {
          return false;
        }
      };
      for (let points = 0; points <= 16_500; points += step) {
        for (const [winner, discarder] of [
          [0, null],
          [0, 3],
          [1, null],
          [1, 3],
        ] as const) {
          const play: HandPoints = { kind: 'points', winner, discarder, points };
          expect(offered(winner, discarder, points), JSON.stringify(play)).toBe(takes(play));
        }
      }
      for (let yakuman = 1; yakuman <= 7; yakuman += 1) {
        const play: HandPoints = { kind: 'points', winner: 0, discarder: 3, points: 48_000 * yakuman };
        if (play.points > 100_000) continue;
        expect(offered(0, 3, play.points)).toBe(takes(play));
      }
    }
  });

  it('are laid for by those whom the game offers', () => {
    const game = { rows: [] } as unknown as Game;
    expect(
      ([0, 1, 2, 3] as const).map((player) => mayLay(game, { ...deal, may_declare: [0, 2] }, player)),
    ).toEqual([true, false, true, false]);
    expect(areHundreds([300, -300, 0, 0])).toBe(true);
    expect(areHundreds([50, -50, 0, 0])).toBe(false);
  });
});

describe('the table of faan', () => {
  it('has what each pays, from the minimum to the limit', () => {
    const half = faanRows(ruleset('hk-old'));
    expect(half.map(({ faan }) => faan)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(half[1]).toEqual({ faan: 4, discarder: 32, others: 16, each: 32 });
    // The discarder pays for all.
    expect(faanRows(ruleset('hk-npm'))[0]).toMatchObject({ faan: 3, discarder: 32, others: 0, each: 16 });
    expect(faanRows(ruleset('mcr-wmo'))).toEqual([]);
    expect(faanRows(RIICHI)).toEqual([]);
  });
});
