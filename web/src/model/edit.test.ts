import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, LARGE } from './count';
import * as edit from './edit';
import { EMPTY, faces, type Hand, kindOf, laidOut, type Meld, type Piece, pieces } from './hand';
import { begin, redo, step, undo } from './history';
import { parse, print } from './notation';
import { printTiles, TILES } from './tiles';

const hand = (text: string): Hand => parse(text).hand;
const meld = (of: Hand, at = 0): Meld => {
  const found = of.melds[at];
  if (!found) throw new Error('no such set');
  return found;
};
const ids = (of: Hand, ...wanted: string[]): number[] => {
  const left = [...pieces(of)];
  return wanted.map(
    (face) =>
      left.splice(
        left.findIndex((one) => one.face === face),
        1,
      )[0]?.id ?? -1,
  );
};

/** A hand as text; one with a meld that is not a set, which the notation can't write, tile by tile. */
function written(of: Hand): string {
  const tiles = (pieces: readonly Piece[]): string => printTiles(faces(pieces));
  const { rest, winning } = laidOut(of);
  const sets = of.melds.map(({ pieces }) => `[${tiles(pieces)}]`).join('');
  return print(of) ?? `${sets}${tiles(rest)}${winning ? `+${winning.face}` : ''}`;
}

describe('editing', () => {
  it.each<[string, string, (of: Hand) => Hand]>([
    ['112m', '12m', (of) => edit.remove(of, ids(of, '1m'))],
    ['112m', '122m', (of) => edit.setFace(of, ids(of, '1m')[0] ?? 0, '2m')],
    ['112m', '12m||a', (of) => edit.setFace(of, ids(of, '1m')[0] ?? 0, 'f1')],
    ['12m||a', '123m', (of) => edit.setFace(of, ids(of, 'f1')[0] ?? 0, '3m')],
    ['123m5p', '[123m]5p', (of) => edit.move(of, ids(of, '3m', '1m', '2m'), 'new meld')],
    ['[123m]5p', '123m5p', (of) => edit.split(of, meld(of).id)],
    [
      '[EEE,2]E',
      '[EEEE,2]',
      (of) =>
        edit.move(
          of,
          ids(of, 'E').map(() => of.concealed[0]?.id ?? 0),
          { meld: meld(of).id },
        ),
    ],
    ['[EEE,2]5p', '[EEEE,2]5p', (of) => edit.reform(of, meld(of).id, 'kong')],
    ['[EEEE,6]5p', '[EEE,2]5p', (of) => edit.reform(of, meld(of).id, 'pung')],
    // The fourth tile comes from the hand: there are no five.
    ['[EEE,2]5pE', '[EEEE,2]5p', (of) => edit.reform(of, meld(of).id, 'kong')],
    ['[EEE,2]5p+E', '[EEEE,2]5p', (of) => edit.reform(of, meld(of).id, 'kong')],
    ['[888m]', '[789m]', (of) => edit.reform(of, meld(of).id, 'chow')],
    ['[999m]', '[789m]', (of) => edit.reform(of, meld(of).id, 'chow')],
    ['[EEE]', '[EEE]', (of) => edit.reform(of, meld(of).id, 'chow')],
    ['[EEEE,2]', '[EEEE]', (of) => edit.setKongState(of, meld(of).id, 'concealed')],
    ['[EEEE,2]', '[EEEE,6]', (of) => edit.setKongState(of, meld(of).id, 'added')],
    ['[EEE,2]', '[EEE,3]', (of) => edit.setFrom(of, meld(of).id, 'right')],
    ['[123m]', '[123m,3]', (of) => edit.setClaimed(of, meld(of).id, ids(of, '3m')[0] ?? null)],
    ['123m', '12m+3m', (of) => edit.markWinning(of, ids(of, '3m')[0] ?? null)],
    ['[EEE,2]5p', '[EE]5p+E', (of) => edit.markWinning(of, ids(of, 'E')[0] ?? null)],
    [
      '12m+3m',
      '12m[33m]',
      (of) => edit.move(edit.add(of, '3m'), ids(edit.add(of, '3m'), '3m', '3m'), 'new meld'),
    ],
  ])('%s becomes %s', (before, after, change) => {
    // Sets stand first in the notation; here they may stand wherever they are easiest to read.
    const sorted = (text: string): string => [...text].sort().join('');
    expect(sorted(written(change(hand(before))))).toBe(sorted(after));
  });

  it('merges sets', () => {
    const of = hand('[EEE]E');
    const two = edit.move(of, ids({ ...of, melds: [] }, 'E'), 'new meld');
    const merged = edit.merge(two, meld(two, 1).id, meld(two).id);
    expect(two.melds.map(kindOf)).toEqual(['pung', null]);
    expect(merged.melds.map(kindOf)).toEqual(['kong']);
  });

  it('marks the fourteenth typed tile as the winning one', () => {
    const typed = (text: string): Hand =>
      pieces(hand(text)).reduce((sum, { face }) => edit.addNext(sum, face), EMPTY);
    expect(typed('123456789m11pFF').winning).toBeNull();
    expect(print(typed('123456789m11pFFF'))).toBe('123456789m11pFFF');
    expect(typed('123456789m11pFFF').winning).toBe(14);
  });

  it('marks the seventeenth typed tile of a game of sixteen tiles as the winning one', () => {
    const typed = (text: string): Hand =>
      pieces(hand(text)).reduce((sum, { face }) => edit.addNext(sum, face, false, LARGE), EMPTY);
    expect(typed('123456789m11pFFF').winning).toBeNull();
    expect(typed('123456789m111pFFFEE').winning).toBe(17);
    expect(count(typed('123456789m111pFFFEE'), LARGE).ready).toBe(true);
    expect(count(typed('123456789m111pFFFEE')).off).toBe(3);
  });

  it('keeps the invariants of a hand after any edits', () => {
    const what = fc.record({ op: fc.nat(8), at: fc.nat(30), face: fc.constantFrom(...TILES) });
    fc.assert(
      fc.property(fc.array(what, { maxLength: 40 }), (steps) => {
        let of = hand('[EEE,2][5555p,6]123m55s||1a');
        for (const { op, at, face } of steps) of = apply(of, op, at, face);
        const all = pieces(of).map(({ id }) => id);
        expect(new Set(all).size).toBe(all.length);
        expect(all.every((id) => id < of.nextId)).toBe(true);
        expect(of.winning === null || of.concealed.some(({ id }) => id === of.winning)).toBe(true);
        expect(of.melds.every((one) => one.pieces.length > 0)).toBe(true);
        expect(
          of.melds.every((one) => one.claimed === null || one.pieces.some(({ id }) => id === one.claimed)),
        ).toBe(true);
      }),
    );
  });

  function apply(of: Hand, op: number, at: number, face: (typeof TILES)[number]): Hand {
    const all = pieces(of);
    const piece = all[at % Math.max(1, all.length)]?.id ?? 0;
    const set = of.melds[at % Math.max(1, of.melds.length)]?.id ?? 0;
    const steps: ((of: Hand) => Hand)[] = [
      (one) => edit.add(one, face),
      (one) => edit.remove(one, [piece]),
      (one) => edit.setFace(one, piece, face),
      (one) => edit.move(one, [piece], 'new meld'),
      (one) => edit.move(one, [piece], { meld: set }),
      (one) => edit.split(one, set),
      (one) => edit.reform(one, set, 'kong'),
      (one) => edit.markWinning(one, piece),
      (one) => edit.setClaimed(one, set, piece),
    ];
    return (steps[op] ?? ((one: Hand) => one))(of);
  }
});

