/**
 * The language of the page: which one, its words, and the names of tiles.
 *
 * `t` is a signal, so that whatever shows words changes with the language at once. A catalogue is
 * loaded when it is first needed; all of them are kept for offline use by the service worker.
 */
import { computed, signal } from '@preact/signals';
import { type Face, suited, UNNAMED } from '../model/tiles';
import { read, write } from '../state/storage';
import type { Messages } from './en';

export const LANGS = ['en', 'de', 'da', 'sv', 'zh'] as const;
export type Lang = (typeof LANGS)[number];

/** Name of each language in that language. */
export const LANG_NAMES: Readonly<Record<Lang, string>> = {
  en: 'English',
  de: 'Deutsch',
  da: 'Dansk',
  sv: 'Svenska',
  zh: '中文',
};

const CATALOGUES: Readonly<Record<Lang, () => Promise<Messages>>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
  da: async () => (await import('./da')).da,
  sv: async () => (await import('./sv')).sv,
  zh: async () => (await import('./zh')).zh,
};

export const isLang = (text: unknown): text is Lang => (LANGS as readonly unknown[]).includes(text);

/** The first of the browser's languages that the page speaks. */
export function preferred(wanted: readonly string[]): Lang {
  return wanted.map((tag) => tag.split('-')[0]?.toLowerCase()).find(isLang) ?? 'en';
}

const current = signal<{ lang: Lang; messages: Messages } | null>(null);

export const lang = computed((): Lang => current.value?.lang ?? 'en');

/** The words. `load` has run before anything is shown. */
export const t = computed((): Messages => {
  if (!current.value) throw new Error('no language is loaded');
  return current.value.messages;
});

let last: Lang | null = null;

/** Loads a language and shows it, unless another one was wanted in the meantime. */
export async function load(wanted: Lang): Promise<void> {
  last = wanted;
  const messages = await CATALOGUES[wanted]();
  if (last !== wanted) return;
  current.value = { lang: wanted, messages };
  document.documentElement.lang = wanted;
}

export async function choose(wanted: Lang): Promise<void> {
  write('lang', wanted);
  await load(wanted);
}

export async function begin(): Promise<void> {
  const kept = read('lang');
  await load(isLang(kept) ? kept : preferred(navigator.languages));
}

/** Returns the name of a face in the page's language. */
export function faceName(face: Face, words: Messages = t.value): string {
  if (face === UNNAMED) return words.unnamed;
  const tile = suited(face);
  if (tile) return words.suited(tile.rank, tile.suit);
  const names: Readonly<Record<string, string>> = { ...words.honors, ...words.bonus };
  return names[face] ?? face;
}
