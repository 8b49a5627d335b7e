/**
 * Facts that the page derives about a game: the seats, and the part of the win context that follows
 * from the winner and the discarder.
 */
import type {
  Context,
  ContextDto,
  Deal,
  Game,
  GameAction,
  Other,
  Play,
  Player,
  Relation,
  Ruleset,
  ValueRow,
  Wind,
} from '../api/types';
import { type Hand, toDto } from './hand';
import { print } from './notation';
import { isOn, optionOf, type WithOptions } from './options';
import { toPlay as othersToPlay } from './others';
import { WINDS } from './payments';
import { isClosed, MAX_COUNT } from './riichi';
import { isSelfDrawn, withField } from './win';

const PLAYERS: readonly Player[] = [0, 1, 2, 3];

/** The players of a game: four, or three by some rules of riichi. */
export const playersOf = ({ players }: Pick<Game, 'players'>): readonly Player[] =>
  PLAYERS.slice(0, players.length);

/** The seat of a player in a deal. */
export const seatOf = (deal: Deal, player: Player): Wind => WINDS[deal.seats.indexOf(player)] ?? 'E';

/** Returns the seat of another player, relative to a player. Of three players none sits opposite. */
export function relationOf({ seats }: Deal, player: Player, other: Player): Relation {
  const steps = (seats.indexOf(other) - seats.indexOf(player) + seats.length) % seats.length;
  if (steps === 1) return 'right';
  return steps === seats.length - 1 ? 'left' : 'across';
}

export interface Won {
  readonly winner: Player | null;
  readonly discarder: Player | null;
  /** Player who sits East by the opened wall, where it gives the winds; the dealer when absent. */
  readonly east?: Player | null;
  /** Whether the hand won by the discard of the entry before, beside its winner. */
  readonly beside?: boolean;
}

/** The deal with the winds of the opened wall, which go on from East in the order of play. */
export function withEast(deal: Deal, east: Player | null | undefined): Deal {
  if (typeof east !== 'number') return deal;
  const at = deal.seats.indexOf(east);
  return { ...deal, seats: [...deal.seats.slice(at), ...deal.seats.slice(0, at)] };
}

/** The number of deals that the dealer has stayed on; `null` where that is not paid. */
export const streakOf = (deal: Deal): number | null =>
  typeof deal.dealer === 'number' ? deal.repeats : null;

/** Tells whether the opened wall gives the winds, and not the dealer. */
const hasOpenedWall = (rules: WithOptions, deal: Deal): boolean =>
  streakOf(deal) !== null && !isOn(rules, 'dealer_is_east');

interface Entered extends Pick<Won, 'beside'> {
  /** The entry that is corrected; `null` for a new one. */
  readonly entry: number | null;
}

/**
 * Tells whether a hand may state who sits East: the opened wall gives the winds, and no hand that won by the same
 * discard stated them before. Tai that are entered without a hand state none.
 */
export function mayStateEast(
  rules: WithOptions,
  { rows }: Pick<Game, 'rows'>,
  deal: Deal,
  won: Entered,
): boolean {
  const at = won.entry === null ? rows.length : rows.findIndex(({ entry }) => entry === won.entry);
  const before = rows.slice(0, at);
  const isStated = before.some(({ deal: of, play }) => of?.number === deal.number && play.kind === 'win');
  return hasOpenedWall(rules, deal) && !(won.beside && isStated);
}

/** The last entry, if further players may have won by its discard; `null` otherwise. */
export function sharedDiscard({ rows, further_win: further }: Pick<Game, 'rows' | 'further_win'>): {
  readonly discarder: Player;
  readonly deal: Deal;
  readonly others: readonly Player[];
} | null {
  const deal = rows.at(-1)?.deal;
  if (!deal || !further) return null;
  return { discarder: further.discarder, deal, others: further.winners };
}

/** A hand without its tiles, as it is entered. */
export type HandPoints = Extract<Play, { kind: 'points' }>;

/**
 * Gain or loss of each player by a hand without its tiles, by the shares and the table of
 * values that the rule set lists: shown before it is entered, offline too. `null` if an older list
 * has no shares.
 */
