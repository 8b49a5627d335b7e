/**
 * What this page reads, scores and plays with: the engine on this device, the server, or the one
 * where the other can't. Both answer alike.
 *
 * Invariant: a photo is sent to the server only if the server is the place, or if this device can't
 * read it.
 */
import { server } from '../api/client';
import type { Engine } from '../api/engine';
import { Failure } from '../api/failure';
import { type Games, serverGames } from '../api/games';
import { online } from '../state/online';
import { device, shipped } from './device';
import { deviceGames } from './games';
import { isDeviceChosen, isUnable, learnPlace, place, tryAgain, unable } from './place';
import { ON_DEVICE } from './site';

/**
 * Asks the place that is chosen, and the other one where that can't. Nothing is sent where the person
 * chose the device.
 */
async function either<T>(rulesets: readonly string[], ask: (engine: Engine) => Promise<T>): Promise<T> {
  await learnPlace();
  tryAgain();
  const engines = place.peek() === 'device' ? [device, server] : [server, device];
  const able = !(await knowsAll(rulesets)) ? [server] : isDeviceChosen() ? [device] : engines;
  let last: unknown;
  for (const engine of able) {
    try {
      return await ask(engine);
    } catch (error) {
      if (!isElsewhere(error)) throw error;
      // Of two that can't, the server's reason is the one that passes.
      if (!last || engine === server) last = error;
    }
  }
  throw last;
}

/** Whether this place can't do it, which is noted, and the other one might. */
function isElsewhere(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  const { kind } = error;
  if (isUnable(kind)) unable.value = kind;
  if (kind === 'offline') online.value = false;
  return isUnable(kind) || kind === 'offline';
}

/** Whether this device has the rule sets: a server may have some of its own. */
async function knowsAll(rulesets: readonly string[]): Promise<boolean> {
  if (rulesets.length === 0) return true;
  try {
    const known = await shipped();
    return rulesets.every((id) => known.has(id));
  } catch {
    return true;
  }
}

const some = (ruleset: string | undefined): readonly string[] => (ruleset ? [ruleset] : []);

const both: Engine = {
  readHand: (photos, context, ruleset, signal, aim) =>
    either(some(ruleset), (engine) => engine.readHand(photos, context, ruleset, signal, aim)),
  scoreHand: (asked, signal) => either(asked.rulesets, (engine) => engine.scoreHand(asked, signal)),
  answerReading: (reading, answered, asked, signal) =>
    either(asked.rulesets, (engine) => engine.answerReading(reading, answered, asked, signal)),
  preview: (photo) => either([], (engine) => engine.preview(photo)),
  // The server's own rule sets are among them.
  rulesets: () => server.rulesets().catch(() => device.rulesets()),
};

export const engine: Engine = ON_DEVICE ? device : both;

export const games: Games = ON_DEVICE ? deviceGames : serverGames;
