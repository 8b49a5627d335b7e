/**
 * Hands and their context as one line of text, printed and parsed: docs/notation.md is the grammar.
 *
 * Links contain it, and people type it. The server parses the same text; the page parses it too, so
 * that the tiles appear while it is typed, and offline. Invariant: `parse` reads what `print`
 * writes as the same hand and context.
 */
import type { Context, Relation, Wind } from '../api/types';
import { isSelfDrawn } from './context';
import { EMPTY, faces, type Hand, kindOf, laidOut, type Meld, type Piece } from './hand';
import { type Face, type FlowerCode, inOrder, printTiles, setKind, type TileCode, UNNAMED } from './tiles';

/** Flowers by letter: plum, orchid, bamboo, chrysanthemum, then the seasons. */
const LETTERS: readonly FlowerCode[] = ['f1', 'f2', 'f4', 'f3', 's1', 's2', 's3', 's4'];
const FROM: readonly Relation[] = ['left', 'across', 'right'];
const BY_NUMBER: readonly TileCode[] = ['E', 'S', 'W', 'N', 'C', 'F', 'P'];

export interface Written {
  readonly hand: Hand;
  readonly context: Context;
}

/** Text that is not a hand: the position, counted from 0, and the character there. */
export class NotationError extends Error {
  constructor(
    readonly at: number,
    readonly found: string,
  ) {
    super(`character ${at + 1}: ${found}`);
  }
}

// --- writing -------------------------------------------------------------------------------

export function print(hand: Hand, context: Context = {}): string {
  const { rest, winning } = laidOut(hand);
  const melds = hand.melds.map(printMeld).join('');
  const tiles = hand.concealed.length + 3 * hand.melds.length;
  // Fourteen tiles or more end with the winning one; fewer need it named.
  const last = winning ? (tiles < 14 ? `+${winning.face}` : winning.face) : tiles >= 14 ? '+?' : '';
  const parts = [melds + printTiles(faces(rest)) + last, printContext(context), printFlowers(hand)];
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts.join('|');
}

function printMeld(meld: Meld): string {
  const sorted = [...meld.pieces].sort((a, b) => inOrder(a.face, b.face));
  return `[${printTiles(faces(sorted))}${mark(meld, sorted)}]`;
}

function mark(meld: Meld, sorted: readonly Piece[]): string {
  const place = meld.from ? FROM.indexOf(meld.from) + 1 : null;
  switch (kindOf(meld)) {
    case 'chow': {
      const claimed = sorted.findIndex((piece) => piece.id === meld.claimed);
      return claimed < 0 ? '' : `,${claimed + 1}`;
    }
    case 'kong':
      if (meld.concealed) return '';
      if (meld.added) return place ? `,${place + 4}` : ',+';
      return place ? `,${place}` : ',?';
    default:
      return place ? `,${place}` : '';
  }
}

function printContext(context: Context): string {
  const { seat, prevalent, win, from, last_of_kind: kind, last_wall_tile: wall } = context;
  const flag = (given: boolean | undefined): string => (given === undefined ? '?' : given ? '1' : '0');
  const drawn = win && (isSelfDrawn(win) ? '1' : '0');
  const kong = win && (win === 'kong_replacement' || win === 'robbed_kong' ? '1' : '0');
  const six = `${prevalent ?? '?'}${seat ?? '?'}${drawn ?? '?'}${flag(kind)}${flag(wall)}${kong ?? '?'}`;
  const whom = from && !isSelfDrawn(win) ? `,${FROM.indexOf(from) + 1}` : '';
  return six === '??????' && whom === '' ? '' : six + whom;
}

function printFlowers(hand: Hand): string {
  const named = LETTERS.filter((code) => hand.flowers.some((piece) => piece.face === code));
  const letters = named.map((code) => 'abcdefgh'[LETTERS.indexOf(code)]).join('');
  const unnamed = hand.flowers.length - named.length;
  return (unnamed > 0 ? String(unnamed) : '') + letters;
}

// --- reading -------------------------------------------------------------------------------

/**
 * Reads a text.
 *
 * @throws {NotationError} at the first character that is not expected.
 */
export function parse(text: string): Written {
  const plain = [...text].map((char, at) => ({ char, at })).filter(({ char }) => char.trim() !== '');
  const reader = new Reader(plain, text.length);
  const hand = reader.hand();
  const context = reader.next('|') ? reader.context() : {};
  const flowers = reader.next('|') ? reader.flowers(hand) : hand;
  reader.end();
  return { hand: flowers, context };
}

class Reader {
  private place = 0;
  private nextId = 1;

  constructor(
    private readonly text: readonly { char: string; at: number }[],
    private readonly length: number,
  ) {}

  private get char(): string | undefined {
    return this.text[this.place]?.char;
  }

  private fail(): never {
    const here = this.text[this.place];
    throw new NotationError(here?.at ?? this.length, here?.char ?? '');
  }

  next(char: string): boolean {
    if (this.char !== char) return false;
    this.place += 1;
    return true;
  }

  end(): void {
    if (this.char !== undefined) this.fail();
  }

  private piece(face: Face): Piece {
    return { id: this.nextId++, face, seen: null };
  }

