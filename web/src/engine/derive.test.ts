/** Tests that this device derives a game with further changes as the one that has all of them. */
import { describe, expect, it } from 'vitest';
import type { Game, GameAction } from '../api/types';
import { derive } from './derive';
import { module } from './module';

const engine = module.value;
if (!engine) throw new Error('the module is built before the tests');

const PLAYERS = ['Anna', 'Bo', 'Clara', 'Dorte'] as [string, string, string, string];

const ofPoints = (winner: 0 | 1 | 2 | 3, discarder: 0 | 1 | 2 | 3 | null, points: number): GameAction => ({
  kind: 'add',
  play: { kind: 'points', winner, discarder, points },
});
const hand = (winner: 0 | 1 | 2 | 3): GameAction => ({
  kind: 'add',
  play: { kind: 'win', winner, discarder: null, hand: '123456789m11pEEE', context: { win: 'self_drawn' } },
});
const add = (play: object): GameAction => ({ kind: 'add', play }) as GameAction;

const STORIES: readonly (readonly [ruleset: string, actions: readonly GameAction[]])[] = [
  [
    'mcr-wmo',
    [
      ofPoints(1, 2, 20),
      add({ kind: 'draw' }),
      hand(2),
      { kind: 'rename', title: 'Friday', players: ['Ann', 'Bo', 'Clara', 'Dorte'] },
      { kind: 'undo', change: 3 },
      { kind: 'correct', entry: 1, play: { kind: 'draw' } },
      hand(0),
    ],
  ],
  [
    'riichi-tenhou',
    [
      add({ kind: 'riichi', player: 1 }),
      add({ kind: 'exhaustive_draw', tenpai: [0, 1] }),
      add({ kind: 'riichi', player: 2 }),
      ofPoints(2, 3, 8000),
      { kind: 'remove', entry: 1 },
      hand(1),
    ],
  ],
  [
    'classical-dmjl',
    [
      add({
        kind: 'win',
        winner: 1,
        discarder: 2,
        hand: '123456789m11pEEE',
        context: { win: 'discard', last_wall_tile: true },
        others: [{ player: 0, hand: '[SSS,1]123p' }],
      }),
      hand(3),
      add({ kind: 'manual', reason: 'false_mahjong', player: 0, payments: [-300, 100, 100, 100] }),
    ],
  ],
  [
    'tw-common',
    [
      ofPoints(1, 2, 3),
      add({ kind: 'points', winner: 3, discarder: 2, points: 4, same_discard: true }),
      add({ kind: 'draw' }),
    ],
  ],
  ['hk-old', [ofPoints(0, 3, 4), add({ kind: 'draw' }), ofPoints(1, null, 5), { kind: 'finish' }]],
];

/** Changes that wait, with keys by their place. */
const waiting = (actions: readonly GameAction[]) =>
  actions.map((action, at) => ({ key: `key-${at}`, action }));

/** The parts of a game that are shown; times and names of windows apart. */
const shown = ({ history, id: _, share: __, revision: ___, ...game }: Game) => ({
  ...game,
  changes: history.map(({ number, action, undone }) => ({ number, action, undone })),
});

describe('a game with changes that wait', () => {
  it.each(STORIES)('is derived as the service derives it: %s', (ruleset, actions) => {
    const evening = engine.Evening.begin({ players: PLAYERS, ruleset, title: 'Thursday' } as never);
    const seen = [evening.view(), ...actions.map((action) => evening.change(action))];
    const last = shown(seen.at(-1) as Game);
    for (const [at, game] of seen.entries()) {
      const rest = actions.slice(at);
      const served = { ...game, id: 'id', share: 'token', revision: 100 + at };
      const derived = derive(served, waiting(rest), 'en');
      expect(derived && shown(derived), `after ${at}`).toEqual(last);
      // Changes are sent with the revision that the service knows.
      expect(derived).toMatchObject({ id: 'id', share: 'token', revision: 100 + at });
    }
  });

  it('leaves out a change that the game refuses', () => {
    const game = engine.Evening.begin({ players: PLAYERS, ruleset: 'mcr-wmo' }).view() as Game;
    const derived = derive(game, waiting([ofPoints(1, 2, 3), ofPoints(1, 2, 20)]), 'en');
    expect(derived?.totals).toEqual([-8, 44, -28, -8]);
    expect(derived?.next?.number).toBe(2);
    // The key of a change is that of the one that was made.
    expect(derived?.history.map(({ key }) => key)).toEqual(['key-1']);
  });

  it('is not derived by rules that only the service has', () => {
    const game = engine.Evening.begin({ players: PLAYERS, ruleset: 'mcr-wmo' }).view() as Game;
    expect(derive({ ...game, ruleset: 'house' as never }, waiting([ofPoints(1, 2, 20)]), 'en')).toBeNull();
  });
});
