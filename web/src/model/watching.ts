/**
 * Contents of the viewfinder for a frame: outlines of the hand's tiles in this frame, and the state
 * of the reading.
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

/** State of the reading: how far it can be relied on. */
type Sureness =
  /** No tiles in the picture, or no hand. */
  | 'nothing'
  /** A hand, but it is in doubt or changes from frame to frame. */
  | 'open'
  /** An unchanged hand and score for several frames, and nothing to ask. */
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

/** Number of frames in a row without the hand after which it is no longer shown. */
const GONE = 3;

/**
 * Returns the reading that stays shown after another frame: a hand that was read stays while glare
 * passes over it, until another one is read or it is gone from the picture.
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
  return [Math.min(score.total, range?.min ?? score.total), Math.max(score.total, range?.max ?? score.total)];
}

/** Returns the outlines of the hand's tiles in the newest frame. */
export function outlinesIn({ answer, frames }: SeenFrame): Outline[] {
  const { tiles, photos = [] } = answer.reading as Reading;
  const newest = frames.length - 1;
  const shown = (tile: SeenTile): Polygon | null => {
    if (photos.length === 0) return polygonOf(tile);
    const view = tile.views?.find(({ photo }) => photo === newest);
    return view ? (view.polygon as unknown as Polygon) : null;
  };
  return tiles.flatMap((tile) => {
    const polygon = tile.role === 'ignored' ? null : shown(tile);
    return polygon ? [{ polygon, meld: tile.meld ?? null, winning: tile.role === 'winning' }] : [];
  });
}
