import { describe, expect, it } from 'vitest';
import { parseEvent } from '../api/events';
import type { Deal, Game, GameAction, GameRow, Player } from '../api/types';
import { module } from '../engine/module';
import {
  areNames,
  dealerNumber,
  dealFor,
  dealsPlayed,
  endsDeal,
  handPoints,
  isBegun,
  keysOfRow,
  mayStateEast,
  missing,
  paidToEach,
  payment,
  paymentsOf,
  redoable,
  relationOf,
  seatOf,
  sharedDiscard,
  signed,
  startPoints,
  streakOf,
  toPlay,
  withEast,
  withGame,
} from './evening';
import { type Hand, toDto } from './hand';
import { parse } from './notation';
import { faanValues, missedMinimum } from './values';

/**
 * The sixth deal of an MCR game: Bo began the South round as East, and the deal has passed to
 * Anna.
 */
const DEAL: Deal = { number: 6, round: 'S', seats: [0, 3, 2, 1], repeats: 0 };

/** A deal of sixteen tiles: Anna deals and has stayed on twice. */
const SIXTEEN: Deal = { number: 3, round: 'E', seats: [0, 1, 2, 3], repeats: 2, dealer: 0 };

const typed = (text: string): Hand => parse(text).hand;

describe('the game', () => {
  it('knows the seats', () => {
    expect([0, 1, 2, 3].map((player) => seatOf(DEAL, player as 0 | 1 | 2 | 3))).toEqual(['E', 'N', 'W', 'S']);
    expect(relationOf(DEAL, 0, 3)).toBe('right');
    expect(relationOf(DEAL, 0, 2)).toBe('across');
    expect(relationOf(DEAL, 0, 1)).toBe('left');
    expect(relationOf(DEAL, 1, 0)).toBe('right');
  });

  it('takes whole numbers as people type them, and nothing else', () => {
    expect(['8', ' 24 ', '+30', '0', '100000'].map(handPoints)).toEqual([8, 24, 30, 0, 100_000]);
    const wrong = ['', '1e3', '0x10', '8.5', '8,5', '-8', '100001', 'eight', '8 8'];
    expect(wrong.map(handPoints)).toEqual(wrong.map(() => null));
    expect(['', '-30', '−30', '–30', '-0'].map(payment)).toEqual([0, -30, -30, -30, 0]);
    expect(['1e3', '3x', '−', '1000001'].map(payment)).toEqual([null, null, null, null]);
    expect(['', '−', ' -', '+'].every(isBegun)).toBe(true);
    expect(isBegun('-x')).toBe(false);
    expect(paidToEach([0, 1, 2, 3], 1, 10)).toEqual(['10', '-30', '10', '10']);
    expect(paidToEach([0, 1, 2], 1, 10)).toEqual(['10', '-20', '10']);
  });

  it('refuses points below the minimum at once, as the game does', () => {
    const engine = module.value;
    if (!engine) throw new Error('the module is built before the tests');
    const players = ['Anna', 'Bo', 'Clara', 'Dorte'] as [string, string, string, string];
    const { rulesets } = engine.rulesets();
    const four = rulesets.filter(({ seats, value_table }) => seats.length === 4 && !value_table);
    for (const rules of four) {
      const evening = engine.Evening.begin({ players, ruleset: rules.id });
      const record = evening.toJSON();
      for (let points = 0; points <= 12; points += 1) {
        const play = { kind: 'points', winner: 1, discarder: 2, points } as const;
        const take = () => engine.Evening.open(record).change({ kind: 'add', play });
        const missed = missedMinimum(rules, points);
        if (missed !== null) {
          expect(missed, rules.id).toBe(rules.minimum);
          expect(take, `${rules.id} ${points}`).toThrow();
        } else expect(take, `${rules.id} ${points}`).not.toThrow();
      }
    }
    expect(four.some(({ minimum_unit: unit, minimum }) => unit === 'points' && minimum === 8)).toBe(true);
    expect(four.some(({ minimum_unit: unit, minimum }) => unit === 'faan' && minimum > 0)).toBe(true);
  });

  it('lists the faan that a hand can have, and no long list', () => {
    const values = [1, 2, 4, 8];
    expect(faanValues({ values, minimum: 2 })).toEqual([2, 3]);
    expect(faanValues({ values: Array.from({ length: 30 }, (_, at) => at), minimum: 0 })).toEqual([]);
    expect(faanValues({ minimum: 8 })).toEqual([]);
  });

  it('knows the points with which everyone begins, and the dealer of a round', () => {
    const engine = module.value;
    const { rulesets = [] } = engine?.rulesets() ?? {};
    const start = (id: string) => startPoints(rulesets.find((one) => one.id === id) as never);
    expect([start('riichi-tenhou'), start('riichi-wrc'), start('mcr-wmo')]).toEqual([25_000, 30_000, 0]);
    expect(startPoints(undefined)).toBe(0);
    expect(dealerNumber({ ...DEAL, seats: [2, 3, 0, 1] })).toBe(3);
  });

  it('shows who will pay for a hand without tiles, by the shares of the rules', () => {
    const half = { basic: 0, times: 1, per: 2 };
    const payments = [
      {
        winner: 'N' as const,
        discarder: null,
        shares: [
          { seat: 'E' as const, ...half },
          { seat: 'S' as const, ...half, basic: 8 },
        ],
      },
      { winner: 'N' as const, discarder: 'W' as const, shares: [{ seat: 'W' as const, ...half, times: 3 }] },
    ];
    const won = { kind: 'points', winner: 1 } as const;
    // Anna is East and Dorte South; Clara, West, discards.
    expect(paymentsOf({ payments }, DEAL, { ...won, discarder: null, points: 7 })).toEqual([-3, 14, 0, -11]);
    expect(paymentsOf({ payments }, DEAL, { ...won, discarder: 2, points: 7 })).toEqual([0, 10, -10, 0]);
    expect(paymentsOf({ payments }, DEAL, { ...won, discarder: 0, points: 7 })).toBeNull();
    expect(paymentsOf({}, DEAL, { ...won, discarder: 2, points: 7 })).toBeNull();
    // A table makes a value of the points; its last entry holds for all higher ones.
    const values = [1, 2, 4, 8];
    expect(paymentsOf({ payments, values }, DEAL, { ...won, discarder: 2, points: 3 })).toEqual([
      0, 12, -12, 0,
    ]);
    expect(paymentsOf({ payments, values }, DEAL, { ...won, discarder: 2, points: 7 })).toEqual([
      0, 12, -12, 0,
    ]);
  });

  it('adds seat, round and discarder to a win', () => {
    const context = { win: 'discard', seat: 'W', last_of_kind: true } as const;
    expect(withGame(context, DEAL, { winner: 1, discarder: 3 })).toEqual({
      win: 'discard',
      seat: 'N',
      prevalent: 'S',
      from: 'across',
      last_of_kind: true,
    });
    expect(withGame({ win: 'self_drawn' }, DEAL, { winner: 3, discarder: 0 })).toEqual({
      win: 'self_drawn',
      seat: 'S',
      prevalent: 'S',
    });
  });

  it('asks for what is missing, and sends no more than that', () => {
    expect(missing({}, { winner: null, discarder: null })).toBe('winner');
    expect(missing({}, { winner: 0, discarder: null })).toBe('win');
    expect(missing({ win: 'robbed_kong' }, { winner: 0, discarder: null })).toBe('discarder');
    expect(missing({ win: 'kong_replacement' }, { winner: 0, discarder: null })).toBeNull();
    const context = { win: 'self_drawn', seat: 'E', prevalent: 'S', last_wall_tile: true } as const;
    expect(toPlay(typed('11m'), context, { winner: 0, discarder: 2 }, { deal: DEAL, others: [] })).toEqual({
      kind: 'win',
      winner: 0,
      discarder: null,
      hand: '11m',
      context: { win: 'self_drawn', last_wall_tile: true },
    });
    expect(
      toPlay(typed('11m'), { win: 'discard' }, { winner: 0, discarder: null }, { deal: DEAL, others: [] }),
    ).toBeNull();
  });

  it('enters a hand as an object before the module is there', () => {
    const hand = typed('123456789m11pFFF');
    const loaded = module.value;
    module.value = null;
    const won = { winner: 0, discarder: null } as const;
    const play = toPlay(hand, { win: 'self_drawn' }, won, { deal: DEAL, others: [] });
    module.value = loaded;
    expect(play).toMatchObject({ hand: toDto(hand) });
  });

  it('says that a winning tile was only supposed', () => {
    const hand = { ...typed('123456789m11pFFF'), supposed: true };
    const won = { winner: 0, discarder: null } as const;
    const play = toPlay(hand, { win: 'self_drawn' }, won, { deal: DEAL, others: [] });
    expect(play).toMatchObject({ hand: '123456789m11pFFF', winning_tile_supposed: true });
  });

  it('keeps other players’ hands by player, whatever their seats', () => {
    const others = [
      { seat: 'S', hand: '11m' },
      { seat: 'N', hand: '22m' },
    ] as const;
    const play = toPlay(
      typed('99m'),
      { win: 'self_drawn' },
      { winner: 0, discarder: null },
      { deal: DEAL, others },
    );
    expect(play).toMatchObject({
      others: [
        { player: 3, hand: '11m' },
        { player: 1, hand: '22m' },
      ],
    });
  });

  it('counts the dealer’s streak where it is paid, wherever East sits', () => {
    expect([streakOf(DEAL), streakOf(SIXTEEN)]).toEqual([null, 2]);
    // The opened wall makes Dorte East: Bo sits West, and Anna, who deals, South.
    const opened = withEast(SIXTEEN, 3);
    expect(opened.seats).toEqual([3, 0, 1, 2]);
    expect(withEast(SIXTEEN, null)).toBe(SIXTEEN);
    expect(withGame({ win: 'discard' }, opened, { winner: 1, discarder: 0 })).toEqual({
      win: 'discard',
      seat: 'W',
      prevalent: 'E',
      from: 'left',
      dealer: 'S',
      dealer_streak: 2,
    });
    const dealer = { seat: 'E' as const, basic: 20, times: 1, per: 1, for_streak: 40 };
    const payments = [{ winner: 'S' as const, discarder: 'E' as const, shares: [dealer] }];
    const values = [100, 120, 140, 160];
    const play = { kind: 'points', winner: 1, discarder: 0, points: 3 } as const;
    // Base 100 and three tai, and five for a dealer who has stayed on twice.
    expect(paymentsOf({ payments, values }, opened, play)).toEqual([-260, 260, 0, 0]);
  });

  it('settles tai as the game does', () => {
    const engine = module.value;
    if (!engine) throw new Error('the module is built before the tests');
    const rules = engine.rulesets().rulesets.find(({ id }) => id === 'tw-common');
    if (!rules) throw new Error('it is shipped');
    const players = ['Anna', 'Bo', 'Clara', 'Dorte'] as [string, string, string, string];
    const evening = engine.Evening.begin({ players, ruleset: rules.id });
    evening.change({ kind: 'add', play: { kind: 'draw' } });
    const next = evening.view().next as Deal;
    for (const discarder of [null, 0, 2] as const) {
      const play = { kind: 'points', winner: 1, discarder, points: 4 } as const;
      const game = engine.Evening.open(evening.toJSON());
      game.change({ kind: 'add', play });
      expect(game.view().rows.at(-1)?.payments, `${discarder}`).toEqual(paymentsOf(rules, next, play));
    }
  });

  it('sends the winds of the opened wall and a further winner, and nothing of the dealer', () => {
    const context = { win: 'discard', dealer: 'S', dealer_streak: 2, declared: ['ready'] } as never;
    const won = { winner: 1, discarder: 0, east: 3, beside: true } as const;
    expect(toPlay(typed('11m'), context, won, { deal: SIXTEEN, others: [] })).toMatchObject({
      same_discard: true,
      east: 3,
      context: { win: 'discard', declared: ['ready'] },
    });
    const play = toPlay(typed('11m'), context, { winner: 1, discarder: 0 }, { deal: SIXTEEN, others: [] });
    expect(play && ('east' in play || 'same_discard' in play)).toBe(false);
  });

  it('asks for East with the first hand by a discard, also behind tai without tiles', () => {
    const row = (entry: number, play: object) => ({ entry, deal: SIXTEEN, play }) as unknown as GameRow;
    const tai = row(1, { kind: 'points', winner: 1, discarder: 0, points: 3 });
    const hand = row(2, { kind: 'win', winner: 2, discarder: 0, same_discard: true });
    const rules = { options: [{ name: 'dealer_is_east', value: false }] } as never;
    const asks = (rows: readonly GameRow[], entry: number | null, beside: boolean, by = rules) =>
      mayStateEast(by, { rows } as Game, SIXTEEN, { entry, beside });
    expect(asks([], null, false)).toBe(true);
    expect(asks([tai], null, true)).toBe(true);
    expect(asks([tai, hand], null, true)).toBe(false);
    expect(asks([tai, hand], 2, true)).toBe(true);
    expect(asks([], null, false, { options: [{ name: 'dealer_is_east', value: true }] } as never)).toBe(
      false,
    );
  });

  it('lets others win by the last discard where the rules say so', () => {
    const won = (winner: Player, discarder: Player | null, more = {}) =>
      ({ deal: SIXTEEN, play: { kind: 'points', winner, discarder, points: 3, ...more } }) as GameRow;
    const shared = { rows: [won(1, 0)], further_win: { discarder: 0, winners: [2, 3] } };
    expect(sharedDiscard(shared as unknown as Game)).toMatchObject({ discarder: 0, others: [2, 3] });
    expect(sharedDiscard({ rows: [won(1, 0)] } as unknown as Game)).toBeNull();
    const game = { next: DEAL, rows: [won(1, 0)] } as unknown as Game;
    expect(dealFor(game, { entry: null })).toBe(DEAL);
    expect(dealFor(game, { entry: null, beside: true })).toBe(SIXTEEN);
    expect(endsDeal({ kind: 'points', winner: 2, discarder: 0, same_discard: true, points: 3 })).toBe(false);
  });

  it('needs four different names', () => {
    expect(areNames(['Anna', 'Bo', 'Clara', 'Dorte'])).toBe(true);
    expect(areNames(['Anna', 'Bo', ' Anna ', 'Dorte'])).toBe(false);
    expect(areNames(['Anna', ' ', 'Clara', 'Dorte'])).toBe(false);
  });

  it.each([
    ['a', 'A'],
    ['Åse', 'A\u030aSE'],
    ['Ａnna', 'anna'],
    ['Straße', 'STRASSE'],
    ['Anna\u200d', 'Anna'],
    ['Anna  B', 'anna\u00a0b'],
    ['\u200b', 'Bo'],
    ['\u3164', 'Bo'],
  ])('refuses %j beside %j', (one, other) => {
    expect(areNames([one, other, 'Clara', 'Dorte'])).toBe(false);
    expect(areNames([one, 'Emil', other, 'Dorte'])).toBe(false);
  });

  it('keeps names of every script apart', () => {
    expect(areNames(['王', '玉', 'Ase', 'Åse'])).toBe(true);
    expect(areNames(['Ali', 'Alı', '👨‍👩‍👧', 'e\u0301'])).toBe(true);
  });

  it('writes points with their sign', () => {
    expect([12, -12, 0].map(signed)).toEqual(['+12', '−12', '0']);
  });
});

