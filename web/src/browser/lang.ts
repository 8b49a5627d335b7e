/** The language of the page: which there are, which one it speaks, and which a browser wants. */
import { signal } from '@preact/signals';

export const LANGS = ['en', 'de', 'da', 'sv', 'zh'] as const;
export type Lang = (typeof LANGS)[number];

/** The language that is shown; `load` of the words sets it. */
export const lang = signal<Lang>('en');

export const isLang = (text: unknown): text is Lang => (LANGS as readonly unknown[]).includes(text);

/** The first of the browser's languages that the page speaks. */
export function preferred(wanted: readonly string[]): Lang {
  return wanted.map((tag) => tag.split('-')[0]?.toLowerCase()).find(isLang) ?? 'en';
}
