import { describe, expect, it } from 'vitest';
import type { Polygon, SheetTile } from '../api/types';
import {
  asFace,
  BACK,
  choicesOf,
  extraLabel,
  extraName,
  freeName,
  isSetName,
  MAX_NAME,
  missingIn,
  nameAll,
  namesOf,
  nameTile,
  openIn,
  otherOrder,
  SHEET,
} from './sheet';
import { FLOWERS, TILES } from './tiles';

const POLYGON: Polygon = [
  [0, 0],
  [3, 0],
  [3, 4],
  [0, 4],
];

const tile = (name: string | null, sure = true, seen = name ?? 'none'): SheetTile => ({
  polygon: POLYGON,
  name,
  sure,
  seen,
});

describe('a sheet', () => {
  it('shows every face of a set', () => {
    expect(new Set(SHEET.flat()).size).toBe(TILES.length + FLOWERS.length + 1);
    expect(missingIn(SHEET.flat())).toEqual([]);
  });

  it('asks about what is not sure, until it is named', () => {
    const rows = [[tile('1m'), tile('2m', false)], [tile(null, false, '6s')]];
    expect(openIn(rows).map(({ row, at }) => [row, at])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(namesOf(rows)).toEqual([['1m', null], [null]]);
    const named = nameTile(nameTile(rows, { row: 0, at: 1 }, '3m'), { row: 1, at: 0 }, null);
    expect(openIn(named)).toEqual([]);
    expect(namesOf(named)).toEqual([['1m', '3m'], [null]]);
    expect(rows[0]?.[1]?.name).toBe('2m');
  });

  it('offers what a tile is thought to be and what it looks like', () => {
    expect(choicesOf(tile('s1', false, '4s'))).toEqual(['s1', '4s']);
    expect(choicesOf(tile('s1', false, 's1'))).toEqual(['s1']);
    expect(choicesOf(tile(null, false, 'none'))).toEqual([]);
    expect(choicesOf(tile('extra:cat', false, 'back'))).toEqual([BACK]);
  });
});

describe('a sheet in another order', () => {
  const [characters = [], dots = []] = SHEET;
  const unsure = (seen: string): SheetTile => tile('1m', false, seen);

  it('is asked about once, with rows that lie elsewhere or from 9 to 1', () => {
    const rows = [[...dots].reverse(), characters].map((row) => row.map(unsure));
    const names = otherOrder(rows);
    expect(names).toEqual([[...dots].reverse(), characters]);
    const named = nameAll(rows, names ?? []);
    expect([openIn(named), namesOf(named)]).toEqual([[], [[...dots].reverse(), [...characters]]]);
  });

  it('takes a row for what it is in spite of some tiles that look otherwise', () => {
    const seen = characters.map((face, at) => (at < 3 ? 'E' : face));
    expect(otherOrder([[...seen].reverse().map(unsure)])).toEqual([[...characters].reverse()]);
  });

  it('names a row of copies by what they look like', () => {
    const seen = ['C', 'C', 'C', 'F', 'F', 'F'];
    expect(otherOrder([seen.map(unsure)])).toEqual([seen]);
  });

  it('is no other one where the order explains the tiles, or few are unsure', () => {
    expect(otherOrder([characters.map((face) => tile(face, false))])).toBeNull();
    expect(otherOrder([dots.slice(0, 5).map(unsure)])).toBeNull();
  });
});

describe('the missing faces of a set', () => {
  it('are its playing tiles and its back', () => {
    const all: string[] = [...TILES, BACK];
    expect(missingIn(all)).toEqual([]);
    expect(missingIn(all.filter((face) => face !== '5s' && face !== BACK))).toEqual(['5s', BACK]);
    expect(missingIn([null])).toHaveLength(TILES.length + 1);
  });

  it('are flowers and seasons where it has some', () => {
    expect(missingIn([...TILES, BACK, 'f1', 's4'])).toEqual(['f2', 'f3', 'f4', 's1', 's2', 's3']);
  });
});

describe('names', () => {
  it('of further faces differ from those of all sets', () => {
    expect(extraName(extraLabel('joker'))).toBe('joker');
    expect([extraName('1m'), asFace('extra:joker'), asFace('back')]).toEqual([null, null, 'back']);
  });

  it.each(['Home', '家里的', 'a'.repeat(MAX_NAME)])('can be %j', (text) =>
    expect(isSetName(text)).toBe(true));
  it.each(['', ' Home', 'auto', 'None', 'a`b', 'a'.repeat(MAX_NAME + 1)])('can’t be %j', (text) =>
    expect(isSetName(text)).toBe(false));

  it('get a number where another set has them', () => {
    expect(freeName('Home', [])).toBe('Home');
    expect(freeName('Home', ['Home', 'Home 2'])).toBe('Home 3');
    const long = 'a'.repeat(MAX_NAME);
    expect(freeName(long, [long])).toBe(`${'a'.repeat(MAX_NAME - 2)} 2`);
  });
});
