/**
 * The evening's game on this device: the game as it was last seen, and the changes that have not
 * reached the server yet. What is shown has both, derived here as the server will derive it.
 *
 * Changes wait in a queue that survives a reload. They are sent in order, each with an idempotency
 * key and the revision that its author saw. If another phone changed the game first, the change is
 * sent again only after a person has confirmed it. Invariants: no change is lost; no change is made
 * twice; nothing is entered for a deal whose seats are not known.
 */
import { batch, computed, effect, signal } from '@preact/signals';
import { asFailure, type Failure } from '../api/failure';
import type { Address } from '../api/games';
import type { Game, GameAction, Player } from '../api/types';
import { lang } from '../browser/lang';
import { online } from '../browser/online';
import { read, write } from '../browser/storage';
import { games } from '../engine';
import { derive } from '../engine/derive';
import { isOfDevice } from '../engine/games';
import { endsDeal, redoable, undoable } from '../model/evening';
import { isSame, type Kept, keepEvening, keptOf, listEvenings, type Pending, putAway } from './evenings';
import type { WonBy } from './hand/table';
import { takeRulesets } from './prefs';
import { copyRowPhoto } from './rowPhotos';

export const address = signal<Address | null>(null);
/** The game as the server knows it. */
const confirmed = signal<Game | null>(null);
export const pending = signal<readonly Pending[]>([]);

/** The changes that wait for nobody's decision. */
const waiting = computed(() => pending.value.filter(({ stuck }) => stuck === null));

/** Number of deals that the changes will end that have not reached the game yet. */
const waitingDeals = computed(
  () => waiting.value.filter(({ action }) => action.kind === 'add' && endsDeal(action.play)).length,
);

/** The game with the changes that wait; `null` where this device can't derive it. */
const ahead = computed(() =>
  waiting.value.length > 0 && confirmed.value
    ? derive(confirmed.value, waiting.value, lang.value)
    : confirmed.value,
);

/** Whether deals wait after which this device does not know who deals and who sits where. */
export const isBehind = computed(() => ahead.value === null && waitingDeals.value > 0);

/** The game as it is shown; without a next deal where that is not known. */
export const game = computed((): Game | null => {
  if (ahead.value || !confirmed.value) return ahead.value;
  return isBehind.value ? { ...confirmed.value, next: null } : confirmed.value;
});

/** Number of the deal that is asked for, which stays the same while the one before reaches the server. */
export const turn = computed(() =>
  isBehind.value
    ? (confirmed.value?.next?.number ?? 0) + waitingDeals.value
    : (game.value?.next?.number ?? 0),
);

/** Tells whether an entry of the sheet has not reached the server yet. */
export const waits = (entry: number): boolean =>
  confirmed.value?.rows.every((row) => row.entry !== entry) ?? false;

/** Reason why the game can't be shown. */
export const trouble = signal<Failure | null>(null);
/** Whether the score sheet is open. */
export const showing = signal(false);

/** Whether hands can be entered here. */
const playing = computed(() => address.value?.kind === 'game' && game.value?.next != null);

/**
 * Tells whether a hand is entered into the game: as the next deal, as a further winner of the last one, or as
 * the correction of an entry.
 */
export const isEntering = ({ entry, beside = false }: Pick<WonBy, 'entry' | 'beside'>): boolean =>
  playing.value || entry !== null || (beside && !isBehind.value);

/** Delay until a broken stream of events is opened again, in milliseconds. */
const AGAIN = 2_000;

// --- which game ------------------------------------------------------------------------------

/** Continues with the game from the last visit. */
export function remember(): void {
  listEvenings();
  const last = read('evening') as { readonly address?: Address } | null;
  if (!last?.address) return;
  // An earlier build kept the evening that was shown and no other.
  show(last.address, keptOf(last.address) ?? { game: null, pending: [], ...last });
}

/** Shows a game as it is kept. */
function show(where: Address | null, kept: Pick<Kept, 'game' | 'pending'> | null): void {
  batch(() => {
    address.value = where;
    confirmed.value = kept?.game ?? null;
    pending.value = (kept?.pending ?? []).map((one) => ({ ...one, stuck: null }));
    for (const { key } of pending.value) own.add(key);
    takenBack.value = [];
    trouble.value = null;
  });
  if (kept?.game) takeRulesets([kept.game.ruleset]);
}