export function paymentsOf(
  rules: Partial<Pick<Ruleset, 'payments' | 'values' | 'value_table' | 'seats' | 'options'>>,
  deal: Deal,
  { winner, discarder, points, liable }: HandPoints,
): readonly number[] | null {
  const { payments, values, value_table } = rules;
  // Who pays the dealer more is the same wherever East sits.
  const places = withEast(deal, deal.dealer);
  const seat = (player: Player): Wind => seatOf(places, player);
  const streak = Math.min(streakOf(deal) ?? 0, MAX_COUNT);
  const from = typeof discarder === 'number' ? seat(discarder) : null;
  const rule = payments?.find((one) => one.winner === seat(winner) && (one.discarder ?? null) === from);
  if (!rule) return null;
  if (value_table) {
    const won = { winner, discarder: discarder ?? null, points, liable: liable ?? null };
    return riichiPayments({ ...rules, value_table }, deal, won);
  }
  const value = values?.[Math.min(points, values.length - 1)] ?? points;
  const players = [...deal.seats].sort();
  const paid = players.map((player) => {
    // All that would be paid, as `liable_shares` in the rules of Hong Kong has it.
    if (typeof liable === 'number') return player === liable ? (from === null ? 6 : 4) * value : 0;
    const share = rule.shares.find((one) => one.seat === seat(player));
    if (!share) return 0;
    const more = (share.for_streak ?? 0) * streak;
    return share.basic + more + Math.floor((value * share.times) / share.per);
  });
  const sum = paid.reduce((all, one) => all + one, 0);
  // Without −0, which is no number of points.
  return players.map((player) => (player === winner ? sum : 0 - (paid[player] ?? 0)));
}

const HONBA = 100;
const STICK = 1000;

/** Parts of a rule set that say what the hands of riichi are worth. */
type Worth = Partial<Pick<Ruleset, 'value_table' | 'seats'>>;

/** Points of a row without counters: what a discarder pays, or all together; 0 where there is no such hand. */
export function pointsOf(row: ValueRow, { seats = WINDS }: Worth, isEast: boolean, isDrawn: boolean): number {
  if (!isDrawn) return (isEast ? row.discard_to_east : row.discard) ?? 0;
  const payers = seats.length - 1;
  if (isEast) return payers * (row.self_draw_to_east ?? 0);
  return (row.self_draw_east ?? 0) + (payers - 1) * (row.self_draw_others ?? 0);
}

/** Points of a yakuman, which is worth four mangan: less on a self-draw where three play. */
export function yakumanOf(rules: Worth, isEast: boolean, isDrawn: boolean): number {
  const mangan = rules.value_table?.find(({ limit }) => limit === 'mangan');
  return mangan ? 4 * pointsOf(mangan, rules, isEast, isDrawn) : 0;
}

/** A hand of riichi of which only the points are known. */
interface Settled extends Won {
  readonly winner: Player;
  readonly points: number;
  readonly liable: Player | null;
}

/**
 * Payments of a deal of riichi, where the sum of a self-draw tells what East and the others pay, as
 * `settle_total` and `settle_liable` in `crates/tilesight-core/src/rules/riichi/settle.rs` have it. Counters are
 * added, and the winner takes the sticks.
 */
function riichiPayments(
  rules: WithOptional & Worth & { readonly value_table: readonly ValueRow[] },
  deal: Deal,
  won: Settled,
): readonly number[] {
  const { winner, discarder, points } = won;
  const own = ofLiable(rules, deal, won);
  const [east, other] = shares(
    rules.value_table,
    points - own,
    winner === deal.seats[0],
    deal.seats.length - 1,
  );
  const players = [...deal.seats].sort();
  const paid = players.map((player) => {
    if (player === winner) return 0;
    const more = liablePart(won, player, own) + counters(rules, deal, won, player);
    if (discarder !== null) return more + (player === discarder ? points - own : 0);
    return more + (player === deal.seats[0] ? east : other);
  });
  const sum = paid.reduce((all, one) => all + one, 0);
  const taken = sum + STICK * (deal.riichi_sticks ?? 0);
  return players.map((player) => (player === winner ? taken : 0 - (paid[player] ?? 0)));
}

/** Points for which a player is liable: all yakuman, or one. */
function ofLiable(rules: WithOptional & Worth, deal: Deal, won: Settled): number {
  const { winner, discarder, points, liable } = won;
  if (liable === null) return 0;
  if (isOption(rules, 'liability_all_yakuman')) return points;
  return yakumanOf(rules, winner === deal.seats[0], discarder === null);
}

