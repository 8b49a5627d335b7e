/**
 * The doubts of the reading, each answered with one tap. The first that changes the score is asked
 * beside the total; here are the others, and folded those that don't change it.
 */
import { type Doubt, polygonOf } from '../api/types';
import { t } from '../i18n';
import type { Choice, Question } from '../model/doubts';
import { markAnswered } from '../model/edit';
import { change, type Entry } from '../state/hands';
import { totalOf } from '../state/totals';
import { Crop, RowCrop } from './Crop';
import { open, pointed } from './focus';
import { TileFace } from './Tile';
import { askText, replyText } from './words';

interface Props {
  readonly entry: Entry;
  readonly list: readonly Question[];
  /** The question that is asked beside the total already. */
  readonly first: Question | undefined;
}

export function Questions({ entry, list, first }: Props) {
  const asked = list.filter((question) => question.doubt.affects_score && question.at !== first?.at);
  const folded = list.filter(({ doubt }) => !doubt.affects_score);
  if (asked.length + folded.length === 0) return null;
  return (
    <section class="questions" id="questions" aria-label={t.value.questions} tabIndex={-1}>
      {asked.length > 0 && (
        <h2>
          {t.value.questions} <span class="badge">{asked.length}</span>
        </h2>
      )}
      <Cards entry={entry} list={asked} />
      {folded.length > 0 && (
        <details class="folded">
          <summary>{t.value.sameScoreMore(folded.length)}</summary>
          <Cards entry={entry} list={folded} />
        </details>
      )}
    </section>
  );
}

function Cards({ entry, list }: { readonly entry: Entry; readonly list: readonly Question[] }) {
  if (list.length === 0) return null;
  return (
    <ul>
      {list.map((question) => (
        <QuestionCard key={question.at} entry={entry} question={question} />
      ))}
    </ul>
  );
}

export function QuestionCard({ entry, question }: { readonly entry: Entry; readonly question: Question }) {
  const { doubt, at } = question;
  const words = t.value;
  const hand = entry.hand.value;
  const classes = ['question', doubt.affects_score && 'matters', doubt.tiles.length > 1 && 'stacked'].filter(
    Boolean,
  );
  const settle = (): void => change(entry, markAnswered(hand, at));
  return (
    <li class={classes.join(' ')}>
      <Pictured entry={entry} question={question} />
      <div class="question-body">
        <p class="ask">{askText(hand, entry.reading.value, question)}</p>
        <p class="stakes">{doubt.affects_score ? words.changesScore : words.sameScore}</p>
        <div class="actions">
          {question.choices.map((choice) => (
            <Answer key={JSON.stringify(choice.reply)} entry={entry} doubt={doubt} choice={choice} />
          ))}
          {question.choices.length === 0 && (
            <button type="button" onClick={settle}>
              {words.looksRight}
            </button>
          )}
        </div>
      </div>
    </li>
  );
}

/** The tile in question, as the camera saw it; tapping opens it. */
function Pictured({ entry, question }: { readonly entry: Entry; readonly question: Question }) {
  const { tiles } = question.doubt;
  const [seen = -1] = tiles;
  const polygons = tiles.flatMap((at) => {
    const tile = entry.reading.value?.tiles[at];
    return tile ? [polygonOf(tile)] : [];
  });
  const url = entry.photo.value?.url;
  const [polygon] = polygons;
  if (!polygon || !url || tiles.length > 4) return null;
  const [piece] = question.pieces;
  return (
    <button
      type="button"
      class="pictured"
      aria-label={t.value.seenAs}
      onClick={() => {
        open.value = piece === undefined ? { seen } : { piece };
      }}
      onPointerEnter={() => {
        pointed.value = piece ?? null;
      }}
      onPointerLeave={() => {
        pointed.value = null;
      }}
    >
      {polygons.length > 1 ? <RowCrop url={url} polygons={polygons} /> : <Crop url={url} polygon={polygon} />}
    </button>
  );
}

interface AnswerProps {
  readonly entry: Entry;
  readonly doubt: Doubt;
  readonly choice: Choice;
}

function Answer({ entry, doubt, choice }: AnswerProps) {
  const { reply, hand } = choice;
  const words = t.value;
  if (!hand) return null;
  const total = totalOf(entry, choice);
  return (
    <button
      type="button"
      class={choice.current ? 'answer current' : 'answer'}
      onClick={() => change(entry, hand)}
    >
      {'face' in reply && <TileFace face={reply.face} />}
      <span>
        {replyText(reply, doubt)}
        {total !== undefined && <small>{total === null ? words.noWin : words.total(total)}</small>}
      </span>
    </button>
  );
}
