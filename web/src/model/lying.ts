/** The tiles of a hand in the order in which they lie in a photo: row by row, each from left to right. */
import type { Corner, Polygon, Reading } from '../api/types';
import { area } from './outline';
import { outlineIn } from './together';

/** Tiles that lie together, by their index in the reading, from left to right. */
type Group = readonly number[];

interface Lying {
  readonly at: number;
  readonly centre: Corner;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const centreOf = (polygon: Polygon): Corner => [
  mean(polygon.map(([x]) => x)),
  mean(polygon.map(([, y]) => y)),
];

/** The side of a square as large as a tile. */
const sideOf = (polygon: Polygon): number => Math.sqrt(Math.abs(area(polygon)));

/** Returns the groups of some tiles of a reading as they lie in a photo; those that it does not show are left out. */
export function lyingIn(reading: Reading, tiles: readonly number[], photo: number): Group[] {
  const groups = new Map<number, Lying[]>();
  const sizes: number[] = [];
  for (const at of tiles) {
    const tile = reading.tiles[at];
    const outline = tile && outlineIn(reading, tile, photo);
    if (!tile || !outline) continue;
    sizes.push(sideOf(outline));
    const group = tile.group ?? -1;
    groups.set(group, [...(groups.get(group) ?? []), { at, centre: centreOf(outline) }]);
  }
  const lines = [...groups.values()];
  const [longest = []] = [...lines].sort((one, other) => other.length - one.length);
  const tilt = tiltOf(longest);
  // A hand that stands upright has no rows beside each other.
  const isUpright = Math.abs(tilt) > Math.PI / 4;
  const rows = inRows(lines.map(alongRow), mean(sizes), isUpright ? 0 : tilt);
  return rows.map((line) => line.map(({ at }) => at));
}

/** Direction in which tiles are spread most, as an angle from the horizontal. */
function tiltOf(group: readonly Lying[]): number {
  const x = mean(group.map(({ centre }) => centre[0]));
  const y = mean(group.map(({ centre }) => centre[1]));
  const away = group.map(({ centre }) => [centre[0] - x, centre[1] - y] as const);
  const spread = mean(away.map(([dx, dy]) => dx * dx - dy * dy));
  return Math.atan2(2 * mean(away.map(([dx, dy]) => dx * dy)), spread) / 2;
}

/** Sorts tiles along the line on which they lie, from left to right, or down where it stands upright. */
function alongRow(group: readonly Lying[]): readonly Lying[] {
  const tilt = tiltOf(group);
  return [...group].sort((one, other) => across(one, tilt) - across(other, tilt));
}

const across = ({ centre: [x, y] }: Lying, tilt: number): number => x * Math.cos(tilt) + y * Math.sin(tilt);

const down = ({ centre: [x, y] }: Lying, tilt: number): number => y * Math.cos(tilt) - x * Math.sin(tilt);

/** Sorts groups row by row: those whose middles are less than a tile apart, across the tilt, are a row. */
function inRows(groups: readonly (readonly Lying[])[], size: number, tilt: number): (readonly Lying[])[] {
  const middle = (group: readonly Lying[]): number => mean(group.map((one) => down(one, tilt)));
  const left = (group: readonly Lying[]): number => Math.min(...group.map((one) => across(one, tilt)));
  const rows: (readonly Lying[])[][] = [];
  for (const group of [...groups].sort((one, other) => middle(one) - middle(other))) {
    const row = rows.at(-1);
    const [begun] = row ?? [];
    if (row && begun && middle(group) - middle(begun) < size) row.push(group);
    else rows.push([group]);
  }
  return rows.flatMap((row) => row.sort((one, other) => left(one) - left(other)));
}
