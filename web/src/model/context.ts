/**
 * The win context as a person enters it: what is asked, what is kept for the next hand, and which
 * answers exclude each other.
 *
 * A field that was not entered stays absent; the score then lists the default it used. Invariant:
 * the fields that are sent don't contradict each other.
 */
import type {
  Context,
  ContextDto,
  ContextField,
  Feeder,
  Relation,
  Ruleset,
  Score,
  Wind,
  WinKind,
} from '../api/types';
import { completions } from '../engine/notation';
import { type Hand, kindOf, pieceOf, pieces } from './hand';
import type { Face } from './tiles';

export const WINS: readonly WinKind[] = ['self_drawn', 'discard', 'kong_replacement', 'robbed_kong'];

export const FROM: readonly Relation[] = ['left', 'across', 'right'];

export const isSelfDrawn = (win: WinKind | undefined): boolean =>
  win === 'self_drawn' || win === 'kong_replacement';

/** Changes one field; `undefined` removes it. */
export function withField<F extends ContextField>(
  context: Context,
  field: F,
  value: Context[F] | undefined,
): Context {
  const { [field]: _, ...rest } = context;
  return (value === undefined ? rest : { ...rest, [field]: value }) as Context;
}

/**
 * The context as it is sent: no discarder of a self-drawn tile, no feeder of a set that does not
 * exist, and no declaration that this win excludes. A kong replacement can be the last tile of the
 * wall.
 */
export function toSend(context: Context, hand: Hand): Context {
  const { from, feeder, declared, completes, ...rest } = context;
  const fitting = declared?.filter((code) => fits(code, context, hand)) ?? [];
  return {
    ...rest,
    ...(from && !isSelfDrawn(context.win) && { from }),
    ...(feeder && hasSetToFeed(hand) && { feeder }),
    ...(fitting.length > 0 && { declared: fitting }),
    ...(completes && completions(hand).includes(completes) && { completes }),
  };
}

/** What can be declared by any of the rule sets and be true of this win. */
export function declarable(rulesets: readonly Ruleset[], context: Context, hand: Hand): string[] {
  const known = rulesets.flatMap((one) => one.context.filter(({ field }) => field === 'declared'));
  const codes = known.flatMap(({ values }) => values.filter((value) => typeof value === 'string'));
  return [...new Set(codes)].filter((code) => fits(code, context, hand));
}

/**
 * Whether a declaration is possible for a win. The server rejects impossible ones; the page does
 * not offer them. Codes that this page does not know are always offered.
 */
function fits(code: string, context: Context, hand: Hand): boolean {
  const { win, seat = 'E' } = context;
  const untouched = hand.melds.length === 0;
  switch (code) {
    case 'twofold_fortune':
      return win === 'kong_replacement';
    case 'heaven':
      return seat === 'E' && isSelfDrawn(win) && untouched;
    case 'earth':
      return seat !== 'E' && !isSelfDrawn(win) && untouched;
    case 'ninth_east_win':
      return seat === 'E';
    case 'flower_replacement':
      return isSelfDrawn(win) && hand.flowers.length > 0;
    case 'dangerous_game':
      return win === undefined || win === 'discard';
    default:
      return true;
  }
}

/**
 * Whether the hand has pungs of all three dragons or all four winds: then the feeder of the last
 * may pay.
 */
export function hasSetToFeed(hand: Hand): boolean {
  const faces = pieces(hand).map(({ face }) => face);
  const all = (kinds: string): boolean =>
    [...kinds].every((kind) => faces.filter((face) => face === kind).length >= 3);
  return all('CFP') || all('ESWN');
}

/**
 * The context that the next hand starts with: the winds. How a hand was won is not kept, because
 * the next one is won differently, and nobody would notice the wrong total.
 */
export function remembered({ seat, prevalent }: Context): Context {
  return { ...(seat && { seat }), ...(prevalent && { prevalent }) };
}

/** A field that took its default, and that default; or a winning tile that was only supposed. */
export type Assumption =
  | { readonly field: 'seat' | 'prevalent'; readonly value: Wind }
  | { readonly field: 'win'; readonly value: WinKind }
  | { readonly field: 'from'; readonly value: Relation }
  | { readonly field: 'feeder'; readonly value: Feeder }
  | { readonly field: 'winning_tile'; readonly value: Face };

/** What a score assumed, each with its value. */
export function assumptions({ assumed, assumed_values }: Score, hand: Hand): Assumption[] {
  const given = assumed.flatMap((field) => {
    const value = assumed_values?.[field];
    // The service names no other field, and these have the types of the context.
    return value ? [{ field, value } as Assumption] : [];
  });
  const won = hand.supposed && hand.winning !== null ? pieceOf(hand, hand.winning) : undefined;
  return won ? [...given, { field: 'winning_tile', value: won.face }] : given;
}

/** The context that the service sent, without the fields that it left empty. */
export const fromDto = (dto: ContextDto | Context | undefined): Context =>
  Object.fromEntries(Object.entries(dto ?? {}).filter(([, value]) => value !== null));

/** The fields that any of the rule sets needs and that can matter for this hand. */
export function asked(rulesets: readonly Ruleset[], context: Context, hand: Hand): Set<ContextField> {
  const fields = new Set(rulesets.flatMap((one) => one.context.map(({ field }) => field as ContextField)));
  if (!hasSetToFeed(hand)) fields.delete('feeder');
  if (declarable(rulesets, context, hand).length === 0) fields.delete('declared');
  if (completions(hand).length < 2) fields.delete('completes');
  if (isSelfDrawn(context.win)) fields.delete('from');
  return fields;
}

/** What is shown where no rule set is known, for instance offline. */
const ALL: ReadonlySet<ContextField> = new Set([
  'seat',
  'prevalent',
  'win',
  'from',
  'last_wall_tile',
  'last_of_kind',
]);

/** The same fields; all that most rule sets have where none is known. */
export const fieldsOf = (
  rulesets: readonly Ruleset[],
  context: Context,
  hand: Hand,
): ReadonlySet<ContextField> => (rulesets.length > 0 ? asked(rulesets, context, hand) : ALL);

/** The ways to win that this hand allows: without a kong nobody draws its replacement. */
export function possibleWins(hand: Hand, context: Context): WinKind[] {
  const kong = hand.melds.some((meld) => kindOf(meld) === 'kong');
  return WINS.filter((win) => win !== 'kong_replacement' || kong || context.win === win);
}