/** Part of a player in the points for which one is liable: everything, or a half beside another discarder. */
function liablePart({ discarder, liable }: Settled, player: Player, own: number): number {
  if (discarder === null || discarder === liable) return player === liable ? own : 0;
  return player === liable || player === discarder ? own / 2 : 0;
}

/** Payment of a player for the counters. */
function counters(rules: WithOptional, deal: Deal, { discarder, liable }: Settled, player: Player): number {
  const honba = deal.honba ?? 0;
  if (discarder !== null) {
    const payer = isOption(rules, 'liability_counters') ? (liable ?? discarder) : discarder;
    return player === payer ? counterOf(rules) * honba : 0;
  }
  if (liable === null) return HONBA * honba;
  return player === liable ? HONBA * honba * (deal.seats.length - 1) : 0;
}

/** Payments of East and of each of the others on a self-draw: by the table, or in proportion. */
function shares(
  table: readonly ValueRow[],
  points: number,
  isEast: boolean,
  payers: number,
): readonly [number, number] {
  if (isEast) return [0, Math.floor(points / payers)];
  const row = table.find(
    ({ self_draw_east: east, self_draw_others: others }) =>
      (east ?? 0) + (payers - 1) * (others ?? 0) === points,
  );
  const hundreds = Math.min(Math.ceil(points / (payers + 1) / 100) * 100, Math.floor(points / (payers - 1)));
  return row
    ? [row.self_draw_east ?? 0, row.self_draw_others ?? 0]
    : [points - (payers - 1) * hundreds, hundreds];
}

type WithOptional = Partial<Pick<Ruleset, 'options'>>;

const isOption = ({ options = [] }: WithOptional, name: string): boolean => isOn({ options }, name);

/** Points of a counter from a discarder, where riichi is played. */
function counterOf({ options = [] }: WithOptional): number {
  const points = options.find(({ name }) => name === 'honba_discard')?.value;
  return typeof points === 'number' ? points : 300;
}

/** Tells whether counters and riichi sticks lie on the table of a game. */
export const isRiichi = ({ next, rows }: Game): boolean =>
  [next, ...rows.map(({ deal }) => deal)].some((deal) => typeof deal?.honba === 'number');

/** The points with which everyone begins, which totals of a game leave out; 0 in most games. */
export function startPoints(rules: WithOptions | undefined): number {
  const start = rules && optionOf(rules, 'start_points');
  return typeof start === 'number' ? start : 0;
}

/** Number of the dealer in a round, by which riichi names a deal: 3 in "East 3". */
export const dealerNumber = ({ seats: [east = 0] }: Deal): number => east + 1;

/** Tells whether a player may lay a stick in the deal that is played. */
export const mayLay = (game: Game, deal: Deal, player: Player): boolean =>
  deal.may_declare?.includes(player) ?? !declarers(game, deal).includes(player);

/** Tells whether riichi was declared with a hand that has called sets, which a game refuses. */
export const isOpenAfterRiichi = (hand: Hand, { winner }: Won, declared: readonly Player[]): boolean =>
  winner !== null && declared.includes(winner) && !isClosed(hand);

/** The players who declared riichi in a deal, so far. */
export const declarers = (game: Game, deal: Deal): readonly Player[] =>
  game.rows.flatMap(({ deal: of, play }) =>
    of?.number === deal.number && play.kind === 'riichi' ? [play.player] : [],
  );

/** The context with what the game knows: seat, round, discarder, and what lies on the table of riichi. */
export function withGame(context: Context, deal: Deal, won: Won, declared: readonly Player[] = []): Context {
  const { winner, discarder } = won;
  const { honba, riichi_sticks, dealer } = deal;
  const streak = streakOf(deal);
  const known: Context = {
    ...context,
    ...(typeof dealer === 'number' && { dealer: seatOf(deal, dealer) }),
    ...(streak !== null && { dealer_streak: Math.min(streak, MAX_COUNT) }),
    prevalent: deal.round,
    ...(winner !== null && { seat: seatOf(deal, winner) }),
    ...(typeof honba === 'number' && { honba }),
    ...(typeof riichi_sticks === 'number' && { riichi_sticks }),
    // A stick binds: it was riichi, or double riichi.
    ...(winner !== null &&
      declared.includes(winner) && { riichi: context.riichi === 'double' ? 'double' : 'riichi' }),
  };
  if (isSelfDrawn(known.win) || winner === null || discarder === null) return known;
  return withField(known, 'from', relationOf(deal, winner, discarder));
}

