/**
 * The win context as a person enters it: what is asked, what is kept for the next hand, and which
 * answers exclude each other.
 *
 * A field that was not entered stays absent; the score then lists the default it used. Invariant:
 * the fields that are sent don't contradict each other.
 */
import type { Context, ContextField, Feeder, Relation, Ruleset, Score, Wind, WinKind } from '../api/types';
import { concernsDealer, lacksDealer } from './dealer';
import { type Hand, pieceOf } from './hand';
import { possible } from './notation';
import { fitting, type MissingFact, missingFacts, withoutIdle } from './riichi';
import type { Face } from './tiles';
import { isSelfDrawn } from './win';

const WINS: readonly WinKind[] = ['self_drawn', 'discard', 'kong_replacement', 'robbed_kong'];

export const FROM: readonly Relation[] = ['left', 'across', 'right'];

/**
 * The context as it is sent: no discarder of a self-drawn tile, and nothing that the rules would refuse
 * for this hand, such as a seat that the rule sets do not have.
 */
export function toSend(context: Context, hand: Hand, rulesets: readonly Ruleset[] = []): Context {
  const { seat, from, feeder, declared, completes, ...rest } = fitting(context, hand);
  const isTaken = <V extends string>(field: ContextField, value: V): boolean =>
    valuesOf(rulesets, field, [value]).length > 0;
  const known = possible(hand, context);
  const declarations = fittingOf(declared ?? [], context, hand);
  return {
    ...rest,
    ...(seat && isTaken('seat', seat) && { seat }),
    ...(from && !isSelfDrawn(context.win) && isTaken('from', from) && { from }),
    ...(feeder && known?.feeder.includes(feeder) && isTaken('feeder', feeder) && { feeder }),
    // An empty list is an answer: nothing was declared.
    ...(declared && (declarations.length > 0 || declared.length === 0) && { declared: declarations }),
    ...(completes && known?.completes.includes(completes) && { completes }),
  };
}

/** Returns the declarations that any of the rule sets has and that can be true of this win. */
export function declarable(rulesets: readonly Ruleset[], context: Context, hand: Hand): string[] {
  const fields = rulesets.flatMap((one) => one.context.filter(({ field }) => field === 'declared'));
  const codes = fields.flatMap(({ values }) => values.filter((value) => typeof value === 'string'));
  return fittingOf([...new Set(codes)], context, hand);
}

/**
 * Tells whether nobody said if the hand was declared ready, which its rules count. They are found by the score among
 * `rulesets`. At the cap it changes nothing.
 */
export function lacksReady(
  { legal, ruleset, total, raw_tai: raw }: Score,
  hand: Hand,
  context: Context,
  rulesets: readonly Ruleset[],
): boolean {
  const by = rulesets.filter(({ id }) => id === ruleset);
  const isOpen = legal && context.declared === undefined && (raw ?? total) <= total;
  return isOpen && declarable(by, context, hand).includes('ready');
}

/** The declarations that are possible; all where that is not known. */
function fittingOf<C extends string>(codes: readonly C[], context: Context, hand: Hand): C[] {
  const known = possible(hand, context);
  return codes.filter((code) => known?.declared.includes(code) ?? true);
}

/** The values that any of the rule sets takes: of three players none sits North, and none opposite. */
export function valuesOf<V extends string>(
  rulesets: readonly Ruleset[],
  field: ContextField,
  all: readonly V[],
): readonly V[] {
  const taken = rulesets.flatMap((one) => one.context.filter((choices) => choices.field === field));
  const values = taken.flatMap((choices): readonly unknown[] => choices.values);
  return values.length > 0 ? all.filter((value) => values.includes(value)) : all;
}

/** Returns the players who may have fed the last of the sets that make their feeder pay. */
export const possibleFeeders = (hand: Hand, context: Context): readonly Feeder[] =>
  possible(hand, context)?.feeder ?? [];

/** The sets that the winning tile can have completed. */
export const completions = (hand: Hand, context: Context): readonly string[] =>
  possible(hand, context)?.completes ?? [];

/**
 * Returns the context that the next hand starts with: the round wind, which many hands share. The
 * winner's seat and how a hand was won are not kept, because the next hand is won by somebody else
 * and differently, and nobody would notice the wrong total.
 */
