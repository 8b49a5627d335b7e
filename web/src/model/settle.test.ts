import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settlePoints } from './settle';

describe('a hand without its tiles', () => {
  // The amounts of the same cases in src/rules/*/settle.rs.
  it.each([
    ['mcr', { points: 20, winner: 1, discarder: null }, [-28, 84, -28, -28]],
    ['mcr', { points: 32, winner: 0, discarder: 3 }, [56, -8, -8, -40]],
    ['mmm', { points: 24, winner: 0, discarder: null }, [24, -8, -8, -8]],
    ['mmm', { points: 24, winner: 1, discarder: null }, [-12, 24, -6, -6]],
    ['mmm', { points: 24, winner: 1, discarder: 2 }, [0, 24, -24, 0]],
    ['classical', { points: 50, winner: 0, discarder: 2 }, [300, -100, -100, -100]],
    ['classical', { points: 50, winner: 2, discarder: 0 }, [-100, -50, 200, -50]],
  ] as const)('of %s, %o', (game, win, expected) =>
    expect(settlePoints({ game, options: [] }, win)).toEqual(expected));

  it('is not settled by an unknown law', () => {
    const win = { points: 1, winner: 0, discarder: null };
    expect(settlePoints({ game: 'riichi', options: [] }, win)).toBeNull();
    const options = [{ name: 'east_doubles', value: false }];
    expect(settlePoints({ game: 'classical', options }, win)).toBeNull();
  });

  it('takes nothing from the table and brings nothing to it', () => {
    const place = fc.integer({ min: 0, max: 3 });
    const games = fc.constantFrom('mcr', 'mmm', 'classical');
    fc.assert(
      fc.property(games, fc.nat(2000), place, fc.option(place), (game, points, winner, discarder) => {
        const paid = settlePoints(
          { game, options: [] },
          {
            points,
            winner,
            discarder: discarder === winner ? null : discarder,
          },
        );
        expect(paid?.reduce((all, one) => all + one, 0)).toBe(0);
      }),
    );
  });
});
