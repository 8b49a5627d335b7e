/** The language of the page: which there are, which one it speaks, and which a browser wants. */
import { signal } from '@preact/signals';

export const LANGS = ['en', 'de', 'da', 'sv', 'zh', 'zh-Hant', 'ja'] as const;
export type Lang = (typeof LANGS)[number];

/** The language that is shown; `load` of the words sets it. */
export const lang = signal<Lang>('en');

/** Languages whose punctuation is as wide as a character. */
const FULL_WIDTH: ReadonlySet<Lang> = new Set(['zh', 'zh-Hant', 'ja']);

const isFullWidth = (): boolean => FULL_WIDTH.has(lang.value);

/** Returns the stop at the end of a sentence. */
export const fullStop = (): string => (isFullWidth() ? '。' : '.');

/** Joins the things of a list: "Anna, Bo". */
export const listed = (things: readonly string[]): string => things.join(isFullWidth() ? '、' : ', ');

/** Joins the parts of a sentence, for which Chinese has another comma than for a list. */
export const clauses = (parts: readonly string[]): string =>
  lang.value === 'ja' ? listed(parts) : parts.join(isFullWidth() ? '，' : ', ');

/** Says something about what is named: "East: 2000". */
export const withColon = (name: string, text: string): string =>
  isFullWidth() ? `${name}：${text}` : `${name}: ${text}`;

/** Writes a number in groups of three digits, with the sign for minus that the page uses elsewhere. */
export const grouped = (value: number): string => value.toLocaleString(lang.value).replace('-', '−');

export const isLang = (text: unknown): text is Lang => (LANGS as readonly unknown[]).includes(text);

/** The script or region of Chinese decides its characters; the script comes first in a tag. */
const TRADITIONAL: Readonly<Record<string, boolean>> = {
  hant: true,
  tw: true,
  hk: true,
  mo: true,
  hans: false,
  cn: false,
  sg: false,
  my: false,
};

/** Returns the language of a tag, such as `zh-Hant` of `zh-TW`; undefined if the page has none. */
function languageOf(tag: string): Lang | undefined {
  const [language, ...subtags] = tag.toLowerCase().split('-');
  if (language !== 'zh') return LANGS.find((lang) => lang === language);
  return subtags.map((subtag) => TRADITIONAL[subtag]).find((is) => is !== undefined) ? 'zh-Hant' : 'zh';
}

/** The first of the browser's languages that the page speaks. */
export function preferred(wanted: readonly string[]): Lang {
  return wanted.map(languageOf).find(isLang) ?? 'en';
}
