/**
 * House rules: a rule set that ships with some of its options changed, under a name of its own.
 *
 * Output: a value that is kept, the profile that the engine takes, and a text for links. Invariant: the id
 * follows from the content, so that rules that are changed have another id, and nothing that was scored by
 * them is scored by others.
 */
import type { Ruleset } from '../api/types';

/** An option that can be set on the page. */
export type Setting = number | boolean;

export interface House {
  readonly id: string;
  readonly name: string;
  /** Id of the rule set that is changed. */
  readonly base: string;
  /** The options that differ from it. */
  readonly options: Readonly<Record<string, Setting>>;
}

const PREFIX = 'house-';

/** Maximum number of characters of a name. */
export const MAX_HOUSE_NAME = 40;

/** Tells whether an id is that of house rules. */
export const isHouse = (id: string): boolean => id.startsWith(PREFIX);

/** A hash of a text of 53 bits (cyrb53), which tells rules apart and keeps nothing secret. */
function hashOf(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}

/** Returns house rules with these changes. */
export function houseOf(name: string, base: string, options: House['options']): House {
  const sorted = Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1));
  const content = JSON.stringify([name, base, sorted]);
  return { id: `${PREFIX}${hashOf(content)}`, name, base, options: Object.fromEntries(sorted) };
}

/** Returns the text of the profile file. Texts of TOML are written as in JSON. */
export function profileOf({ id, name, base, options }: House): string {
  const lines = Object.entries(options).map(([option, value]) => `${option} = ${value}`);
  const title = JSON.stringify(name);
  const head = [`id = "${id}"`, `extends = "${base}"`, `title = ${title}`, `short_title = ${title}`];
  return [...head, '[options]', ...lines, ''].join('\n');
}

/** Returns house rules as a text of a link: the base, the options, and the name at the end. */
export const textOf = ({ name, base, options }: House): string =>
  [base, ...Object.entries(options).flatMap(([option, value]) => [option, String(value)]), name].join(',');

const ID = /^[a-z0-9-]{1,40}$/;
const OPTION = /^[a-z0-9_]{1,60}$/;

function settingOf(text: string): Setting | null {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** Returns the house rules of a link; `null` where it has none, or others than a person can set. */
export function fromText(text: string): House | null {
  const [base = '', ...rest] = text.split(',');
  const options: Record<string, Setting> = {};
  let at = 0;
  while (at + 1 < rest.length && OPTION.test(rest[at] ?? '') && settingOf(rest[at + 1] ?? '') !== null) {
    options[rest[at] ?? ''] = settingOf(rest[at + 1] ?? '') ?? 0;
    at += 2;
  }
  const name = rest.slice(at).join(',').trim();
  if (!ID.test(base) || !isHouseName(name)) return null;
  return houseOf(name, base, options);
}

/** Tells whether a text can be the name of house rules. */
export const isHouseName = (text: string): boolean =>
  text.trim() === text && text !== '' && [...text].length <= MAX_HOUSE_NAME && !/\p{C}/u.test(text);

/** Options that tables agree on most, which are shown first. */
const FIRST: readonly string[] = [
  'minimum',
  'limit',
  'cap',
  'base',
  'unit',
  'start_points',
  'target_points',
  'uma_first',
  'uma_second',
  'rounds',
  'open_tanyao',
  'red_fives',
  'flowers',
  'seven_pairs',
];

/** An option that can be set, with its explanation. */
export interface SettingOf {
  readonly name: string;
  readonly value: Setting;
  readonly explanation: string;
}

/** Returns the options of a rule set that can be set on the page, those of most tables first. */
export function settingsOf({ options }: Pick<Ruleset, 'options'>): {
  readonly first: readonly SettingOf[];
  readonly more: readonly SettingOf[];
} {
  const known = options.flatMap(({ name, value, explanation }) =>
    typeof value === 'number' || typeof value === 'boolean' ? [{ name, value, explanation }] : [],
  );
  return {
    first: FIRST.flatMap((name) => known.filter((one) => one.name === name)),
    more: known.filter(({ name }) => !FIRST.includes(name)),
  };
}
