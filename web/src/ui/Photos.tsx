/**
 * The photos of a hand, where there are several: small pictures to choose from, what was read from
 * each, and why one was left out.
 */
import type { Reading, SeenTile } from '../api/types';
import { listed } from '../browser/lang';
import { t } from '../i18n';
import { alsoIn, MAX_PHOTOS, namedFrom, namedTiles } from '../model/together';
import type { Entry } from '../state/hand/entry';
import { addPhotosTo, dropPhoto, openApart } from '../state/hand/open';
import { FileButton } from './Home';

export function Photos({ entry }: { readonly entry: Entry }) {
  const words = t.value.photos;
  const pictures = entry.photos.pictures.value;
  const reading = entry.photos.reading.value;
  if (pictures.length < 2) return null;
  return (
    <section class="photos" aria-label={words.title}>
      <div class="photo-strip">
        {pictures.map(({ photo }, at) => (
          <button
            key={photo?.url ?? at}
            type="button"
            aria-label={nameOf(reading, at)}
            aria-pressed={at === entry.photos.shown.value}
            onClick={() => {
              entry.photos.shown.value = at;
            }}
          >
            {photo && <img src={photo.url} alt="" />}
            <span aria-hidden="true">{markOf(reading, at)}</span>
          </button>
        ))}
      </div>
      {entry.photos.phase.value.kind === 'ready' && reading && <LeftOut entry={entry} reading={reading} />}
    </section>
  );
}

const photoIn = (reading: Reading | null, at: number) =>
  reading?.photos?.find(({ index }) => index === at) ?? null;

/** "Photo 2: 5 tiles were read from it". */
function nameOf(reading: Reading | null, at: number): string {
  const words = t.value.photos;
  const photo = photoIn(reading, at);
  if (!reading || !photo) return words.number(at + 1);
  return photo.used ? words.named(at + 1, namedTiles(reading, at)) : words.leftOut(at + 1);
}

/** Returns the mark of a photo on the screen: its number, with a cross if it does not count. */
const markOf = (reading: Reading | null, at: number): string =>
  photoIn(reading, at)?.used === false ? `${at + 1} ✗` : `${at + 1}`;

/** The photos that do not show the same hand, and what to do with each. */
function LeftOut({ entry, reading }: { readonly entry: Entry; readonly reading: Reading }) {
  const words = t.value.photos;
  const list = (reading.photos ?? []).filter(({ used }) => !used);
  return (
    <>
      {list.map(({ index, left_out }) => (
        <div key={index} class="notice" role="status">
          <p>{words.reasons[left_out ?? 'other_tiles'](index + 1)}</p>
          <div class="actions">
            {left_out !== 'no_tiles' && (
              <button type="button" onClick={() => openApart(entry, index)}>
                {words.apart}
              </button>
            )}
            <button type="button" onClick={() => dropPhoto(entry, index)}>
              {words.remove(index + 1)}
            </button>
          </div>
        </div>
      ))}
    </>
  );
}

/** A button for more photos of the hand, from wherever the device has them. */
export function MorePhotos({ entry }: { readonly entry: Entry }) {
  const { length } = entry.photos.pictures.value;
  if (length === 0 || length >= MAX_PHOTOS) return null;
  return (
    <FileButton
      label={t.value.photos.add}
      class="button"
      onFiles={(files) => files.length > 0 && addPhotosTo(entry, files)}
    />
  );
}

/** Says which photo a tile was named from, and which others show it. */
export function WhichPhotos({ reading, tile }: { readonly reading: Reading; readonly tile: SeenTile }) {
  const words = t.value.photos;
  if ((reading.photos ?? []).length === 0) return null;
  const others = alsoIn(reading, tile).map((photo) => `${photo + 1}`);
  return (
    <p class="help which-photos">
      {words.from(namedFrom(reading, tile).photo + 1)} {others.length > 0 && words.also(listed(others))}
    </p>
  );
}
