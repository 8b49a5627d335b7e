/**
 * Who pays for a hand of which only the points were written down: the laws of the games, for the
 * common case. The service knows the tiles of all other hands, and settles those itself.
 *
 * Invariant: the payments sum to zero.
 */

/** A hand without its tiles. */
export interface PlainWin {
  readonly points: number;
  /** The places of winner and discarder around the table, 0 for East; `null` on a self-draw. */
  readonly winner: number;
  readonly discarder: number | null;
}

const PLACES = [0, 1, 2, 3];
/** What every player pays in MCR, whatever the hand. */
const BASIC = 8;

/** What one of the others pays the winner. */
type Law = (win: PlainWin, payer: number) => number;

const LAWS: Readonly<Record<string, Law>> = {
  mcr: ({ points, discarder }, payer) => BASIC + (discarder === null || discarder === payer ? points : 0),
  /** The discarder pays everything; on a self-draw East a half, the others a quarter, East a third. */
  mmm: ({ points, winner, discarder }, payer) => {
    if (discarder !== null) return discarder === payer ? points : 0;
    return Math.floor(points / (winner === 0 ? 3 : payer === 0 ? 2 : 4));
  },
  /** Everybody pays, double where East is one of the two. */
  classical: ({ points, winner }, payer) => points * (winner === 0 || payer === 0 ? 2 : 1),
};

/** An option that changes who pays: with any other value the law above does not hold. */
const EXPECTED: Readonly<Record<string, unknown>> = { east_doubles: true };

interface Rules {
  readonly game: string;
  readonly options: readonly { readonly name: string; readonly value: unknown }[];
}

/** What each place gains or loses; `null` for a game or an option whose law is not known here. */
export function settlePoints({ game, options }: Rules, win: PlainWin): number[] | null {
  const law = LAWS[game];
  const usual = options.every(({ name, value }) => !(name in EXPECTED) || EXPECTED[name] === value);
  if (!law || !usual) return null;
  const paid = PLACES.map((place) => (place === win.winner ? 0 : law(win, place)));
  const sum = paid.reduce((all, one) => all + one, 0);
  // Without −0, which is no number of points.
  return PLACES.map((place) => (place === win.winner ? sum : 0 - (paid[place] ?? 0)));
}
