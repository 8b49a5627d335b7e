/**
 * Effects of the answers to a doubt on the hand, and the order of the questions.
 *
 * The service words its questions in English; here they are facts: the kind of doubt, the tiles it
 * is about, and for each answer the hand that it makes. `i18n` has the words. An answer
 * that can't be applied automatically (a hand cut off by the edge of the photo) has no hand.
 */
import type { Alternative, AnsweredDoubt, Doubt, DoubtKind, Feeder, Reading, Repair } from '../api/types';
import { adopt, isSame } from './adopt';
import * as edit from './edit';
import { type Hand, kindOf, type Meld, pieceOf, pieces } from './hand';
import { canWrite, parse } from './notation';
import { type Face, faceOf, isFlower, isRed, isTile, type TileCode, UNNAMED } from './tiles';

/** An answer: a face, "not a tile", yes or no, or how a set was made. */
export type Reply =
  | { readonly kind: 'face'; readonly face: Face; readonly red?: boolean }
  /** Several tiles: dora indicators. */
  | { readonly kind: 'faces'; readonly faces: readonly TileCode[] }
  | { readonly kind: 'none' | 'back' }
  | { readonly kind: 'yes' | 'no' }
  | { readonly kind: 'concealed' | 'claimed' | 'added' }
  | { readonly kind: 'in_set'; readonly face: Face; readonly set: readonly Face[] }
  | { readonly kind: 'feeder'; readonly feeder: Feeder }
  | { readonly kind: 'other' };

export interface Choice {
  readonly reply: Reply;
  readonly p: number;
  /** The total from the service; `null` where the hand would not win. */
  readonly total: number | null;
  /** The lowest and the highest total that are possible after it; `null` without a total. */
  readonly left: readonly [number, number] | null;
  /** The hand with this answer; `null` where a person must correct it. */
  readonly hand: Hand | null;
  /** Whether the hand already has this answer. */
  readonly current: boolean;
}

export interface Question {
  readonly doubt: Doubt;
  /** The pieces it is about, by id. */
  readonly pieces: readonly number[];
  readonly choices: readonly Choice[];
}

/** The name of a doubt; answers of older services have none. */
export const idOf = ({ id, kind, tiles }: Doubt): string => id ?? `${kind} ${tiles.join()}`;

/**
 * A hand after a person changed it, with the doubts that the change has answered: those about a tile
 * that was named, added, taken out or laid elsewhere, and about flowers once they were counted.
 */
export function settle(before: Hand, after: Hand, open: readonly Doubt[]): Hand {
  if (before === after || before.answered.length !== after.answered.length) return after;
  const answers = open
    .filter((doubt) => !isAnswered(after, doubt))
    .flatMap((doubt) => answerBy(before, after, doubt) ?? []);
  return answers.length > 0 ? { ...after, answered: [...after.answered, ...answers] } : after;
}

const isAnswered = ({ answered }: Hand, doubt: Doubt): boolean =>
  answered.some((one) => one.doubt === idOf(doubt));

/**
 * The hand with so many flowers, which a person counted: no flower is in doubt after that, be it one
 * that was taken out or one that stays.
 */
export function countFlowers(hand: Hand, number: number, open: readonly Doubt[]): Hand {
  const counted = edit.setFlowers(hand, number);
  if (counted === hand) return hand;
  const settled = settle(hand, counted, open);
  const flowers = open.filter((doubt) => doubt.kind === 'flower' && !isAnswered(settled, doubt));
  const answers = flowers.map((doubt) => ({ doubt: idOf(doubt), answer: null }));
  return { ...settled, answered: [...settled.answered, ...answers] };
}

/** Returns the answer to a doubt that a change gives; `null` for none. */
function answerBy(before: Hand, after: Hand, doubt: Doubt): AnsweredDoubt | null {
  const answered = (answer: string | null): AnsweredDoubt => ({ doubt: idOf(doubt), answer });
  const [seen = -1] = doubt.tiles;
  const changed = doubt.tiles.some((at) => stateOf(before, at) !== stateOf(after, at));
  if (doubt.kind === 'flower') {
    if (uncounted(before) !== uncounted(after)) return answered(null);
    if (doubt.tiles.length > 1 || !changed) return null;
    return answered(after.flowers.some((piece) => piece.seen === seen) ? 'yes' : 'no');
  }
  if (doubt.kind === 'winning_tile') {
    const named = after.winning !== before.winning && after.winning !== null && !after.supposed;
    return named ? answered(null) : null;
  }
  return changed && ABOUT_TILES.includes(doubt.kind) ? answered(null) : null;
}

