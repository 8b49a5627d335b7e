/**
 * The review: one photo in doubt after the other, answered by key or tap. It is opened by
 * `tilesight review`, or by the address of a job; every answer is kept at once.
 */
import '../styles/review.css';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { lang } from '../browser/lang';
import { write } from '../browser/storage';
import { reviewWords } from '../i18n/review';
import { CONTEXT_KEYS, type GroupCount, groupsOf, suggestion } from '../model/review';
import { learnRulesets } from '../state/prefs';
import {
  begin,
  busy,
  choose,
  done,
  fetchTable,
  give,
  group,
  last,
  move,
  needsKey,
  openQuestion,
  photo,
  queue,
  say,
  tables,
  takeSuggestion,
  trouble,
  undo,
} from '../state/review';
import { folder, reviewerName, sourceIn } from '../state/reviewSources';
import { KeyField } from './KeyField';
import { ReviewAnswers, ReviewReading } from './ReviewAnswers';
import { isContextShown, ReviewContext, stepContext } from './ReviewContext';
import { ReviewPicture, whole } from './ReviewPicture';
import { Settling } from './Settling';

/** Shows the review instead of the page. */
export async function showReview(root: Element): Promise<void> {
  await Promise.all([begin(sourceIn(location.hash) ?? folder), learnRulesets()]);
  window.addEventListener('keydown', (event) => void pressed(event));
  window.addEventListener('click', release);
  // Another job, or another photo, in the address; the review itself changes it without this.
  window.addEventListener('hashchange', () => location.reload());
  render(<Review />, root);
}

/** Takes the focus from a tapped element, so that the next Enter answers the photo. */
function release(event: MouseEvent): void {
  const tapped = event.detail > 0 && document.activeElement;
  if (tapped instanceof HTMLElement && !isText(tapped)) tapped.blur();
}

/** Tells whether an element is a text field, in which letters are typed and are not commands. */
const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox';

/** Keys that radio buttons and boxes to tick have for themselves. */
const CHOOSING = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', ' '];

const typing = (): HTMLInputElement | null => document.querySelector<HTMLInputElement>('#review-hand');

/** Runs the action of a key. Text fields and the browser's own shortcuts are left alone. */
async function pressed(event: KeyboardEvent): Promise<void> {
  if (event.ctrlKey || event.metaKey || event.altKey || isText(event.target)) return;
  if (event.target instanceof HTMLInputElement && CHOOSING.includes(event.key)) return;
  // Enter on a button or a fold presses that.
  const pressable = event.target instanceof Element && event.target.closest('button, summary');
  if (event.key === 'Enter' && pressable) return;
  const act = actionOf(event.key);
  if (!act) return;
  event.preventDefault();
  await act();
}

function actionOf(key: string): (() => unknown) | null {
  if (/^[1-9]$/.test(key)) return () => give(Number(key) - 1);
  switch (key) {
    case 'Enter':
      return async () => (await takeSuggestion()) || typing()?.focus();
    case 'ArrowRight':
      return () => move(1);
    case 'ArrowLeft':
      return () => move(-1);
    case 'u':
      return undo;
    case 'n':
      return () => say({ no_hand: true });
    case 'g':
      return () => say({ game: 'other' });
    case 'e':
      return () => typing()?.focus();
    case 'z':
      return () => {
        whole.value = !whole.value;
      };
    case 'c':
      return () => {
        isContextShown.value = !isContextShown.value;
      };
    default:
      return isContextKey(key) ? () => stepContext(key) : null;
  }
}

const isContextKey = (key: string): key is keyof typeof CONTEXT_KEYS => key in CONTEXT_KEYS;

function Review() {
  const words = reviewWords(lang.value);
  const list = queue.value;
  const shown = photo.value;
  if (!list) {
    return (
      <main class="review">
        <p role="alert">{trouble.value || words.none}</p>
        {needsKey.value && <KeyField onSaved={() => void begin()} />}
      </main>
    );
  }
  const all = list.photos.length;
  const title = words.title(list.command ? list.name : words.job(whenMade(list.name)));
  document.title = title;
  return (
    <main class="review" aria-busy={busy.value}>
      <header class="review-head">
        <h1>{title}</h1>
        <progress value={done.value} max={all} aria-label={words.progress(done.value, all)} />
        <p class="review-progress">{words.progress(done.value, all)}</p>
        <Groups />
      </header>
      {shown && (
        <article class="review-photo" aria-label={shown.id} key={shown.index} data-photo={shown.index}>
          <h2>{shown.id}</h2>
          <p class="review-why">
            {words.groups[shown.group]}
            {shown.done && <b> · {words.answered(shown.reviewer)}</b>}
          </p>
          <ReviewPicture photo={shown} doubt={openQuestion.value} />
          <div class="review-side">
            <ReviewReading photo={shown} />
            <ReviewAnswers photo={shown} question={openQuestion.value} />
            <ReviewContext photo={shown} />
            <Actions />
          </div>
        </article>
      )}
      <footer class="review-foot">
        <p role="status">
          {last.value && words.kept(last.value.id, last.value.corrected?.score?.total ?? null)}
        </p>
        {list.command ? (
          <p>
            {done.value === all ? words.finished : words.finish} <code>{list.command}</code>
          </p>
        ) : (
          <JobFoot finished={done.value === all} />
        )}
      </footer>
    </main>
  );
}

