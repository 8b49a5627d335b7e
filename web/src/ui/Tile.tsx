/** Tiles as they are drawn everywhere: a face alone, and a face that can be tapped. */
import type { ComponentChildren } from 'preact';
import type { ScoredSet } from '../api/types';
import { type Face, faceOf, redOf } from '../model/tiles';

const DRAWN = import.meta.glob<string>('../../../assets/tiles/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The address of a drawn tile; an unnamed flower has none. */
export const drawing = (face: string): string | undefined => DRAWN[`../../../assets/tiles/${face}.svg`];

interface FaceProps {
  readonly face: Face | 'back';
  /** Whether it is a red five. */
  readonly red?: boolean | undefined;
}

/** A face without a label: the component that shows it adds one. */
export function TileFace({ face, red = false }: FaceProps) {
  const url = drawing(red && face !== 'back' ? redOf(face) : face);
  return url ? (
    <img class="face" src={url} alt="" width={60} height={80} draggable={false} />
  ) : (
    <span class="face unnamed" aria-hidden="true">
      ✿
    </span>
  );
}

interface Props {
  readonly face: Face;
  readonly red?: boolean | undefined;
  readonly label: string;
  readonly onTap: () => void;
  readonly class?: string;
  readonly pressed?: boolean | undefined;
  readonly current?: boolean | undefined;
  readonly disabled?: boolean;
  readonly onPoint?: (at: boolean) => void;
  readonly children?: ComponentChildren;
  readonly data?: string;
}

export function TileButton(props: Props) {
  const { face, red = false, label, onTap, pressed, current, disabled = false, onPoint, children } = props;
  return (
    <button
      type="button"
      class={`tile ${props.class ?? ''}`}
      aria-label={label}
      aria-pressed={pressed}
      aria-current={current}
      disabled={disabled}
      data-tile={props.data ?? (red ? redOf(face) : face)}
      onClick={onTap}
      onFocus={() => onPoint?.(true)}
      onBlur={() => onPoint?.(false)}
      onPointerEnter={() => onPoint?.(true)}
      onPointerLeave={() => onPoint?.(false)}
    >
      <TileFace face={face} red={red} />
      {children}
    </button>
  );
}

/** The sets of a score, small. */
export function MiniSets({ sets }: { readonly sets: readonly ScoredSet[] }) {
  return (
    <span class="mini-sets">
      {sets.map((set, at) => (
        <span key={at} class="mini-set">
          {set.tiles.map((code, i) => {
            const face = faceOf(code);
            return face && <TileFace key={i} face={face} />;
          })}
        </span>
      ))}
    </span>
  );
}