const ABOUT_TILES: readonly DoubtKind[] = [
  'tile',
  'too_many_copies',
  'exposed_set',
  'concealed_kong',
  'added_kong',
  'hidden_kong',
];

/** Flowers that no tile of the photo stands for. */
const uncounted = ({ flowers }: Hand): number => flowers.filter(({ seen }) => seen === null).length;

/** Returns the part of a tile of the photo in a hand: its name, and the set that it lies in. */
function stateOf(hand: Hand, seen: number): string {
  const piece = pieces(hand).find((one) => one.seen === seen);
  if (!piece) return '';
  const meld = hand.melds.find((one) => one.pieces.includes(piece));
  const set = meld && [kindOf(meld), meld.concealed, meld.added, meld.pieces.length].join();
  return [piece.face, isFlower(piece.face), set].join(' ');
}

/**
 * Tells whether a doubt is asked only because the hand does not win; the repairs say more about
 * that.
 */
export const isRepaired = ({ kind, alternatives }: Doubt): boolean =>
  kind === 'not_a_win' || (kind === 'tile' && alternatives.filter(({ total }) => total == null).length === 1);

/** The repairs that no open question offers: a tile beside the hand is shown where it is asked about. */
export function unasked(repairs: readonly Repair[], open: readonly Question[]): readonly Repair[] {
  const offered = open.filter(isOffer).flatMap(({ doubt }) => doubt.alternatives.map(({ hand }) => hand));
  return repairs.filter(({ hand }) => !offered.includes(hand));
}

/** Tells whether every answer leaves the hand without a win, so that none of them helps. */
export const isIdle = ({ choices }: Question): boolean =>
  choices.length > 0 && choices.every(({ total, hand }) => total === null && hand !== null);

/** Tells whether a look at the tiles that were read answers a doubt: what a tile is, or whether it belongs to the hand. */
const isShown = ({ kind, tiles }: Doubt): boolean =>
  (kind === 'tile' || kind === 'flower') && tiles.length === 1;

/**
 * The answers that leave every tile as it was read, where all of several doubts are about what a
 * look at the tiles tells; none otherwise.
 */
export function asRead(open: readonly Question[]): readonly Choice[] {
  const current = open
    .filter(({ doubt }) => isShown(doubt))
    .flatMap(({ choices }) => choices.find((choice) => choice.current && choice.hand !== null) ?? []);
  return open.length > 1 && current.length === open.length ? current : [];
}

/** The hand once those answers are given. */
export const withAnswers = (hand: Hand, given: readonly Choice[]): Hand =>
  given
    .flatMap((choice) => choice.hand?.answered.slice(hand.answered.length) ?? [])
    .reduce(edit.markAnswered, hand);

/** The hand with a repair: the change to the tile that the repair is about. */
export function repaired(hand: Hand, repair: Repair): Hand | null {
  const own = withRepair(hand, repair);
  const other = canWrite() ? parse(repair.hand).hand : null;
  const about = repair.tile == null ? [] : [repair.tile];
  return other && !(own && isSame(own, other)) ? adopt(hand, other, about) : own;
}

function withRepair(hand: Hand, repair: Repair): Hand | null {
  const seen = repair.tile ?? null;
  const from = faceOf(repair.from ?? '');
  const to = faceOf(repair.to ?? '');
  const loose = [...hand.concealed, ...hand.flowers];
  const all = [...loose, ...hand.melds.flatMap((meld) => meld.pieces)];
  const named = all.filter(({ face }) => face === from);
  const piece = named.find((one) => one.seen !== null && one.seen === seen) ?? named.at(-1);
  if (repair.change === 'rename') return piece && to ? edit.setFace(hand, piece.id, to) : null;
  if (repair.change === 'leave_out') return piece ? edit.remove(hand, [piece.id]) : null;
  if (!to) return null;
  const taken = pieces(hand).some((one) => one.seen === seen);
  const grown = edit.add(hand, to, 'concealed', taken ? null : seen);
  return hand.winning === null || hand.supposed ? edit.markWinning(grown, hand.nextId) : grown;
}

/**
 * Returns the code of the tile that a doubt is about, as it was read: of a flower the likeliest one.
 */
