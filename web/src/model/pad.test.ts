import { describe, expect, it } from 'vitest';
import { EMPTY, faces, kindOf, pieces } from './hand';
import { canTap, isPlayed, PAD_KINDS, padKinds, tap } from './pad';
import { TILES } from './tiles';

describe('the tile pad', () => {
  it('adds tiles to the hand, and whole sets beside it', () => {
    const hand = tap(tap(tap(tap(EMPTY, '2s', 'concealed'), '6m', 'chow'), 'C', 'pung'), '9p', 'hidden');
    expect(faces(hand.concealed)).toEqual(['2s']);
    expect(hand.melds.map((meld) => [kindOf(meld), meld.concealed])).toEqual([
      ['chow', false],
      ['pung', false],
      ['kong', true],
    ]);
    expect(hand.winning).toBe(null);
  });

  it('adds flowers to the flowers, and no set of them', () => {
    expect(faces(tap(EMPTY, 'f1', 'concealed').flowers)).toEqual(['f1']);
    expect(tap(EMPTY, 'f1', 'pung')).toBe(EMPTY);
  });

  it('offers three players no chow, and of characters only the 1 and the 9', () => {
    const without = (players: number) => TILES.filter((face) => !isPlayed(face, players));
    expect(without(3)).toEqual(['2m', '3m', '4m', '5m', '6m', '7m', '8m']);
    expect(without(4)).toEqual([]);
    expect(padKinds(3)).toEqual(['concealed', 'pung', 'kong', 'hidden']);
    expect(padKinds(4)).toEqual(PAD_KINDS);
  });

  it('never makes five of a kind, whatever is tapped', () => {
    for (const kind of PAD_KINDS) {
      for (const face of TILES) {
        let hand = EMPTY;
        while (canTap(hand, face, kind)) hand = tap(hand, face, kind);
        const max = Math.max(
          0,
          ...TILES.map((one) => pieces(hand).filter((piece) => piece.face === one).length),
        );
        expect(max, `${kind} ${face}`).toBeLessThanOrEqual(4);
        expect(tap(hand, face, kind)).toBe(hand);
      }
    }
    expect(canTap(EMPTY, '8m', 'chow')).toBe(false);
    expect(canTap(EMPTY, 'E', 'chow')).toBe(false);
  });
});
