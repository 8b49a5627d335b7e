/**
 * Several photos of one hand: where each shows a tile, and the reading after their order changed or
 * one was taken out. Photos are numbered in the order in which they stand on the page.
 *
 * A photo alone is photo 0, and all outlines are in its pixels.
 */
import { type Polygon, polygonOf, type Reading, type SeenTile } from '../api/types';
import { boxOf } from './inView';

/** Photos of one hand that the service reads together, at the most. */
export const MAX_PHOTOS = 8;

/** A part of a photo. */
interface Look {
  readonly photo: number;
  readonly polygon: Polygon;
}

/** The photo in whose pixels the reading is. */
export const baseOf = ({ photos = [] }: Reading): number => photos.find(({ base }) => base)?.index ?? 0;

/** Minimum probability at which a photo by itself shows a tile's name: more likely than not. */
const CLEAR = 0.5;

/** The outline of a tile in a photo in which it was found, even under a finger. */
function shownIn(tile: SeenTile, photo: number): Polygon | null {
  const view = tile.views?.find((one) => one.photo === photo);
  return view ? (view.polygon as unknown as Polygon) : null;
}

/** Tells whether a photo shows what a tile is. */
export const isClearIn = (reading: Reading, tile: SeenTile, photo: number): boolean =>
  (reading.photos ?? []).length === 0 ||
  (tile.views ?? []).some((view) => view.photo === photo && view.p >= CLEAR);

/**
 * The outline of a tile in a photo. The base has one for every tile within its edges: where it
 * shows none, the others say where it lies.
 */
export function outlineIn(reading: Reading, tile: SeenTile, photo: number): Polygon | null {
  const shown = shownIn(tile, photo);
  if (shown || photo !== baseOf(reading)) return shown;
  const { width, height } = boxOf(polygonOf(tile));
  return width > 0 && height > 0 ? polygonOf(tile) : null;
}

/** The part of a photo that a tile was named from. */
export function namedFrom(reading: Reading, tile: SeenTile): Look {
  const base = baseOf(reading);
  const photo = tile.photo ?? base;
  const polygon = shownIn(tile, photo);
  return polygon ? { photo, polygon } : { photo: base, polygon: polygonOf(tile) };
}

/** Returns the further photos that show what a tile is, besides the one that it was named from. */
export const alsoIn = (reading: Reading, tile: SeenTile): number[] =>
  (tile.views ?? [])
    .map(({ photo }) => photo)
    .filter((photo) => photo !== namedFrom(reading, tile).photo && isClearIn(reading, tile, photo));

/** A photo with the outlines of some tiles: one that shows them all, or else the base. */
export function showing(
  reading: Reading,
  tiles: readonly SeenTile[],
): { readonly photo: number; readonly polygons: readonly Polygon[] } {
  const base = baseOf(reading);
  const photos = [base, ...(reading.photos ?? []).map(({ index }) => index)];
  const photo = photos.find((at) => tiles.every((tile) => isClearIn(reading, tile, at))) ?? base;
  return { photo, polygons: tiles.map((tile) => outlineIn(reading, tile, photo) ?? polygonOf(tile)) };
}

/** Returns the number of tiles of the hand that were named from a photo. */
export const namedTiles = ({ tiles }: Reading, photo: number): number =>
  tiles.filter((tile) => tile.role !== 'ignored' && tile.photo === photo).length;

/** The order in which photos are sent: one that is pointed at comes first. */
export function sendingOrder(count: number, first = 0): number[] {
  const rest = Array.from({ length: count }, (_, at) => at).filter((at) => at !== first);
  return [first, ...rest];
}

/** The reading of photos that were sent in some order, with their places on the page. */
export function placed(reading: Reading, order: readonly number[]): Reading {
  return renumbered(reading, (sent) => order[sent] ?? null);
}

/** The reading as that of one photo: what others showed stays in it. */
export function ofOnePhoto(reading: Reading): Reading {
  const { photos: _, ...alone } = renumbered(reading, () => null);
  return alone;
}

/** The reading without a photo that was left out; that of a photo alone if no other is left. */
export function without(reading: Reading, photo: number): Reading {
  const { photos = [] } = reading;
  return photos.length < 3
    ? ofOnePhoto(reading)
    : renumbered(reading, (at) => (at === photo ? null : at - Number(at > photo)));
}

/** The reading with other numbers of its photos; photos without a number are dropped. */
function renumbered(reading: Reading, number: (photo: number) => number | null): Reading {
  const { photos = [] } = reading;
  if (photos.length === 0) return reading;
  const views = (tile: SeenTile) =>
    (tile.views ?? []).flatMap((view) => {
      const photo = number(view.photo);
      return photo === null ? [] : [{ ...view, photo }];
    });
  const tiles = reading.tiles.map((seen) => {
    const { photo, views: _, ...tile } = seen;
    const named = typeof photo === 'number' ? number(photo) : null;
    const left = views(seen);
    return { ...tile, ...(left.length > 0 && { views: left }), ...(named !== null && { photo: named }) };
  });
  const kept = photos.flatMap((photo) => {
    const index = number(photo.index);
    return index === null ? [] : [{ ...photo, index }];
  });
  return { ...reading, tiles, photos: kept.sort((a, b) => a.index - b.index) };
}
