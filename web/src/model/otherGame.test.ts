import { describe, expect, it } from 'vitest';
import type { Ruleset } from '../api/types';
import { module } from '../engine/module';
import { EMPTY, type Hand } from './hand';
import { parse } from './notation';
import { otherGame } from './otherGame';

const all = (module.value?.rulesets().rulesets ?? []) as unknown as readonly Ruleset[];

function offered(hand: Hand, ...chosen: string[]) {
  const rules = all.filter(({ id }) => chosen.includes(id));
  const other = otherGame(hand, rules, all, ['de']);
  return other && [other.sign, ...other.games.map(({ game }) => game)];
}

describe('the other game', () => {
  it('is offered for flowers where none are played', () => {
    const { hand } = parse('123456789m11p99s9s||f1');
    expect(offered(hand, 'riichi-tenhou')?.slice(0, 2)).toEqual(['flowers', 'mcr']);
    expect(offered(hand, 'mmm')?.slice(0, 2)).toEqual(['flowers', 'mcr']);
    expect(offered(hand, 'mcr-wmo')).toBeNull();
    expect(offered(hand, 'riichi-tenhou', 'mcr-wmo')).toBeNull();
  });

  it('is offered for red fives, and for seventeen tiles', () => {
    const { hand } = parse('1234067m789p1199s9s');
    expect(offered(hand, 'mcr-wmo')).toEqual(['red_fives', 'riichi']);
    expect(offered(hand, 'riichi-tenhou')).toBeNull();
    const { hand: long } = parse('123456789m111p1199s9s');
    expect(offered(long, 'mcr-wmo')).toEqual(['seventeen', 'taiwan']);
    expect(offered(long, 'tw-common')).toBeNull();
  });

  it('is not offered for a hand of any game, nor before the rules are known', () => {
    expect(offered(EMPTY, 'riichi-tenhou')).toBeNull();
    expect(otherGame(parse('11m11m||f1').hand, [], all, [])).toBeNull();
  });
});