/** Returns the answer that is still missing before a hand can be entered; `null` if none is. */
export function missing(context: Context, won: Won): 'winner' | 'win' | 'discarder' | null {
  if (won.winner === null) return 'winner';
  if (context.win === undefined) return 'win';
  return isSelfDrawn(context.win) || won.discarder !== null ? null : 'discarder';
}

/** The parts of an evening that a list shows. */
export interface Known {
  readonly title: string;
  readonly players: readonly string[];
  readonly ruleset: string;
  readonly state: Game['state'];
  /** The deal that is played next; `null` once the game is over. */
  readonly next: Pick<Deal, 'number' | 'round'> | null;
}

export const knownOf = ({ title, players, ruleset, state, next }: Game): Known => ({
  title,
  players,
  ruleset,
  state,
  next: next ? { number: next.number, round: next.round } : null,
});

/** Returns when the first change of a game was made; `null` before it. */
export const startOf = ({ history }: Game): number | null => history[0]?.at ?? null;

/**
 * Tells whether a deal is over with an event: a stick and agreed points may leave it on, and with a further
 * winner by one discard it was over before.
 */
export function endsDeal(play: Play): boolean {
  if (play.kind === 'manual') return play.ends_deal ?? false;
  if (play.kind === 'win' || play.kind === 'points') return !play.same_discard;
  return play.kind !== 'riichi' && play.kind !== 'dead_hand';
}

/** Returns the number of deals that are over. */
export const dealsPlayed = ({ rows }: Pick<Game, 'rows'>): number =>
  rows.filter(({ play }) => endsDeal(play)).length;

/** Returns the entry of a player's stick in the deal that is played; `null` for none. */
export function stickOf(game: Game, player: Player): number | null {
  const stick = game.rows.find(
    ({ deal, play }) =>
      deal?.number === game.next?.number && play.kind === 'riichi' && play.player === player,
  );
  return stick?.entry ?? null;
}

/**
 * Returns the change that was taken back last and not done again since; `null` for none, or where the
 * entry that it is about is gone.
 */
export function redoable({ history, rows }: Game): Change | null {
  const undone: Change[] = [];
  for (const { action } of history) {
    const last = undone.at(-1);
    if (action.kind === 'undo') {
      undone.push(...history.filter(({ number }) => number === action.change));
    } else if (last && JSON.stringify(last.action) === JSON.stringify(action)) {
      undone.pop();
    } else {
      undone.length = 0;
    }
  }
  const change = undone.at(-1);
  const about = change && entryOf(change.action);
  if (!change || (about != null && !rows.some(({ entry }) => entry === about))) return null;
  return change;
}

/** A change of a game. */
type Change = Game['history'][number];

/**
 * Returns the number of the change that is taken back next, where undos wait for the server that the history
 * may not have; `null` for none.
 */
export function undoable({ history }: Pick<Game, 'history'>, waiting: readonly GameAction[]): number | null {
  const gone = waiting.flatMap((action) => (action.kind === 'undo' ? [action.change] : []));
  const left = history.filter(
    ({ number, action, undone }) => !undone && action.kind !== 'undo' && !gone.includes(number),
  );
  return left.at(-1)?.number ?? null;
}

/** Returns the entry that an action is about, which has to be there. */
function entryOf(action: GameAction): number | null {
  switch (action.kind) {
    case 'add':
      return action.before ?? null;
    case 'correct':
    case 'remove':
      return action.entry;
    default:
      return null;
  }
}

/** Returns the keys of the changes by which a row has its hand, the last one first: corrections, and the entry. */
export function keysOfRow({ history }: Pick<Game, 'history'>, entry: number): readonly string[] {
  const changes = history.filter(
    ({ number, action, undone }) =>
      !undone && (number === entry || (action.kind === 'correct' && action.entry === entry)),
  );
  return changes.flatMap(({ key }) => key ?? []).reverse();
}

