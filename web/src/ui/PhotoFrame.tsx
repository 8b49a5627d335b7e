/**
 * The frame around a photo, in which it is zoomed and moved, by fingers or with the buttons. While
 * a hand is pointed at, one finger draws a box or an outline around it.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../i18n';
import type { Box } from '../model/inView';
import type { Size } from '../model/viewport';
import { Gestures, type Meant, STEP } from './gestures';

interface Props extends Meant {
  readonly photo: Size;
  /** The part that is shown at first; `null` for the whole photo. */
  readonly part: Box | null;
  readonly children: ComponentChildren;
  /** Further buttons beside the photo. */
  readonly tools?: ComponentChildren;
}

/**
 * From which ratio of its sides on a photo has its buttons below and not at its side: on a phone
 * four of them are then higher than the photo beside them would be.
 */
const WIDE = 1.6;

/** Width of a frame by its height, at least: a hand lies across a photo that is higher than wide, too. */
const MIN_ASPECT = 1;

export function PhotoFrame({ photo, part, onTap, onDraw, shape, children, tools }: Props) {
  const gestures = useMemo(() => new Gestures(photo), [photo]);
  gestures.meant = { onTap, onDraw, shape };
  const content = useRef<HTMLDivElement>(null);
  const view = gestures.view.value;
  // Styles are set by script, because the page's policy allows none in the markup.
  useLayoutEffect(() => {
    const aspect = photo.width / photo.height;
    gestures.frame?.style.setProperty('--aspect', `${Math.max(MIN_ASPECT, aspect)}`);
    content.current?.style.setProperty('--aspect', `${aspect}`);
  }, [photo]);
  useLayoutEffect(() => gestures.lookAt(part), [gestures, part]);
  // A hand that is pointed at may be anywhere in the photo.
  useLayoutEffect(() => {
    if (onDraw) gestures.whole();
  }, [onDraw !== null]);
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(() => gestures.resize());
    if (gestures.frame) watcher.observe(gestures.frame);
    return () => watcher.disconnect();
  }, [gestures]);
  useLayoutEffect(() => {
    if (!content.current) return;
    content.current.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  }, [view]);
  const held = onDraw !== null || (view.scale > 1 && !gestures.isAtHome.value);
  return (
    <div class={photo.width > photo.height * WIDE ? 'photo wide' : 'photo'}>
      <div
        ref={(element) => {
          gestures.frame = element;
        }}
        class={held ? 'photo-frame held' : 'photo-frame'}
        data-scale={view.scale}
        onPointerDown={gestures.down}
        onPointerMove={gestures.move}
        onPointerUp={gestures.up}
        onPointerCancel={gestures.leave}
      >
        <div ref={content} class="photo-content">
          {children}
        </div>
        <Drawing gestures={gestures} />
      </div>
      <div class="photo-tools">
        {view.scale > 1 ? (
          <Tool label={t.value.pointing.zoomOut} sign="−" onTap={() => gestures.whole()} />
        ) : (
          <Tool label={t.value.pointing.zoomIn} sign="+" onTap={() => gestures.zoom(STEP)} />
        )}
        {tools}
      </div>
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  readonly sign: ComponentChildren;
  readonly pressed?: boolean;
  readonly onTap: () => void;
}

/** A button beside the photo. */
export function Tool({ label, sign, pressed, onTap }: ToolProps) {
  return (
    <button
      type="button"
      class="icon"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={onTap}
    >
      {sign}
    </button>
  );
}

/** The box or the outline while it is drawn. */
function Drawing({ gestures }: { readonly gestures: Gestures }) {
  const drawn = gestures.outline();
  if (drawn.length === 0) return null;
  const { width, height } = gestures.size();
  return (
    <svg class="drawn" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <polygon points={drawn.map((one) => one.join()).join(' ')} />
    </svg>
  );
}
