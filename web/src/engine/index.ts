/**
 * The engine and the store of games that this page uses: this device, the server, or the one where
 * the other can't. Both answer alike.
 *
 * Invariant: a photo is sent to the server only if that is the place, or if only the server has the
 * rule set.
 */
import { server } from '../api/client';
import type { Engine } from '../api/engine';
import { Failure } from '../api/failure';
import { type Address, type Games, serverGames } from '../api/games';
import { online } from '../browser/online';
import { ON_DEVICE } from '../browser/site';
import { isHouse } from '../model/house';
import { device, loaded } from './device';
import { deviceGames, isOfDevice } from './games';
import { houses } from './house';
import { shipped } from './module';
import { isIncomplete, learnPlace, missing, place, wished } from './place';

type Ask<T> = (engine: Engine) => Promise<T>;

/** Asks the first that can; of several that can't, the last reason is thrown. */
async function first<T>(engines: readonly Engine[], ask: Ask<T>): Promise<T> {
  const [engine, ...others] = engines;
  if (!engine) throw new Error('there is nothing that reads');
  try {
    return await ask(engine);
  } catch (error) {
    if (!isAbout(error) || others.length === 0) throw error;
    // Without a network a photo waits; whether this device could read it is of no use then.
    return first(others, ask).catch((other: unknown) => {
      throw isAbout(other) && engine === server ? error : other;
    });
  }
}

/**
 * Tells whether an error is about the engine's place, such as a missing network, and not about the
 * photo or the hand. Notes that the server is offline or that a file could not be loaded.
 */
function isAbout(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  if (error.kind === 'offline') online.value = false;
  if (error.kind === 'not-loaded') isIncomplete.value = true;
  return ['offline', 'not-loaded', 'no-simd', 'no-webassembly'].includes(error.kind);
}

/** Tells whether this device has all the rule sets: a server may have some of its own. */
async function knowsAll(rulesets: readonly string[]): Promise<boolean> {
  // Without the module this device can do nothing, and says so.
  await loaded().catch(() => null);
  return rulesets.every((id) => shipped.peek()?.has(id) ?? true);
}

/** Tells whether only this device has one of the rule sets: house rules, which no server takes. */
const isOfHouse = (rulesets: readonly string[]): boolean => rulesets.some(isHouse);

/** Requests with a photo: on the device it stays there, and so it does for an own set of the device. */
async function withPhoto<T>(rulesets: readonly string[], ask: Ask<T>, hasSets = false): Promise<T> {
  await learnPlace();
  if (isOfHouse(rulesets)) return ask(device);
  if (!(await knowsAll(rulesets))) return ask(server);
  if (missing.peek()) return first([server], ask);
  if (wished.peek() === 'device') return first([device], ask);
  return first(hasSets || place.peek() === 'device' ? [device, server] : [server, device], ask);
}

/**
 * Sends a request that has a hand and no photo to the place that was chosen, and to the other one
 * if that can't answer.
 */
async function withHand<T>(rulesets: readonly string[], ask: Ask<T>): Promise<T> {
  await learnPlace();
  if (isOfHouse(rulesets)) return ask(device);
  if (!(await knowsAll(rulesets))) return ask(server);
  return first(place.peek() === 'device' ? [device, server] : [server, device], ask);
}

const either: Engine = {
  readHand: (photos, context, ruleset, signal, aim, sets) =>
    withPhoto(
      ruleset ? [ruleset] : [],
      (engine) => engine.readHand(photos, context, ruleset, signal, aim, sets),
      Boolean(sets?.files),
    ),
  preview: (photo) => withPhoto([], (engine) => engine.preview(photo)),
  scoreHand: (request, signal) => withHand(request.rulesets, (engine) => engine.scoreHand(request, signal)),
  answerReading: (reading, answered, request, signal) =>
    withHand(request.rulesets, (engine) => engine.answerReading(reading, answered, request, signal)),
  // The server's own rule sets are among them, and the house rules of this device.
  rulesets: async () => {
    const { rulesets } = await server.rulesets().catch(() => device.rulesets());
    const own = houses.peek().length > 0 ? (await device.rulesets().catch(() => null))?.rulesets : [];
    return {
      rulesets: [
        ...rulesets.filter(({ id }) => !isHouse(id)),
        ...(own ?? []).filter(({ id }) => isHouse(id)),
      ],
    };
  },
};

/** Evenings of a service, and of this device those by house rules, which the service does not have. */
const eitherGames: Games = {
  create: (key, title, players, ruleset) =>
    (isHouse(ruleset) ? deviceGames : serverGames).create(key, title, players, ruleset),
  lookAt: (address) => storeOf(address).lookAt(address),
  change: (id, ...more) => storeOf({ kind: 'game', id }).change(id, ...more),
  exported: (address, format) => storeOf(address).exported(address, format),
  listen: (address, ...more) => storeOf(address).listen(address, ...more),
  share: (id) => storeOf({ kind: 'game', id }).share(id),
};

const storeOf = (address: Address): Games => (isOfDevice(address) ? deviceGames : serverGames);

export const engine: Engine = ON_DEVICE ? device : either;

export const games: Games = ON_DEVICE ? deviceGames : eitherGames;
