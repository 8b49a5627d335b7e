/**
 * Changes that a person may make to a hand: pure steps from one hand to the next.
 *
 * Nothing here validates: a hand is incomplete while it is edited. Every step keeps the
 * invariants of `hand.ts`; one that changes nothing returns the same object, so
 * that the history gets no step.
 */
import type { AnsweredDoubt, Relation } from '../api/types';
import { count, type HandSize } from './count';
import { type Hand, kindOf, type Meld, type Piece, pieceOf } from './hand';
import { type Face, higher, inOrder, isFlower, isTile, redOf, type SetKind, UNNAMED } from './tiles';

/** A place where tiles can lie. */
export type Place = 'concealed' | 'flowers' | 'new meld' | { readonly meld: number };

const plainMeld = { concealed: false, added: false, from: null, claimed: null } as const;

/** Applies `change` to every piece, wherever it lies; `null` takes the piece away. */
function mapPieces(hand: Hand, change: (piece: Piece) => Piece | null): Hand {
  const each = (list: readonly Piece[]): Piece[] =>
    list.flatMap((piece) => {
      const changed = change(piece);
      return changed ? [changed] : [];
    });
  return tidy({
    ...hand,
    concealed: each(hand.concealed),
    flowers: each(hand.flowers),
    melds: hand.melds.map((meld) => ({ ...meld, pieces: each(meld.pieces) })),
  });
}

/** Drops empty melds and marks of tiles that are elsewhere now. */
function tidy(hand: Hand): Hand {
  const melds = hand.melds
    .filter((meld) => meld.pieces.length > 0)
    .map((meld) =>
      meld.pieces.some((piece) => piece.id === meld.claimed) ? meld : { ...meld, claimed: null },
    );
  const winning = hand.concealed.some((piece) => piece.id === hand.winning) ? hand.winning : null;
  return { ...hand, melds, winning, supposed: hand.supposed && winning !== null };
}

/** Changes the face of a tile. A flower moves to the flowers, and any other tile out of them. */
export function setFace(hand: Hand, id: number, face: Face): Hand {
  const old = pieceOf(hand, id);
  if (!old || old.face === face) return hand;
  const changed = mapPieces(hand, (piece) => (piece.id === id ? { id, face, seen: piece.seen } : piece));
  const isBonus = isFlower(face) || face === UNNAMED;
  const wasBonus = hand.flowers.some((piece) => piece.id === id);
  if (isBonus === wasBonus) return changed;
  return move(changed, [id], isBonus ? 'flowers' : 'concealed');
}

/** Says of a five whether it is a red one. */
export function setRed(hand: Hand, id: number, red: boolean): Hand {
  const old = pieceOf(hand, id);
  if (!old || redOf(old.face) === old.face || (old.red ?? false) === red) return hand;
  const { face, seen } = old;
  return mapPieces(hand, (piece) => (piece.id === id ? { id, face, ...(red && { red }), seen } : piece));
}

export function remove(hand: Hand, ids: readonly number[]): Hand {
  const kept = mapPieces(hand, (piece) => (ids.includes(piece.id) ? null : piece));
  return kept;
}

/** Adds a typed tile: the one that completes a hand of this size is the winning tile. */
export function addNext(hand: Hand, face: Face, red = false, size?: HandSize): Hand {
  const plain = add(hand, face);
  const grown = red ? setRed(plain, hand.nextId, true) : plain;
  const { off } = count(grown, size);
  const completes = off === 0 && hand.winning === null && isTile(face);
  return completes ? markWinning(grown, hand.nextId) : grown;
}

/** Adds a tile. */
export function add(hand: Hand, face: Face, place?: Place, seen: number | null = null): Hand {
  const piece: Piece = { id: hand.nextId, face, seen };
  const grown = { ...hand, nextId: hand.nextId + 1 };
  const target = place ?? (isFlower(face) || face === UNNAMED ? 'flowers' : 'concealed');
  return put(grown, [piece], target);
}

const MAX_FLOWERS = 8;

/**
 * The hand with so many flowers: more of them without a name, or fewer, first those that no tile of
 * the photo stands for.
 */
export function setFlowers(hand: Hand, number: number): Hand {
  const wanted = Math.max(0, Math.min(MAX_FLOWERS, number));
  const now = hand.flowers.length;
  if (wanted >= now) {
    return Array.from({ length: wanted - now }).reduce<Hand>((sum) => add(sum, UNNAMED), hand);
  }
  const rank = ({ face, seen }: Piece): number => Number(seen !== null) * 2 + Number(face !== UNNAMED);
  const leaving = [...hand.flowers].reverse().sort((a, b) => rank(a) - rank(b));
  return remove(
    hand,
    leaving.slice(0, now - wanted).map(({ id }) => id),
  );
}

export const mayAddFlower = (hand: Hand): boolean => hand.flowers.length < MAX_FLOWERS;

/** Moves tiles together to another place; what they leave empty disappears. */
export function move(hand: Hand, ids: readonly number[], place: Place): Hand {
  const moved = ids.flatMap((id) => pieceOf(hand, id) ?? []);
  if (moved.length === 0) return hand;
  const target = typeof place === 'object' && hand.melds.find((meld) => meld.id === place.meld);
  const winning = place === 'concealed' ? hand.winning : null;
  const without = mapPieces(hand, (piece) => (ids.includes(piece.id) ? null : piece));
  // The move itself may have emptied the target; then it is restored with its properties.
  const melds =
    target && !without.melds.some((meld) => meld.id === target.id)
      ? [...without.melds, { ...target, pieces: [] }]
      : without.melds;
  const put_ = put({ ...without, melds }, moved, place);
  return winning !== null && ids.includes(winning) ? { ...put_, winning } : put_;
}

