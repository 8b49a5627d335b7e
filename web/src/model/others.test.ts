import { describe, expect, it } from 'vitest';
import type { Deal, GameRow, HandDto, Reading } from '../api/types';
import { module } from '../engine/module';
import { parse } from './notation';
import { fromRow, seen, tooManyWith, toPlay, toSend, typed } from './others';

/** Bo deals in the South round: he sits East, Clara South, Dorte West, Anna North. */
const DEAL: Deal = { number: 6, round: 'S', seats: [1, 2, 3, 0], repeats: 0 };

describe('other players’ hands', () => {
  it('may have too few tiles, and show where their text is wrong', () => {
    expect(typed('[CCC,1]11m').hand?.melds).toHaveLength(1);
    const wrong = { detail: expect.stringContaining('character 3: found `x`') };
    expect(typed('11x')).toMatchObject({ hand: null, wrong });
  });

  it('are sent by seat, without the winner’s, empty and invalid ones', () => {
    const others = { E: typed('1m'), S: typed(' 11m '), W: typed(''), N: typed('12') };
    expect(toSend(others, 'E')).toEqual([{ seat: 'S', hand: '11m' }]);
    expect(toSend(others, 'S')).toEqual([{ seat: 'E', hand: '1m' }]);
  });

  it('are refused where the table has a tile more often than it exists', () => {
    const { hand } = parse('[CCC,2]111m456p2789s2s||a');
    const fine = { S: typed('[888p,1]1m2s||b'), W: typed('1222m222p||c'), E: typed('CC11m') };
    expect(tooManyWith(hand, { S: fine.S }, 'E')).toEqual([]);
    expect(tooManyWith(hand, fine, 'E')).toEqual(['S', 'W']);
    expect(tooManyWith(hand, { S: typed('9m||b'), N: typed('9m||b') }, 'E')).toEqual(['S', 'N']);
    expect(tooManyWith(hand, { S: typed('C||b'), N: typed('C') }, 'E')).toEqual(['S', 'N']);
    expect(tooManyWith(hand, { S: typed('12') }, 'E')).toEqual([]);
  });

  it('come back to their seats when a row is corrected', () => {
    const sent = toPlay([{ seat: 'N', hand: '11m' }], DEAL);
    expect(sent).toEqual([{ player: 0, hand: '11m' }]);
    const play = { kind: 'win', winner: 1, discarder: null, hand: '99m', context: {}, others: sent } as const;
    const row = { deal: DEAL, play } as unknown as GameRow;
    expect(toSend(fromRow(row), 'E')).toEqual([{ seat: 'N', hand: '11m' }]);
    expect(fromRow({ ...row, play: { kind: 'draw' } })).toEqual({});
  });

  it('are read as text without a winning tile', () => {
    const hand: HandDto = { concealed: ['2m', '1m'], winning_tile: null, melds: [], flowers: ['f1'] };
    const reading = { hand, tiles: [], doubts: [] } as unknown as Reading;
    expect(seen(reading).text).toBe('12m||a');
    expect(typed('12m||a').reading).toBeNull();
  });

  it('are sent as objects before the module is there', () => {
    const hand: HandDto = { concealed: ['1m', '2m'], winning_tile: null, melds: [], flowers: ['f1'] };
    const reading = { hand, tiles: [], doubts: [] } as unknown as Reading;
    const loaded = module.value;
    module.value = null;
    expect(toSend({ S: seen(reading) }, 'E')).toEqual([{ seat: 'S', hand }]);
    module.value = loaded;
  });
});
