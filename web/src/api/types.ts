/**
 * The JSON of the service, as docs/contract.md tells it: only what the page uses.
 *
 * Fields may be added by the server; none of these change their meaning.
 */

export type Wind = 'E' | 'S' | 'W' | 'N';
export type Relation = 'left' | 'across' | 'right';
export type Feeder = Relation | 'nobody';
export type WinKind = 'self_drawn' | 'discard' | 'kong_replacement' | 'robbed_kong';

export interface Context {
  readonly seat?: Wind;
  readonly prevalent?: Wind;
  readonly win?: WinKind;
  readonly from?: Relation;
  readonly last_wall_tile?: boolean;
  readonly last_of_kind?: boolean;
  readonly feeder?: Feeder;
  /** Codes of what was declared at the table; which there are is told by the rule sets. */
  readonly declared?: readonly string[];
  /** The set that the winning tile completed, as text: `456m`, `111p`, `EE`. */
  readonly completes?: string;
  /** `false` for a photo of a hand that has not won. */
  readonly won?: boolean;
}

/** What is told of a hand that won; that it did is no circumstance. */
export type ContextField = Exclude<keyof Context, 'won'>;

export interface MeldDto {
  readonly kind: 'chow' | 'pung' | 'kong';
  readonly tiles: readonly string[];
  readonly concealed?: boolean;
  readonly added?: boolean;
  readonly claimed?: string | null;
  readonly from?: Relation | null;
}

export interface HandDto {
  readonly concealed: readonly string[];
  readonly winning_tile: string | null;
  readonly melds: readonly MeldDto[];
  readonly flowers: readonly string[];
  readonly notation?: string;
}

export type Corner = readonly [x: number, y: number];
export type Polygon = readonly [Corner, Corner, Corner, Corner];
export type Role = 'concealed' | 'winning' | 'meld' | 'flower' | 'ignored';

export interface SeenTile {
  readonly tile: string;
  readonly polygon: Polygon;
  readonly face_up: boolean;
  readonly sideways: boolean;
  readonly p: number;
  readonly candidates: readonly { readonly tile: string; readonly p: number }[];
  readonly role: Role;
  readonly group: number | null;
  readonly ignored?: string;
}

export type DoubtKind =
  | 'tile_count'
  | 'winning_tile'
  | 'tile'
  | 'too_many_copies'
  | 'exposed_set'
  | 'concealed_kong'
  | 'added_kong'
  | 'hidden_kong'
  | 'not_a_set'
  | 'flower'
  | 'cut_tile'
  | 'not_a_win'
  | 'contradiction'
  | 'feeder';

export interface Alternative {
  readonly answer: string;
  readonly p: number;
  readonly total: number | null;
  /** The hand with this answer, as a notation; absent where it takes more than the answer. */
  readonly hand?: string;
}

export interface Doubt {
  readonly kind: DoubtKind;
  readonly tiles: readonly number[];
  readonly question: string;
  readonly alternatives: readonly Alternative[];
  readonly field?: string;
  readonly affects_score: boolean;
}

/** A point in a photo, in its pixels. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

/** One of several hands in a photo; the first one is the hand that was read. */
export interface HandInView {
  readonly tiles: readonly number[];
  /** Sent with the photo, it asks for this hand. */
  readonly focus: Focus;
  readonly notation: string;
}

export interface Reading {
  readonly status: 'ok' | 'needs_review' | 'no_hand';
  readonly hand: HandDto;
  readonly supposed_winning_tile?: string;
  readonly probability: number;
  /** A selfie camera mirrored the photo; the hand is as it lies in truth. */
  readonly mirrored?: boolean;
  readonly tiles: readonly SeenTile[];
  /** Absent where the photo shows one hand, or none. */
  readonly hands_in_view?: readonly HandInView[];
  readonly doubts: readonly Doubt[];
  readonly score: Score | null;
}

export interface Answer {
  readonly request_id: string;
  readonly reading: Reading;
  readonly image: { readonly width: number; readonly height: number };
}

export interface ScoredSet {
  readonly kind: 'chow' | 'pung' | 'kong' | 'pair' | 'knitted' | 'singles';
  readonly tiles: readonly string[];
  readonly concealed: boolean;
  readonly winning: boolean;
}

export interface Award {
  readonly code: string;
  readonly number: number;
  readonly name: string;
  readonly points: number;
  readonly doublings?: number;
  readonly limits?: number;
  readonly count: number;
  readonly sets: readonly (readonly ScoredSet[])[];
  readonly explanation: string;
  readonly depends_on?: readonly ContextField[];
}

