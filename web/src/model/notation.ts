/**
 * Hands and their context as one line of text, both ways, by the engine itself (docs/notation.md is
 * the grammar), and what else its rules take for such a win.
 *
 * Links contain the line, and people type it. Invariants: `parse` reads what `print` writes as the same
 * hand and context; nothing is read or written before the module is loaded.
 */
import type { PossibleAnswers, WrittenHand } from '../../../bindings/npm/index.js';
import type { Context } from '../api/types';
import { lang } from '../browser/lang';
import { type Module, module } from '../engine/module';
import { fromDto, type Hand, toDto } from './hand';
import { fromDto as contextFrom, isSelfDrawn } from './win';

export interface Written {
  readonly hand: Hand;
  readonly context: Context;
}

/**
 * Text that is not a hand, in words of the page's language, and what it says before the fault; `null`
 * where no text can be read yet.
 */
export class NotationError extends Error {
  constructor(
    readonly detail: string | null,
    readonly understood = '',
  ) {
    super(detail ?? 'what reads hands is not loaded yet');
  }
}

/** Tells whether text can be read and written: the module is loaded. */
export const canWrite = (): boolean => module.value !== null;

/**
 * Reads a text.
 *
 * @throws {NotationError} with the place of the first character that is not expected.
 */
export function parse(text: string): Written {
  const engine = module.value;
  if (!engine) throw new NotationError(null);
  try {
    const { hand, context } = engine.parse(text, undefined, { lang: lang.value });
    return { hand: fromDto(hand), context: contextFrom(context) };
  } catch (error) {
    if (!(error instanceof engine.Problem)) throw error;
    const [fault] = error.errors;
    throw new NotationError(fault?.detail ?? error.detail, fault?.understood ?? '');
  }
}

/** Last possible answers of each hand, which asks for them several times while it is shown. */
const lastPossible = new WeakMap<Hand, { context: Context; possible: PossibleAnswers | null }>();

/**
 * Returns the answers about the win that are still possible; `null` where they are not known:
 * before the module is loaded, and while a meld is not a set.
 */
export function possible(hand: Hand, context: Context): PossibleAnswers | null {
  const engine = module.value;
  if (!engine) return null;
  const last = lastPossible.get(hand);
  if (last?.context === context) return last.possible;
  const answers = written(engine, hand, context)?.possible ?? null;
  lastPossible.set(hand, { context, possible: answers });
  return answers;
}

/** A hand in the forms that the engine has for it; `null` while a meld is not a set. */
function written(engine: Module, hand: Hand, context: Context): WrittenHand | null {
  try {
    return engine.parse(toDto(hand), inLine(context) as object);
  } catch (error) {
    if (error instanceof engine.Problem) return null;
    throw error;
  }
}

/** The part of the context that a line of text has. */
function inLine({ seat, prevalent, win, from, last_of_kind, last_wall_tile }: Context) {
  return {
    seat,
    prevalent,
    win,
    last_of_kind,
    last_wall_tile,
    ...(!isSelfDrawn(win) && { from }),
  } as Context;
}

/** A hand as text; `null` where it has none: before the module is there, or while a meld is not a set. */
export function print(hand: Hand, context: Context = {}): string | null {
  const engine = module.value;
  return engine && (written(engine, hand, context)?.notation ?? null);
}
