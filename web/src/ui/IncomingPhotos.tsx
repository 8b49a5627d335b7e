/** Asks what several photos show, before anything of them is sent. */
import { t } from '../i18n';
import { MAX_PHOTOS } from '../model/together';
import { answer, type Incoming, incoming, type Shown } from '../state/incoming';
import { Sheet } from './Sheet';

export function IncomingPhotos() {
  const photos = incoming.value;
  if (!photos) return null;
  const words = t.value.photos;
  const close = (): void => {
    incoming.value = null;
  };
  return (
    <Sheet title={words.what(photos.files.length)} onClose={close}>
      {tooMany(photos) && (
        <p class="notice" role="alert">
          {words.tooMany(MAX_PHOTOS)}
        </p>
      )}
      <div class="incoming">
        {choices(photos).map((shown) => (
          <button key={shown} type="button" class="answer" onClick={() => answer(shown)}>
            <span>
              {shown === 'each' && photos.files.length === 1 ? words.another : words.show[shown]}
              {shown !== 'each' && <small>{words.sameHelp}</small>}
            </span>
          </button>
        ))}
      </div>
    </Sheet>
  );
}

/** Tells whether the photos are too many for one of the hands that they may show. */
const tooMany = ({ files, hand }: Incoming): boolean =>
  files.length + (hand?.photos.pictures.value.length ?? 0) > MAX_PHOTOS;

/** Returns the meanings that the photos may have. */
function choices({ files, hand }: Incoming): Shown[] {
  const open: Shown[] = hand && !tooMany({ files, hand }) ? ['open'] : [];
  const one: Shown[] = files.length > 1 && files.length <= MAX_PHOTOS ? ['one'] : [];
  return [...open, ...one, 'each'];
}
