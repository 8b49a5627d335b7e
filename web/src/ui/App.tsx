/** The whole page: the header, the open hands, and the one that is shown. */
import { useEffect } from 'preact/hooks';
import { withColon } from '../browser/lang';
import { t } from '../i18n';
import { showing } from '../state/evening';
import { current, currentId, type Entry, entries, leave } from '../state/hand/entry';
import { type Photos, shownPhoto } from '../state/hand/photos';
import { isProvisional, totalsOf } from '../state/questions';
import { showingSeries } from '../state/series';
import { showingSets } from '../state/teaching';
import { viewing } from '../state/viewfinder';
import { Evening } from './Evening';
import { forget, note } from './focus';
import { HandPage } from './HandPage';
import { Header } from './Header';
import { FileButton, Home } from './Home';
import { IncomingPhotos } from './IncomingPhotos';
import { SeriesPage } from './SeriesPage';
import { Sets } from './Sets';
import { Viewfinder } from './Viewfinder';
import { shortTotal } from './words';

/** Time for which a short note stays, in milliseconds. */
const NOTE = 4_000;

export function App() {
  return (
    <>
      {/* The viewfinder has the whole screen. */}
      {!viewing.value && <Header />}
      {!viewing.value && entries.value.length > 0 && <Table />}
      <View />
      <IncomingPhotos />
      <Note />
    </>
  );
}

/** The view on the screen. */
function View() {
  const entry = current.value;
  if (viewing.value) return <Viewfinder />;
  if (entry) return <HandPage key={entry.id} entry={entry} />;
  if (showing.value) return <Evening />;
  if (showingSeries.value) return <SeriesPage />;
  return showingSets.value ? <Sets /> : <Home />;
}

/** The open hands; each can be shown or closed. */
function Table() {
  const words = t.value;
  return (
    <nav class="table" aria-label={words.hands}>
      {entries.value.map((entry, at) => (
        <span key={entry.id} class="table-hand">
          <button
            type="button"
            aria-current={entry.id === currentId.value}
            onClick={() => {
              forget();
              currentId.value = entry.id;
            }}
          >
            <Thumbnail photos={entry.photos} />
            {words.handNumber(at + 1)}
            <State entry={entry} />
          </button>
          {entry.id === currentId.value && (
            <button
              type="button"
              class="icon"
              aria-label={withColon(words.remove, words.handNumber(at + 1))}
              onClick={() => {
                forget();
                leave(entry);
              }}
            >
              ×
            </button>
          )}
        </span>
      ))}
      <FileButton label={words.snap} class="button" capture />
    </nav>
  );
}

function Thumbnail({ photos }: { readonly photos: Photos }) {
  const photo = shownPhoto(photos);
  return photo && <img src={photo.url} alt="" width={40} height={40} />;
}

/** A hand's total, or its progress or error. */
function State({ entry }: { readonly entry: Entry }) {
  const { kind } = entry.photos.phase.value;
  const scoring = entry.verdict.scoring.value;
  if (scoring.kind === 'done') {
    const [first] = scoring.scores;
    if (!first?.score) return <b>–</b>;
    const totals = totalsOf(entry, first);
    return (
      <b>{`${shortTotal(totals)}${isProvisional(entry, first) && totals[0] === totals[1] ? '?' : ''}`}</b>
    );
  }
  if (kind === 'failed' || kind === 'warned') return <b>!</b>;
  return kind === 'ready' ? null : <span class="spinner" aria-hidden="true" />;
}

function Note() {
  const text = note.value;
  useEffect(() => {
    if (!text) return undefined;
    const timer = setTimeout(() => {
      note.value = '';
    }, NOTE);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class={text ? 'note shown' : 'note'} role="status">
      {text}
    </p>
  );
}
