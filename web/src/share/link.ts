/**
 * A hand as a link: everything is in the fragment, which browsers never send to a server.
 *
 * `#hand=NOTATION` or `#rules=mcr-wmo,mcr-mil&hand=NOTATION`; the notation includes the context as
 * far as it was given, so that the page that opens it assumes the same and says so. `supposed=1`: the
 * winning tile is only supposed. What the notation has no place for is beside it: `declared`, and of
 * riichi its fields, such as `riichi=double` and `dora_indicators=4m,E`; of the game of sixteen tiles `dealer` and
 * `dealer_streak`. House rules among the rules are there as
 * `house`: the rule set that they change, their options, and their name.
 *
 * Phones and messengers find links in text by patterns of their own. Invariants of links that are
 * shared: they have only characters that those patterns keep, and end with a letter or a digit; `n`,
 * the number of characters after it, tells one that was cut on its way.
 */
import type { Context } from '../api/types';
import type { Hand } from '../model/hand';
import { fromText, type House, textOf } from '../model/house';
import { NotationError, parse, print, type Written } from '../model/notation';
import { WINDS } from '../model/payments';
import { MAX_COUNT, MAX_INDICATORS } from '../model/riichi';
import { faceOf, isTile } from '../model/tiles';

export function linkTo(
  hand: Hand,
  context: Context,
  rulesets: readonly string[],
  page: string,
  houses: readonly House[] = [],
): string {
  const fragment = new URLSearchParams({ rules: rulesets.join() });
  for (const house of houses) fragment.append('house', textOf(house));
  if (hand.supposed) fragment.set('supposed', '1');
  for (const field of BESIDE) {
    const value = context[field];
    if (value !== undefined && String(value) !== '') fragment.set(field, String(value));
  }
  fragment.set('hand', print(hand, context) ?? '');
  // Every pattern keeps commas.
  const fields = fragment.toString().replaceAll('%2C', ',');
  return `${new URL('./', page).href}#n=${lengthOf(fields)}&${fields}`;
}

/** Returns the number of characters of a fragment, however they are escaped; `null` within an escape. */
function lengthOf(fields: string): number | null {
  try {
    return decodeURIComponent(fields).length;
  } catch {
    return null;
  }
}

/** The fields of the context that the notation has no place for. */
const BESIDE = [
  'declared',
  'riichi',
  'ippatsu',
  'dora_indicators',
  'ura_indicators',
  'honba',
  'riichi_sticks',
  'norths',
  'dealer',
  'dealer_streak',
] as const;

/** Returns the value of such a field; nothing where a hand can't have it. */
const READ: Readonly<Record<(typeof BESIDE)[number], (text: string) => unknown>> = {
  declared: (text) => text.split(',').filter(Boolean),
  riichi: (text) => (['no', 'riichi', 'double'].includes(text) ? text : undefined),
  ippatsu: (text) => text === 'true',
  dora_indicators: indicators,
  ura_indicators: indicators,
  honba: (text) => number(text),
  riichi_sticks: (text) => number(text),
  norths: (text) => (/^[0-4]$/.test(text) ? Number(text) : undefined),
  dealer: (text) => WINDS.find((seat) => seat === text),
  dealer_streak: (text) => number(text),
};

function indicators(text: string): string[] | undefined {
  const tiles = text.split(',').flatMap((code) => faceOf(code) ?? []);
  return tiles.length > 0 && tiles.length <= MAX_INDICATORS && tiles.every(isTile) ? tiles : undefined;
}

const number = (text: string): number | undefined =>
  /^\d{1,2}$/.test(text) ? Math.min(Number(text), MAX_COUNT) : undefined;

/** The fields of the context in a link beside the notation. */
function besideOf(params: URLSearchParams): Context {
  const given = BESIDE.flatMap((field) => {
    const text = params.get(field);
    const value = text === null ? undefined : READ[field](text);
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(given);
}

interface Linked extends Written {
  readonly rulesets: readonly string[];
  /** House rules among them. */
  readonly houses: readonly House[];
}

/** Returns the fields of a link; `null` if it was cut. A link that a person wrote has no length. */
function fieldsOf(fragment: string): URLSearchParams | null {
  const [, length, fields = ''] = /^n=(\d*)&?(.*)$/.exec(fragment) ?? [];
  if (length === undefined) return new URLSearchParams(fragment);
  // Punctuation of the text around a link may have been taken for a part of it.
  const whole = [fields, fields.replace(/(%22|[\W_])+$/, '')].find((one) => `${lengthOf(one)}` === length);
  return whole === undefined ? null : new URLSearchParams(whole);
}

/** Tells whether a fragment is that of a link to a hand, be it whole or not. */
export const isOfHand = (fragment: string): boolean => /[#&](hand|n)=/.test(fragment);

/** The hand in a link; `null` if it was cut, or can't be parsed. */
export function fromFragment(fragment: string): Linked | null {
  const params = fieldsOf(fragment.replace(/^#/, ''));
  const text = params?.get('hand');
  if (!params || !text) return null;
  try {
    const written = parse(text);
    const supposed = params.get('supposed') === '1' && written.hand.winning !== null;
    const rulesets = params.get('rules')?.split(',').filter(Boolean) ?? [];
    const context = { ...written.context, ...besideOf(params) };
    const houses = params.getAll('house').flatMap((one) => fromText(one) ?? []);
    return { hand: { ...written.hand, supposed }, context, rulesets, houses };
  } catch (error) {
    if (error instanceof NotationError) return null;
    throw error;
  }
}