export function codeOf(reading: Pick<Reading, 'tiles'> | null, { kind, tiles }: Doubt): string {
  const tile = reading?.tiles[tiles[0] ?? -1];
  if (!tile || kind !== 'flower' || isFlower(tile.tile)) return tile?.tile ?? '';
  return tile.candidates.find((one) => isFlower(one.tile))?.tile ?? UNNAMED;
}

/** A tile in the photo that was left out and would complete the hand. */
export const isOffer = ({ doubt }: Question): boolean => isOffered(doubt);

const isOffered = ({ kind, alternatives }: Doubt): boolean =>
  kind === 'tile_count' && alternatives.length > 0;

/**
 * Tells whether a doubt about missing tiles comes too early: it is asked only after all offered
 * tiles were refused.
 */
const isTooEarly = (doubt: Doubt, open: readonly Doubt[]): boolean =>
  doubt.kind === 'tile_count' && !isOffered(doubt) && open.some(isOffered);

/**
 * Tells whether a doubt is about the win and not about the hand: the questions about the win offer
 * its answer.
 */
const isAboutWin = ({ kind }: Doubt): boolean => kind === 'indicator';

/**
 * The doubts that are open, those that change the score first; within both, the service's order.
 * It computes them anew after every change; until it has, what was answered is left out.
 */
export function questions(
  hand: Hand,
  reading: Reading,
  doubts: readonly Doubt[] = reading.doubts,
  fresh = true,
): Question[] {
  const open = doubts.filter((one) => !hand.answered.some(({ doubt }) => doubt === idOf(one)));
  return open
    .filter((doubt) => !isTooEarly(doubt, open) && !isAboutWin(doubt))
    .sort((a, b) => Number(b.affects_score) - Number(a.affects_score))
    .map((doubt) => question(hand, reading, doubt, fresh));
}

function question(hand: Hand, reading: Reading, doubt: Doubt, fresh: boolean): Question {
  const about = pieces(hand)
    .filter((piece) => piece.seen !== null && doubt.tiles.includes(piece.seen))
    .map((piece) => piece.id);
  const choices = doubt.alternatives.map((alternative): Choice => {
    const reply = replyOf(alternative);
    const own = answer(hand, reading, doubt, reply);
    const made = fresh ? promised(hand, own, doubt, alternative) : own;
    return {
      reply,
      p: alternative.p,
      total: alternative.total ?? null,
      left: leftBy(alternative),
      hand: made && edit.markAnswered(made, { doubt: idOf(doubt), answer: alternative.answer }),
      // For an offered tile, the current hand makes neither answer more likely.
      current: made === hand && !isOffered(doubt),
    };
  });
  return { doubt, pieces: about, choices };
}

/**
 * The hand that an answer makes, where the service says which: its totals are those of that hand. The
 * page's own is the same mostly, and knows best which tile is which.
 */
function promised(hand: Hand, own: Hand | null, doubt: Doubt, { hand: text }: Alternative): Hand | null {
  const other = text && canWrite() ? parse(text).hand : null;
  return other && !(own && isSame(own, other)) ? adopt(hand, other, doubt.tiles) : own;
}

/** Returns the lowest and the highest total that an answer leaves. */
export function leftBy({ total, min, max }: Leaves): readonly [number, number] | null {
  return total == null ? null : [min ?? total, max ?? total];
}

type Leaves = Pick<Alternative, 'total'> & { readonly min?: number | null; readonly max?: number | null };

/** Returns what an answer in the words of the service says. */
export function replyOf({ answer: text }: Pick<Alternative, 'answer'>): Reply {
  const face = faceOf(text);
  if (face) return { kind: 'face', face, ...(isRed(text) && { red: true }) };
  const faces = tilesOf(text);
  if (faces.length > 1) return { kind: 'faces', faces };
  const inSet = inSetOf(text);
  if (inSet) return inSet;
  switch (text) {
    case 'none':
    case 'back':
      return { kind: text };
    case 'yes':
    case 'no':
    case 'concealed':
    case 'claimed':
      return { kind: text };
    case 'added to a pung':
      return { kind: 'added' };
    case 'left':
    case 'across':
    case 'right':
    case 'nobody':
      return { kind: 'feeder', feeder: text };
    default:
      return { kind: 'other' };
  }
}

/** The tiles of an answer such as `4m,E`; none if it is anything else. */
function tilesOf(text: string): readonly TileCode[] {
  const faces = text.split(',').map(faceOf);
  return faces.every((face) => face !== null && isTile(face))
    ? faces.filter((face) => face !== null && isTile(face))
    : [];
}

