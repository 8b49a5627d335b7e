/**
 * Gestures of fingers on a photo: two zoom, one moves the zoomed photo, or draws a box or an
 * outline, a double tap zooms in and out again, and a tap that did none of this is passed on.
 *
 * Input: pointer events on the frame. Output: the view, what is being drawn, and calls with places
 * in the photo's pixels.
 */
import { signal } from '@preact/signals';
import type { Corner } from '../api/types';
import type { Box } from '../model/inView';
import { area, simplified, within } from '../model/outline';
import {
  closeTo,
  type Framed,
  inPhoto,
  moved,
  pixelOf,
  type Size,
  type View,
  whole,
  zoomed,
} from '../model/viewport';

/** A finger that moved further than this many pixels is no tap. */
const STILL = 8;
/** Two taps within this many milliseconds are a double tap. */
const TWICE = 300;
/** Factor by which a button or a double tap zooms. */
export const STEP = 2.5;
/**
 * Minimum size of a box or an outline, in pixels of the screen: anything smaller was not meant as
 * one.
 */
const MIN_DRAWING = 24;

/** Shape that a finger draws: a box between two corners, or a line around something. */
export type Shape = 'box' | 'outline';

/** Handlers of a tap and of a drawing. */
export interface Meant {
  /** A tap, and how many of the photo's pixels one pixel of the screen is. */
  readonly onTap: (at: Corner, pixel: number) => void;
  /** Takes the corners of what was drawn; `null` while nothing is to be drawn. */
  readonly onDraw: ((region: readonly Corner[]) => void) | null;
  readonly shape: Shape;
}

export class Gestures {
  readonly view = signal<View>({ scale: 1, x: 0, y: 0 });
  /** Whether nobody has zoomed or moved the photo, so that a finger on it scrolls the page. */
  readonly isAtHome = signal(true);
  /** The part that is shown at first; `null` for the whole photo. */
  private home: Box | null = null;
  /** Places of the finger while it draws, in the frame's pixels. */
  readonly line = signal<readonly Corner[]>([]);
  frame: HTMLElement | null = null;
  meant: Meant = { onTap: () => {}, onDraw: null, shape: 'box' };
  private readonly fingers = new Map<number, Corner>();
  /** Place where the only finger began; `null` once there were two. */
  private start: Corner | null = null;
  private last = { at: 0, place: [0, 0] as Corner };

  constructor(readonly photo: Size) {}

  size(): Size {
    const rect = this.frame?.getBoundingClientRect();
    return { width: rect?.width || 1, height: rect?.height || 1 };
  }

  zoom(factor: number, at?: Corner): void {
    const { frame } = this.framed();
    const middle: Corner = [frame.width / 2, frame.height / 2];
    this.isAtHome.value = false;
    this.view.value = zoomed(this.view.value, this.framed(), at ?? middle, factor);
  }

  whole(): void {
    this.isAtHome.value = this.home === null;
    this.view.value = whole(this.framed());
  }

  /** Shows a part of the photo from now on, until somebody zooms it. */
  lookAt(part: Box | null): void {
    this.home = part;
    this.goHome();
  }

  /** Keeps the place in a frame that has another size. */
  resize(): void {
    if (this.isAtHome.peek()) this.goHome();
    else this.view.value = moved(this.view.peek(), this.framed(), 0, 0);
  }

  private goHome(): void {
    this.isAtHome.value = true;
    this.view.value = this.home ? closeTo(this.home, this.framed()) : whole(this.framed());
  }

  private framed(): Framed {
    return { frame: this.size(), photo: this.photo };
  }

  /** Tells whether a pointer moves the photo: a finger only moves one that a person zoomed. */
  private mayMove({ pointerType }: PointerEvent): boolean {
    return this.view.peek().scale > 1 && (!this.isAtHome.peek() || pointerType === 'mouse');
  }

  readonly down = (event: PointerEvent): void => {
    const at = this.place(event);
    this.fingers.set(event.pointerId, at);
    this.start = this.fingers.size === 1 ? at : null;
    // What is drawn or moved goes on outside of the frame.
    if (this.meant.onDraw || this.mayMove(event)) this.frame?.setPointerCapture(event.pointerId);
  };

  readonly move = (event: PointerEvent): void => {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const at = this.place(event);
    this.fingers.set(event.pointerId, at);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) this.pinch(before, at, other);
    else if (this.meant.onDraw && this.start) this.draw(this.start, at);
    else if (this.mayMove(event)) {
      this.isAtHome.value = false;
      this.view.value = moved(this.view.value, this.framed(), at[0] - before[0], at[1] - before[1]);
    }
  };

  readonly up = (event: PointerEvent): void => {
    const from = this.start;
    const drawn = this.region();
    this.leave(event);
    const at = this.place(event);
    if (!from) return;
    if (this.meant.onDraw && drawn) {
      this.meant.onDraw(drawn.map((one) => within(this.photo, this.toPhoto(one))));
    } else if (apart(from, at) <= STILL && event.button === 0) {
      this.tap(at, event.timeStamp);
    }
  };

  readonly leave = (event: PointerEvent): void => {
    this.fingers.delete(event.pointerId);
    this.line.value = [];
    this.start = null;
  };

  /** The corners of what is being drawn, in the frame's pixels. */
  outline(): readonly Corner[] {
    const from = this.line.value[0];
    const to = this.line.value.at(-1);
    if (!from || !to) return [];
    return this.meant.shape === 'box' ? corners(from, to) : this.line.value;
  }

  /** Returns the region that was drawn; `null` if it is too small to be meant. */
  private region(): readonly Corner[] | null {
    const drawn = this.outline();
    if (this.meant.shape === 'box') return apart(drawn[0], drawn[2]) >= MIN_DRAWING ? drawn : null;
    return Math.abs(area(drawn)) >= MIN_DRAWING ** 2 ? simplified(drawn) : null;
  }

  private draw(from: Corner, at: Corner): void {
    const { value: line } = this.line;
    this.line.value = this.meant.shape === 'box' || line.length === 0 ? [from, at] : [...line, at];
  }

  private pinch(before: Corner, at: Corner, other: Corner): void {
    this.line.value = [];
    this.start = null;
    const factor = apart(at, other) / Math.max(1, apart(before, other));
    this.zoom(factor, [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2]);
  }

  private tap(at: Corner, time: number): void {
    const { at: before, place: there } = this.last;
    this.last = { at: time, place: at };
    if (time - before < TWICE && apart(there, at) < 3 * STILL) {
      if (this.view.value.scale > 1 && !this.isAtHome.value) this.goHome();
      else this.zoom(STEP, at);
      return;
    }
    this.meant.onTap(this.toPhoto(at), 1 / pixelOf(this.framed()) / this.view.value.scale);
  }

  private place(event: PointerEvent): Corner {
    const rect = this.frame?.getBoundingClientRect();
    return [event.clientX - (rect?.left ?? 0), event.clientY - (rect?.top ?? 0)];
  }

  private toPhoto(at: Corner): Corner {
    return inPhoto(this.view.value, this.framed(), at);
  }
}

const apart = (a: Corner = [0, 0], b: Corner = a): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** The corners of a box, from the upper left one on. */
const corners = ([x0, y0]: Corner, [x1, y1]: Corner): Corner[] => [
  [Math.min(x0, x1), Math.min(y0, y1)],
  [Math.max(x0, x1), Math.min(y0, y1)],
  [Math.max(x0, x1), Math.max(y0, y1)],
  [Math.min(x0, x1), Math.max(y0, y1)],
];