export interface Exclusion {
  readonly code: string;
  readonly by: string;
  readonly name: string;
  readonly by_name: string;
  readonly count: number;
  readonly reason: 'implied' | 'same_fan_twice' | 'account_once' | 'counts_alone';
}

/** The hand of somebody who did not win, as it is sent. */
export interface Other {
  readonly seat: Wind;
  readonly hand: string;
}

/** What the hand of somebody who did not win is worth. */
export interface OtherScore {
  readonly seat: Wind;
  readonly total: number;
  readonly awards: readonly Award[];
}

export interface Score {
  readonly ruleset: string | null;
  readonly total: number;
  readonly legal: boolean;
  readonly verdict: string;
  readonly within_reach?: readonly { readonly told: string }[];
  readonly value: number;
  readonly awards: readonly Award[];
  readonly excluded: readonly Exclusion[];
  readonly payments: Readonly<Record<Wind, number>>;
  readonly assumed: readonly ContextField[];
  readonly sets: readonly ScoredSet[];
  readonly runners_up: readonly {
    readonly total: number;
    readonly why_not: string;
    readonly sets: readonly ScoredSet[];
  }[];
  /** Absent where the rules score the winner alone. */
  readonly others?: readonly OtherScore[];
  /** Seats whose hands would count and were not told. */
  readonly unsettled?: readonly Wind[];
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly errors?: readonly { readonly field: string; readonly detail: string }[];
}

/** One rule set's answer, side by side with the others'. */
export interface Scored {
  readonly ruleset: string;
  readonly score: Score | null;
  readonly problem: Problem | null;
}

export interface Ruleset {
  readonly id: string;
  readonly name: string;
  readonly game: string;
  readonly summary: string;
  readonly minimum: number;
  /** Whether the hands of those who did not win count too. */
  readonly scores_everybody: boolean;
  readonly context: readonly { readonly field: ContextField; readonly values: readonly unknown[] }[];
}

// --- an evening ------------------------------------------------------------------------------

/** A player, by the place in the order of the first seats. */
export type Player = 0 | 1 | 2 | 3;

export interface Deal {
  readonly number: number;
  readonly round: Wind;
  /** Who sits at East, South, West and North. */
  readonly seats: readonly Player[];
  readonly repeats: number;
}

export interface WinPlay {
  readonly kind: 'win';
  readonly winner: Player;
  readonly discarder: Player | null;
  readonly hand: string | HandDto;
  readonly context: Context;
  /** Absent where nobody told any. */
  readonly others?: readonly { readonly player: Player; readonly hand: string | HandDto }[];
}

export interface ManualPlay {
  readonly kind: 'manual';
  readonly reason: 'hand' | 'false_mahjong' | 'adjustment';
  readonly player: Player;
  readonly payments: readonly number[];
  readonly ends_deal: boolean;
  readonly note?: string;
}

export type Play = WinPlay | ManualPlay | { readonly kind: 'draw' };

export type GameAction =
  | { readonly kind: 'add'; readonly play: Play; readonly before?: number }
  | { readonly kind: 'correct'; readonly entry: number; readonly play: Play }
  | { readonly kind: 'remove'; readonly entry: number }
  | { readonly kind: 'rename'; readonly title: string; readonly players: readonly string[] }
  | { readonly kind: 'finish' }
  | { readonly kind: 'undo'; readonly change: number };

export interface GameRow {
  readonly entry: number;
  readonly deal: Deal | null;
  readonly play: Play;
  readonly corrected: boolean;
  readonly score: {
    readonly total: number;
    readonly value: number;
    readonly awards: readonly { readonly code: string; readonly name: string; readonly count: number }[];
  } | null;
  readonly payments: readonly number[];
  readonly totals: readonly number[];
}

export interface GameChange {
  readonly number: number;
  readonly at: number;
  readonly by: string | null;
  readonly key: string | null;
  readonly action: GameAction;
  readonly undone: boolean;
}

export interface Game {
  readonly id: string | null;
  readonly revision: number;
  readonly title: string;
  readonly ruleset: string;
  readonly players: readonly string[];
  readonly state: 'running' | 'complete' | 'finished';
  readonly next: Deal | null;
  readonly rows: readonly GameRow[];
  readonly totals: readonly number[];
  readonly standings: readonly {
    readonly player: Player;
    readonly place: number;
    readonly total: number;
    readonly table_points: number | null;
  }[];
  readonly history: readonly GameChange[];
  readonly undo: number | null;
  readonly share: string | null;
}