  hand(): Hand {
    const melds: Meld[] = [];
    const concealed: Piece[] = [];
    while (this.char !== undefined && this.char !== '|' && this.char !== '+') {
      if (this.next('[')) melds.push(this.meld());
      else concealed.push(...this.tiles().map((face) => this.piece(face)));
    }
    let winning: Piece | undefined;
    const full = concealed.length + 3 * melds.length >= 14;
    if (this.next('+')) {
      if (!this.next('?')) {
        [winning] = this.tiles().map((face) => this.piece(face));
        if (winning) concealed.push(winning);
      }
    } else if (full) {
      winning = concealed.at(-1);
    }
    return { ...EMPTY, concealed, melds, winning: winning?.id ?? null, nextId: this.nextId };
  }

  /** One run: digits with their suit, or an honor. */
  private tiles(): TileCode[] {
    const honor = BY_NUMBER.find((code) => this.next(code));
    if (honor) return [honor];
    const digits: string[] = [];
    while (this.char !== undefined && /[0-9]/.test(this.char)) {
      digits.push(this.char);
      this.place += 1;
    }
    const suit = this.char;
    if (digits.length === 0 || suit === undefined || !/[mpsz]/.test(suit)) return this.fail();
    const read = digits.map((digit) => {
      if (suit !== 'z') return `${digit === '0' ? '5' : digit}${suit}` as TileCode;
      return BY_NUMBER[Number(digit) - 1] ?? this.fail();
    });
    this.place += 1;
    return read;
  }

  private meld(): Meld {
    const tiles: TileCode[] = [];
    while (this.char !== ',' && this.char !== ']') tiles.push(...this.tiles());
    const kind = setKind(tiles);
    const sorted = tiles.sort(inOrder).map((face) => this.piece(face));
    const suffix = this.next(',') ? this.char : undefined;
    const facts = kind && this.facts(kind, suffix, sorted);
    if (!facts) return this.fail();
    if (suffix !== undefined) this.place += 1;
    if (!this.next(']')) this.fail();
    return { id: this.nextId++, pieces: sorted, ...facts };
  }

  private facts(kind: string, suffix: string | undefined, sorted: readonly Piece[]) {
    const plain = { concealed: false, added: false, from: null, claimed: null };
    const number = suffix && /[0-7]/.test(suffix) ? Number(suffix) : null;
    if (kind === 'chow') {
      const claimed = number === null ? undefined : sorted[number - 1];
      return suffix === undefined
        ? plain
        : claimed
          ? { ...plain, claimed: claimed.id, from: 'left' as const }
          : null;
    }
    const from = number === null ? undefined : FROM[(number % 4) - 1];
    if (suffix === undefined) return { ...plain, concealed: kind === 'kong' };
    if (kind === 'kong') {
      if (number === 0) return { ...plain, concealed: true };
      if (suffix === '?') return plain;
      if (suffix === '+') return { ...plain, added: true };
      return from ? { ...plain, from, added: (number ?? 0) > 4 } : null;
    }
    return from && (number ?? 0) < 4 ? { ...plain, from } : null;
  }

  /** A character of the context; `?` for a field that is not given. */
  private one(allowed: string): string | null {
    const { char } = this;
    if (char === undefined || (char !== '?' && !allowed.includes(char))) return this.fail();
    this.place += 1;
    return char === '?' ? null : char;
  }

  context(): Context {
    if (this.char === undefined || this.char === '|') return {};
    const prevalent = this.one('ESWN') as Wind | null;
    const seat = this.one('ESWN') as Wind | null;
    const drawn = this.one('01');
    const kind = this.one('01');
    const wall = this.one('01');
    const kong = drawn === null ? this.one('') : this.one('01');
    const from = this.next(',') ? FROM[Number(this.one('123')) - 1] : undefined;
    const win =
      drawn === '1'
        ? kong === '1'
          ? 'kong_replacement'
          : 'self_drawn'
        : kong === '1'
          ? 'robbed_kong'
          : 'discard';
    return {
      ...(prevalent && { prevalent }),
      ...(seat && { seat }),
      ...(drawn !== null && { win }),
      ...(kind !== null && { last_of_kind: kind === '1' }),
      ...(wall !== null && { last_wall_tile: wall === '1' }),
      ...(from && { from }),
    } as Context;
  }

  flowers(hand: Hand): Hand {
    const found: Piece[] = [];
    if (this.char !== undefined && /[0-8]/.test(this.char)) {
      for (let left = Number(this.char); left > 0; left -= 1) found.push(this.piece(UNNAMED));
      this.place += 1;
    }
    while (this.char !== undefined) found.push(this.piece(this.flower(found)));
    return { ...hand, flowers: found, nextId: this.nextId };
  }

  private flower(found: readonly Piece[]): FlowerCode {
    const { char } = this;
    const digit = this.text[this.place + 1]?.char;
    const coded = (char === 'f' || char === 's') && digit !== undefined && /[1-4]/.test(digit);
    const code = coded ? (`${char}${digit}` as FlowerCode) : LETTERS['abcdefgh'.indexOf(char ?? '-')];
    if (!code || found.some((piece) => piece.face === code)) return this.fail();
    this.place += coded ? 2 : 1;
    return code;
  }
}
