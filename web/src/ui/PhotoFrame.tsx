/**
 * The frame around a photo: two fingers or the buttons zoom, one finger moves the zoomed photo, a
 * double tap zooms in and out again. While a hand is pointed at, one finger draws a box around it.
 *
 * A tap that neither moved nor drew anything is passed on in the photo's pixels.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Corner } from '../api/types';
import { t } from '../i18n';
import { inPhoto, moved, type Size, type View, WHOLE, zoomed } from '../model/viewport';

interface Props {
  readonly photo: Size;
  /** A tap, and how many of the photo's pixels one pixel of the screen is. */
  readonly onTap: (at: Corner, pixel: number) => void;
  /** Takes the box that was drawn; `null` while no hand is pointed at. */
  readonly onBox: ((box: readonly Corner[]) => void) | null;
  readonly children: ComponentChildren;
  /** What lies on the photo's corner and does not move with it. */
  readonly corner?: ComponentChildren;
}

/** A finger that moved further than this many pixels is no tap. */
const STILL = 8;
/** Two taps within this many milliseconds are a double tap. */
const TWICE = 300;
/** How far the buttons and a double tap zoom. */
const STEP = 2.5;
/** A box smaller than this many pixels of the screen was not meant as one. */
const SMALLEST = 24;

export function PhotoFrame({ photo, onTap, onBox, children, corner }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const view = useSignal<View>(WHOLE);
  const box = useSignal<readonly [Corner, Corner] | null>(null);
  const fingers = useRef(new Map<number, Corner>());
  const start = useRef<Corner | null>(null);
  const last = useRef({ at: 0, place: [0, 0] as Corner });

  // Styles are set by script, because the page's policy allows none in the markup.
  useEffect(() => {
    const { scale, x, y } = view.value;
    if (content.current) content.current.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }, [view.value]);

  const size = (): Size => {
    const rect = frame.current?.getBoundingClientRect();
    return { width: rect?.width || 1, height: rect?.height || 1 };
  };
  const place = (event: PointerEvent): Corner => {
    const rect = frame.current?.getBoundingClientRect();
    return [event.clientX - (rect?.left ?? 0), event.clientY - (rect?.top ?? 0)];
  };
  const zoom = (factor: number, at?: Corner): void => {
    const { width, height } = size();
    view.value = zoomed(view.value, { width, height }, at ?? [width / 2, height / 2], factor);
  };

  const down = (event: PointerEvent): void => {
    const at = place(event);
    fingers.current.set(event.pointerId, at);
    start.current = fingers.current.size === 1 ? at : null;
    if (onBox || view.value.scale > 1) frame.current?.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const at = place(event);
    const others = [...fingers.current].filter(([id]) => id !== event.pointerId).map(([, one]) => one);
    fingers.current.set(event.pointerId, at);
    const [other] = others;
    if (other) {
      box.value = null;
      start.current = null;
      const factor = apart(at, other) / Math.max(1, apart(before, other));
      zoom(factor, [(at[0] + other[0]) / 2, (at[1] + other[1]) / 2]);
    } else if (onBox && start.current) {
      box.value = [start.current, at];
    } else if (view.value.scale > 1) {
      view.value = moved(view.value, size(), at[0] - before[0], at[1] - before[1]);
    }
  };
  const up = (event: PointerEvent): void => {
    const at = place(event);
    const from = start.current;
    fingers.current.delete(event.pointerId);
    const drawn = box.value;
    box.value = null;
    start.current = null;
    if (!from) return;
    if (onBox && drawn) {
      if (apart(...drawn) >= SMALLEST) onBox(corners(drawn).map((one) => toPhoto(one)));
    } else if (apart(from, at) <= STILL) {
      tap(event, at);
    }
  };
  const toPhoto = (at: Corner): Corner => inPhoto(view.value, size(), photo, at);
  const tap = (event: PointerEvent, at: Corner): void => {
    if (event.button !== 0 || (event.target as Element).closest('button')) return;
    const { at: before, place: there } = last.current;
    last.current = { at: event.timeStamp, place: at };
    if (event.timeStamp - before < TWICE && apart(there, at) < 3 * STILL) {
      if (view.value.scale > 1) view.value = WHOLE;
      else zoom(STEP, at);
      return;
    }
    onTap(toPhoto(at), photo.width / size().width / view.value.scale);
  };
  const leave = (event: PointerEvent): void => {
    fingers.current.delete(event.pointerId);
    box.value = null;
    start.current = null;
  };
  const busy = onBox !== null || view.value.scale > 1;
  return (
    <div class="photo">
      <div
        ref={frame}
        class={busy ? 'photo-frame busy-hands' : 'photo-frame'}
        data-scale={view.value.scale}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={leave}
      >
        <div ref={content} class="photo-content">
          {children}
        </div>
        {box.value && <Drawn box={box.value} size={size()} />}
      </div>
      <div class="photo-tools">
        <button
          type="button"
          class="icon"
          aria-label={t.value.pointing.zoomIn}
          title={t.value.pointing.zoomIn}
          onClick={() => zoom(STEP)}
        >
          +
        </button>
        {view.value.scale > 1 && (
          <button
            type="button"
            class="icon"
            aria-label={t.value.pointing.zoomOut}
            title={t.value.pointing.zoomOut}
            onClick={() => {
              view.value = WHOLE;
            }}
          >
            −
          </button>
        )}
        {corner}
      </div>
    </div>
  );
}

const apart = (a: Corner, b: Corner): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

const corners = ([[x0, y0], [x1, y1]]: readonly [Corner, Corner]): Corner[] => [
  [Math.min(x0, x1), Math.min(y0, y1)],
  [Math.max(x0, x1), Math.min(y0, y1)],
  [Math.max(x0, x1), Math.max(y0, y1)],
  [Math.min(x0, x1), Math.max(y0, y1)],
];

/** The box while it is drawn. */
function Drawn({ box, size }: { readonly box: readonly [Corner, Corner]; readonly size: Size }) {
  return (
    <svg class="drawn" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
      <polygon
        points={corners(box)
          .map((one) => one.join())
          .join(' ')}
      />
    </svg>
  );
}
