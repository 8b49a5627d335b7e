/**
 * House rules: a rule set that ships with some of its options changed, under a name of its own.
 *
 * Output: a value that is kept, the profile that the engine takes, and a text for links. Invariant: the id
 * follows from the content, so that rules that are changed have another id, and nothing that was scored by
 * them is scored by others.
 */
import type { Ruleset } from '../api/types';

/** Value of an option that can be set on the page. */
export type Setting = number | boolean | string;

/** The words that an option may have, by what is asked. */
const WORDS = {
  ruling: ['included', 'added'],
  pair: ['any', 'suited'],
  nineGates: ['any', 'nine_sided'],
  faan: ['half_spicy', 'spicy', 'tiers'],
  payer: ['full', 'half'],
  liability: ['none', 'self_draw', 'always'],
  halfSteps: ['column', 'down', 'up'],
  missingShare: ['loss', 'split'],
  kazoe: ['yakuman', 'sanbaiman'],
  winners: ['nearest', 'all', 'three_abort'],
  abort: ['no', 'stay', 'pass'],
  bankruptcy: ['below_zero', 'at_zero', 'no'],
  leftSticks: ['first', 'lost'],
  ties: ['share', 'seats'],
  singleWait: ['waits', 'shape'],
  chowsWait: ['any', 'not_single', 'two_sided', 'only_two_sided'],
  eightInWin: ['sets', 'added'],
  eightExtra: ['none', 'self_draw'],
  extra: ['none', 'self_draw', 'all'],
} as const;

type Kind = keyof typeof WORDS;

/** The names that people have for those words. */
export type ChoiceNames = { readonly [K in Kind]: Readonly<Record<(typeof WORDS)[K][number], string>> };

/** The words of each option that has no number. */
const KINDS: Readonly<Record<string, Kind>> = {
  small_dragons_pungs: 'ruling',
  small_winds_pungs: 'ruling',
  honors_pungs: 'ruling',
  terminals_pungs: 'ruling',
  seven_pairs_concealed: 'ruling',
  melded_wait: 'ruling',
  dragon_pungs: 'ruling',
  big_winds_pungs: 'ruling',
  flower_set_own: 'ruling',
  all_chows_pair: 'pair',
  nine_gates_wait: 'nineGates',
  table: 'faan',
  responsibility: 'payer',
  liability: 'liability',
  half_steps: 'halfSteps',
  missing_share: 'missingShare',
  kazoe: 'kazoe',
  several_winners: 'winners',
  abort_nine_terminals: 'abort',
  abort_four_winds: 'abort',
  abort_four_riichi: 'abort',
  abort_four_kongs: 'abort',
  bankruptcy: 'bankruptcy',
  left_sticks: 'leftSticks',
  ties: 'ties',
  single_wait_by: 'singleWait',
  all_chows_wait: 'chowsWait',
  eight_flowers_in_win: 'eightInWin',
  eight_flowers_extra: 'eightExtra',
  heaven_extra: 'extra',
  ready_extra: 'extra',
  special_extra: 'extra',
};

/** Returns the words that an option may have; none where its value is no word. */
export const wordsOf = (option: string): readonly string[] => {
  const kind = KINDS[option];
  return kind ? WORDS[kind] : [];
};

/** Returns what people say for a word of an option. */
export function choiceName(names: ChoiceNames, option: string, word: string): string {
  const kind = KINDS[option];
  const known: Readonly<Record<string, string>> = kind ? names[kind] : {};
  return known[word] ?? word;
}

/**
 * Returns the explanation of an option without the words of files, which stand in brackets or in
 * backticks; `spoken` says what stands there for one that is part of the sentence.
 */
export function spokenExplanation(
  { name, explanation }: Pick<SettingOf, 'name' | 'explanation'>,
  spoken: (word: string) => string,
): string {
  const words = wordsOf(name).join('|');
  if (words === '') return explanation;
  return explanation
    .replace(new RegExp(` ?([(（])\`?(?:${words})\`?[)）]`, 'g'), '')
    .replace(new RegExp(`([(（])\`?(?:${words})\`?[,，、] ?`, 'g'), '$1')
    .replace(new RegExp(`\`(${words})\``, 'g'), (_, word: string) => spoken(word));
}

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
  const lines = Object.entries(options).map(([option, value]) => `${option} = ${JSON.stringify(value)}`);
  const title = JSON.stringify(name);
  const head = [`id = "${id}"`, `extends = "${base}"`, `title = ${title}`, `short_title = ${title}`];
  return [...head, '[options]', ...lines, ''].join('\n');
}

/** Returns house rules as a text of a link: the base, the options, and the name at the end. */
export const textOf = ({ name, base, options }: House): string =>
  [base, ...Object.entries(options).flatMap(([option, value]) => [option, String(value)]), name].join(',');

const ID = /^[a-z0-9-]{1,40}$/;
const OPTION = /^[a-z0-9_]{1,60}$/;

function settingOf(option: string, text: string): Setting | null {
  if (text === 'true' || text === 'false') return text === 'true';
  if (wordsOf(option).includes(text)) return text;
  return /^\d{1,6}(\.\d)?$/.test(text) ? Number(text) : null;
}

/** Returns the house rules of a link; `null` where it has none, or others than a person can set. */
export function fromText(text: string): House | null {
  const [base = '', ...rest] = text.split(',');
  const options: Record<string, Setting> = {};
  let left = rest;
  while (left.length > 2) {
    const [option = '', value = ''] = left;
    const setting = OPTION.test(option) ? settingOf(option, value) : null;
    if (setting === null) break;
    options[option] = setting;
    left = left.slice(2);
  }
  const name = left.join(',').trim();
  if (!ID.test(base) || !isHouseName(name) || left.length === rest.length) return null;
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
  'several_winners',
  'responsibility',
  'table',
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

/** Tells whether a value is one that the page can set; a later service may have other words. */
const isSetting = (name: string, value: unknown): value is Setting =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && wordsOf(name).includes(value));

/** Returns the options of a rule set that can be set on the page, those of most tables first. */
export function settingsOf({ options }: Pick<Ruleset, 'options'>): {
  readonly first: readonly SettingOf[];
  readonly more: readonly SettingOf[];
} {
  const known = options.flatMap(({ name, value, explanation }) =>
    isSetting(name, value) ? [{ name, value, explanation }] : [],
  );
  return {
    first: FIRST.flatMap((name) => known.filter((one) => one.name === name)),
    more: known.filter(({ name }) => !FIRST.includes(name)),
  };
}
