/**
 * The evenings that this device keeps: those that were begun here, and those that a link opened.
 *
 * Each is stored by itself, so that two windows can't overwrite each other's. Invariants: an evening
 * that was shown once stays listed, with the changes that wait for the server; only a person removes
 * one, and only a game that no longer exists.
 */
import { signal } from '@preact/signals';
import type { Failure } from '../api/failure';
import type { Address } from '../api/games';
import type { Game, GameAction } from '../api/types';
import { names, read, write } from '../browser/storage';
import { games } from '../engine';
import { isOfDevice } from '../engine/games';
import { type Known, knownOf, startOf } from '../model/evening';
import { removeRowPhotos } from './rowPhotos';

/** A change that is not confirmed yet. */
export interface Pending {
  readonly key: string;
  readonly action: GameAction;
  /** The revision that its author saw. */
  readonly seen: number;
  /**
   * Reason why the change waits for a person: a conflict with another phone, or the server rejected
   * it.
   */
  readonly stuck: 'changed' | Failure | null;
}

/** An evening as it is kept. */
export interface Kept {
  readonly address: Address;
  /** Time at which it began, or was opened first, in milliseconds. */
  readonly at: number;
  /** The parts that the list shows; `null` for a link that was never loaded. */
  readonly known: Known | null;
  /** The game as it was last seen; `null` where there is no room for it. */
  readonly game: Game | null;
  readonly pending: readonly Omit<Pending, 'stuck'>[];
}

const PREFIX = 'evening.';

const keyOf = (address: Address): `evening.${string}` =>
  address.kind === 'game' ? `${PREFIX}${address.id}` : `${PREFIX}shared:${address.token}`;

/** Tells whether two addresses are of one game, opened in one way. */
export const isSame = (one: Address | null, other: Address | null): boolean =>
  (one && keyOf(one)) === (other && keyOf(other));

/** All evenings, the latest first. */
export const evenings = signal<readonly Kept[]>([]);

/** Reads the list again, which another window may have changed. */
export function listEvenings(): void {
  const kept = names(PREFIX).flatMap((name) => (read(`${PREFIX}${name}`) as Kept | null) ?? []);
  evenings.value = kept.filter(({ address }) => address).sort((one, other) => other.at - one.at);
}

/** Returns what is kept of an evening. */
export const keptOf = (address: Address): Kept | null => read(keyOf(address)) as Kept | null;

/** Keeps an evening; where there is no room for the whole game, what the list shows and the changes. */
export function keepEvening(
  address: Address,
  game: Game | null,
  pending: readonly Omit<Pending, 'stuck'>[],
): void {
  const before = keptOf(address);
  const kept: Kept = {
    address,
    at: (game && startOf(game)) ?? before?.at ?? Date.now(),
    known: game ? knownOf(game) : (before?.known ?? null),
    game: game ?? before?.game ?? null,
    pending: pending.map(({ key, action, seen }) => ({ key, action, seen })),
  };
  if (!write(keyOf(address), kept)) write(keyOf(address), { ...kept, game: null });
  listEvenings();
}

/** Makes room: the record of a game that is played on this device alone is the game itself. */
export function putAway(address: Address): void {
  const kept = keptOf(address);
  if (kept && isOfDevice(address)) write(keyOf(address), { ...kept, game: null });
  listEvenings();
}

/** Removes an evening whose game no longer exists, with the photos of its hands. */
export function removeEvening(address: Address): void {
  if (address.kind === 'game') removeRowPhotos(address.id);
  write(keyOf(address), null);
  listEvenings();
}

/** Lists the games of this device too that an earlier build no longer showed once another one began. */
export async function findEvenings(): Promise<void> {
  listEvenings();
  const lost = names('game.').filter((id) => !keptOf({ kind: 'game', id }));
  for (const id of lost) {
    const address: Address = { kind: 'game', id };
    const game = await games.lookAt(address).catch(() => null);
    if (game) keepEvening(address, game, []);
  }
}
