import { describe, expect, it } from 'vitest';
import type { Context, ContextField, Score } from '../api/types';
import { concernsDealer, lacksDealer } from './dealer';

const score = (more: Partial<Score> = {}): Score => ({ legal: true, dealer_tai: 1, ...more }) as Score;

const FIELDS: ReadonlySet<ContextField> = new Set(['dealer', 'dealer_streak'] as const);

describe('the dealer', () => {
  it('is concerned by every self-draw, and by a discard that he won or pays for', () => {
    const from = (seat: Context['seat'], from: Context['from']): Context =>
      ({ seat, win: 'discard', from }) as Context;
    expect(concernsDealer({ seat: 'S', win: 'self_drawn' } as Context)).toBe(true);
    expect(concernsDealer(from('E', 'right'))).toBe(true);
    expect(concernsDealer(from('S', 'left'))).toBe(true);
    expect(concernsDealer(from('N', 'right'))).toBe(true);
    expect(concernsDealer(from('S', 'right'))).toBe(false);
    expect(concernsDealer({ ...from('S', 'right'), dealer: 'W' } as Context)).toBe(true);
  });

  it('is asked about only where the payments hang on him', () => {
    const known = { seat: 'S', win: 'discard', from: 'right', dealer: 'E' } as Context;
    expect(lacksDealer(score(), { seat: 'S', win: 'discard', from: 'right' } as Context, FIELDS)).toBe(true);
    expect(lacksDealer(score(), known, FIELDS)).toBe(false);
    expect(lacksDealer(score(), { ...known, from: 'left' } as Context, FIELDS)).toBe(true);
    expect(lacksDealer(score(), { ...known, from: 'left', dealer_streak: 0 } as Context, FIELDS)).toBe(false);
    // Where the dealer sits East, only the streak can be missing.
    expect(lacksDealer(score(), { seat: 'S', win: 'discard', from: 'right' } as Context, new Set())).toBe(
      false,
    );
    const noStreak: ReadonlySet<ContextField> = new Set(['dealer'] as const);
    expect(lacksDealer(score({ dealer_tai: 0 }), { ...known, dealer: undefined } as never, noStreak)).toBe(
      false,
    );
    expect(lacksDealer(score(), { ...known, from: 'left' } as Context, noStreak)).toBe(false);
    expect(lacksDealer(score({ legal: false }), { seat: 'S' } as Context, FIELDS)).toBe(false);
    const { dealer_tai: _, ...others } = score();
    expect(lacksDealer(others as Score, {} as Context, FIELDS)).toBe(false);
  });
});
