/** Who pays whom, from what every seat gains or loses: the winner is the one seat that gains. */
import type { Wind } from '../api/types';

export const WINDS: readonly Wind[] = ['E', 'S', 'W', 'N'];

export interface Settlement {
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
