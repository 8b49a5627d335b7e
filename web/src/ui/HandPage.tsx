/**
 * Page of one hand: its photo, its total and the question that narrows it most; below them the
 * score in detail, and folded the tiles, the win context and the rules.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Scored } from '../api/types';
import { ON_DEVICE } from '../browser/site';
import { canRead, choosePlace } from '../engine/place';
import { t } from '../i18n';
import { count } from '../model/count';
import { doubtful, isOffer, type Question } from '../model/doubts';
import { isEmpty, pieces } from '../model/hand';
import { doubtsIn } from '../model/openQuestions';
import { isEntering } from '../state/evening';
import type { Entry } from '../state/hand/entry';
import { dropPhoto } from '../state/hand/open';
import { send, tryAgain, turn } from '../state/hand/reading';
import type { Table } from '../state/hand/table';
import { handSize } from '../state/prefs';
import { doubtsOf, questionsOf, totalsOf } from '../state/questions';
import { mayBeUnknownSet, teachInstead } from '../state/teaching';
import { AtTheTable, OtherHandsAtTheTable } from './AddToEvening';
import { Feedback } from './Feedback';
import { Fold, isWide } from './Fold';
import { goTo, open, pointing, shape } from './focus';
import type { Shape } from './gestures';
import { HandEditor } from './HandEditor';
import { HandsInView } from './HandsInView';
import { CameraSign, FileButton } from './Home';
import { KeyField } from './KeyField';
import { Photos } from './Photos';
import { PhotoView } from './PhotoView';
import { Questions } from './Questions';
import { ReadTiles } from './ReadTiles';
import { Result, SideBySide } from './Result';
import { RulesPicker } from './RulesPicker';
import { Segmented } from './Segmented';
import { SetUsed } from './SetPicker';
import { TileSheet } from './TileSheet';
import { Verdict } from './Verdict';
import { WinContext } from './WinContext';
import {
  contextText,
  countText,
  failureText,
  notReadText,
  progressText,
  totalText,
  totalUnitOf,
} from './words';

export function HandPage({ entry }: { readonly entry: Entry }) {
  const reading = entry.photos.reading.value;
  const list = doubtsOf(entry);
  const seen = doubtful(list);
  const ready = entry.photos.phase.value.kind === 'ready';
  const photographed = entry.photos.pictures.value.length > 0;
  const main = useRef<HTMLElement>(null);
  // Before the first paint: an effect would come later and take the focus from someone who types at
  // once.
  useLayoutEffect(() => main.current?.focus({ preventScroll: true }), []);
  return (
    <main ref={main} tabIndex={-1} class={photographed ? 'bench with-photo' : 'bench'}>
      <h1 class="unseen">{t.value.hand}</h1>
      {photographed && (
        <section class="photo-side">
          <PhotoView entry={entry} doubtful={seen} questioned={tilesOfQuestion(entry)}>
            {/* Turning reads the photo again, which would undo corrections. */}
            {ready && entry.edit.history.value.past.length === 0 && (
              <button
                type="button"
                class="icon"
                aria-label={t.value.turn}
                title={t.value.turn}
                onClick={() => turn(entry)}
              >
                ⟳
              </button>
            )}
          </PhotoView>
          {pointing.value && <Pointing />}
          {ready && <ReadTiles entry={entry} doubtful={seen} />}
          <Photos entry={entry} />
          {entry.photos.notRead.value && (
            <p class="notice" role="alert">
              {notReadText(entry.photos.notRead.value)}
            </p>
          )}
          {reading && <HandsInView entry={entry} reading={reading} />}
          {reading?.mirrored && <p class="notice mirrored">{t.value.mirrored}</p>}
          {reading && <SetUsed entry={entry} reading={reading} />}
          <PhotoState entry={entry} />
        </section>
      )}
      {ready &&
        (entry.edit.typing ? <Typing entry={entry} list={list} /> : <Read entry={entry} list={list} />)}
      {open.value && <TileSheet key={JSON.stringify(open.value)} entry={entry} about={open.value} />}
    </main>
  );
}

const SHAPES: readonly Shape[] = ['box', 'outline'];

/** Asks for the shape to draw around the hand that is meant, and says how. */
function Pointing() {
  const words = t.value.pointing;
  return (
    <div class="notice pointing">
      <p>{words.help[shape.value]}</p>
      <Segmented
        legend={words.shape}
        name="shape"
        quiet
        value={shape.value}
        options={SHAPES.map((value) => ({ value, label: words.shapes[value] }))}
        onChoose={(value) => {
          shape.value = value;
        }}
      />
    </div>
  );
}

/** The tiles of the first question, unless it is about the whole hand. */
function tilesOfQuestion(entry: Entry): ReadonlySet<number> {
  const scoring = entry.verdict.scoring.value;
  const scored = scoring.kind === 'done' ? scoring.scores[0] : undefined;
  const [first] = questionsOf(entry, scored);
  const tiles = first ? doubtsIn(first).flatMap(({ doubt }) => doubt.tiles) : [];
  return new Set(tiles.length < handSize.value.tiles - 1 ? tiles : []);
}

interface PartsProps {
  readonly entry: Entry;
  /** The open doubts of the reading. */
  readonly list: readonly Question[];
}

/** A hand that came from a photo, a link or the sheet: its score comes first. */
function Read({ entry, list }: PartsProps) {
  return (
    <>
      <div class="score-side">
        <Outcome entry={entry} list={list} />
        <WinFold entry={entry} />
        <RulesPart table={entry.table} />
      </div>
      <div class="hand-side">
        <Fold
          id="tiles"
          title={t.value.outcome.tiles}
          about={countText(count(entry.edit.hand.value, handSize.value), list.some(isOffer))}
          open={isWide()}
        >
          <Editor entry={entry} list={list} />
        </Fold>
        <Feedback entry={entry} />
      </div>
    </>
  );
}