/** The tiles that lie face up in a wall, if the rules have indicators and nobody named them yet. */
export function shownIndicators(doubts: readonly Doubt[]): readonly TileCode[] {
  const [proposed] = doubts.find(({ kind }) => kind === 'indicator')?.alternatives ?? [];
  return proposed ? tilesOf(proposed.answer) : [];
}

/** The turned tile of an exposed set: `5p of 4p5p6p`. */
function inSetOf(text: string): Reply | null {
  const [won, tiles] = text.split(' of ');
  const face = faceOf(won ?? '');
  const set = (tiles?.match(/[0-9]?./g) ?? []).map(faceOf);
  if (!face || set.length !== 3) return null;
  return { kind: 'in_set', face, set: set.filter((one) => one !== null) };
}

/** The hand that an answer makes; the same object if nothing changes. */
function answer(hand: Hand, reading: Reading, doubt: Doubt, reply: Reply): Hand | null {
  const at = (seen: number) => pieces(hand).find((piece) => piece.seen === seen);
  const [first] = doubt.tiles;
  if (first === undefined) return null;
  switch (doubt.kind) {
    case 'tile':
      return mendTile(hand, at(first)?.id, reply);
    case 'too_many_copies':
      return mendTile(hand, at(weakest(reading, doubt))?.id, reply);
    case 'winning_tile':
      if (reply.kind === 'in_set') return wonInSet(hand, reply);
      return reply.kind === 'face' ? mendWinning(hand, doubt, reply.face) : null;
    case 'flower':
      return mendFlower(hand, reading, doubt, reply);
    case 'tile_count':
      return isOffered(doubt) ? takeIn(hand, reading, first, reply) : null;
    case 'hidden_kong':
      return reply.kind === 'face' ? hiddenKong(hand, doubt, reply.face) : null;
    case 'exposed_set':
    case 'concealed_kong':
    case 'added_kong':
      return mendMeld(hand, reading, doubt, reply);
    default:
      return null;
  }
}

/** The tile that completes the hand; it won where no other did. */
function takeIn(hand: Hand, reading: Reading, seen: number, reply: Reply): Hand | null {
  if (reply.kind === 'no') return hand;
  const face = bestFace(reading, seen);
  if (reply.kind !== 'yes' || face === null) return null;
  const grown = edit.add(hand, face, 'concealed', seen);
  return hand.winning === null || hand.supposed ? edit.markWinning(grown, hand.nextId) : grown;
}

function mendTile(hand: Hand, id: number | undefined, reply: Reply): Hand | null {
  if (id === undefined) return null;
  if (reply.kind === 'face') return edit.setRed(edit.setFace(hand, id, reply.face), id, reply.red ?? false);
  return reply.kind === 'none' ? edit.remove(hand, [id]) : null;
}

/** The tile with the lowest confidence, which the service asks about. */
function weakest(reading: Reading, doubt: Doubt): number {
  const p = (at: number): number => {
    const tile = reading.tiles[at];
    return tile?.candidates.find((candidate) => candidate.tile === tile.tile)?.p ?? 0;
  };
  return doubt.tiles.reduce((low, at) => (p(at) < p(low) ? at : low));
}

function mendWinning(hand: Hand, doubt: Doubt, face: Face): Hand | null {
  const winning = hand.winning === null ? undefined : pieceOf(hand, hand.winning);
  if (winning?.face === face && !hand.supposed) return hand;
  const alike = hand.concealed.filter((piece) => piece.face === face);
  const piece = alike.find((one) => doubt.tiles.includes(one.seen ?? -1)) ?? alike.at(-1);
  return piece ? edit.markWinning(hand, piece.id) : null;
}

/** A set that the winning tile completed was concealed till then. */
function wonInSet(hand: Hand, { face, set }: Extract<Reply, { kind: 'in_set' }>): Hand | null {
  const facesOf = (meld: Meld) => meld.pieces.map((piece) => piece.face).sort();
  const same = (meld: Meld) => facesOf(meld).join() === [...set].sort().join();
  const meld = hand.melds.find((one) => same(one) && (one.claimed ?? one.from) !== null);
  const piece = meld?.pieces.find((one) => one.face === face);
  return meld && piece ? edit.markWinning(edit.split(hand, meld.id), piece.id) : null;
}