/** Returns the date and time of a job, in words: its id begins with the milliseconds since 1970. */
const whenMade = (job: string): string =>
  new Date(Number.parseInt(job.slice(0, 12), 16)).toLocaleString(lang.value, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });

/** Foot of the review of a job: the reviewer's name, and the tables with the answers. */
function JobFoot({ finished }: { readonly finished: boolean }) {
  const words = reviewWords(lang.value);
  const from = tables();
  const state = finished ? words.answeredAll : words.inResults;
  const rename = (name: string): void => {
    write('reviewer', name.trim() || null);
    void begin();
  };
  return (
    <>
      <p class="review-tables">
        {queue.value?.photos.length === 0 ? words.nothing : state}
        {from && (
          <>
            <button type="button" onClick={() => void save(from.results, 'results.csv')}>
              results.csv
            </button>
            <button type="button" onClick={() => void save(from.workbook, 'results.xlsx')}>
              results.xlsx
            </button>
            <button type="button" onClick={() => void save(from.corrections, 'corrections.csv')}>
              corrections.csv
            </button>
          </>
        )}
      </p>
      <form
        class="review-typed review-reviewer"
        onSubmit={(event) => {
          event.preventDefault();
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        }}
      >
        <label for="review-reviewer">{words.reviewer}</label>
        <input
          id="review-reviewer"
          type="text"
          maxLength={64}
          autocomplete="name"
          placeholder={queue.value?.reviewer}
          defaultValue={reviewerName()}
          onChange={({ currentTarget }) => rename(currentTarget.value)}
        />
      </form>
    </>
  );
}

/** Saves a table, which comes with the key of this device. */
async function save(path: string, name: string): Promise<void> {
  const table = await fetchTable(path);
  if (!table) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(table);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Alike cases: how many are left of each kind, and only those at a tap. */
function Groups() {
  const words = reviewWords(lang.value);
  const chip = ({ group: one, left, all }: GroupCount) => (
    <button key={one} type="button" aria-pressed={group.value === one} onClick={() => void choose(one)}>
      {words.groups[one]}: {left ? words.left(left, all) : '✓'}
    </button>
  );
  return (
    <nav class="review-groups" aria-label={words.alike}>
      <button type="button" aria-pressed={group.value === null} onClick={() => void choose(null)}>
        {words.everything}
      </button>
      {groupsOf(queue.value?.photos ?? []).map(chip)}
    </nav>
  );
}

/** Actions that are possible for any photo. */
function Actions() {
  const words = reviewWords(lang.value);
  const field = useRef<HTMLInputElement>(null);
  const shown = photo.value;
  useEffect(() => {
    if (field.current) field.current.value = '';
  }, [shown?.index]);
  if (!shown) return null;
  const likely = suggestion(shown);
  const send = (event: Event): void => {
    event.preventDefault();
    const hand = field.current?.value.trim();
    field.current?.blur();
    if (hand) void say({ accepted: true, hand });
  };
  return (
    <>
      <form class="review-typed" onSubmit={send}>
        <label for="review-hand">
          {words.typed} <kbd>E</kbd>
        </label>
        <input
          id="review-hand"
          ref={field}
          type="text"
          placeholder="[EEE,2]123m456p789s5s5s"
          autocomplete="off"
          spellcheck={false}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
        <button type="submit">{words.save}</button>
      </form>
      {trouble.value && <p role="alert">{trouble.value}</p>}
      <div class="review-actions">
        <Settling class="review-sayings" about={`${shown.index}`}>
          <button
            type="button"
            class="main"
            onClick={() => void takeSuggestion().then((ok) => ok || typing()?.focus())}
          >
            {words.suggestions[likely]} <kbd>⏎</kbd>
          </button>
          {likely !== 'no_hand' && (
            <button type="button" onClick={() => void say({ no_hand: true })}>
              {words.suggestions.no_hand} <kbd>N</kbd>
            </button>
          )}
          <button type="button" onClick={() => void say({ game: 'other' })}>
            {words.suggestions.another_game} <kbd>G</kbd>
          </button>
        </Settling>
        <button type="button" onClick={() => void undo()}>
          {words.undo} <kbd>U</kbd>
        </button>
        <button type="button" aria-label={words.previous} onClick={() => void move(-1)}>
          ←
        </button>
        <button type="button" aria-label={words.next} onClick={() => void move(1)}>
          →
        </button>
      </div>
    </>
  );
}