function keep(): void {
  const where = address.value;
  write('evening', where && { address: where });
  if (where) keepEvening(where, confirmed.value, pending.value);
}

/** Opens another game, for example from a link or from the list; the one before stays in the list. */
export function open(where: Address): void {
  batch(() => {
    if (!isSame(address.value, where)) {
      const before = address.value;
      show(where, keptOf(where));
      if (before) putAway(before);
    }
    trouble.value = null;
    showing.value = true;
  });
  void refresh();
}

/** The game that is being created, and its key: after a lost answer a second tap finds the same game. */
let creation = { request: '', key: '', isSent: false };

/** Begins an evening, and shows it to a person who still waits for it; whether there is one. */
export async function begin(title: string, players: readonly string[], ruleset: string): Promise<boolean> {
  const request = JSON.stringify([title, players, ruleset]);
  if (creation.request !== request) creation = { request, key: crypto.randomUUID(), isSent: false };
  if (creation.isSent) return false;
  creation.isSent = true;
  const before = address.peek();
  const isAwaited = (): boolean => showing.peek() && address.peek() === before;
  try {
    const created = await games.create(creation.key, title, players, ruleset);
    creation = { request: '', key: '', isSent: false };
    const where: Address = { kind: 'game', id: created.id ?? '' };
    if (isAwaited()) open(where);
    else keepEvening(where, created, []);
    take(where, created);
    return true;
  } catch (error) {
    creation.isSent = false;
    if (isAwaited()) trouble.value = asFailure(error);
    return false;
  }
}

/** Leaves the game for the list of evenings, which keeps it. */
export function close(): void {
  const before = address.value;
  show(null, null);
  if (before) putAway(before);
}

/** Takes the state of the game on the screen, unless a newer one is known; one that was left stays left. */
function take(where: Address, seen: Game): void {
  if (!isSame(address.peek(), where)) return;
  if (confirmed.value && confirmed.value.revision > seen.revision) return;
  // A change whose answer was lost is found in the history.
  const arrived = new Set(seen.history.map(({ key }) => key));
  const known = confirmed.value?.history.length ?? seen.history.length;
  const isForeign = seen.history.slice(known).some(({ key }) => !key || !own.has(key));
  batch(() => {
    confirmed.value = seen;
    // After another phone's change it would be done again for another deal.
    if (isForeign) takenBack.value = [];
    pending.value = pending.value.filter(({ key }) => !arrived.has(key));
  });
  takeRulesets([seen.ruleset]);
}

async function refresh(): Promise<void> {
  const where = address.peek();
  if (!where) return;
  const isLeft = (): boolean => !isSame(address.peek(), where);
  try {
    take(where, await games.lookAt(where));
    if (!isLeft()) trouble.value = null;
  } catch (error) {
    const failure = asFailure(error);
    if (failure.kind === 'offline') online.value = false;
    else if (!isLeft()) trouble.value = failure;
  }
}

// --- changes ---------------------------------------------------------------------------------

/** Keys of the changes that were entered here. */
const own = new Set<string>();

/** A change that can be done again, with the key that it had. */
type Again = Pick<Pending, 'action'> & { readonly key?: string | null };

/** Changes that were taken back here, the last at the end: one that was not sent, or `null` for one that the game knows. */
const takenBack = signal<readonly (Again | null)[]>([]);

/** The change that was taken back last and can be done again; `null` for none. */
export const redo = computed((): Again | null => {
  const last = takenBack.value.at(-1);
  return last ?? (game.value && redoable(game.value));
});

/** Does again what was taken back last; a hand has its photo again. */
export function redoLast(): void {
  const again = redo.peek();
  const rest = takenBack.peek().slice(0, -1);
  if (!again) return;
  const key = push(again.action);
  if (key && again.key) copyRowPhoto(again.key, key);
  takenBack.value = rest;
}

/** Enters a change, at once or as soon as the server is available, and returns its key. */
export function enter(action: GameAction): string | null {
  takenBack.value = [];
  return push(action);
}

function push(action: GameAction): string | null {
  if (!confirmed.value) return null;
  const one = { key: crypto.randomUUID(), action, seen: confirmed.value.revision, stuck: null };
  own.add(one.key);
  pending.value = [...pending.value, one];
  void flush();
  return one.key;
}

/** Sends a change again in spite of a conflict. */
export function insist(key: string): void {
  const seen = confirmed.peek()?.revision ?? 0;
  pending.value = pending.value.map((one) => (one.key === key ? { ...one, seen, stuck: null } : one));
  void flush();
}

