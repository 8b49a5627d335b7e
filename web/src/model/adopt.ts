/**
 * Gives the tiles of another hand, which the service made of a hand, the identity that they have on
 * the page.
 *
 * Invariants: the result has the tiles, sets and flowers of the other hand; a tile that is in both
 * keeps its id and its place in the photo; a tile that has another name is the same tile.
 */
import { faces, type Hand, kindOf, type Meld, type Piece, pieces, toDoubtfulDto } from './hand';
import { inOrder } from './tiles';

/** Returns whether two hands are the same to the service, whatever their tiles are called on the page. */
export const isSame = (one: Hand, other: Hand): boolean => keyOf(one) === keyOf(other);

function keyOf(hand: Hand): string {
  const { concealed = [], winning_tile = null, melds = [], flowers = [] } = toDoubtfulDto(hand);
  const sets = melds.map((meld) => JSON.stringify(meld)).sort();
  return JSON.stringify([[...concealed].sort(), winning_tile, sets, [...flowers].sort()]);
}

/** The tiles of a hand that are not used yet. */
class Pool {
  constructor(
    private free: Piece[],
    private nextId: number,
  ) {}

  /** A tile of this face, of those that `prefer` lists if possible. */
  take({ face, red = false }: Piece, prefer: readonly Piece[]): Piece | null {
    const fits = this.free.filter((piece) => piece.face === face && (piece.red ?? false) === red);
    const found = fits.find((piece) => prefer.includes(piece)) ?? fits[0];
    if (found) this.free = this.free.filter((piece) => piece !== found);
    return found ?? null;
  }

  /** Any tile that is left, with another name; else a new one. */
  rename({ face, red = false }: Piece, seen: number | null): Piece {
    const [left, ...others] = this.free;
    const name = { face, ...(red && { red }) };
    if (!left) return { id: this.nextId++, ...name, seen };
    this.free = others;
    return { id: left.id, ...name, seen: left.seen };
  }

  newId(): number {
    return this.nextId++;
  }

  get next(): number {
    return this.nextId;
  }
}

/**
 * Returns the other hand with the tiles of `hand`; if any tile changed, it is one at the places
 * `about`.
 */
export function adopt(hand: Hand, other: Hand, about: readonly number[] = []): Hand {
  const isAbout = ({ seen }: Piece): boolean => seen !== null && about.includes(seen);
  const old = pieces(hand);
  const pool = new Pool([...old.filter((one) => !isAbout(one)), ...old.filter(isAbout)], hand.nextId);
  const winning = hand.concealed.filter(({ id }) => id === hand.winning);
  const rest = hand.concealed.filter(({ id }) => id !== hand.winning);
  // First every tile that keeps its name, then those that got another one.
  const kept = new Map<Piece, Piece>();
  const keep = (piece: Piece, prefer: readonly Piece[]): void => {
    const found = pool.take(piece, prefer);
    if (found) kept.set(piece, found);
  };
  const homes = new Map(other.melds.map((meld) => [meld, homeOf(hand, meld)]));
  for (const meld of other.melds) for (const piece of meld.pieces) keep(piece, homes.get(meld)?.pieces ?? []);
  for (const piece of other.concealed) keep(piece, piece.id === other.winning ? winning : rest);
  for (const piece of other.flowers) keep(piece, hand.flowers);
  const unseen = about.filter((at) => !old.some(({ seen }) => seen === at));
  const named = (piece: Piece): Piece => kept.get(piece) ?? pool.rename(piece, unseen.shift() ?? null);
  const melds = other.melds.map((meld): Meld => {
    const tiles = meld.pieces.map(named);
    const at = meld.pieces.findIndex(({ id }) => id === meld.claimed);
    const home = homes.get(meld);
    return { ...meld, id: home?.id ?? pool.newId(), pieces: tiles, claimed: tiles[at]?.id ?? null };
  });
  const tiles = other.concealed.map((piece) => [piece.id === other.winning, named(piece)] as const);
  const flowers = other.flowers.map(named);
  return {
    ...hand,
    concealed: tiles.map(([, piece]) => piece),
    winning: tiles.find(([won]) => won)?.[1].id ?? null,
    supposed: false,
    melds,
    flowers: [...flowers].sort((a, b) => inOrder(a.face, b.face)),
    nextId: pool.next,
  };
}

/** The meld of a hand that another one's meld was: the same tiles, or all but one. */
function homeOf(hand: Hand, meld: Meld): Meld | null {
  const wanted = faces(meld.pieces);
  const missing = (one: Meld): number => wanted.filter((face) => !faces(one.pieces).includes(face)).length;
  const [best] = [...hand.melds].sort((a, b) => missing(a) - missing(b));
  return best && kindOf(best) !== null && missing(best) <= 1 ? best : null;
}
