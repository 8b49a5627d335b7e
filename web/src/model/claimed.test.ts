import { describe, expect, it } from 'vitest';
import type { Reading } from '../api/types';
import { claimable } from './claimed';
import { faces, type Hand } from './hand';
import { parse } from './notation';

/** The hand as it lies in a row, each tile 10 wide, in the order of the list. */
function inRow(hand: Hand): readonly [Hand, Reading] {
  const concealed = hand.concealed.map((piece, seen) => ({ ...piece, seen }));
  const tiles = concealed.map((_, at) => ({
    polygon: [
      [at * 10, 0],
      [at * 10 + 10, 0],
      [at * 10 + 10, 14],
      [at * 10, 14],
    ],
  }));
  return [{ ...hand, concealed }, { tiles } as unknown as Reading];
}

const claimed = (text: string, at: number) => {
  const [hand, reading] = inRow(parse(text).hand);
  const found = claimable(hand, reading, hand.concealed[at]?.id ?? -1);
  return found && [found.kind, faces(found.pieces).sort().join('')];
};

describe('the set that a tile can have been claimed for', () => {
  it.each([
    ['a pung', '111m234p567s88s99s5p', 0, ['pung', '1m1m1m']],
    ['a chow', '111m234p567s88s99s5p', 4, ['chow', '2p3p4p']],
    ['nothing', '111m234p567s22s99m5p', 9, null],
  ] as const)('%s', (_, text, at, expected) => expect(claimed(text, at)).toEqual(expected));

  it('is the set whose tiles lie nearest', () => {
    expect(claimed('345m345m345m11p22p6m', 1)).toEqual(['chow', '3m4m5m']);
  });
});
