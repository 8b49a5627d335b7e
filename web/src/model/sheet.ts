/**
 * A sheet: a photo of one's own tiles, laid out in order, from which a set is learned.
 *
 * Faces have the codes of the API, `back` for a tile that lies face down and `extra:NAME` for a
 * further face. Everything here is a value; what reads sheets is `../engine/sets.ts`.
 */
import type { SheetRows, SheetTile } from '../api/types';
import { FLOWERS, type FlowerCode, HONORS, isFlower, SUITS, TILES, type TileCode } from './tiles';

export const BACK = 'back';

/** A face that every set may have. */
export type SetFace = TileCode | FlowerCode | typeof BACK;

/** The rows in which tiles are laid out. */
export const SHEET: readonly (readonly SetFace[])[] = [
  ...SUITS.map((suit) => TILES.filter((code) => code.endsWith(suit))),
  HONORS,
  FLOWERS,
  [BACK, BACK],
];

const FACES: readonly SetFace[] = [...TILES, ...FLOWERS, BACK];

/** Prefix of a further face, such as a joker. */
const EXTRA = 'extra:';

/** Place of a tile in a sheet. */
export interface Place {
  readonly row: number;
  readonly at: number;
}

/** Returns the sheet with a name for one of its tiles. */
export function nameTile(rows: SheetRows, { row, at }: Place, name: string | null): SheetRows {
  const named = (tile: SheetTile): SheetTile => ({ ...tile, name, sure: true });
  return rows.map((tiles, i) =>
    i === row ? tiles.map((tile, j) => (j === at ? named(tile) : tile)) : tiles,
  );
}

/** The tiles of a sheet that are to be asked about. */
export const openIn = (rows: SheetRows): (Place & { readonly tile: SheetTile })[] =>
  rows.flatMap((tiles, row) => tiles.flatMap((tile, at) => (tile.sure ? [] : [{ row, at, tile }])));

/** Number of unsure tiles from which on it is asked for the order of a sheet, and not tile by tile. */
const MANY = 6;

/** Returns the tiles of a row by what they look like, in an order in which people lay them, or `null`. */
function ownOrder(tiles: readonly SheetTile[]): readonly SetFace[] | null {
  const orders = SHEET.flatMap((faces) => [faces, [...faces].reverse()]);
  const fits = orders
    .filter(({ length }) => length === tiles.length)
    .map((faces) => ({ faces, alike: tiles.filter(({ seen }, at) => seen === faces[at]).length }))
    .sort((one, other) => other.alike - one.alike);
  const [best] = fits;
  return best && best.alike > tiles.length / 2 ? best.faces : null;
}

/** Returns the names of a row in its own order, else what its tiles look like. */
function ownNames(tiles: readonly SheetTile[]): readonly (SetFace | null)[] {
  return ownOrder(tiles) ?? tiles.map(({ name, seen }) => asFace(seen) ?? asFace(name ?? ''));
}

/**
 * Returns the names that a sheet seems to have in another order than the one that it was read in: rows that
 * lie elsewhere, or from 9 to 1; `null` where few tiles are unsure, or no other order explains them better.
 */
export function otherOrder(rows: SheetRows): readonly (readonly (SetFace | null)[])[] | null {
  if (openIn(rows).length < MANY) return null;
  const names = rows.map(ownNames);
  const alike = rows.flatMap((tiles, row) => tiles.filter(({ seen }, at) => seen === names[row]?.[at]));
  const before = rows.flat().filter(({ name, seen }) => name === seen);
  return alike.length - before.length >= openIn(rows).length / 2 ? names : null;
}

/** Returns the sheet with a name for each tile. */
export const nameAll = (rows: SheetRows, names: readonly (readonly (string | null)[])[]): SheetRows =>
  rows.map((tiles, row) =>
    tiles.map((tile, at) => ({ ...tile, name: names[row]?.[at] ?? null, sure: true })),
  );

/** The names of a sheet's tiles to learn: what is not sure is left out. */
export const namesOf = (rows: SheetRows): (string | null)[][] =>
  rows.map((tiles) => tiles.map(({ name, sure }) => (sure ? name : null)));

/**
 * The faces that a set should have and has not. Many sets come without flowers and seasons: they are
 * missing only where some of them are known.
 */
export function missingIn(known: readonly (string | null)[]): SetFace[] {
  const has = new Set(known);
  const hasBonus = FLOWERS.some((face) => has.has(face));
  return FACES.filter((face) => !has.has(face) && (hasBonus || !isFlower(face)));
}

/** A label as a face that every set may have; `null` for a further one. */
export const asFace = (label: string): SetFace | null => FACES.find((face) => face === label) ?? null;

/** Possible names of a tile, the likeliest first: the proposed one, and those that it looks like. */
export const choicesOf = ({ name, seen }: SheetTile): SetFace[] =>
  [...new Set([name, seen])].flatMap((label) => (label && asFace(label)) || []);

export const extraLabel = (name: string): string => EXTRA + name;

/** The name of a further face; `null` for a face that every set may have. */
export const extraName = (label: string): string | null =>
  label.startsWith(EXTRA) ? label.slice(EXTRA.length) : null;

/** Maximum number of characters of the name of a set, as the engine has it. */
export const MAX_NAME = 40;

/**
 * Tells whether a text can be the name of a set, or of a further face. The engine has the last
 * word.
 */
export const isSetName = (text: string): boolean =>
  text.trim() === text && text !== '' && [...text].length <= MAX_NAME && !/^(auto|none)$|`/i.test(text);

/** A name that no other set has: the wished one, or that with a number. */
export function freeName(wished: string, taken: readonly string[]): string {
  const numbered = (n: number): string => {
    const end = n === 1 ? '' : ` ${n}`;
    return [...wished].slice(0, MAX_NAME - end.length).join('') + end;
  };
  let n = 1;
  while (taken.includes(numbered(n))) n += 1;
  return numbered(n);
}
