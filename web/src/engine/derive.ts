/**
 * A game with changes that its service has not confirmed yet, derived on this device by the code that the
 * service runs: seats, deals and payments are the same before and after the network is back.
 */
import type { ContextDto, Game, GameAction } from '../api/types';
import type { Lang } from '../browser/lang';
import { type Module, module, shipped } from './module';

/** Version of the records that the package takes. */
const VERSION = 1;

/** The record from which a game was derived: its changes, and its names as they are now. */
function recordOf({ title, players, ruleset, history }: Game): unknown {
  const changes = history.map(({ undone: _, action, ...one }) => ({ ...one, action: recorded(action) }));
  return { version: VERSION, title, players, ruleset, changes };
}

/** An action as records have it: the rule set of a hand is that of its game. */
function recorded(action: GameAction): unknown {
  if (!('play' in action) || action.play.kind !== 'win' || !action.play.context) return action;
  const { ruleset: _, ...context } = action.play.context as ContextDto & { readonly ruleset?: unknown };
  return { ...action, play: { ...action.play, context } };
}

function opened({ Evening }: Module, game: Game, lang: Lang) {
  try {
    return Evening.open(recordOf(game), { lang });
  } catch {
    return null;
  }
}

/** A change that waits. */
interface Change {
  readonly key: string | null;
  readonly action: GameAction;
}

/** Returns the game with the keys of its last changes, which the package leaves out. */
export function withKeys(game: Game, keys: readonly (string | null)[]): Game {
  const first = game.history.length - keys.length;
  return { ...game, history: game.history.map((one, at) => ({ ...one, key: keys[at - first] ?? null })) };
}

/**
 * Returns the game after the changes. `null` where this device can't derive it: before the package is
 * loaded, or for a rule set that only the service has.
 */
export function derive(game: Game, changes: readonly Change[], lang: Lang): Game | null {
  const loaded = module.value;
  if (!loaded || !shipped.value?.has(game.ruleset)) return null;
  const evening = opened(loaded, game, lang);
  if (!evening) return null;
  const keys = game.history.map(({ key = null }) => key);
  for (const { key, action } of changes) {
    try {
      evening.change(action, { lang });
      keys.push(key);
    } catch {
      // The service will refuse it too, and says why; nothing else follows from it.
    }
  }
  const { id = null, share = null, revision } = game;
  return withKeys({ ...evening.view({ lang }), id, share, revision }, keys);
}
