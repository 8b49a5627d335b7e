/**
 * A hand that is edited: every tile has an identity, so that it can be pointed at, moved and
 * corrected.
 *
 * A hand is a value. Everything in `edit.ts` takes one and gives another; whether it is a legal
 * or a winning hand is up to `count.ts` and the server. Invariant: piece and meld ids are unique
 * within a hand and stay the same through every edit, `winning` is a piece of `concealed` or
 * `null`, and no meld is empty.
 */
import type { AnsweredDoubt, HandDto, MeldDto, Relation } from '../api/types';
import { type Face, faceOf, inOrder, isFlower, isRed, redOf, type SetKind, setKind, UNNAMED } from './tiles';

export interface Piece {
  readonly id: number;
  readonly face: Face;
  /** A red five, which is a dora in riichi and a five in every other way. */
  readonly red?: boolean;
  /** Index of the tile in the reading's `tiles`; `null` if the camera did not see it. */
  readonly seen: number | null;
}

export interface Meld {
  readonly id: number;
  readonly pieces: readonly Piece[];
  /** A kong that was drawn as a whole. */
  readonly concealed: boolean;
  /** A kong made from an exposed pung. */
  readonly added: boolean;
  readonly from: Relation | null;
  /** The claimed piece of a chow, where it is known. */
  readonly claimed: number | null;
}

export interface Hand {
  /** The tiles in the hand, the winning one among them. */
  readonly concealed: readonly Piece[];
  readonly winning: number | null;
  /** The winning tile is a guess: nothing in the photo sets it apart. */
  readonly supposed: boolean;
  readonly melds: readonly Meld[];
  readonly flowers: readonly Piece[];
  /** Answers of a person to the doubts of the reading, in the order in which they were given. */
  readonly answered: readonly AnsweredDoubt[];
  /** Whether a person changed more of it than answers do. */
  readonly corrected?: boolean;
  readonly nextId: number;
}

export const EMPTY: Hand = {
  concealed: [],
  winning: null,
  supposed: false,
  melds: [],
  flowers: [],
  answered: [],
  nextId: 1,
};

export const faces = (pieces: readonly Piece[]): Face[] => pieces.map((piece) => piece.face);

/** The code of a tile in the API. */
const codeOf = ({ face, red = false }: Piece): string => (red ? redOf(face) : face);

export const kindOf = (meld: Meld): SetKind | null => setKind(faces(meld.pieces));

export const pieces = (hand: Hand): Piece[] => [
  ...hand.concealed,
  ...hand.melds.flatMap((meld) => meld.pieces),
  ...hand.flowers,
];

export const pieceOf = (hand: Hand, id: number): Piece | undefined =>
  pieces(hand).find((piece) => piece.id === id);

export const isEmpty = (hand: Hand): boolean => pieces(hand).length === 0;

/** Concealed tiles in order, the winning one last and apart, as hands are written. */
export function laidOut(hand: Hand): { rest: Piece[]; winning: Piece | null } {
  const sorted = [...hand.concealed].sort((a, b) => inOrder(a.face, b.face));
  return {
    rest: sorted.filter((piece) => piece.id !== hand.winning),
    winning: sorted.find((piece) => piece.id === hand.winning) ?? null,
  };
}

/** The hand as it is sent to be looked at again: without a winning tile that is only supposed. */
export function toDoubtfulDto(hand: Hand): HandDto {
  return toDto(hand.supposed ? { ...hand, winning: null } : hand);
}

/** The hand as the API takes it. An invalid meld is sent as a pung, which the server rejects. */
export function toDto(hand: Hand): HandDto {
  const { rest, winning } = laidOut(hand);
  return {
    concealed: rest.map(codeOf),
    winning_tile: winning ? codeOf(winning) : null,
    melds: hand.melds.map(meldDto),
    flowers: faces(hand.flowers).sort(inOrder),
  };
}

function meldDto(meld: Meld): MeldDto {
  const kind = kindOf(meld) ?? 'pung';
  const tiles = [...meld.pieces].sort((a, b) => inOrder(a.face, b.face)).map(codeOf);
  const concealed = kind === 'kong' && meld.concealed;
  const added = kind === 'kong' && !concealed && meld.added;
  if (kind === 'chow') {
    const claimed = meld.pieces.find((piece) => piece.id === meld.claimed);
    return {
      kind,
      tiles,
      concealed,
      added,
      claimed: claimed ? codeOf(claimed) : null,
      from: claimed ? 'left' : null,
    };
  }
  const from = concealed ? null : meld.from;
  return { kind, tiles, concealed, added, claimed: from ? (tiles[0] ?? null) : null, from };
}

/** A hand from the API's shape; `seen` tells which picture of a tile belongs to which place. */
export function fromDto(dto: HandDto): Hand {
  let nextId = 1;
  const piece = (code: string): Piece => ({
    id: nextId++,
    face: faceOf(code) ?? (code as Face),
    ...(isRed(code) && { red: true }),
    seen: null,
  });
  const concealed = (dto.concealed ?? []).map(piece);
  const winning = dto.winning_tile ? piece(dto.winning_tile) : null;
  const melds = (dto.melds ?? []).map((meld): Meld => {
    const tiles = meld.tiles.map(piece);
    const claimed = meld.kind === 'chow' && meld.claimed;
    return {
      id: nextId++,
      pieces: tiles,
      concealed: meld.concealed ?? false,
      added: meld.added ?? false,
      from: meld.from ?? null,
      claimed:
        (claimed && tiles.find((one) => codeOf(one) === claimed || one.face === faceOf(claimed))?.id) || null,
    };
  });
  const flowers = (dto.flowers ?? []).map((code) => piece(isFlower(code) ? code : UNNAMED));
  return {
    ...EMPTY,
    concealed: winning ? [...concealed, winning] : concealed,
    winning: winning?.id ?? null,
    melds,
    flowers,
    nextId,
  };
}
