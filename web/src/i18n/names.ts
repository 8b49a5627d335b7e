/** Names of tiles inside sentences. */

/** The names that are used with an article. */
interface Nouns {
  readonly honors: Readonly<Record<string, string>>;
  readonly bonus: Readonly<Record<string, string>>;
}

/** Returns a name in brackets beside what it names, where there is one. */
export const addName = (name: string | null): string => (name ? ` (${name})` : '');

/**
 * Puts a tile into a sentence of a language whose nouns carry their article: "5 cirkler", "en rød
 * drage", "brikken sommer".
 */
export function putInSentence(tile: string, { honors, bonus }: Nouns, theTile: string): string {
  if (Object.values(honors).includes(tile)) return `en ${tile}`;
  return Object.values(bonus).includes(tile) ? `${theTile} ${tile}` : tile;
}