export function remembered({ prevalent }: Context): Context {
  return prevalent ? { prevalent } : {};
}

/** A field that took its default, and that default; or a winning tile that was only supposed. */
export type Assumption =
  | { readonly field: 'seat' | 'prevalent'; readonly value: Wind }
  | { readonly field: 'win'; readonly value: WinKind }
  /** Player who discarded the tile, or whose kong was robbed. */
  | { readonly field: 'from'; readonly value: Relation; readonly robbed: boolean }
  | { readonly field: 'feeder'; readonly value: Feeder }
  | { readonly field: 'winning_tile'; readonly value: Face }
  /** Red fives that count although none was named: the hand has all four fives. */
  | { readonly field: 'red_fives'; readonly value: readonly string[] }
  /** The dealer sits East and has not stayed on. */
  | { readonly field: 'dealer'; readonly value: null }
  /** The hand was not declared ready. */
  | { readonly field: 'ready'; readonly value: null }
  /** Facts that a score of riichi counts nothing for, because nobody gave them. */
  | { readonly field: 'riichi'; readonly value: MissingFact };

/** Fields whose defaults the service tells. It names those of riichi for photos alone: `missingFacts` has them all. */
const GIVEN = ['seat', 'prevalent', 'win', 'from', 'feeder'] as const;

/**
 * Returns the assumptions of a score, each with its value; `context` is what is known of the win, and
 * `rulesets` has the rule set of the score where that is known.
 */
export function assumptions(
  score: Score,
  hand: Hand,
  context: Context,
  rulesets: readonly Ruleset[],
): Assumption[] {
  const { assumed, assumed_values, assumed_red_fives: reds = [] } = score;
  const given = GIVEN.filter((field) => assumed.includes(field)).flatMap((field) => {
    const value = assumed_values?.[field];
    const robbed = field === 'from' && { robbed: context.win === 'robbed_kong' };
    // These have the types of the context.
    return value ? [{ field, value, ...robbed } as Assumption] : [];
  });
  const by = rulesets.filter(({ id }) => id === score.ruleset);
  const fields = neededFields(by, context, hand);
  const won = hand.supposed && hand.winning !== null ? pieceOf(hand, hand.winning) : undefined;
  return [
    ...given,
    ...(won ? [{ field: 'winning_tile', value: won.face } as const] : []),
    ...(lacksDealer(score, context, fields) ? [{ field: 'dealer', value: null } as const] : []),
    ...(lacksReady(score, hand, context, rulesets) ? [{ field: 'ready', value: null } as const] : []),
    ...(reds.length > 0 ? [{ field: 'red_fives', value: reds } as const] : []),
    ...missingFacts(score, context, hand, fields).map((value) => ({ field: 'riichi', value }) as const),
  ];
}

/** The fields that any of the rule sets needs and that can matter for this hand. */
export function neededFields(rulesets: readonly Ruleset[], context: Context, hand: Hand): Set<ContextField> {
  const fields = new Set(rulesets.flatMap((one) => one.context.map(({ field }) => field as ContextField)));
  if (possibleFeeders(hand, context).length < 2) fields.delete('feeder');
  if (declarable(rulesets, context, hand).length === 0) fields.delete('declared');
  if (completions(hand, context).length < 2) fields.delete('completes');
  if (isSelfDrawn(context.win)) fields.delete('from');
  if (!concernsDealer(context)) fields.delete('dealer_streak');
  withoutIdle(fields, context, hand);
  return fields;
}

/** Fields that are shown where no rule set is known, for instance offline. */
const ALL: ReadonlySet<ContextField> = new Set([
  'seat',
  'prevalent',
  'win',
  'from',
  'last_wall_tile',
  'last_of_kind',
]);

/**
 * Returns the fields that `neededFields` returns; where no rule set is known, all that most rule sets
 * have.
 */
export const fieldsOf = (
  rulesets: readonly Ruleset[],
  context: Context,
  hand: Hand,
): ReadonlySet<ContextField> => (rulesets.length > 0 ? neededFields(rulesets, context, hand) : ALL);

/** The ways to win that this hand allows, and the one that was given. */
export function possibleWins(hand: Hand, context: Context): WinKind[] {
  const known = possible(hand, context);
  return WINS.filter((win) => (known?.win.includes(win) ?? true) || context.win === win);
}
