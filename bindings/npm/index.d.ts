/**
 * Scores mahjong hands in browsers and Node: the engine of Tilesight as WebAssembly. All types come
 * from the contract, which docs/contract.md of the project describes.
 */
import type {
  Context,
  Game,
  GameAction,
  Hand,
  NewGame,
  Other,
  Problem as ProblemDto,
  Rulesets,
  RulesetScore,
  Score,
} from './contract.js';

export type * from './contract.js';

/** The language of names, explanations and errors; English without one. */
export type Lang = 'en' | 'de' | 'da' | 'sv' | 'zh';

/** A hand as a line of notation, such as `[EEE,2]123m456p789s5s5s`, or field by field. */
export type HandInput = string | Partial<Hand>;

export interface Options {
  readonly lang?: Lang;
}

export interface ScoreOptions extends Options {
  /** The hands of those who did not win, for rules that score every player; at most three. */
  readonly others?: readonly Other[];
}

/**
 * Loads the module. It has to be done before anything else, once: what follows is synchronous.
 *
 * @param source What `tilesight.wasm` is loaded from: an address, a response, or bytes. Without one
 *   it lies beside the package.
 */
export function init(
  source?: string | URL | Response | BufferSource | WebAssembly.Module,
): Promise<void>;

/**
 * The score of a winning hand, with every line and who pays whom.
 *
 * @param context The win context and the rule set; what is left out gets a default, which the
 *   answer lists in `assumed`.
 * @throws {Problem} What is wrong with the hand or its context, field by field.
 */
export function score(hand: HandInput, context?: Partial<Context>, options?: ScoreOptions): Score;

/**
 * The scores of a hand by several rule sets, in their order. A rule set that can't score the hand
 * has a problem instead of a score.
 *
 * @throws {Problem} What is wrong with the hand or its context, field by field.
 */
export function scores(
  hand: HandInput,
  rulesets: readonly string[],
  context?: Partial<Context>,
  options?: ScoreOptions,
): readonly RulesetScore[];

/** The rule sets, with their options and every line that they know. */
export function rulesets(options?: Options): Rulesets;

/** A hand in all its forms. */
export interface WrittenHand {
  readonly hand: Hand;
  readonly context: Partial<Context>;
  /** Hand and win context in one line. */
  readonly notation: string;
}

/**
 * A hand and its context as objects and as a line of notation, from either. It need not be a whole
 * hand.
 *
 * @throws {Problem} What can't be read; `errors[0].character` is its place in the notation,
 *   counted from 1.
 */
export function parse(
  hand: HandInput,
  context?: Partial<Context>,
  options?: Options,
): WrittenHand;

/** A series of deals with a score sheet. Rules, seats and payments follow from what is entered. */
export class Evening {
  private constructor(record: string);

  /** @throws {Problem} The names are not different, or the rule set is unknown. */
  static begin(game: NewGame, options?: Options): Evening;

  /**
   * An evening that was stored with `JSON.stringify`.
   *
   * @throws {Problem} It is not the record of a game.
   */
  static open(record: unknown, options?: Options): Evening;

  /**
   * Enters, corrects or undoes something, and returns the evening as it then stands.
   *
   * @param options.by Who does it, as they call themselves.
   * @param options.at When, now without it.
   * @throws {Problem} It can't be entered; the evening stays as it was.
   */
  change(action: GameAction, options?: Options & { by?: string; at?: Date | number }): Game;

  /** Deals, payments, totals and standings; its `revision` counts the changes. */
  view(options?: Options): Game;

  /** The score sheet as comma-separated values. */
  csv(options?: Options): string;

  /** What `Evening.open` takes. */
  toJSON(): unknown;
}

/** What is wrong with a request. `message` is the detail, in the language of the request. */
export class Problem extends Error {
  /** The problem as the service sends it. */
  readonly problem: ProblemDto;
  /** A name that stays the same, such as `urn:tilesight:problem:invalid-hand`. */
  readonly type: ProblemDto['type'];
  readonly title: string;
  /** The status that the service would answer with. */
  readonly status: number;
  readonly detail: string;
  /** The fields that are wrong. */
  readonly errors: NonNullable<ProblemDto['errors']>;
}
