/** One hand: its photo and questions, its tiles, its win context, its score. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n';
import { count } from '../model/count';
import { doubtful, isOffer, type Question, questions } from '../model/doubts';
import { isEmpty, pieces } from '../model/hand';
import { type Entry, send, tryAgain, turn } from '../state/hands';
import { online } from '../state/online';
import { AtTheTable } from './AddToEvening';
import { Feedback } from './Feedback';
import { goTo, open } from './focus';
import { HandEditor } from './HandEditor';
import { HandsInView } from './HandsInView';
import { FileButton } from './Home';
import { KeyField } from './KeyField';
import { PhotoView } from './PhotoView';
import { Questions } from './Questions';
import { Result } from './Result';
import { TileSheet } from './TileSheet';
import { WinContext } from './WinContext';
import { countText, failureText } from './words';

export function HandPage({ entry }: { readonly entry: Entry }) {
  const reading = entry.reading.value;
  const hand = entry.hand.value;
  const list = reading ? questions(hand, reading) : [];
  const seen = doubtful(list);
  const offer = list.find(isOffer);
  const unsure = new Set(
    pieces(hand)
      .filter((piece) => piece.seen !== null && seen.has(piece.seen))
      .map(({ id }) => id),
  );
  const ready = entry.phase.value.kind === 'ready';
  const main = useRef<HTMLElement>(null);
  // Before the first paint: an effect would come later and take the focus from someone who types at
  // once.
  useLayoutEffect(() => main.current?.focus({ preventScroll: true }), []);
  return (
    <main ref={main} tabIndex={-1} class={entry.file ? 'bench with-photo' : 'bench'}>
      <h1 class="unseen">{t.value.hand}</h1>
      {entry.file && (
        <section class="photo-side">
          <PhotoView entry={entry} doubtful={seen}>
            {/* Turning reads the photo again, which would undo corrections. */}
            {ready && entry.edits.value.past.length === 0 && (
              <button
                type="button"
                class="icon turn"
                aria-label={t.value.turn}
                title={t.value.turn}
                onClick={() => turn(entry)}
              >
                ⟳
              </button>
            )}
          </PhotoView>
          {reading && <HandsInView entry={entry} reading={reading} />}
          {reading?.mirrored && <p class="notice mirrored">{t.value.mirrored}</p>}
          <PhotoState entry={entry} />
        </section>
      )}
      {ready && (
        <>
          <div class="hand-side">
            <Questions entry={entry} list={list} />
            <HandEditor entry={entry} doubtful={unsure} offered={offer !== undefined} />
          </div>
          <div class="score-side">
            <WinContext entry={entry} />
            <AtTheTable entry={entry} />
            {entry.scoring.value.kind !== 'none' && <Result entry={entry} />}
            <Feedback entry={entry} />
          </div>
          <ScoreBar entry={entry} offer={offer} />
        </>
      )}
      {open.value && <TileSheet key={JSON.stringify(open.value)} entry={entry} about={open.value} />}
    </main>
  );
}

/** The progress of the photo, and the actions that it allows. */
function PhotoState({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const phase = entry.phase.value;
  const turnButton = (
    <button type="button" onClick={() => turn(entry)}>
      {words.turn}
    </button>
  );
  const again = <FileButton label={words.again} class="button" capture />;
  switch (phase.kind) {
    case 'preparing':
      return <Busy text={words.preparing} />;
    case 'reading':
      return <Busy text={words.readingPhoto} />;
    case 'waiting':
      return online.value ? <Busy text={words.readingPhoto} /> : <p class="notice">{words.waitingOnline}</p>;
    case 'warned':
      return (
        <div class="notice" role="alert">
          {phase.warnings.map((warning) => (
            <p key={warning}>{words[warning]}</p>
          ))}
          <div class="actions">
            {again}
            <button type="button" onClick={() => send(entry)}>
              {words.sendAnyway}
            </button>
            {turnButton}
          </div>
        </div>
      );
    case 'failed':
      return (
        <div class="notice" role="alert">
          <p>{failureText(phase.failure)}</p>
          {phase.failure.kind === 'unauthorized' ? (
            <KeyField onSaved={() => send(entry)} />
          ) : (
            <div class="actions">
              {again}
              <FileButton label={words.choose} class="button" />
              <button type="button" onClick={() => tryAgain(entry)}>
                {words.tryAgain}
              </button>
            </div>
          )}
        </div>
      );
    case 'ready':
      return null;
  }
}

function Busy({ text }: { readonly text: string }) {
  return (
    <p class="busy" role="status">
      <span class="spinner" aria-hidden="true" />
      {text}
    </p>
  );
}

/** Always visible: the total, or what is still missing. */
function ScoreBar({ entry, offer }: { readonly entry: Entry; readonly offer: Question | undefined }) {
  const words = t.value;
  const scoring = entry.scoring.value;
  const hand = entry.hand.value;
  if (isEmpty(hand)) return null;
  const first = scoring.kind === 'done' ? scoring.scores[0]?.score : undefined;
  const summary = first
    ? `${words.total(first.total)} ${first.legal ? '✓' : '✗'}`
    : scoring.kind === 'offline'
      ? words.offline
      : scoring.kind === 'failed'
        ? failureText(scoring.failure)
        : scoring.kind === 'pending'
          ? words.scoring
          : countText(count(hand), offer !== undefined);
  return (
    <div class="score-bar">
      <b>{summary}</b>
      {first && (
        <button type="button" class="primary" onClick={() => goTo('result')}>
          {words.toScore}
        </button>
      )}
      {!first && offer && (
        <button type="button" class="primary" onClick={() => goTo('questions')}>
          {words.toQuestion}
        </button>
      )}
    </div>
  );
}
