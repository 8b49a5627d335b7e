/**
 * Facts that riichi asks of a win beside those of all games: the declaration, the indicators, and what lies
 * on the table.
 *
 * Invariant: `fitting` takes out what the rules would refuse for the hand, so that a hand that is
 * corrected does not lose its score.
 */
import type { Context, ContextField, Score } from '../api/types';
import { type Hand, kindOf, pieces } from './hand';
import { type Face, faceOf, inOrder } from './tiles';

/** Fields that only the winner can tell: an evening knows the counters and the sticks. */
export const OF_WINNER: readonly ContextField[] = ['riichi', 'ippatsu', 'dora_indicators', 'ura_indicators'];

/** The lists of indicators: those that lie face up, and those under them. */
export type IndicatorField = 'dora_indicators' | 'ura_indicators';

/** Norths that one of three players set aside, and counters and sticks that lie on the table between deals. */
export type CountField = 'norths' | 'honba' | 'riichi_sticks';
export const COUNTS: readonly CountField[] = ['norths', 'honba', 'riichi_sticks'];

/** The most counters or sticks that a win takes, and the most indicators. */
export const MAX_COUNT = 99;
export const MAX_INDICATORS = 5;

/** The most of what a stepper counts: there are four norths, those in the hand among them. */
export function maxOf(field: CountField, hand: Hand): number {
  if (field !== 'norths') return MAX_COUNT;
  return Math.max(0, 4 - pieces(hand).filter(({ face }) => face === 'N').length);
}

/**
 * Tells whether norths may have been set aside: not while the hand has all four, nor after a win
 * with the tiles that were dealt (heaven, earth), which left no time for it.
 */
const maySetAside = ({ declared = [] }: Context, hand: Hand): boolean =>
  maxOf('norths', hand) > 0 && !declared.includes('heaven') && !declared.includes('earth');

/** A declaration with what only it allows. */
export interface Call {
  readonly riichi: NonNullable<Context['riichi']>;
  readonly ippatsu: boolean;
}

/** Every declaration, as one answer. */
const CALLS: readonly Call[] = [
  { riichi: 'no', ippatsu: false },
  { riichi: 'riichi', ippatsu: false },
  { riichi: 'riichi', ippatsu: true },
  { riichi: 'double', ippatsu: false },
  { riichi: 'double', ippatsu: true },
];

/** Tells whether ippatsu is possible: a kong, or a north set aside, ends it before its replacement tile comes. */
export const mayHaveIppatsu = ({ win }: Context): boolean => win !== 'kong_replacement';

/** The declarations that a win can have had. */
export const callsOf = (context: Context): readonly Call[] =>
  CALLS.filter(({ ippatsu }) => !ippatsu || mayHaveIppatsu(context));

/** Tells whether no set was claimed: a concealed kong keeps a hand closed. */
export const isClosed = (hand: Hand): boolean =>
  hand.melds.every((meld) => kindOf(meld) === 'kong' && meld.concealed);

/** Tells whether riichi was declared and the hand was closed, as it must be. */
const hasRiichi = ({ riichi }: Context, hand: Hand): boolean =>
  (riichi === 'riichi' || riichi === 'double') && isClosed(hand);

/**
 * Tells whether riichi may have been declared: the hand is closed, and did not win with the tiles
 * that were dealt.
 */
const mayDeclare = ({ declared = [] }: Context, hand: Hand): boolean =>
  isClosed(hand) && !declared.includes('heaven') && !declared.includes('earth');

/**
 * The fewest indicators that lie face up: one, and one for each kong of the hand. That of an open kong
 * may be turned up late.
 */
export function neededIndicators({ win }: Context, hand: Hand): number {
  const kongs = hand.melds.filter((meld) => kindOf(meld) === 'kong');
  const late = win === 'kong_replacement' && kongs.some(({ concealed }) => !concealed);
  return 1 + kongs.length - Number(late);
}

/** The most indicators of a list: under the face-up ones lie at most as many. */
export function maxIndicators({ dora_indicators: dora = [] }: Context, field: IndicatorField): number {
  return field === 'ura_indicators' && dora.length > 0 ? dora.length : MAX_INDICATORS;
}

/** Returns how many copies of a tile can be in a list: four, less those of the hand, set aside and in the other. */
export function copiesLeft(context: Context, hand: Hand, field: IndicatorField, face: Face): number {
  const other = field === 'ura_indicators' ? context.dora_indicators : context.ura_indicators;
  const held = pieces(hand).filter((piece) => piece.face === face).length;
  const norths = face === 'N' ? (context.norths ?? 0) : 0;
  return 4 - held - norths - (other ?? []).filter((code) => faceOf(code) === face).length;
}

/** The honors whose indicators they are: North gives East, East South; white gives green, green red. */
const BEFORE: Readonly<Record<string, Face>> = { E: 'N', S: 'E', W: 'S', N: 'W', F: 'P', C: 'F', P: 'C' };

