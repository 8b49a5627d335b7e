/**
 * Payments between the players, from the points that every seat gains or loses: the winner is the
 * one seat that gains.
 */
import type { Relation, Ruleset, Wind } from '../api/types';

export const WINDS: readonly Wind[] = ['E', 'S', 'W', 'N'];

/** Places beside a seat, in the order of play. */
const PLACES: readonly Relation[] = ['right', 'across', 'left'];

/** Returns where another seat is from a seat. */
export function placeBeside(seat: Wind, other: Wind): Relation {
  const steps = (WINDS.indexOf(other) - WINDS.indexOf(seat) + WINDS.length) % WINDS.length;
  return PLACES[steps - 1] ?? 'left';
}

interface Settlement {
  readonly winner: Wind | null;
  readonly gains: number;
  readonly payers: readonly { readonly seat: Wind; readonly pays: number }[];
}

export function settlement(payments: Readonly<Record<Wind, number>>): Settlement {
  const winner = WINDS.find((seat) => payments[seat] > 0) ?? null;
  const payers = WINDS.filter((seat) => payments[seat] < 0);
  return {
    winner,
    gains: winner ? payments[winner] : 0,
    payers: payers.map((seat) => ({ seat, pays: -payments[seat] })).sort((a, b) => b.pays - a.pays),
  };
}

/** Payments for a number of faan. */
export interface FaanRow {
  readonly faan: number;
  readonly discarder: number;
  /** Payment of each of the others for a discard. */
  readonly others: number;
  /** Payment of each on a self-draw. */
  readonly each: number;
}

/**
 * The table of a rule set that counts faan, from its minimum on; empty for others. There East pays and
 * gets no more than anyone.
 */
export function faanRows({ values, minimum, minimum_unit, payments }: Ruleset): FaanRow[] {
  if (minimum_unit !== 'faan' || !values) return [];
  const of = (discarder: Wind | null, seat: Wind, value: number): number => {
    const rule = payments.find((one) => one.winner === 'E' && (one.discarder ?? null) === discarder);
    const share = rule?.shares.find((one) => one.seat === seat);
    return share ? share.basic + Math.floor((value * share.times) / share.per) : 0;
  };
  return values
    .map((value, faan) => ({
      faan,
      discarder: of('S', 'S', value),
      others: of('S', 'W', value),
      each: of(null, 'S', value),
    }))
    .slice(minimum);
}