function mendFlower(hand: Hand, reading: Reading, doubt: Doubt, reply: Reply): Hand | null {
  if (reply.kind !== 'yes' && reply.kind !== 'no') return null;
  // Two tiles: a gap between them, where one may lie that was not seen.
  if (doubt.tiles.length > 1) return reply.kind === 'no' ? hand : edit.add(hand, UNNAMED);
  const [seen = -1] = doubt.tiles;
  const there = hand.flowers.find((piece) => piece.seen === seen);
  if (reply.kind === 'no') return there ? edit.remove(hand, [there.id]) : hand;
  if (there) return hand;
  const named = reading.tiles[seen]?.candidates.map(({ tile }) => faceOf(tile));
  const face = named?.find((one) => one !== null && /^[fs][1-4]$/.test(one)) ?? UNNAMED;
  return edit.add(hand, face, 'flowers', seen);
}

function hiddenKong(hand: Hand, doubt: Doubt, face: Face): Hand {
  const [first, ...rest] = doubt.tiles;
  const meldId = hand.nextId + 1;
  const begun = edit.add(hand, face, 'new meld', first ?? null);
  const grown = rest.reduce((sum, seen) => edit.add(sum, face, { meld: meldId }, seen), begun);
  return edit.setKongState(grown, meldId, 'concealed');
}

/** Sets that lie apart: claimed, concealed, or made a kong by a fourth tile. */
function mendMeld(hand: Hand, reading: Reading, doubt: Doubt, reply: Reply): Hand | null {
  const ids = pieces(hand)
    .filter((piece) => piece.seen !== null && doubt.tiles.includes(piece.seen))
    .map((piece) => piece.id);
  const meld = hand.melds.find((one) => one.pieces.some((piece) => ids.includes(piece.id)));
  switch (reply.kind) {
    case 'no':
      return hand;
    case 'yes':
      return growKong(hand, reading, doubt);
    case 'concealed':
      if (!meld) return hand;
      if (kindOf(meld) !== 'kong') return edit.split(hand, meld.id);
      return meld.concealed ? hand : edit.setKongState(hand, meld.id, 'concealed');
    case 'claimed':
      return meld ? claim(hand, meld) : edit.move(hand, ids, 'new meld');
    case 'added': {
      if (!meld) return null;
      if (kindOf(meld) === 'kong' && meld.added) return hand;
      return edit.setKongState(edit.reform(hand, meld.id, 'kong'), meld.id, 'added');
    }
    default:
      return null;
  }
}

/**
 * Claimed as it lies: an added kong of three visible tiles was a pung, any other set stays one.
 */
function claim(hand: Hand, meld: Meld): Hand {
  if (kindOf(meld) !== 'kong' || (!meld.concealed && !meld.added)) return hand;
  const unseen = meld.pieces.filter((piece) => piece.seen === null);
  if (meld.added && unseen.length === 1) return edit.remove(hand, [unseen[0]?.id ?? -1]);
  return edit.setKongState(hand, meld.id, 'exposed');
}

/** A tile beside a pung makes it an added kong. */
function growKong(hand: Hand, reading: Reading, doubt: Doubt): Hand | null {
  const [seen = -1] = doubt.tiles;
  const face = faceOf(reading.tiles[seen]?.tile ?? '') ?? bestFace(reading, seen);
  const meld = hand.melds.find((one) => kindOf(one) === 'pung' && one.pieces[0]?.face === face);
  if (!meld || face === null) return null;
  return edit.setKongState(edit.add(hand, face, { meld: meld.id }, seen), meld.id, 'added');
}

const bestFace = (reading: Reading, seen: number): Face | null =>
  faceOf(reading.tiles[seen]?.candidates[0]?.tile ?? '');

/** Places in the photo that are in doubt, and whether the doubt changes the score. */
export function doubtful(open: readonly Question[]): Map<number, boolean> {
  const found = new Map<number, boolean>();
  // Doubts about the whole hand point at no tile.
  const pointed = open.filter(({ doubt }) => !['not_a_win', 'contradiction'].includes(doubt.kind));
  for (const { doubt } of pointed) {
    if (doubt.kind === 'tile_count' && doubt.tiles.length > 1) continue;
    if (doubt.kind === 'winning_tile' && doubt.tiles.length > 2) continue;
    for (const at of doubt.tiles) found.set(at, doubt.affects_score || found.get(at) === true);
  }
  return found;
}
