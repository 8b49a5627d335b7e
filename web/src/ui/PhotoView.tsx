/**
 * The photo with what was seen in it, of several the one that is chosen. The tiles of the hand have outlines; a doubtful one has a
 * dashed outline and a question mark, so that it doesn't take colour to tell. Other tiles have
 * outlines only while tiles are added. A tap on or near a tile opens it, a tap on another hand in
 * view reads that one, a box or an outline drawn around a hand reads that hand.
 *
 * Keyboards and screen readers have the strip below, which lists the same tiles.
 */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Corner, Polygon, Reading } from '../api/types';
import { t } from '../i18n';
import { count } from '../model/count';
import { pieces } from '../model/hand';
import { type Box, boxOf, inView } from '../model/inView';
import { fromReading } from '../model/reading';
import { baseOf, isClearIn, MAX_PHOTOS, outlineIn } from '../model/together';
import { hit } from '../model/viewport';
import type { Entry } from '../state/hand/entry';
import { addPhotosTo, lookAt } from '../state/hand/open';
import { shownPhoto } from '../state/hand/photos';
import { handSize } from '../state/prefs';
import { adding, lit, open, pointed, pointing, shape } from './focus';
import { handAt, OtherOutlines } from './HandsInView';
import { FileButton } from './Home';
import { PhotoFrame, Tool } from './PhotoFrame';

interface Props {
  readonly entry: Entry;
  readonly doubtful: ReadonlyMap<number, boolean>;
  /** The tiles that the first question is about. */
  readonly questioned: ReadonlySet<number>;
  /** A further button beside the photo. */
  readonly children?: ComponentChildren;
}

/** Returns the place of a tile's mark: its uppermost corner, so that the face stays visible. */
const corner = (polygon: Polygon): Corner => polygon.reduce((top, one) => (one[1] < top[1] ? one : top));

const points = (polygon: Polygon): string => polygon.map((corner) => corner.join()).join(' ');

/**
 * Maximum distance of a tap from a tile, in pixels of the screen: tiles of 15 pixels get targets of
 * more than 24.
 */
const REACH = 12;

/** Returns the size of the marks: a third of a tile's shorter side, so that they fit any photo. */
function markSize(outlines: readonly (Polygon | null)[]): number {
  const sides = outlines.flatMap((outline) => {
    if (!outline) return [];
    const [a, b, c] = outline;
    return Math.min(Math.hypot(a[0] - b[0], a[1] - b[1]), Math.hypot(b[0] - c[0], b[1] - c[1]));
  });
  sides.sort((a, b) => a - b);
  return (sides[Math.floor(sides.length / 2)] ?? 40) / 3.6;
}

/** Share of the hand's box that is shown around it. */
const AROUND = 0.05;

/**
 * Returns where the hand lies in a photo, with its surroundings; `null` where another hand or a missing tile
 * may lie elsewhere, so that the whole photo is shown.
 */
function handIn(reading: Reading | null, photo: number): Box | null {
  if (!reading || inView(reading).length > 0) return null;
  if (count(fromReading(reading), handSize.peek()).off !== 0) return null;
  const mine = reading.tiles.filter(({ role }) => role !== 'ignored');
  const corners = mine.flatMap((tile) => outlineIn(reading, tile, photo) ?? []);
  if (corners.length === 0) return null;
  const { width, height } = boxOf(corners);
  return boxOf(corners, AROUND * Math.max(width, height));
}