/** A won hand as it is entered, without what the game already knows. */
export function toPlay(
  hand: Hand,
  context: Context,
  won: Won,
  table: { readonly deal: Deal; readonly others: readonly Other[] },
): Play | null {
  if (won.winner === null || missing(context, won)) return null;
  const { seat: _, prevalent: __, from: ___, honba: ____, riichi_sticks: _____, ...more } = context;
  const { dealer: ______, dealer_streak: _______, ...rest } = more;
  const discarder = isSelfDrawn(context.win) ? null : won.discarder;
  const others = othersToPlay(table.others, table.deal);
  const play = {
    kind: 'win',
    winner: won.winner,
    discarder,
    ...(won.beside && { same_discard: true }),
    ...(typeof won.east === 'number' && { east: won.east }),
    // Before the module is there, as an object, which the game keeps as the same text.
    hand: print(hand) ?? toDto(hand),
    ...(hand.supposed && { winning_tile_supposed: true }),
    context: rest as ContextDto,
  } as const;
  return others.length > 0 ? { ...play, others } : play;
}

/**
 * The deal that a hand is entered for: the next one, that of the entry that is corrected, or of a further
 * winner by one discard the one before; with the winds that were stated.
 */
export function dealFor(game: Game, { entry, east, beside = false, winner = null }: DealAsked): Deal | null {
  const row = entry === null ? game.rows.at(-1) : game.rows.find((one) => one.entry === entry);
  const deal = (entry === null && !beside ? game.next : row?.deal) ?? null;
  if (!deal) return null;
  const seated = withEast(deal, east);
  return beside && !takesTable(game, seated, winner) ? { ...seated, ...NOTHING_ON_TABLE } : seated;
}

interface DealAsked extends Pick<Won, 'east' | 'beside'> {
  readonly entry: number | null;
  readonly winner?: Player | null;
}

/** Table of a further winner, where another winner by the same discard takes what lies on it. */
export const NOTHING_ON_TABLE = { honba: 0, riichi_sticks: 0 } as const;

/**
 * Tells whether a further winner takes what lies on the table of riichi: of the winners by one discard the
 * one does who is next in turn after the discarder.
 */
export function takesTable({ rows }: Pick<Game, 'rows'>, deal: Deal, winner: Player | null): boolean {
  if (typeof deal.honba !== 'number' || winner === null) return true;
  const won = rows.flatMap(({ deal: of, play }) =>
    of?.number === deal.number && (play.kind === 'win' || play.kind === 'points') ? [play] : [],
  );
  const from = won.at(-1)?.discarder;
  if (typeof from !== 'number') return true;
  const steps = (player: Player): number =>
    (deal.seats.indexOf(player) - deal.seats.indexOf(from) + deal.seats.length) % deal.seats.length;
  return won.every((one) => steps(winner) <= steps(one.winner));
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

/** Tells whether all names are there and people can tell them apart, as a game requires. */
export function areNames(names: readonly string[]): boolean {
  const forms = names.map(folded).filter((name) => /[^\s\p{M}\p{C}\u2800]/u.test(name));
  return forms.length === names.length && new Set(forms).size === names.length;
}

/** The most points of a hand, and the most that one person pays, that a game takes. */
export const MAX_HAND_POINTS = 100_000;
const MAX_PAYMENT = 1_000_000;

/**
 * A whole number as people type it, with a sign of any kind; `null` if it isn't one. `Number` alone
 * would take `1e3`, `0x10` and, as nothing, a single space.
 */
function wholeNumber(text: string): number | null {
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

/** Tells whether a text may still become a number while it is typed: it is empty or a sign. */
export const isBegun = (text: string): boolean => /^\s*[+\-−–]?\s*$/.test(text);

/** Tells whether payments can be made with the sticks of riichi. */
export const areHundreds = (payments: readonly number[]): boolean =>
  payments.every((points) => points % 100 === 0);

/** Returns the gain, as it is typed, of a player who pays each of the others the same. */
export const paidToEach = (players: readonly Player[], player: Player, each: number): string[] =>
  players.map((one) => (one === player ? `${-(players.length - 1) * each}` : `${each}`));

/** A number with its sign, as score sheets show it. */
export function signed(points: number): string {
  if (points === 0) return '0';
  return points > 0 ? `+${points}` : `−${-points}`;
}
