/**
 * The table around an open hand: who won it from whom in the evening's game, and the hands of the
 * other players, for rules that score every player.
 *
 * Invariant: a photo in `snaps` is released when another one takes its seat, and when the hand is left.
 */
import { type Signal, signal } from '@preact/signals';
import type { Failure } from '../../api/failure';
import type { Other, Wind } from '../../api/types';
import type { Won } from '../../model/evening';
import { type Others, tooManyWith, toSend } from '../../model/others';
import type { Photo } from '../../photo/prepare';
import { chosenRulesets } from '../prefs';
import type { Edit } from './edit';

/** The state of the photo of another player's hand. */
export type Snap =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'read'; readonly photo: Photo };

/** Winner and discarder in the evening's game. */
export interface WonBy extends Won {
  /** The entry of the score sheet that is corrected; `null` for the next deal. */
  readonly entry: number | null;
}

export interface Table {
  readonly won: Signal<WonBy>;
  readonly others: Signal<Others>;
  /** The photos of the other players' hands, by seat. */
  readonly snaps: Signal<Readonly<Partial<Record<Wind, Snap>>>>;
}

const NO_PLAYER: WonBy = { winner: null, discarder: null, entry: null };

export const newTable = (won: WonBy = NO_PLAYER, others: Others = {}): Table => ({
  won: signal(won),
  others: signal(others),
  snaps: signal({}),
});

/** Shows the state of a seat's photo, in place of the one before. */
export function setSnap(table: Table, seat: Wind, snap: Snap): void {
  releaseSnap(table.snaps.peek()[seat]);
  table.snaps.value = { ...table.snaps.peek(), [seat]: snap };
}

/** Frees the memory of all photos. */
export function releaseSnaps(table: Table): void {
  Object.values(table.snaps.peek()).forEach(releaseSnap);
}

function releaseSnap(snap: Snap | undefined): void {
  if (snap?.kind === 'read') URL.revokeObjectURL(snap.photo.url);
}

/**
 * Returns the seats whose hands can't lie on one table, as one of them was misread. A photo is scored all the same;
 * nothing is entered until it is corrected.
 */
export function crowdedSeats({
  edit,
  table,
}: {
  readonly edit: Edit;
  readonly table: Table;
}): readonly Wind[] {
  const scoresOthers = chosenRulesets.value.some((one) => one.scores_everybody);
  const winner = edit.context.value.seat ?? 'E';
  return scoresOthers ? tooManyWith(edit.hand.value, table.others.value, winner) : [];
}

/** Returns the hands of the other players to send; none unless a chosen rule set scores them. */
export function othersOf({ edit, table }: { readonly edit: Edit; readonly table: Table }): Other[] {
  const scoresOthers = chosenRulesets.value.some((one) => one.scores_everybody);
  return scoresOthers ? toSend(table.others.value, edit.context.value.seat ?? 'E') : [];
}