/** Returns the indicator of a tile; three players have only the 1 and the 9 of characters. */
function indicatorOf(face: Face, players: number): Face | null {
  const suited = /^([1-9])([mps])$/.exec(face);
  if (!suited) return BEFORE[face] ?? null;
  const [, rank, suit] = suited;
  const before = players === 3 && suit === 'm' ? 10 - Number(rank) : ((Number(rank) + 7) % 9) + 1;
  return faceOf(`${before}${suit}`);
}

/** Returns the indicators that make a tile of the hand a dora, and can lie there. */
export function telling(context: Context, hand: Hand, field: IndicatorField, players: number): Face[] {
  const faces = pieces(hand).flatMap(({ face }) => indicatorOf(face, players) ?? []);
  return [...new Set(faces)].filter((face) => copiesLeft(context, hand, field, face) > 0).sort(inOrder);
}

/** Tells whether a list has more of a tile, or more tiles, than there can be. */
function hasTooMany(context: Context, hand: Hand, field: IndicatorField): boolean {
  const faces = (context[field] ?? []).flatMap((code) => faceOf(code) ?? []);
  const isOver = (face: Face): boolean =>
    faces.filter((other) => other === face).length > copiesLeft(context, hand, field, face);
  return faces.length > maxIndicators(context, field) || faces.some(isOver);
}

/**
 * Tells whether the indicators are not known, too few for the kongs of the hand, or more than there can be. An
 * empty list is an answer.
 */
export function lacksIndicators(context: Context, hand: Hand, field: IndicatorField): boolean {
  const given = context[field];
  if (!given) return true;
  const needed = field === 'dora_indicators' ? neededIndicators(context, hand) : 1;
  return given.length > 0 && (given.length < needed || hasTooMany(context, hand, field));
}

/** The context of a declaration: without riichi there are no ura indicators. */
export function withCall(context: Context, { riichi, ippatsu }: Call): Context {
  const { ura_indicators: _, ippatsu: __, ...rest } = context;
  return riichi === 'no' ? { ...rest, riichi } : { ...context, riichi, ippatsu };
}

/** The context without what the rules of riichi refuse for this hand. */
export function fitting(context: Context, hand: Hand): Context {
  const { riichi, ippatsu, dora_indicators: dora = [], ura_indicators: ura = [], norths, ...rest } = context;
  const called = hasRiichi(context, hand) && mayDeclare(context, hand);
  // Face-up indicators and those under them are judged with what is sent of the others.
  const under = called ? ura : [];
  const faceUp = { ...context, ura_indicators: [] };
  const hasDora = dora.length > 0 && !lacksIndicators(faceUp, hand, 'dora_indicators');
  const both = { ...context, dora_indicators: hasDora ? dora : [] };
  const hasUra = under.length > 0 && !lacksIndicators(both, hand, 'ura_indicators');
  return {
    ...rest,
    ...(riichi && (called || riichi === 'no') && { riichi }),
    ...(ippatsu !== undefined && called && mayHaveIppatsu(context) && { ippatsu }),
    ...(hasDora && { dora_indicators: dora }),
    ...(hasUra && { ura_indicators: ura }),
    ...(norths !== undefined &&
      (norths === 0 || (maySetAside(context, hand) && norths <= maxOf('norths', hand))) && { norths }),
  };
}

/** Fact about a win that nobody gave. */
export type MissingFact = 'riichi' | IndicatorField | Exclude<CountField, 'riichi_sticks'>;

/**
 * Returns the facts that a score counts nothing for because nobody gave them; none in other games.
 * `fields` are those that its rule set asks of this hand.
 */
export function missingFacts(
  { han, yakuman, legal }: Score,
  context: Context,
  hand: Hand,
  fields: ReadonlySet<ContextField>,
): MissingFact[] {
  if (typeof han !== 'number' || !legal) return [];
  const { riichi, honba, norths, dora_indicators: dora, ura_indicators: ura } = fitting(context, hand);
  const missing: readonly (readonly [MissingFact, boolean])[] = [
    ['riichi', !yakuman && riichi === undefined && mayDeclare(context, hand)],
    ['dora_indicators', !yakuman && dora === undefined],
    ['ura_indicators', !yakuman && ura === undefined && hasRiichi(context, hand)],
    ['norths', !yakuman && norths === undefined && fields.has('norths')],
    ['honba', honba === undefined],
  ];
  return missing.flatMap(([field, isMissing]) => (isMissing ? [field] : []));
}

/** Takes out the fields that this win can't have. */
export function withoutIdle(fields: Set<ContextField>, context: Context, hand: Hand): void {
  if (!mayDeclare(context, hand)) fields.delete('riichi');
  if (!maySetAside(context, hand)) fields.delete('norths');
  if (!mayHaveIppatsu(context)) fields.delete('ippatsu');
  if (!hasRiichi(context, hand) || !fields.has('riichi')) {
    fields.delete('ippatsu');
    fields.delete('ura_indicators');
  }
}
