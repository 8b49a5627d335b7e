import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Context } from '../api/types';
import { module } from '../engine/module';
import { choose } from '../i18n';
import * as edit from './edit';
import { EMPTY, faces, type Hand, kindOf, laidOut, toDto } from './hand';
import { NotationError, parse, print } from './notation';
import { FLOWERS, TILES } from './tiles';

/** Forms that the server must accept too; docs/notation.md lists them. */
const CANONICAL = [
  '1123456789m222s1m',
  '123456789m11pFFF',
  '[234m,2][EEE,3][5555p,6][CCCC]6s6s||1af',
  '[567s,1][567s,2][CCC,2]444sSS',
  '[3333m][567s,2]567m57p44s6p||b',
  '[8888m,?][1111p,+]44p22sCCC2s||cd',
  '[EEE,2][SSSS,1]55pWWWNNN|EE1000|ah',
  '123m+5p',
  '[EEE]123m',
  '588m5599p3388sNN5m|SE0011,2',
  '11223344556677m+?',
];

describe('the notation', () => {
  it.each(CANONICAL)('reads and writes %s', (text) => {
    const { hand, context } = parse(text);
    const again = print(hand, context) ?? '';
    expect(parse(again).hand).toEqual(parse(text).hand);
    expect(print(parse(again).hand, parse(again).context)).toBe(again);
  });

  it('reads the last of fourteen tiles as the winning one', () => {
    const { rest, winning } = laidOut(parse('123456789m11pFFF').hand);
    expect(winning?.face).toBe('F');
    expect(faces(rest)).toHaveLength(13);
    expect(parse('123m').hand.winning).toBeNull();
    expect(parse('11223344556677m+?').hand.winning).toBeNull();
  });

  it('shows what it understood of a text that is no hand', () => {
    expect(() => parse('一二三萬 東東 5q')).toThrow(expect.objectContaining({ understood: '123mEE' }));
    expect(() => parse('[346m]')).toThrow(expect.objectContaining({ understood: '' }));
  });

  it('accepts what people copy out of a chat', () => {
    expect(print(parse('🀀🀀🀀 红中 一二三萬，４５６ｐ\n北风').hand)).toBe('123m456pEEENC');
  });

  it('accepts other spellings', () => {
    expect(print(parse('1 2 3 m [ E E E , 1 ]').hand)).toBe('[EEE,1]123m');
    expect(print(parse('1z5z06p').hand)).toBe('06pEC');
    expect(print(parse('123m||f1s4').hand)).toBe('123m||ah');
  });

  it.each<[string, Context]>([
    [
      '123m|SE1001',
      { prevalent: 'S', seat: 'E', win: 'kong_replacement', last_of_kind: false, last_wall_tile: false },
    ],
    ['123m|??0??0,3', { win: 'discard', from: 'right' }],
    ['123m|W?????', { prevalent: 'W' }],
    [
      '123m|EN0111',
      { prevalent: 'E', seat: 'N', win: 'robbed_kong', last_of_kind: true, last_wall_tile: true },
    ],
  ])('reads the context of %s', (text, expected) => {
    const { hand, context } = parse(text);
    expect(context).toEqual(expected);
    expect(print(hand, context)).toBe(text);
  });

  it.each([
    ['12x', 'character 3: found `x`'],
    ['123', 'character 4: found the end of the text'],
    ['123m|QE1000', 'character 6: found `Q`'],
  ])('says where %s goes wrong', (text, detail) => {
    expect(() => parse(text)).toThrow(NotationError);
    expect(() => parse(text)).toThrow(detail);
  });

  it('reports a fault in the language of the page', async () => {
    vi.stubGlobal('document', { documentElement: {} });
    await choose('de');
    expect(() => parse('12x')).toThrow('Zeichen 3');
    await choose('en');
    vi.unstubAllGlobals();
  });

  it('has no text for a meld that is not a set, nor before it is loaded', () => {
    const { hand } = parse('[123m]11p');
    const broken = edit.remove(
      hand,
      hand.melds.flatMap(({ pieces }) => pieces.slice(2).map(({ id }) => id)),
    );
    expect(print(broken)).toBeNull();
    const loaded = module.value;
    module.value = null;
    expect(print(hand)).toBeNull();
    expect(() => parse('123m')).toThrow(NotationError);
    module.value = loaded;
  });

  it('fails with a NotationError only, whatever is typed', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789mpszESWNCFP[],|+?af '), maxLength: 40 });
    fc.assert(
      fc.property(typed, (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(NotationError);
        }
      }),
    );
  });

  it('reads back every valid hand', () => {
    fc.assert(
      fc.property(hands(), contexts(), (hand, context) => {
        const back = parse(print(hand, context) ?? '');
        expect(toDto(back.hand)).toEqual(toDto(hand));
        expect(back.context).toEqual(context);
      }),
    );
  });
});

/** Hands with sets of all kinds, each a set that exists. */
function hands(): fc.Arbitrary<Hand> {
  const concealed = fc.array(fc.constantFrom(...TILES), { minLength: 1, maxLength: 14 });
  const flowers = fc.uniqueArray(fc.constantFrom(...FLOWERS), { maxLength: 4 });
  const set = fc.record({
    face: fc.constantFrom(...TILES),
    kind: fc.constantFrom('chow', 'pung', 'kong'),
    state: fc.constantFrom('concealed', 'exposed', 'added'),
    from: fc.constantFrom('left', 'across', 'right', null),
    claimed: fc.option(fc.nat(2)),
  });
  return fc
    .tuple(concealed, fc.array(set, { maxLength: 4 }), flowers, fc.boolean())
    .map(([tiles, sets, bonus, wins]) => {
      let hand = [...tiles, ...bonus].reduce((sum, face) => edit.add(sum, face), EMPTY);
      for (const { face, kind, state, from, claimed } of sets) {
        const meld = hand.nextId + 1;
        hand = edit.reform(edit.add(hand, face, 'new meld'), meld, kind as 'chow');
        const made = hand.melds.at(-1);
        if (!made) continue;
        const form = kindOf(made);
        if (form === null)
          hand = edit.remove(
            hand,
            made.pieces.map(({ id }) => id),
          );
        if (form === 'kong') hand = edit.setKongState(hand, meld, state as 'added');
        const chow = claimed === null ? null : (made.pieces[claimed]?.id ?? null);
        if (form === 'chow') hand = edit.setClaimed(hand, meld, chow);
        else if (form && !hand.melds.at(-1)?.concealed) hand = edit.setFrom(hand, meld, from as 'left');
      }
      const last = hand.concealed.at(-1)?.id ?? null;
      return wins ? edit.markWinning(hand, last) : hand;
    });
}

function contexts(): fc.Arbitrary<Context> {
  const wind = fc.constantFrom('E' as const, 'S' as const, 'W' as const, 'N' as const);
  const given = fc.record(
    {
      seat: wind,
      prevalent: wind,
      win: fc.constantFrom('self_drawn' as const, 'discard' as const, 'robbed_kong' as const),
      last_of_kind: fc.boolean(),
      last_wall_tile: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const from = fc.constantFrom('left' as const, 'across' as const, 'right' as const);
  return fc.tuple(given, fc.option(from)).map(([context, whom]) => {
    const claimable = context.win === 'discard' || context.win === 'robbed_kong';
    return claimable && whom ? { ...context, from: whom } : context;
  });
}
