/** The photo of a review: the hand enlarged, or all of it; the tiles in question have outlines. */
import { signal } from '@preact/signals';
import type { Doubt, SeenTile } from '../api/types';
import { lang } from '../browser/lang';
import { t } from '../i18n';
import { reviewWords } from '../i18n/review';
import { type Box, closeUp, handBox, type ReviewPhoto } from '../model/review';
import { chooseFiles, picture } from '../state/review';

/** Whether the whole photo is shown and not the hand alone. */
export const whole = signal(false);

interface Props {
  readonly photo: ReviewPhoto;
  /** The question that is asked, if there is one. */
  readonly doubt: Doubt | null;
}

export function ReviewPicture({ photo, doubt }: Props) {
  const words = reviewWords(lang.value);
  const { image, reading } = photo.original;
  const url = picture.value;
  const tiles = doubt?.tiles ?? [];
  const box = handBox(photo, tiles);
  if (url === null) return <NoPicture />;
  if (!url) return <div class="review-picture" />;
  if (!image || !box) return <img class="review-picture" src={url} alt={words.photo(photo.id)} />;
  const view = whole.value ? { x: 0, y: 0, width: image.width, height: image.height } : box;
  const questioned = new Set(tiles);
  const close = closeUp(photo, tiles);
  return (
    <div class="review-pictures">
      <button
        type="button"
        class="review-picture"
        aria-label={whole.value ? words.showHand : words.showWhole}
        onClick={() => {
          whole.value = !whole.value;
        }}
      >
        <svg viewBox={viewOf(view)} role="img" aria-label={words.photo(photo.id)}>
          <image href={url} width={image.width} height={image.height} />
          {reading?.tiles.map((tile, at) => {
            if (tile.role === 'ignored' && !questioned.has(at)) return null;
            const stroke = Math.max(view.width, view.height) / 400;
            return (
              <polygon
                key={at}
                class={questioned.has(at) ? 'asked' : 'mine'}
                points={cornersOf(tile)}
                stroke-width={questioned.has(at) ? 2 * stroke : stroke}
              />
            );
          })}
        </svg>
      </button>
      {close && (
        <svg class="review-close" viewBox={viewOf(close)} role="img" aria-label={t.value.seenAs}>
          <image href={url} width={image.width} height={image.height} />
          {tiles.map((at) => {
            const tile = reading?.tiles[at];
            const stroke = Math.max(close.width, close.height) / 80;
            return tile && <polygon key={at} class="asked" points={cornersOf(tile)} stroke-width={stroke} />;
          })}
        </svg>
      )}
    </div>
  );
}

const viewOf = ({ x, y, width, height }: Box): string => `${x} ${y} ${width} ${height}`;

const cornersOf = ({ polygon }: SeenTile): string => polygon.map((corner) => corner.join()).join(' ');

/** Photos of a job that are not stored any more can be shown from this device. */
function NoPicture() {
  const words = reviewWords(lang.value);
  return (
    <div class="review-picture review-gone">
      <p>{words.noPhoto}</p>
      <label class="button">
        {words.choosePhotos}
        <input
          class="unseen"
          type="file"
          accept="image/*"
          multiple
          onChange={({ currentTarget }) => void chooseFiles(currentTarget.files ?? [])}
        />
      </label>
    </div>
  );
}
