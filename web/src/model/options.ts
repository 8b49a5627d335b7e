/** Options of rule sets, by their names. */
import type { Ruleset } from '../api/types';

/** The part of a rule set that has its options. */
export type WithOptions = Pick<Ruleset, 'options'>;

/** Returns the value of an option; `undefined` where the rules have no such option. */
export const optionOf = ({ options }: WithOptions, name: string): unknown =>
  options.find((one) => one.name === name)?.value;

/** Tells whether an option of the rules is on. */
export const isOn = (rules: WithOptions, name: string): boolean => optionOf(rules, name) === true;

/** Tells whether flowers count by the rules: not where the game has none, or passes them over. */
export const hasFlowers = (rules: Pick<Ruleset, 'game' | 'options'>): boolean =>
  rules.game !== 'riichi' &&
  optionOf(rules, 'flowers') !== false &&
  optionOf(rules, 'flowers_are_passed_over') !== false;
