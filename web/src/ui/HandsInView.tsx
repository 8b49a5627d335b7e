/**
 * The hands in the photo, where it shows several: outlined in the photo, where a tap reads another
 * one, and as buttons below it, with their faces, for keyboards and screen readers too.
 */
import type { Corner, Focus, Reading } from '../api/types';
import { t } from '../i18n';
import { around, boxOf, inView, isWithin } from '../model/inView';
import { baseOf } from '../model/together';
import type { Entry } from '../state/hand/entry';
import { lookAt } from '../state/hand/open';
import { BoxCrop } from './Crop';
import { TileFace } from './Tile';

interface Props {
  readonly entry: Entry;
  readonly reading: Reading;
}

/** Offers a button for each hand in view; the one that is read is pressed. */
export function HandsInView({ entry, reading }: Props) {
  const words = t.value;
  const hands = inView(reading);
  if (hands.length === 0) return null;
  const base = baseOf(reading);
  const url = entry.photos.pictures.value[base]?.photo?.url;
  const busy = entry.photos.phase.value.kind !== 'ready';
  return (
    <section class="in-view" aria-label={words.inView.title}>
      <p>{words.inView.help(hands.length)}</p>
      <div class="in-view-hands">
        {hands.map((hand) => (
          <button
            key={hand.letter}
            type="button"
            class={hand.current ? 'answer current' : 'answer'}
            aria-pressed={hand.current}
            disabled={busy}
            onClick={() => {
              if (!hand.current) lookAt(entry, { focus: hand.focus, photo: base });
            }}
          >
            <span>
              {words.inView.hand(hand.letter)}
              <small>{hand.current ? words.inView.read : words.inView.other}</small>
            </span>
            {url && <BoxCrop url={url} box={boxOf(hand.outline)} />}
            <span class="in-view-faces" aria-hidden="true">
              {hand.faces.map((face, at) => (
                <TileFace key={`${at} ${face}`} face={face} />
              ))}
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}

/**
 * Returns the focus of another hand in view at a point of the photo, to be read instead; `null` if
 * no other hand is there.
 */
export function handAt(reading: Reading, at: Corner): Focus | null {
  const there = inView(reading).find(({ current, outline }) => !current && isWithin(outline, at));
  return there?.focus ?? null;
}

/** The outlines of the other hands, over their tiles. */
export function OtherOutlines({ entry, reading, size }: Props & { readonly size: number }) {
  if (entry.photos.phase.value.kind !== 'ready') return null;
  const others = inView(reading).filter(({ current }) => !current);
  return (
    <>
      {others.map(({ letter, outline }) => {
        const line = around(outline, size);
        const [x, y] = line.reduce((top, one) => (one[1] < top[1] ? one : top));
        return (
          <g key={letter} class="hand-beside">
            <polygon
              points={line.map((corner) => corner.join()).join(' ')}
              data-hand={letter}
              stroke-width={size / 2}
            />
            <circle cx={x} cy={y} r={size * 1.7} />
            <text x={x} y={y} font-size={size * 2.4} text-anchor="middle" dominant-baseline="central">
              {letter}
            </text>
          </g>
        );
      })}
    </>
  );
}
