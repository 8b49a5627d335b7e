/**
 * The values that a won hand can have, from which one is chosen where a deal is entered without its
 * tiles: by han and fu in riichi, by faan or tai where a table makes points of them.
 */
import type { Deal, Ruleset, ValueRow } from '../api/types';
import { type HandPoints, MAX_HAND_POINTS, pointsOf, yakumanOf } from './evening';
import { isOn, optionOf, type WithOptions } from './options';

/** A value of riichi, with the points that a game takes for it. */
export interface HanValue {
  readonly row: ValueRow;
  /** Number of yakuman; 1 for all else. */
  readonly times: number;
  readonly points: number;
}

/** The most yakuman that a hand is paid, as `max_yakuman` of the options of riichi has it. */
function maxYakuman(rules: WithOptions): number {
  const isDoubled = isOn(rules, 'double_yakuman');
  if (isOn(rules, 'stacked_yakuman')) return isDoubled ? 6 : 4;
  return isDoubled ? 2 : 1;
}

/** The values that a hand of riichi can have, by rising han and fu; none in other games. */
export function hanValues(
  rules: Pick<Ruleset, 'options' | 'value_table' | 'seats'>,
  isEast: boolean,
  isDrawn: boolean,
): readonly HanValue[] {
  const { value_table = [] } = rules;
  if (value_table.length === 0) return [];
  const below = value_table.filter(({ limit }) => limit !== 'yakuman');
  const values = below.map((row) => ({ row, times: 1, points: pointsOf(row, rules, isEast, isDrawn) }));
  // Where han alone make no yakuman, the table has no row for it.
  const yakuman = Array.from({ length: maxYakuman(rules) }, (_, at) => ({
    row: { han: 13, limit: 'yakuman' as const },
    times: at + 1,
    points: (at + 1) * yakumanOf(rules, isEast, isDrawn),
  }));
  return [...values, ...yakuman].filter(({ points }) => points > 0 && points <= MAX_HAND_POINTS);
}

/**
 * Returns the points of an entry that is corrected, for its winner and discarder as they are now; `null` in
 * riichi where a hand has other points: East gets more, and a self-draw is paid by all.
 */
export function keptPoints(
  { value_table = [] }: Pick<Ruleset, 'value_table'>,
  { seats: [east] }: Deal,
  before: HandPoints,
  now: Pick<HandPoints, 'winner' | 'discarder'>,
): number | null {
  const isDrawn = ({ discarder }: typeof now): boolean => typeof discarder !== 'number';
  const isSame = (before.winner === east) === (now.winner === east) && isDrawn(before) === isDrawn(now);
  return isSame || value_table.length === 0 ? before.points : null;
}

/** Options by which a player is liable for a yakuman of riichi. */
const LIABILITIES = ['liability_daisangen', 'liability_daisuushii', 'liability_suukantsu'];

/** Tells whether a player can be liable for a hand of which only the points are known. */
export function mayBeLiable(
  rules: Pick<Ruleset, 'options' | 'value_table' | 'seats'>,
  points: number | null,
  isEast: boolean,
  isDrawn: boolean,
): boolean {
  if (points === null) return false;
  if (rules.value_table) {
    const isYakuman = points > 0 && points % yakumanOf(rules, isEast, isDrawn) === 0;
    return isYakuman && LIABILITIES.some((name) => isOn(rules, name));
  }
  const liability = optionOf(rules, 'liability');
  return liability === 'always' || (liability === 'self_draw' && isDrawn);
}

/** Names the han of a value, or the limit that it reaches: one name for all of its fu. */
export const hanOf = ({ row, times }: HanValue): string =>
  row.limit ? `${row.limit} ${times}` : String(row.han);

/** The most values that are shown as a list; more of them are typed. */
const MAX_LISTED = 20;

/** The totals of a rule set that makes points of faan or tai, from its minimum on; none where there are too many to choose from. */
export function faanValues({ values, minimum }: Pick<Ruleset, 'values' | 'minimum'>): readonly number[] {
  const all = values?.map((_, faan) => faan).slice(minimum) ?? [];
  return all.length <= MAX_LISTED ? all : [];
}

/** Returns the minimum that points of a hand do not reach; `null` where they do. The game itself decides. */
export function missedMinimum(
  { minimum, minimum_unit: unit }: Pick<Ruleset, 'minimum' | 'minimum_unit'>,
  points: number,
): number | null {
  // A number of points does not show whether a minimum of doubles or of yaku is reached.
  const isCounted = unit === 'points' || unit === 'faan' || unit === 'tai';
  return isCounted && points < minimum ? minimum : null;
}
