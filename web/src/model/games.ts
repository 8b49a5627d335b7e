/** The games that can be played, in the order in which a region plays them. */
import type { Ruleset } from '../api/types';

/** A game, with the rule set that a choice of it takes. */
export interface GameChoice {
  readonly game: string;
  readonly ruleset: string;
}

/** Games by regions, the one that is played most there first; the first region that fits counts. */
const BY_REGION: readonly (readonly [region: RegExp, games: readonly string[]])[] = [
  [/^ja\b|-JP$/i, ['riichi']],
  [/^yue\b|-(HK|MO)$/i, ['hongkong']],
  [/^zh.*-(TW|Hant)\b/i, ['taiwan', 'hongkong']],
  [/^zh\b|-(CN|SG)$/i, ['mcr', 'hongkong']],
];

/** The order where no region says otherwise. */
const USUAL: readonly string[] = ['mcr', 'riichi', 'hongkong', 'classical', 'mmm'];

/** Returns the games of the rule sets, each once, in the order of the first language that says something. */
export function gamesFor(languages: readonly string[], rulesets: readonly Ruleset[]): GameChoice[] {
  const games = [...new Set(rulesets.map(({ game }) => game))];
  const first = languages.flatMap((tag) =>
    BY_REGION.flatMap(([region, named]) => (region.test(tag) ? [named] : [])).slice(0, 1),
  );
  const [named = []] = first;
  return [...new Set([...named, ...USUAL, ...games])].flatMap((game) => {
    const ruleset = rulesets.find((one) => one.game === game);
    return ruleset ? [{ game, ruleset: ruleset.id }] : [];
  });
}
