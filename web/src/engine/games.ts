/**
 * Evenings on this device: the same as the service's games, without links for other phones.
 *
 * Invariants: a change is made once, by its key, and only on the revision that its author saw, so that
 * two windows of one phone can't overwrite each other; what can't be stored is not made.
 */
import type { Evening, NewGame } from '../../../bindings/npm/index.js';
import { failure } from '../api/failure';
import type { Address, Games } from '../api/games';
import type { Game } from '../api/types';
import { lang } from '../browser/lang';
import { read, write } from '../browser/storage';
import { withKeys } from './derive';
import { callPackage, loaded } from './device';

/** An evening, and the keys of the changes that were made. */
interface Stored {
  readonly id: string;
  readonly record: unknown;
  readonly keys: readonly string[];
}

/** A change that can't be stored is not made. */
function store(one: Stored): void {
  if (!write(`game.${one.id}`, one)) throw failure('device-full');
}

/** Tells whether an evening is kept on this device alone. */
export const isOfDevice = (address: Address): boolean =>
  address.kind === 'game' && read(`game.${address.id}`) !== null;

async function opened({ record }: Stored): Promise<Evening> {
  const { Evening } = await loaded();
  return callPackage(() => Evening.open(record, { lang: lang.value }));
}

function find(address: Address): Stored {
  const found = address.kind === 'game' ? read(`game.${address.id}`) : null;
  if (typeof found !== 'object' || found === null) throw failure('game-not-found', 404);
  return found as Stored;
}

const shown = ({ id, keys }: Stored, evening: Evening): Game =>
  withKeys({ ...evening.view({ lang: lang.value }), id }, keys);

const lookAt: Games['lookAt'] = async (address) => {
  const found = find(address);
  return shown(found, await opened(found));
};

/** Creates a game on this device, where every answer arrives: no key is needed. */
const create: Games['create'] = async (_key, title, players, ruleset) => {
  const { Evening } = await loaded();
  const game = { title, players, ruleset } as NewGame;
  const evening = await callPackage(() => Evening.begin(game, { lang: lang.value }));
  const begun = { id: crypto.randomUUID(), record: evening.toJSON(), keys: [] };
  store(begun);
  return shown(begun, evening);
};

const change: Games['change'] = async (id, seen, key, action) => {
  const found = find({ kind: 'game', id });
  const evening = await opened(found);
  if (found.keys.includes(key)) return shown(found, evening);
  if (evening.view().revision !== seen) throw failure('game-changed', 412);
  await callPackage(() => evening.change(action, { lang: lang.value }));
  const changed = { id, record: evening.toJSON(), keys: [...found.keys, key] };
  store(changed);
  return shown(changed, evening);
};

const exported: Games['exported'] = async (address, format) => {
  const evening = await opened(find(address));
  const options = { lang: lang.value };
  return format === 'csv'
    ? new Blob([evening.csv(options)], { type: 'text/csv' })
    : new Blob([JSON.stringify(evening.view(options), null, 2)], { type: 'application/json' });
};

/** Calls back once, and again when another window of this device changed the game. */
const listen: Games['listen'] = async (address, _known, seen, signal) => {
  const show = async (): Promise<void> => seen(await lookAt(address));
  await show();
  return new Promise((resolve) => {
    window.addEventListener('storage', () => void show(), { signal });
    signal.addEventListener('abort', () => resolve(true));
  });
};

/** Store of the games that are played on this device alone. */
export const deviceGames: Games = {
  create,
  lookAt,
  change,
  exported,
  listen,
  share: () => Promise.reject(failure('offline')),
};