function put(hand: Hand, moved: readonly Piece[], place: Place): Hand {
  if (place === 'concealed') return { ...hand, concealed: [...hand.concealed, ...moved] };
  if (place === 'flowers') return { ...hand, flowers: [...hand.flowers, ...moved] };
  if (place === 'new meld') {
    const sorted = [...moved].sort((a, b) => inOrder(a.face, b.face));
    const meld: Meld = { ...plainMeld, id: hand.nextId, pieces: sorted };
    return { ...hand, melds: [...hand.melds, meld], nextId: hand.nextId + 1 };
  }
  const melds = hand.melds.map((meld) =>
    meld.id === place.meld ? { ...meld, pieces: [...meld.pieces, ...moved] } : meld,
  );
  return tidy({ ...hand, melds });
}

/** Puts the tiles of a meld back among the concealed ones. */
export function split(hand: Hand, meldId: number): Hand {
  const meld = hand.melds.find((one) => one.id === meldId);
  return meld ? move(hand, idsOf(meld), 'concealed') : hand;
}

/** Lays the tiles of one meld to another. */
export function merge(hand: Hand, meldId: number, into: number): Hand {
  const meld = hand.melds.find((one) => one.id === meldId);
  return meld && meldId !== into ? move(hand, idsOf(meld), { meld: into }) : hand;
}

const idsOf = (meld: Meld): number[] => meld.pieces.map((piece) => piece.id);

/** The lowest tile of the set that `kind` makes of this face; `null` when there is none. */
function lowest(face: Face, kind: SetKind): Face | null {
  if (kind !== 'chow') return isFlower(face) || face === UNNAMED ? null : face;
  if (higher(face, 0) === null) return null;
  if (higher(face, 2)) return face;
  return higher(face, 1) ? higher(face, -1) : higher(face, -2);
}

/** Tells whether a meld can become a set of this kind. */
export const canReform = (meld: Meld, kind: SetKind): boolean =>
  meld.pieces[0] !== undefined && lowest(firstOf(meld).face, kind) !== null;

const firstOf = (meld: Meld): Piece => {
  const [first] = [...meld.pieces].sort((a, b) => inOrder(a.face, b.face));
  if (!first) throw new Error('a meld is never empty');
  return first;
};

/** Returns a tile of this face in the hand, if possible another one than the tile that won. */
function heldCopy({ concealed, winning }: Hand, face: Face): Piece | undefined {
  const copies = concealed.filter((piece) => piece.face === face);
  return copies.find(({ id }) => id !== winning) ?? copies[0];
}

/**
 * Makes a chow, pung or kong of a meld, from its lowest tile; tiles come and go as needed. The fourth
 * tile of a kong comes from the hand, if it is there.
 */
export function reform(hand: Hand, meldId: number, kind: SetKind): Hand {
  const meld = hand.melds.find((one) => one.id === meldId);
  if (!meld || kindOf(meld) === kind) return hand;
  const low = lowest(firstOf(meld).face, kind);
  if (low === null) return hand;
  const held = kind === 'kong' && meld.pieces.length < 4 && heldCopy(hand, low);
  if (held) return reform(move(hand, [held.id], { meld: meldId }), meldId, kind);
  const size = kind === 'kong' ? 4 : 3;
  const sorted = [...meld.pieces].sort((a, b) => inOrder(a.face, b.face)).slice(0, size);
  let nextId = hand.nextId;
  const made = Array.from({ length: size }, (_, at): Piece => {
    const face = kind === 'chow' ? (higher(low, at) ?? low) : low;
    const piece = sorted[at];
    return piece?.face === face ? piece : { id: piece?.id ?? nextId++, face, seen: piece?.seen ?? null };
  });
  const facts = kind === 'kong' ? {} : { concealed: false, added: false };
  return changeMeld({ ...hand, nextId }, meldId, { ...facts, pieces: made, claimed: null });
}

function changeMeld(hand: Hand, meldId: number, facts: Partial<Meld>): Hand {
  const melds = hand.melds.map((meld) => (meld.id === meldId ? { ...meld, ...facts } : meld));
  return tidy({ ...hand, melds });
}

export type KongState = 'concealed' | 'exposed' | 'added';

export function kongState({ concealed, added }: Meld): KongState {
  if (concealed) return 'concealed';
  return added ? 'added' : 'exposed';
}

export function setKongState(hand: Hand, meldId: number, state: KongState): Hand {
  const facts = { concealed: state === 'concealed', added: state === 'added' };
  return changeMeld(hand, meldId, state === 'concealed' ? { ...facts, from: null } : facts);
}

export const setFrom = (hand: Hand, meldId: number, from: Relation | null): Hand =>
  changeMeld(hand, meldId, { from });

/** Sets which tile of a chow was claimed. */
export const setClaimed = (hand: Hand, meldId: number, piece: number | null): Hand =>
  changeMeld(hand, meldId, { claimed: piece });

/**
 * The tile that won; one out of a meld goes into the hand first, where the winning tile belongs.
 */
export function markWinning(hand: Hand, id: number | null): Hand {
  if (id === null) return { ...hand, winning: null, supposed: false };
  if (!pieceOf(hand, id)) return hand;
  const inHand = hand.concealed.some((piece) => piece.id === id);
  const held = inHand ? hand : move(hand, [id], 'concealed');
  return { ...held, winning: id, supposed: false };
}

export const markAnswered = (hand: Hand, answered: AnsweredDoubt): Hand => ({
  ...hand,
  answered: [...hand.answered, answered],
});
