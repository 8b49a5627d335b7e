/** Game that a hand shows, other than the one played: flowers and red fives are not in every game, nor seventeen tiles. */
import type { Ruleset } from '../api/types';
import { count, LARGE } from './count';
import { type GameChoice, gamesFor } from './games';
import { type Hand, pieces } from './hand';
import { hasFlowers, isOn } from './options';

/** A sign of another game in a hand. */
type Sign = 'flowers' | 'red_fives' | 'seventeen';

export interface OtherGame {
  readonly sign: Sign;
  /** The games that have it, in the order of the region. */
  readonly games: readonly GameChoice[];
}

const HAS: Readonly<Record<Sign, (rules: Ruleset) => boolean>> = {
  flowers: hasFlowers,
  red_fives: (rules) => isOn(rules, 'red_fives'),
  seventeen: ({ game }) => game === 'taiwan',
};

const SIGNS: readonly (readonly [Sign, (hand: Hand) => boolean])[] = [
  ['seventeen', (hand) => count(hand).tiles === LARGE.tiles],
  ['flowers', ({ flowers }) => flowers.length > 0],
  ['red_fives', (hand) => pieces(hand).some(({ red }) => red)],
];

/** The most games that are offered. */
const MAX_OFFERED = 3;

/**
 * Returns the games that a hand may be of, where none of the chosen rule sets has what it shows; `null` where
 * one has it, or no game has.
 */
export function otherGame(
  hand: Hand,
  chosen: readonly Ruleset[],
  all: readonly Ruleset[],
  languages: readonly string[],
): OtherGame | null {
  if (chosen.length === 0) return null;
  const shown = SIGNS.find(([sign, has]) => has(hand) && !chosen.some(HAS[sign]));
  if (!shown) return null;
  const [sign] = shown;
  const games = gamesFor(languages, all.filter(HAS[sign])).slice(0, MAX_OFFERED);
  return games.length > 0 ? { sign, games } : null;
}
