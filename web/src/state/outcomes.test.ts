/** Tests what an answer about the win leads to. */
import { describe, expect, it } from 'vitest';
import type { Context } from '../api/types';
import { parse } from '../model/notation';
import { create } from './hand/entry';
import { outcomeOf } from './outcomes';

const TEXT = '[CCCC,5]456m789p1233s3s';
const CONTEXT: Context = { seat: 'S', prevalent: 'E', win: 'discard', from: 'left', dora_indicators: [] };

/** Returns the totals of a typed hand whose winning tile was named, or is only supposed. */
const outcome = (supposed: boolean, context: Context = CONTEXT) => {
  const entry = create({ hand: { ...parse(TEXT).hand, supposed }, context });
  entry.stop();
  return outcomeOf(entry, 'riichi-tenhou', context);
};

describe('what an answer leads to', () => {
  it('is the total of the hand', () => {
    expect(outcome(false)).toEqual([1300, 1300]);
  });

  it('is the same while the winning tile is only supposed', () => {
    expect(outcome(true)).toEqual([1300, 1300]);
    expect(outcome(true, { ...CONTEXT, win: 'self_drawn' })).toEqual([1500, 1500]);
  });

  it('is no win for tiles that make none', () => {
    const hand = parse('1122334455667p8m').hand;
    const entry = create({ hand, context: CONTEXT });
    entry.stop();
    expect(outcomeOf(entry, 'riichi-tenhou', CONTEXT)).toBeNull();
  });
});