describe('a change that was taken back', () => {
  const draw: GameAction = { kind: 'add', play: { kind: 'draw' } };
  const stick: GameAction = { kind: 'add', play: { kind: 'riichi', player: 2 } };
  const removal: GameAction = { kind: 'remove', entry: 1 };
  const undo = (change: number): GameAction => ({ kind: 'undo', change });

  it.each<[string, GameAction[], GameAction | null]>([
    ['none', [draw], null],
    ['one', [draw, undo(1)], draw],
    ['two, the first one next', [draw, stick, undo(2), undo(1)], draw],
    ['two, of which one was done again', [draw, stick, undo(2), undo(1), draw], stick],
    ['two, which were done again', [draw, stick, undo(2), undo(1), draw, stick], null],
    ['one, and another change came after it', [draw, undo(1), stick], null],
    ['a removal of an entry that is there', [draw, removal, undo(2)], removal],
    ['a removal of an entry that is gone', [stick, removal, undo(2), undo(1), stick], null],
  ])('can be done again: %s', (_, actions, again) => {
    const history = actions.map((action, at) => ({ number: at + 1, at: 0, undone: false, action }));
    const isGone = actions.length === 5 && actions[0] === stick;
    const rows = isGone ? [] : [{ entry: 1 }];
    expect(redoable({ history, rows } as unknown as Game)?.action ?? null).toEqual(again);
  });

  it('ends a deal, unless it is a stick or agreed points', () => {
    const manual = { kind: 'manual', reason: 'adjustment', player: 0, payments: [0, 0, 0, 0] } as const;
    expect(endsDeal({ kind: 'draw' })).toBe(true);
    expect(endsDeal({ kind: 'riichi', player: 0 })).toBe(false);
    expect(endsDeal({ ...manual, ends_deal: false })).toBe(false);
    expect(endsDeal({ ...manual, ends_deal: true })).toBe(true);
    const stick = { deal: DEAL, play: { kind: 'riichi', player: 0 } };
    const rows = [stick, { deal: DEAL, play: { kind: 'draw' } }, { ...stick, deal: { ...DEAL, number: 7 } }];
    expect(dealsPlayed({ rows } as unknown as Game)).toBe(1);
  });
});

describe('the photo of a row', () => {
  it('has the keys of the corrections that were not undone, the last one first, and of the entry', () => {
    const play = { kind: 'draw' } as const;
    const change = (number: number, action: GameAction, undone = false) => ({
      number,
      at: 0,
      key: `key-${number}`,
      undone,
      action,
    });
    const history = [
      change(1, { kind: 'add', play }),
      change(2, { kind: 'correct', entry: 1, play }),
      change(3, { kind: 'correct', entry: 1, play }, true),
      change(4, { kind: 'add', play }),
    ];
    expect(keysOfRow({ history }, 1)).toEqual(['key-2', 'key-1']);
    expect([keysOfRow({ history }, 4), keysOfRow({ history }, 9)]).toEqual([['key-4'], []]);
  });
});

describe('an event', () => {
  it('is parsed as the standard says', () => {
    expect(parseEvent('event: game\nid: 7\ndata: {"a":1}\nretry: 2000')).toEqual({
      name: 'game',
      data: '{"a":1}',
    });
    expect(parseEvent('data:one\ndata: two')).toEqual({ name: 'message', data: 'one\ntwo' });
    expect(parseEvent(': still here')).toEqual({ name: 'message', data: '' });
  });
});
