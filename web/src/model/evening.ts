/**
 * What the page derives about a game: the seats, and the part of the win context that follows from
 * the winner and the discarder.
 */
import type {
  Context,
  ContextDto,
  Deal,
  Game,
  Other,
  Play,
  Player,
  Relation,
  Ruleset,
  Wind,
} from '../api/types';
import { print } from '../engine/notation';
import { isSelfDrawn, withField } from './context';
import { type Hand, toDto } from './hand';
import { toPlay as othersToPlay } from './others';
import { WINDS } from './payments';

export const PLAYERS: readonly Player[] = [0, 1, 2, 3];

/** The seat of a player in a deal. */
export const seatOf = (deal: Deal, player: Player): Wind => WINDS[deal.seats.indexOf(player)] ?? 'E';

/** Where another player sits, relative to a player. */
export function relationOf(deal: Deal, player: Player, other: Player): Relation {
  const steps = (deal.seats.indexOf(other) - deal.seats.indexOf(player) + 4) % 4;
  return steps === 1 ? 'right' : steps === 2 ? 'across' : 'left';
}

export interface Won {
  readonly winner: Player | null;
  readonly discarder: Player | null;
}

/** A hand without its tiles, as it is entered. */
export type HandPoints = Extract<Play, { kind: 'points' }>;

/**
 * Gain or loss of each player by a hand without its tiles, by the shares and the table of
 * values that the rule set lists: shown before it is entered, offline too. `null` if an older list
 * has no shares.
 */
export function paymentsOf(
  { payments, values }: Partial<Pick<Ruleset, 'payments' | 'values'>>,
  deal: Deal,
  { winner, discarder, points }: HandPoints,
): readonly number[] | null {
  const seat = (player: Player): Wind => seatOf(deal, player);
  const from = typeof discarder === 'number' ? seat(discarder) : null;
  const rule = payments?.find((one) => one.winner === seat(winner) && (one.discarder ?? null) === from);
  if (!rule) return null;
  const value = values?.[Math.min(points, values.length - 1)] ?? points;
  const paid = PLAYERS.map((player) => {
    const share = rule.shares.find((one) => one.seat === seat(player));
    return share ? share.basic + Math.floor((value * share.times) / share.per) : 0;
  });
  const sum = paid.reduce((all, one) => all + one, 0);
  // Without −0, which is no number of points.
  return PLAYERS.map((player) => (player === winner ? sum : 0 - (paid[player] ?? 0)));
}

/** The context with what the game knows: seat, round and discarder. */
export function withGame(context: Context, deal: Deal, won: Won): Context {
  const { winner, discarder } = won;
  const known: Context = {
    ...context,
    prevalent: deal.round,
    ...(winner !== null && { seat: seatOf(deal, winner) }),
  };
  if (isSelfDrawn(known.win) || winner === null || discarder === null) return known;
  return withField(known, 'from', relationOf(deal, winner, discarder));
}

/** What is still missing before a hand can be entered. */
export function missing(context: Context, won: Won): 'winner' | 'win' | 'discarder' | null {
  if (won.winner === null) return 'winner';
  if (context.win === undefined) return 'win';
  return isSelfDrawn(context.win) || won.discarder !== null ? null : 'discarder';
}

/** A won hand as it is entered, without what the game already knows. */
export function toPlay(
  hand: Hand,
  context: Context,
  won: Won,
  table: { readonly deal: Deal; readonly others: readonly Other[] },
): Play | null {
  if (won.winner === null || missing(context, won)) return null;
  const { seat: _, prevalent: __, from: ___, ...rest } = context;
  const discarder = isSelfDrawn(context.win) ? null : won.discarder;
  const others = othersToPlay(table.others, table.deal);
  const play = {
    kind: 'win',
    winner: won.winner,
    discarder,
    // Before the module is there, as an object, which the game keeps as the same text.
    hand: print(hand) ?? toDto(hand),
    ...(hand.supposed && { winning_tile_supposed: true }),
    context: rest as ContextDto,
  } as const;
  return others.length > 0 ? { ...play, others } : play;
}

/** The deal that a hand is entered for: the next one, or that of the entry that is corrected. */
export function dealFor(game: Game, entry: number | null): Deal | null {
  if (entry === null) return game.next ?? null;
  return game.rows.find((row) => row.entry === entry)?.deal ?? null;
}

/**
 * The form in which names that look alike are equal: without case, Unicode form and characters that show
 * nothing, as `crates/tilesight-core/src/evening/names.rs` has it. The game itself decides; this only says so while a name is typed.
 */
function folded(name: string): string {
  const shown = name.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKD');
  const lower = shown.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
  return lower.normalize('NFKD').replace(/\s+/gu, ' ').trim();
}

/** Whether the names are four that people can tell apart, as a game requires. */
export function areNames(names: readonly string[]): boolean {
  const forms = names.map(folded).filter((name) => /[^\s\p{M}\p{C}\u2800]/u.test(name));
  return forms.length === PLAYERS.length && new Set(forms).size === PLAYERS.length;
}

/** The most points of a hand, and the most that one person pays, that a game takes. */
export const MAX_HAND_POINTS = 100_000;
const MAX_PAYMENT = 1_000_000;

/**
 * A whole number as people type it, with a sign of any kind; `null` if it isn't one. `Number` alone
 * would take `1e3`, `0x10` and, as nothing, a single space.
 */
export function wholeNumber(text: string): number | null {
  const plain = text.trim().replace(/^[−–]/, '-');
  return /^[+-]?\d{1,9}$/.test(plain) ? Number(plain) + 0 : null;
}

/** The points of a hand; `null` if no game takes them. */
export function handPoints(text: string): number | null {
  const points = wholeNumber(text);
  return points !== null && points >= 0 && points <= MAX_HAND_POINTS ? points : null;
}

/** A payment that is entered by hand, nothing for 0; `null` if a game does not take it. */
export function payment(text: string): number | null {
  const points = text.trim() === '' ? 0 : wholeNumber(text);
  return points !== null && Math.abs(points) <= MAX_PAYMENT ? points : null;
}

/** Whether a text may still become a number while it is typed: it is empty or a sign. */
export const isBegun = (text: string): boolean => /^\s*[+\-−–]?\s*$/.test(text);

/** Returns the gain, as it is typed, of a player who pays each of the others the same. */
export const paidToEach = (player: Player, each: number): string[] =>
  PLAYERS.map((one) => (one === player ? `${-3 * each}` : `${each}`));

/** A number with its sign, as score sheets show it. */
export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';
