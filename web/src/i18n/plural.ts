/** Texts with a number: which form of a word goes with it, by the rules of each language. */
import type { Lang } from '../browser/lang';

/** Halves as people write them in every language: 1½. */
export const halves = (n: number): string => (n % 1 === 0 ? `${n}` : `${n < 1 ? '' : Math.floor(n)}½`);

/** Chooses between the words for one and for several. */
type Plural = (n: number, one: string, many: string) => string;

/** Returns the choice between singular and plural of a language: 1½ is one in Danish. */
export function pluralOf(lang: Lang): Plural {
  const rules = new Intl.PluralRules(lang);
  return (n, one, many) => (rules.select(n) === 'one' ? one : many);
}