export function discard(key: string): void {
  pending.value = pending.value.filter((one) => one.key !== key);
  void flush();
}

/** The last change, if it waits and is no undo: an undo is not the last change, the one before it is. */
const lastWaiting = computed((): Pending | null => {
  const last = waiting.value.at(-1);
  return last && last.action.kind !== 'undo' ? last : null;
});

/** Number of the change of the game that is taken back next; `null` for none. */
const lastKnown = computed(() =>
  game.value
    ? undoable(
        game.value,
        waiting.value.map(({ action }) => action),
      )
    : null,
);

/** Whether there is a change to take back. */
export const mayTakeBack = computed(() => lastWaiting.value !== null || lastKnown.value !== null);

/** Takes back the last change: one that waits is not sent. One that is on its way stays. */
export function takeBack(): void {
  const last = lastWaiting.peek();
  const change = lastKnown.peek();
  const before = takenBack.peek();
  if (last) {
    if (last.key === sending) return;
    discard(last.key);
    takenBack.value = [...before, last];
  } else if (change !== null) {
    push({ kind: 'undo', change });
    takenBack.value = [...before, null];
  }
}

/** Takes a player's riichi stick back; one that waits is not sent. */
export function takeStick(player: Player, entry: number): void {
  const laid = waiting.peek().find(({ action }) => isStick(action, player));
  if (!waits(entry)) enter({ kind: 'remove', entry });
  else if (laid && laid.key !== sending) discard(laid.key);
}

const isStick = (action: GameAction, player: Player): boolean =>
  action.kind === 'add' && action.play.kind === 'riichi' && action.play.player === player;

/** Key of the change that is on its way. */
let sending: string | null = null;

async function flush(): Promise<void> {
  const where = address.peek();
  if (sending !== null || where?.kind !== 'game' || !(online.peek() || isOfDevice(where))) return;
  const [first] = pending.peek();
  if (!first || first.stuck) return;
  sending = first.key;
  try {
    const changed = await games.change(where.id, first.seen, first.key, first.action);
    // An evening that was left meanwhile finds the change in its history.
    if (isSame(address.peek(), where)) arrive(where, first, changed);
  } catch (error) {
    const failure = asFailure(error);
    if (failure.kind === 'offline') {
      online.value = false;
      return;
    }
    const stuck = failure.kind === 'game-changed' ? 'changed' : failure;
    pending.value = pending.value.map((one) => (one.key === first.key ? { ...one, stuck } : one));
    // The other phone's change is shown beside it; if it was this very change, nothing is left to
    // do.
    await refresh();
  } finally {
    sending = null;
  }
  await flush();
}

/** Takes the game with a change that arrived; the changes behind it were entered with knowledge of it. */
function arrive(where: Address, { key, seen }: Pending, changed: Game): void {
  batch(() => {
    pending.value = pending.value
      .filter((one) => one.key !== key)
      .map((one) => (one.seen === seen ? { ...one, seen: changed.revision } : one));
    take(where, changed);
  });
}

// --- what others enter -----------------------------------------------------------------------

/** Keeps the game in step with the server, and the device's storage in step with the game. */
export function follow(): void {
  effect(keep);
  effect(() => {
    const where = address.value;
    void lang.value;
    if (!where || !(online.value || isOfDevice(where))) return undefined;
    const abort = new AbortController();
    void stayTuned(where, abort.signal);
    void flush();
    return () => abort.abort();
  });
}

async function stayTuned(where: Address, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      // The whole game comes first: the stored one may be in another language.
      const there = await games.listen(where, null, (seen) => take(where, seen), signal);
      if (!there) {
        await refresh();
        return;
      }
    } catch {
      if (signal.aborted) return;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

// --- links -----------------------------------------------------------------------------------

/** Returns the game that a link opens: one to edit, or one to watch. */
export function fromFragment(fragment: string): Address | null {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const id = params.get('game');
  const token = params.get('shared');
  if (id) return { kind: 'game', id };
  return token ? { kind: 'shared', token } : null;
}

/** A link for another phone that enters hands too. */
export const invitation = (id: string): string => `${new URL('./', location.href).href}#game=${id}`;

/** A link for spectators. */
export const linkToLookOn = async (id: string): Promise<string> =>
  location.origin + (await games.share(id)).page;
