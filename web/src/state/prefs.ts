/** Settings that are remembered between hands: the rule sets, and the usual win context. */
import { computed, signal } from '@preact/signals';
import type { Context, Ruleset } from '../api/types';
import { read, write } from '../browser/storage';
import { engine } from '../engine';
import { isOffered } from '../engine/house';
import { shipped } from '../engine/module';
import { remembered } from '../model/context';
import { USUAL } from '../model/count';
import { hasFlowers, isOn } from '../model/options';
import { WINDS } from '../model/payments';

/** The rules that a hand is scored by where none are given. */
export const FIRST = 'mcr-wmo';

/** The server's rule sets; empty until they are loaded. */
export const allRulesets = signal<readonly Ruleset[]>([]);

const wanted = signal<readonly string[]>(strings(read('rulesets')) ?? [FIRST]);

/** Whether nobody has said on this device what is played. */
export const isGameOpen = signal(strings(read('rulesets')) === null);

/** The chosen rule set, and after it those that it is compared with; at least one. */
export const rulesets = computed((): readonly string[] => {
  if (allRulesets.value.length === 0) return wanted.value;
  const ids = wanted.value.filter((id) => allRulesets.value.some((one) => one.id === id));
  const [first] = allRulesets.value;
  return ids.length > 0 || !first ? ids : [first.id];
});

/** Chosen rule sets, with their descriptions from the server. */
export const chosenRulesets = computed((): readonly Ruleset[] =>
  rulesets.value.flatMap((id) => allRulesets.value.find((one) => one.id === id) ?? []),
);

/** The rule sets that are offered for an evening. */
export const forEvenings = computed((): readonly Ruleset[] =>
  allRulesets.value.filter(({ id }) => isOffered(id)),
);

/** Returns the number of players by a rule set. An earlier service tells no seats. */
export const playersBy = (id: string): number =>
  (allRulesets.value.find((one) => one.id === id)?.seats ?? WINDS).length;

/** The number of players by the rule set that was chosen first. */
export const players = computed(() => playersBy(rulesets.value[0] ?? FIRST));

/** The size of hand by the rule set that was chosen first. */
export const handSize = computed(() => chosenRulesets.value[0]?.hand ?? USUAL);

/** Whether only the server has the rule set that was chosen first. */
export const needsServer = computed(() => shipped.value?.has(rulesets.value[0] ?? FIRST) === false);

/** Whether any of the chosen rule sets counts red fives. */
export const playsRedFives = computed(() => chosenRulesets.value.some((one) => isOn(one, 'red_fives')));

/** The unit of totals; `fan` is a point of the competition rules, for which some languages have an own word. */
export type TotalUnit = 'points' | 'fan' | 'faan' | 'tai';

/** Returns what totals count by a rule set. */
export function totalUnitBy(rules: Ruleset | undefined): TotalUnit {
  const unit = rules?.minimum_unit;
  if (unit === 'faan' || unit === 'tai') return unit;
  return rules?.game === 'mcr' ? 'fan' : 'points';
}

/** The unit of totals by the rule set that was chosen first. */
export const totalUnit = computed(() => totalUnitBy(chosenRulesets.value[0]));

/** Whether any of the chosen rule sets has flowers, as far as they are known. */
export const playsFlowers = computed(
  () => chosenRulesets.value.length === 0 || chosenRulesets.value.some(hasFlowers),
);

/** Returns the name of a rule set where room is small; its id where it is not known. */
export function shortNameOf(id: string): string {
  const ruleset = allRulesets.value.find((one) => one.id === id);
  // A page that was kept for offline use may meet an earlier service, which has no short names.
  return ruleset?.short_name ?? ruleset?.name ?? id;
}

/** A wanted rule set that is not known here, so that another one counts; `null` for none. */
export const unknownRules = computed((): string | null => {
  const [first] = wanted.value;
  const isKnown = allRulesets.value.length === 0 || allRulesets.value.some(({ id }) => id === first);
  return first === undefined || isKnown ? null : first;
});

/** Scores by the rule sets of a link, without keeping them for the next hand. */
export function takeRulesets(ids: readonly string[]): void {
  if (ids.length > 0) wanted.value = ids;
}

/** Scores by one rule set, from now on. */
export const chooseRuleset = (id: string): void => keep([id]);

/** Compares with another rule set, or no longer; the chosen one stays. */
export function toggleRuleset(id: string): void {
  const on = rulesets.value.includes(id);
  const next = on ? rulesets.value.filter((one) => one !== id) : [...rulesets.value, id];
  if (next.length > 0) keep(next);
}

function keep(ids: readonly string[]): void {
  wanted.value = ids;
  isGameOpen.value = false;
  write('rulesets', ids);
}

export const usualContext = (): Context => {
  const kept = read('context');
  return typeof kept === 'object' && kept !== null ? remembered(kept as Context) : {};
};

export const rememberContext = (context: Context): void => {
  write('context', remembered(context));
};

/** Whether payers are named by their places beside the winner, and not by their winds. */
export const paysByPlace = signal(read('places') === true);

/** Names payers by their places from now on, or by their winds. */
export function tellPayersByPlace(isWished: boolean): void {
  paysByPlace.value = isWished;
  write('places', isWished);
}

let requests = 0;

/**
 * Loads the rule sets; offline the service worker answers from its cache. The latest call counts,
 * since an earlier one may be answered later, in the former language.
 */
export async function learnRulesets(): Promise<void> {
  requests += 1;
  const number = requests;
  try {
    const { rulesets } = await engine.rulesets();
    if (number === requests) allRulesets.value = rulesets;
  } catch {
    // The page continues with what it has, and loads them again when it is online.
  }
}

function strings(value: unknown): readonly string[] | null {
  const fine = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
  return fine ? (value as string[]) : null;
}