export function PhotoView({ entry, doubtful, questioned, children }: Props) {
  const photo = shownPhoto(entry.photos);
  const reading = entry.photos.reading.value;
  const shown = entry.photos.shown.value;
  const part = useMemo(() => handIn(reading, shown), [reading, shown]);
  if (!photo?.url) return null;
  const base = reading ? baseOf(reading) : 0;
  // A photo that is not read yet has no outlines.
  const outlines = reading?.tiles.map((tile) => outlineIn(reading, tile, shown)) ?? [];
  const tap = (at: Corner, pixel: number): void => {
    if (!reading || entry.photos.phase.value.kind !== 'ready') return;
    const beside = shown === base ? handAt(reading, at) : null;
    const tile = hit(outlines, at, REACH * pixel);
    const piece = pieces(entry.edit.hand.value).find(({ seen }) => seen === tile);
    if (beside && !piece) lookAt(entry, { focus: beside, photo: base });
    else if (piece) open.value = { piece: piece.id };
    else if (tile >= 0) open.value = { seen: tile };
  };
  const ready = reading !== null && entry.photos.phase.value.kind === 'ready';
  const draw = ready && pointing.value ? pointAt(entry) : null;
  const tools = (
    <>
      {ready && (
        <Tool
          label={t.value.pointing.hand}
          sign={<Frame />}
          pressed={pointing.value}
          onTap={() => {
            pointing.value = !pointing.value;
          }}
        />
      )}
      {ready && entry.photos.pictures.value.length < MAX_PHOTOS && (
        <FileButton
          label={t.value.photos.add}
          class="icon"
          sign={<Camera />}
          capture
          onFiles={(files) => addPhotosTo(entry, files)}
        />
      )}
      {children}
    </>
  );
  return (
    <PhotoFrame photo={photo} part={part} onTap={tap} onDraw={draw} shape={shape.value} tools={tools}>
      <img
        src={photo.url}
        alt={entry.photos.pictures.value.length > 1 ? t.value.photos.of(shown + 1) : t.value.photoOf}
        width={photo.width}
        height={photo.height}
        draggable={false}
      />
      {reading && (
        <svg
          class={adding.value ? 'adding-tiles' : ''}
          viewBox={`0 0 ${photo.width} ${photo.height}`}
          aria-hidden="true"
        >
          <Outlines
            entry={entry}
            reading={reading}
            outlines={outlines}
            doubtful={doubtful}
            questioned={questioned}
          />
        </svg>
      )}
    </PhotoFrame>
  );
}

/** The sign for a box around something. */
const Frame = () => (
  <svg class="sign" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M3 8V3h5M16 3h5v5M21 16v5h-5M8 21H3v-5" />
    <path d="M9 9h6v6H9z" />
  </svg>
);

/** The sign for one more photo. */
const Camera = () => (
  <svg class="sign" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M15 20H3V8h4l2-3h6l2 3h4v5" />
    <circle cx="12" cy="13" r="3.5" />
    <path d="M19 15.5v7M15.5 19h7" />
  </svg>
);

/** Reads what lies in the part that was drawn. */
const pointAt =
  (entry: Entry) =>
  (region: readonly Corner[]): void => {
    pointing.value = false;
    lookAt(entry, { region, photo: entry.photos.shown.peek() });
  };

interface OutlinesProps extends Props {
  readonly reading: Reading;
  /** The outline of each tile in this photo. */
  readonly outlines: readonly (Polygon | null)[];
}

function Outlines({ entry, reading, outlines, doubtful, questioned }: OutlinesProps) {
  const bySeen = new Map(pieces(entry.edit.hand.value).map((piece) => [piece.seen, piece]));
  const size = markSize(outlines);
  const shown = entry.photos.shown.value;
  return (
    <>
      {reading.tiles.map((tile, at) => {
        const outline = outlines[at];
        if (!outline) return null;
        const piece = bySeen.get(at);
        const doubt = doubtful.has(at);
        const [x, y] = corner(outline);
        const classes = [
          'seen',
          piece ? 'mine' : 'left-out',
          !isClearIn(reading, tile, shown) && 'elsewhere',
          doubt && 'doubtful',
          questioned.has(at) && 'asked-about',
          piece && piece.id === entry.edit.hand.value.winning && 'winning',
          piece && piece.id === pointed.value && 'pointed',
          piece && lit.value && (lit.value.has(piece.id) ? 'lit' : 'unlit'),
        ].filter(Boolean);
        return (
          <g key={at} class={classes.join(' ')}>
            <polygon
              points={points(outline)}
              data-seen={at}
              stroke-width={size / 4}
              stroke-dasharray={doubt ? `${size / 2} ${size / 3}` : undefined}
              onPointerEnter={() => {
                pointed.value = piece?.id ?? null;
              }}
              onPointerLeave={() => {
                pointed.value = null;
              }}
            />
            {doubt && (
              <>
                <circle cx={x} cy={y} r={size * 0.75} />
                <text x={x} y={y} font-size={size * 1.2} text-anchor="middle" dominant-baseline="central">
                  ?
                </text>
              </>
            )}
          </g>
        );
      })}
      {shown === baseOf(reading) && <OtherOutlines entry={entry} reading={reading} size={size} />}
    </>
  );
}
