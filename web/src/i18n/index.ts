/**
 * The words of the page in the language that it speaks, and the names of tiles.
 *
 * `t` is a signal, so that whatever shows words changes with the language at once. A catalogue is
 * loaded when it is first needed; all of them are kept for offline use by the service worker.
 */
import { batch, computed, signal } from '@preact/signals';
import { isLang, type Lang, lang, preferred } from '../browser/lang';
import { read, write } from '../browser/storage';
import { type Face, suited, UNNAMED } from '../model/tiles';
import type { Messages } from './en';

/** Name of each language in that language. */
export const LANG_NAMES: Readonly<Record<Lang, string>> = {
  en: 'English',
  de: 'Deutsch',
  da: 'Dansk',
  sv: 'Svenska',
  zh: '简体中文',
  'zh-Hant': '繁體中文',
  ja: '日本語',
};

const CATALOGUES: Readonly<Record<Lang, () => Promise<Messages>>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
  da: async () => (await import('./da')).da,
  sv: async () => (await import('./sv')).sv,
  zh: async () => (await import('./zh')).zh,
  'zh-Hant': async () => (await import('./zh-Hant')).zhHant,
  ja: async () => (await import('./ja')).ja,
};

const messages = signal<Messages | null>(null);

/** The words. `load` has run before anything is shown. */
export const t = computed((): Messages => {
  if (!messages.value) throw new Error('no language is loaded');
  return messages.value;
});

let last: Lang | null = null;

/** Loads a language and shows it, unless another one was wanted in the meantime. */
export async function load(wanted: Lang): Promise<void> {
  last = wanted;
  const loaded = await CATALOGUES[wanted]();
  if (last !== wanted) return;
  batch(() => {
    messages.value = loaded;
    lang.value = wanted;
  });
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
