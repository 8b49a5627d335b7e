/** Tests that house rules are taken by the engine, and are the same after a link. */
import { describe, expect, it } from 'vitest';
import { module } from '../engine/module';
import { fromText, houseOf, isHouse, isHouseName, profileOf, settingsOf, textOf } from './house';

const engine = module.value;
if (!engine) throw new Error('the module is built before the tests');

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

  it('can set every number and every choice of yes or no of each rule set', () => {
    for (const rules of engine.rulesets().rulesets.filter(({ id }) => !isHouse(id))) {
      const { first, more } = settingsOf(rules);
      const same = Object.fromEntries([...first, ...more].map(({ name, value }) => [name, value]));
      expect(() => engine.install(profileOf(houseOf('Same', rules.id, same))), rules.id).not.toThrow();
    }
  });

  it('have names that fit', () => {
    expect(['Club', '麻雀', 'a'.repeat(40)].map(isHouseName)).toEqual([true, true, true]);
    expect(['', ' Club', 'a'.repeat(41), 'a\nb'].map(isHouseName)).toEqual([false, false, false, false]);
  });
});