/** A hand that is being typed: its tiles come first. */
function Typing({ entry, list }: PartsProps) {
  return (
    <>
      <div class="hand-side">
        <Editor entry={entry} list={list} />
      </div>
      <div class="score-side">
        <WinFold entry={entry} />
        <Outcome entry={entry} list={list} />
        <RulesPart table={entry.table} />
      </div>
    </>
  );
}

function Editor({ entry, list }: PartsProps) {
  const seen = doubtful(list);
  const unsure = pieces(entry.edit.hand.value).filter((piece) => piece.seen !== null && seen.has(piece.seen));
  return (
    <HandEditor
      entry={entry}
      doubtful={new Set(unsure.map(({ id }) => id))}
      offered={list.find(isOffer) !== undefined}
    />
  );
}

function WinFold({ entry }: { readonly entry: Entry }) {
  return (
    <Fold id="win-context" title={t.value.winContext} about={contextText(entry.edit.context.value)}>
      <WinContext entry={entry} />
    </Fold>
  );
}

/** Offers the choice of rules, except in an evening, where the rules of its game hold. */
function RulesPart({ table }: { readonly table: Table }) {
  return isEntering(table.won.value) ? null : <RulesPicker />;
}

/** The total and what is asked, then the other questions and the score in detail. */
function Outcome({ entry, list }: PartsProps) {
  const shown = useSignal<string | null>(null);
  const scoring = entry.verdict.scoring.value;
  const scores = scoring.kind === 'done' ? scoring.scores : [];
  const scored = scores.find(({ ruleset }) => ruleset === shown.value) ?? scores[0];
  const open = questionsOf(entry, scored);
  return (
    <>
      <Verdict entry={entry} questions={open} doubts={list} scored={scored}>
        {scores.length > 1 && <SideBySide entry={entry} scores={scores} chosen={shown} />}
        <AtTheTable entry={entry} />
      </Verdict>
      <Questions entry={entry} list={list} />
      <OtherHandsAtTheTable entry={entry} />
      {scored?.score && <Result entry={entry} scored={scored} score={scored.score} />}
      <ScoreBar entry={entry} scored={scored} list={list} />
    </>
  );
}

/** The progress of the photo, and the actions that it allows. */
function PhotoState({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const phase = entry.photos.phase.value;
  const turnButton = (
    <button type="button" onClick={() => turn(entry)}>
      {words.turn}
    </button>
  );
  const again = <FileButton label={words.again} class="button" capture />;
  const leaveOut = entry.photos.pictures.value.length > 1 && (
    <button type="button" onClick={() => dropPhoto(entry, entry.photos.shown.value)}>
      {words.photos.leaveOut(entry.photos.shown.value + 1)}
    </button>
  );
  switch (phase.kind) {
    case 'preparing':
      return <Busy text={words.preparing} />;
    case 'reading':
      return <Busy text={progressText()} />;
    case 'waiting':
      return canRead.value ? <Busy text={words.readingPhoto} /> : <p class="notice">{words.waitingOnline}</p>;
    case 'warned':
      return (
        <div class="notice" role="alert">
          {phase.warnings.map((warning) => (
            <p key={warning}>{words[warning]}</p>
          ))}
          <div class="actions">
            {leaveOut || again}
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
          <p>
            {phase.at !== undefined && `${words.photos.number(phase.at + 1)}: `}
            {failureText(phase.failure)}
          </p>
          {mayBeUnknownSet(phase.failure) && (
            <p class="help">
              {words.ownSets.unknown}{' '}
              <button type="button" onClick={teachInstead}>
                {words.ownSets.teach}
              </button>
            </p>
          )}
          {phase.failure.kind === 'unauthorized' ? (
            <KeyField onSaved={() => send(entry)} />
          ) : (
            <div class="actions">
              {phase.at !== undefined && leaveOut}
              {again}
              <FileButton label={words.choose} class="button" />
              <button type="button" onClick={() => tryAgain(entry)}>
                {words.tryAgain}
              </button>
              {phase.failure.kind === 'not-loaded' && !ON_DEVICE && (
                <button
                  type="button"
                  onClick={() => {
                    choosePlace('server');
                    send(entry);
                  }}
                >
                  {words.reads.onServer}
                </button>
              )}
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

interface BarProps {
  readonly entry: Entry;
  readonly scored: Scored | undefined;
  readonly list: readonly Question[];
}

/** The camera, and while the verdict is out of sight the total, or what is still missing. */
function ScoreBar({ entry, scored, list }: BarProps) {
  const words = t.value;
  const away = useSignal(false);
  useEffect(() => {
    const verdict = document.getElementById('verdict');
    if (!verdict) return undefined;
    const watcher = new IntersectionObserver(([now]) => {
      away.value = now?.isIntersecting === false;
    });
    watcher.observe(verdict);
    return () => watcher.disconnect();
  }, []);
  // The pad says what is missing of a hand that is typed.
  if (isEmpty(entry.edit.hand.value) || (entry.edit.typing && !scored?.score)) return null;
  const lacking = countText(count(entry.edit.hand.value, handSize.value), list.some(isOffer));
  return (
    <div class="score-bar">
      {away.value && (
        <>
          <b>{scored?.score ? totalText(totalsOf(entry, scored), totalUnitOf(scored.score)) : lacking}</b>
          <button type="button" class="primary" onClick={() => goTo('verdict')}>
            {words.toScore}
          </button>
        </>
      )}
      <FileButton
        label={words.snap}
        class={away.value ? 'icon' : 'button'}
        sign={<CameraSign />}
        withLabel={!away.value}
        capture
      />
    </div>
  );
}