describe('history', () => {
  it('undoes and redoes, and a new step drops undone ones', () => {
    const three = [1, 2, 3].reduce(step<number>, begin(0));
    const back = undo(undo(three));
    expect([back.present, redo(back).present, redo(redo(back)).present]).toEqual([1, 2, 3]);
    expect(redo(step(back, 9)).present).toBe(9);
    expect(undo(begin(0)).present).toBe(0);
    expect(step(three, 3)).toBe(three);
  });
});

describe('the count', () => {
  it.each<[string, Partial<ReturnType<typeof count>>]>([
    ['123456789m11pFFF', { tiles: 14, off: 0, kongs: 0, ready: true }],
    ['123456789m11pFF', { tiles: 13, off: -1, ready: false }],
    // "13 + one kong: one tile missing"
    ['[EEEE]123456789m1p', { tiles: 13, kongs: 1, off: -1, ready: false }],
    ['[EEEE]123456789m11p', { tiles: 14, kongs: 1, off: 0, ready: true }],
    ['123456789m111pFFF', { off: 1, ready: false }],
    ['11111m22223333m1p', { off: 0, copies: ['1m'], ready: false }],
    ['11223344556677m+?', { off: 0, noWinning: true, ready: false }],
  ])('of %s', (text, expected) => {
    expect(count(hand(text))).toMatchObject(expected);
  });

  it('counts sets that are not valid', () => {
    const of = edit.move(hand('1123m'), [1, 2], 'new meld');
    expect(count(of)).toMatchObject({ broken: [meld(of).id], ready: false });
  });

  it('rejects five sets', () => {
    const five = hand('[EEE][SSS][WWW][NNN][CCC]');
    expect(count(five)).toMatchObject({ tooManyMelds: true, ready: false });
    expect(faces(meld(five).pieces)).toEqual(['E', 'E', 'E']);
  });
});

describe('the number of flowers', () => {
  it('grows by flowers without a name, and shrinks by those first', () => {
    const { hand } = parse('123456789m11pFF+F|EE0000|ab');
    const more = edit.setFlowers(hand, 4);
    expect(more.flowers.map(({ face }) => face)).toEqual(['f1', 'f2', '?', '?']);
    expect(edit.setFlowers(more, 2).flowers).toEqual(hand.flowers);
    expect(edit.setFlowers(more, 0).flowers).toEqual([]);
    expect(edit.setFlowers(hand, 2)).toBe(hand);
    expect(edit.setFlowers(hand, 99).flowers.length).toBe(8);
  });
});
