/**
 * Hands of the other players, for rules that score every player: the hand that was typed or read
 * for each seat, and the part of it that is sent.
 *
 * Such a hand may be incomplete and has no winning tile. Invariant: `hand` is the hand in `text`,
 * or `null` if the text is not a hand; then it is not sent. Only what was read before the module is
 * there has no text; it is sent as an object.
 */
import type { Deal, GameRow, Other, Reading, Wind } from '../api/types';
import { EMPTY, faces, type Hand, isEmpty, pieces, toDto } from './hand';
import { NotationError, parse, print } from './notation';
import { WINDS } from './payments';
import { fromReading } from './reading';
import { type Face, FLOWERS, isFlower, UNNAMED } from './tiles';

export interface OtherHand {
  readonly text: string;
  readonly hand: Hand | null;
  /** Reading of the hand's photo, until the text is edited. */
  readonly reading: Reading | null;
  /** Error of a text that can't be read: its place and the reason. */
  readonly wrong: NotationError | null;
}

export type Others = Readonly<Partial<Record<Wind, OtherHand>>>;

export function typed(text: string): OtherHand {
  try {
    return { text, hand: parse(text).hand, reading: null, wrong: null };
  } catch (error) {
    if (!(error instanceof NotationError)) throw error;
    return { text, hand: null, reading: null, wrong: error };
  }
}

/** A hand as the camera saw it, or as a doubt of it was answered. */
export function seen(reading: Reading, hand: Hand = fromReading(reading)): OtherHand {
  return { text: print(hand) ?? '', hand, reading, wrong: null };
}

/** The hands to send, in the order of the seats; never one of the winner. */
export function toSend(others: Others, winner: Wind): Other[] {
  return WINDS.filter((seat) => seat !== winner).flatMap((seat) => {
    const other = others[seat];
    return other?.hand && !isEmpty(other.hand)
      ? [{ seat, hand: other.text.trim() || toDto(other.hand) }]
      : [];
  });
}

/** Copies of a tile in a game; a flower whose name is not known may be any. */
function copiesOf(face: Face): number {
  if (face === UNNAMED) return FLOWERS.length;
  return isFlower(face) ? 1 : 4;
}

/** Returns the seats whose hands have a tile that the table, with the winner's hand, has more often than it exists. */
export function tooManyWith(hand: Hand, others: Others, winner: Wind): readonly Wind[] {
  const seats = WINDS.filter((seat) => seat !== winner);
  const facesAt = (seat: Wind): Face[] => faces(pieces(others[seat]?.hand ?? EMPTY));
  const found = new Map<Face, number>();
  for (const face of [...faces(pieces(hand)), ...seats.flatMap(facesAt)])
    found.set(face, (found.get(face) ?? 0) + 1);
  return seats.filter((seat) => facesAt(seat).some((face) => (found.get(face) ?? 0) > copiesOf(face)));
}

/** Returns the hands as the game stores them: by player. */
export const toPlay = (others: readonly Other[], deal: Deal) =>
  others.flatMap(({ seat, hand }) => {
    const player = deal.seats[WINDS.indexOf(seat)];
    return player === undefined ? [] : [{ player, hand }];
  });

/** The hands that a row of the sheet has, to be corrected. */
export function fromRow({ play, deal }: GameRow): Others {
  if (play.kind !== 'win' || !deal) return {};
  const pairs = (play.others ?? []).flatMap(({ player, hand }) => {
    const seat = WINDS[deal.seats.indexOf(player)];
    return seat && typeof hand === 'string' ? [[seat, typed(hand)] as const] : [];
  });
  return Object.fromEntries(pairs);
}
