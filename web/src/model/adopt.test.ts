import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adopt, isSame } from './adopt';
import { type Hand, pieces } from './hand';
import { parse } from './notation';

const HANDS = [
  '123456789m11pFF+F',
  '123456789m11pFF+?',
  '123456789m11pFFF|EE0000|ab',
  '[EEE,1]123456m11pFF+F',
  '[EEEE][123m,2]456m11pFF+F|EE0000|a',
  '[EEEE,1][FFFF,2]456m11p7s+8s',
  '124456789m19pFF+F',
];
const handOf = (text: string): Hand => parse(text).hand;
const hands = fc.constantFrom(...HANDS).map(handOf);

describe('a hand for the tiles of another', () => {
  it('is that hand to the service, whatever the tiles were', () => {
    fc.assert(
      fc.property(hands, hands, (one, other) => {
        expect(isSame(adopt(one, other), other)).toBe(true);
      }),
    );
  });

  it('has every tile once, and keeps those that have the same name', () => {
    fc.assert(
      fc.property(hands, hands, (one, other) => {
        const ids = pieces(adopt(one, other)).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const same = adopt(one, one);
        expect(new Set(pieces(same))).toEqual(new Set(pieces(one)));
      }),
    );
  });

  it('gives the tile that a question is about its other name', () => {
    const hand = handOf('123456789m11pFF+F');
    const seen = hand.concealed.map((piece, at) => ({ ...piece, seen: at }));
    const [about] = seen.filter(({ face }) => face === '1p');
    const adopted = adopt({ ...hand, concealed: seen }, handOf('123456789m19pFF+F'), [about?.seen ?? -1]);
    expect(adopted.concealed.find(({ face }) => face === '9p')?.id).toBe(about?.id);
  });
});
