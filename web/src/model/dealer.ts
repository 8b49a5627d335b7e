/**
 * The dealer of the game of sixteen tiles, who owes and gets more for each deal that he has stayed on: what
 * a win needs to know of him.
 */
import type { Context, ContextField, Score } from '../api/types';
import { WINDS } from './payments';
import { isSelfDrawn } from './win';

/** Steps from the winner to the player who discarded, in the order of play. */
const STEPS = { right: 1, across: 2, left: 3 } as const;

/** Tells whether the dealer won or pays, as far as that is known; where it is not, he may. */
export function concernsDealer({ seat, dealer = 'E', win, from }: Context): boolean {
  if (seat === undefined || win === undefined || isSelfDrawn(win) || seat === dealer) return true;
  if (from === undefined) return true;
  return WINDS[(WINDS.indexOf(seat) + STEPS[from]) % WINDS.length] === dealer;
}

/**
 * Tells whether the payments hang on the dealer: nobody said who deals, or how often a dealer who won or pays has
 * stayed on. `fields` are those that the rules have; rules that count no streak don't have it.
 */
export function lacksDealer(
  { legal, dealer_tai: tai }: Score,
  context: Context,
  fields: ReadonlySet<ContextField>,
): boolean {
  if (!legal || typeof tai !== 'number') return false;
  const countsStreak = fields.has('dealer_streak');
  const isUnknown = fields.has('dealer') && context.dealer === undefined && (countsStreak || tai > 0);
  return isUnknown || (countsStreak && context.dealer_streak === undefined && concernsDealer(context));
}
