/** Tests that house rules are taken by the engine, and are the same after a link. */
import { describe, expect, it } from 'vitest';
import { module } from '../engine/module';
import { da } from '../i18n/da';
import { de } from '../i18n/de';
import { en, type Messages } from '../i18n/en';
import { ja } from '../i18n/ja';
import { sv } from '../i18n/sv';
import { zh } from '../i18n/zh';
import { zhHant } from '../i18n/zh-Hant';
import {
  choiceName,
  fromText,
  houseOf,
  isHouse,
  isHouseName,
  profileOf,
  settingsOf,
  spokenExplanation,
  textOf,
  wordsOf,
} from './house';

const engine = module.value;
if (!engine) throw new Error('the module is built before the tests');

/** Every rule set that ships. */
const SHIPPED = engine.rulesets().rulesets;

/** Every option of those whose value is a word. */
const WITH_WORDS = SHIPPED.flatMap((rules) => {
  const { first, more } = settingsOf(rules);
  return [...first, ...more]
    .filter(({ value }) => typeof value === 'string')
    .map((one) => [rules, one] as const);
});

const THURSDAY = houseOf('Thursday, “old” style', 'hk-old', { minimum: 1, limit: 10, seven_pairs: true });

describe('house rules', () => {
  it('have an id of their content, whatever the order', () => {
    const again = houseOf(THURSDAY.name, 'hk-old', { seven_pairs: true, limit: 10, minimum: 1 });
    expect([again, isHouse(again.id)]).toEqual([THURSDAY, true]);
    expect(houseOf(THURSDAY.name, 'hk-old', { minimum: 2 }).id).not.toBe(THURSDAY.id);
    expect(THURSDAY.id).toMatch(/^[a-z0-9-]{1,40}$/);
  });

  it('are the same after a link', () => {
    expect(fromText(textOf(THURSDAY))).toEqual(THURSDAY);
    for (const text of ['', 'hk-old', 'HK,minimum,1,Club', 'hk-old,minimum,1', `hk-old,${'x'.repeat(41)}`]) {
      expect(fromText(text), text).toBeNull();
    }
    const halves = houseOf('Club', 'classical-dmjl', { seven_pairs_limits: 0.5, limit: 1000 });
    const words = houseOf('Club', 'riichi-tenhou', { several_winners: 'nearest', ties: 'share' });
    // Words of a name are no option, even in pairs.
    const named = houseOf('anna,bo,several_winners,nobody', 'riichi-tenhou', { kazoe: 'sanbaiman' });
    for (const house of [halves, words, named]) expect(fromText(textOf(house))).toEqual(house);
  });

  it('are scored by the engine, with the name that they have', () => {
    engine.install(profileOf(THURSDAY));
    const rules = engine.rulesets().rulesets.find(({ id }) => id === (THURSDAY.id as string));
    expect(rules).toMatchObject({
      name: THURSDAY.name,
      short_name: THURSDAY.name,
      minimum: 1,
      game: 'hongkong',
    });
    const hand = '123m456p789s11p[222m,2]';
    const [shipped, house] = engine.scores(hand, ['hk-old', THURSDAY.id], { win: 'discard', seat: 'E' });
    expect([shipped?.score?.legal, house?.score?.legal]).toEqual([false, true]);
  });

  it('are refused with the reason where a value is not possible', () => {
    expect(() => engine.install(profileOf(houseOf('Club', 'hk-old', { limit: 99 })))).toThrow(/limit/);
  });

  it('can set every option of each rule set', () => {
    for (const rules of SHIPPED) {
      const { first, more } = settingsOf(rules);
      expect(first.length + more.length, rules.id).toBe(rules.options.length);
      const same = Object.fromEntries([...first, ...more].map(({ name, value }) => [name, value]));
      expect(() => engine.install(profileOf(houseOf('Same', rules.id, same))), rules.id).not.toThrow();
    }
  });

  it('offer exactly the words that the engine takes', () => {
    expect(WITH_WORDS.length).toBeGreaterThan(20);
    for (const [{ id }, { name }] of WITH_WORDS) {
      const refused = (): string => {
        try {
          engine.install(profileOf(houseOf('Club', id, { [name]: 'nothing' })));
          return '';
        } catch (error) {
          return String(error);
        }
      };
      const [, expected = ''] = /expected (?:one of )?((?:`\w+`(?:, | or )?)+)/.exec(refused()) ?? [];
      const taken = [...expected.matchAll(/`([a-z_]+)`/g)].map(([, word]) => word);
      expect([...wordsOf(name)].sort(), `${id} ${name}`).toEqual(taken.sort());
    }
  });

  it.each<[string, Messages]>([
    ['en', en],
    ['de', de],
    ['da', da],
    ['sv', sv],
    ['zh', zh],
    ['zh-Hant', zhHant],
    ['ja', ja],
  ])('are explained in %s without the words of files', (lang, { house }) => {
    const rulesets = engine.rulesets({ lang: lang as 'en' }).rulesets.filter(({ id }) => !isHouse(id));
    for (const rules of rulesets) {
      for (const { name, value, explanation } of rules.options.filter(
        (one) => typeof one.value === 'string',
      )) {
        const text = spokenExplanation({ name, explanation }, (word) =>
          choiceName(house.choices, name, word),
        );
        expect(text, name).not.toMatch(/[`_]|\(\)|（）/);
        expect(choiceName(house.choices, name, String(value)), name).not.toBe(value);
      }
    }
  });

  it('have names that fit', () => {
    expect(['Club', '麻雀', 'a'.repeat(40)].map(isHouseName)).toEqual([true, true, true]);
    expect(['', ' Club', 'a'.repeat(41), 'a\nb'].map(isHouseName)).toEqual([false, false, false, false]);
  });
});
