/**
 * Answers of the engine about an open hand: its scores, and what is still in doubt.
 *
 * Invariant: `doubts`, `possible` and `repairs` are about the hand `about`, which may be the one
 * before the last change.
 */
import { type Signal, signal } from '@preact/signals';
import type { Failure } from '../../api/failure';
import type { Doubt, Repair, Scored, TotalRange } from '../../api/types';
import type { Hand } from '../../model/hand';

export type Scoring =
  | { readonly kind: 'none' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** `fresh` until something changes; then the score is out of date. */
  | { readonly kind: 'done'; readonly scores: readonly Scored[]; readonly fresh: boolean };

export interface Verdict {
  readonly scoring: Signal<Scoring>;
  /** The doubts of the reading. */
  readonly doubts: Signal<readonly Doubt[]>;
  /** The totals that the doubts and the context leave; `null` where there is one or none. */
  readonly possible: Signal<TotalRange | null>;
  /** Repairs of a hand that does not win. */
  readonly repairs: Signal<readonly Repair[]>;
  /** The hand that doubts, totals and repairs are about. */
  readonly about: Signal<Hand | null>;
}

export const newVerdict = (): Verdict => ({
  scoring: signal<Scoring>({ kind: 'none' }),
  doubts: signal([]),
  possible: signal(null),
  repairs: signal([]),
  about: signal(null),
});

interface Answered {
  readonly doubts: readonly Doubt[];
  readonly possible?: TotalRange | null;
  readonly repairs?: readonly Repair[] | null;
}

/** Shows what an answer of the engine says about the doubts of a hand. */
export function setDoubts(verdict: Verdict, { doubts, possible, repairs }: Answered, about: Hand): void {
  verdict.doubts.value = doubts;
  verdict.possible.value = possible ?? null;
  verdict.repairs.value = repairs ?? [];
  verdict.about.value = about;
}
