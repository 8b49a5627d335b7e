/** Names of tiles inside sentences. */
import type { Messages } from './en';

/** Returns a name in brackets beside what it names, where there is one. */
export const addName = (name: string | null): string => (name ? ` (${name})` : '');

/**
 * Puts a tile into a sentence of a language whose nouns carry their article: "5 cirkler", "en rød
 * drage", "brikken sommer".
 */
export function putInSentence(
  tile: string,
  words: Pick<Messages, 'honors' | 'bonus'>,
  theTile: string,
): string {
  if (Object.values<string>(words.honors).includes(tile)) return `en ${tile}`;
  return Object.values<string>(words.bonus).includes(tile) ? `${theTile} ${tile}` : tile;
}
