/** What was read of a photo, and the answers to the question about it. */
import type { Doubt, Reading } from '../api/types';
import { faceName, lang } from '../i18n';
import { reviewWords } from '../i18n/review';
import { open, type ReviewPhoto } from '../model/review';
import type { Face } from '../model/tiles';
import { give, steps } from '../state/review';
import { drawing, TileFace } from './Tile';

/** Answers that have a key. */
const KEYS = 9;

const isFace = (code: string): code is Face => drawing(code as Face) !== undefined;

/** The hand as it is now, with its total and what was assumed for it. */
export function ReviewReading({ photo }: { readonly photo: ReviewPhoto }) {
  const words = reviewWords(lang.value);
  const reading = photo.corrected ?? photo.now ?? photo.as_read.reading;
  if (!reading) return <p>{photo.as_read.error?.detail}</p>;
  const score = reading.score;
  const supposed = score && reading.supposed_winning_tile;
  const values = { ...score?.assumed_values, ...(supposed && { winning_tile: supposed }) };
  const assumed = Object.entries(values).map(([field, value]) => `${field}=${value}`);
  return (
    <section class="review-reading">
      <Hand reading={reading} />
      <p>
        {score ? <b>{words.total(score.total)}</b> : words.noScore}{' '}
        <span class="review-notation">{reading.hand.notation}</span>
      </p>
      {!score && steps.value.length > 0 && <p role="alert">{photo.now?.problem?.detail}</p>}
      {assumed.length > 0 && <p class="review-assumed">{words.assumed(assumed.join(', '))}</p>}
    </section>
  );
}

function Hand({ reading }: { readonly reading: Pick<Reading, 'hand'> }) {
  const { melds = [], concealed = [], winning_tile: winning } = reading.hand;
  const sets: readonly (readonly string[])[] = melds.map((meld) => meld.tiles);
  const parts = [...sets, concealed, ...(winning ? [[winning]] : [])].filter((part) => part.length > 0);
  return (
    <div
      class="review-hand"
      role="img"
      aria-label={parts
        .flat()
        .map((code) => named(code))
        .join(' ')}
    >
      {parts.map((part, at) => (
        <span key={at} class={winning && at === parts.length - 1 ? 'won' : ''}>
          {part.map((code, place) =>
            isFace(code) ? <TileFace key={place} face={code} /> : <b key={place}>{code}</b>,
          )}
        </span>
      ))}
    </div>
  );
}

const named = (code: string): string => (isFace(code) ? faceName(code) : code);

interface Props {
  readonly photo: ReviewPhoto;
  /** The question that is asked. */
  readonly question: Doubt | null;
}

export function ReviewAnswers({ photo, question: doubt }: Props) {
  const words = reviewWords(lang.value);
  const all = open(photo);
  if (!doubt) {
    return (
      <section class="review-question">
        {all.map((one) => (
          <p key={one.id}>{one.question}</p>
        ))}
      </section>
    );
  }
  return (
    <section class="review-question">
      <h3>
        {doubt.question} {all.length > 1 && <small>{words.more(all.length - 1)}</small>}
      </h3>
      <ol>
        {doubt.alternatives.map((answer, at) => (
          <li key={answer.answer}>
            <button type="button" data-answer={answer.answer} onClick={() => void give(at)}>
              {at < KEYS && <kbd>{at + 1}</kbd>}
              {isFace(answer.answer) && <TileFace face={answer.answer} />}
              <span>{named(answer.answer)}</span>
              <b>{answer.total == null ? words.noScore : words.total(answer.total)}</b>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
