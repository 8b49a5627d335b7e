/**
 * What the viewfinder shows of a frame: outlines where this frame shows the hand's tiles, and how far
 * the reading is.
 *
 * The reading is of several frames together, in the pixels of the one that shows most of the hand;
 * the outlines are in the newest, which is on the screen.
 */
import type { SeenFrame } from '../../../bindings/npm/index.js';
import { type Polygon, polygonOf, type Reading, type SeenTile } from '../api/types';

export interface Outline {
  readonly polygon: Polygon;
  /** The set of the hand that the tile is a part of, counted from 0; `null` for concealed tiles. */
  readonly meld: number | null;
  readonly winning: boolean;
}

/** How far the reading is, from nothing to what can be relied on. */
export type Sureness =
  /** There are no tiles in the picture, or no hand. */
  | 'nothing'
  /** There is a hand, but it is in doubt or changes from frame to frame. */
  | 'open'
  /** The same hand and score for several frames, and nothing to ask. */
  | 'steady';

export function sureness({ answer, steady }: SeenFrame): Sureness {
  if (answer.reading.status === 'no_hand') return 'nothing';
  return steady ? 'steady' : 'open';
}

/** A reading that was steady, and how many frames in a row say something else since then. */
export interface Held {
  readonly found: SeenFrame;
  readonly others: number;
}

/** After so many frames in a row without the hand, it is not shown any longer. */
const GONE = 3;

/**
 * What is held on to after another frame: a hand that was read stays while glare passes over it, until
 * another one is read or it is gone from the picture.
 */
export function hold(held: Held | null, found: SeenFrame): Held | null {
  if (found.steady) return { found, others: 0 };
  if (!held) return null;
  const hand = ({ answer }: SeenFrame): string | undefined => answer.reading.hand.notation;
  const others = found.same > 0 && hand(found) === hand(held.found) ? 0 : held.others + 1;
  return others < GONE ? { ...held, others } : null;
}

/** The lowest and the highest total, as long as it is not known how the hand was won. */
export function totalsIn({ answer }: SeenFrame): readonly [number, number] | null {
  const { score } = answer.reading;
  if (!score) return null;
  const { range } = score;
  return [
    Math.min(score.total, range?.least ?? score.total),
    Math.max(score.total, range?.most ?? score.total),
  ];
}

/** Where the newest frame shows the tiles of the hand. */
export function outlinesIn({ answer, frames }: SeenFrame): Outline[] {
  const { tiles, photos = [] } = answer.reading as Reading;
  const newest = frames.length - 1;
  const shown = (tile: SeenTile): Polygon | null => {
    if (photos.length === 0) return polygonOf(tile);
    const look = tile.looks?.find(({ photo }) => photo === newest);
    return look ? (look.polygon as unknown as Polygon) : null;
  };
  return tiles.flatMap((tile) => {
    const polygon = tile.role === 'ignored' ? null : shown(tile);
    return polygon ? [{ polygon, meld: tile.meld ?? null, winning: tile.role === 'winning' }] : [];
  });
}
