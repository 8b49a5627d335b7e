/** Links are found whole in the text of a message, and a link that was cut on its way is noticed. */
import { describe, expect, it } from 'vitest';
import type { Context } from '../api/types';
import { EMPTY } from '../model/hand';
import { houseOf } from '../model/house';
import { parse, print } from '../model/notation';
import { fromFragment, isOfHand, linkTo } from './link';

const PAGE = 'https://example.org/somewhere?x#y';

const RIICHI: Context = {
  win: 'self_drawn',
  riichi: 'double',
  ippatsu: false,
  dora_indicators: ['4m', 'E'],
  ura_indicators: [],
  honba: 2,
  riichi_sticks: 0,
  norths: 2,
  declared: ['earth'],
};

const SIXTEEN: Context = { win: 'self_drawn', dealer: 'S', dealer_streak: 2, declared: ['ready'] };

/** A hand, what is known of its win, and rule sets. */
const CASES: readonly (readonly [string, Context, readonly string[]])[] = [
  ['123456789m11pFFF', {}, ['mcr-wmo']],
  [
    '[234m,2][EEE,3]55p123s66s6s||1af',
    { seat: 'S', prevalent: 'E', win: 'discard', from: 'right' },
    ['mcr-wmo'],
  ],
  ['[1111m][555p,1]FF789s2s3s4s|EE1000|f1s3', {}, ['hk-npm', 'mcr-mil', 'classical-dmjl']],
  ['123m406p789s55m34s5s', RIICHI, ['riichi-wrc']],
  ['123m456m789p234s55s67p5p', SIXTEEN, ['tw-star31']],
];

const HOUSE = houseOf('Bo’s rules (new), 麻雀!', 'hk-old', { minimum: 1, seven_pairs: true });

const LINKS = [
  ...CASES.map(([text, context, rules]) => linkTo(parse(text).hand, context, rules, PAGE)),
  linkTo(parse('123456789m11pFFF').hand, {}, [HOUSE.id, 'mcr-wmo'], PAGE, [HOUSE]),
];

/**
 * Rules by which links are found in a text. Android's is `AUTOLINK_WEB_URL` of `android.util.Patterns`,
 * of which Telegram has a copy. That of iOS is not published: the characters are those that RFC 3986
 * allows in a fragment. Messengers with Markdown follow GitHub's extended autolinks, at whose end
 * punctuation is left out.
 */
const PATTERNS: readonly (readonly [string, RegExp])[] = [
  [
    'Android',
    /https?:\/\/[a-z0-9.-]+(?::\d{1,5})?[/?](?:[a-zA-Z0-9;/?:@&=#~\-.+!*'(),_$]|%[a-fA-F0-9]{2})*(?:\b|$)/,
  ],
  ['RFC 3986', /https?:\/\/[a-z0-9.-]+\/#(?:[a-zA-Z0-9\-._~!$&'()*+,;=:@/?]|%[a-fA-F0-9]{2})*/],
  ['Markdown', /https?:\/\/[^\s<]*[^\s<?!.,:*_~'")]/],
];

describe('a link', () => {
  it.each(PATTERNS)('is found whole in a text by the rule of %s', (_, pattern) => {
    for (const link of LINKS) {
      expect(pattern.exec(link)?.[0]).toBe(link);
      expect(pattern.exec(`Look: ${link} and tell me.`)?.[0]).toBe(link);
    }
  });

  it('has the hand and its context in its fragment', () => {
    for (const [at, [text, context, rules]] of CASES.entries()) {
      const { hand } = parse(text);
      const link = new URL(LINKS[at] ?? '');
      expect([link.pathname, link.search]).toEqual(['/', '']);
      const back = fromFragment(link.hash);
      expect(back && print(back.hand, back.context)).toBe(print(hand, context));
      expect(back?.rulesets).toEqual(rules);
    }
  });

  it('brings house rules along', () => {
    const back = fromFragment(new URL(LINKS.at(-1) ?? '').hash);
    expect([back?.rulesets, back?.houses]).toEqual([[HOUSE.id, 'mcr-wmo'], [HOUSE]]);
  });

  it('has the known facts of riichi, and nothing for those that are not known', () => {
    const { ura_indicators: _, ...known } = RIICHI;
    expect(fromFragment(new URL(LINKS[3] ?? '').hash)?.context).toEqual(known);
    expect(linkTo(EMPTY, { win: 'self_drawn' }, ['mcr-wmo'], PAGE)).not.toContain('riichi');
  });

  it('has the dealer of sixteen tiles and his streak, on whom the payments hang', () => {
    expect(fromFragment(new URL(LINKS[4] ?? '').hash)?.context).toEqual(SIXTEEN);
    expect(fromFragment('#hand=123m&dealer=X&dealer_streak=100')?.context).toEqual({});
  });

  it('is read as a person writes it, without what no hand can have', () => {
    const wrong =
      '#hand=123m&riichi=yes&dora_indicators=f1&ura_indicators=1m,2m,3m,4m,5m,6m&honba=-1&norths=5';
    expect(fromFragment(wrong)?.context).toEqual({});
    expect(fromFragment('#hand=[123m,1]44s|EE0000&rules=mcr-wmo')?.rulesets).toEqual(['mcr-wmo']);
    expect(fromFragment('#hand=12x')).toBeNull();
  });

  it('is noticed when it was cut anywhere', () => {
    for (const link of LINKS) {
      const { hash } = new URL(link);
      for (let end = '#n='.length; end < hash.length; end += 1) {
        const cut = hash.slice(0, end);
        expect(isOfHand(cut)).toBe(true);
        expect(fromFragment(cut), cut).toBeNull();
      }
    }
    expect(isOfHand('#result')).toBe(false);
  });

  it('is read all the same with punctuation of the text, or with other escapes', () => {
    for (const link of LINKS) {
      const { hash } = new URL(link);
      const whole = fromFragment(hash);
      for (const end of [')', '.', ',', '*', '_', '”', '%22'])
        expect(fromFragment(hash + end)).toEqual(whole);
      expect(fromFragment(hash.replaceAll(',', '%2C'))).toEqual(whole);
      expect(fromFragment(hash.replaceAll('%5B', '['))).toEqual(whole);
    }
  });
});
