/** Reading of a photo, and the answers to the question about it. */
import { Failure } from '../api/failure';
import type { Alternative, Doubt, Reading } from '../api/types';
import { lang, listed } from '../browser/lang';
import { t } from '../i18n';
import { reviewWords } from '../i18n/review';
import { codeOf, idOf, leftBy, replyOf } from '../model/doubts';
import { assumedOf, open, type ReviewPhoto } from '../model/review';
import { faceOf } from '../model/tiles';
import { allRulesets } from '../state/prefs';
import { draft, give, steps } from '../state/review';
import { Settling } from './Settling';
import { TileFace } from './Tile';
import { askText, assumedText, codeName, failureText, replyText, totalText, totalUnitOf } from './words';

/** Answers that have a key. */
const KEYS = 9;

/** The hand as it is now, with its total and what was assumed for it. */
export function ReviewReading({ photo }: { readonly photo: ReviewPhoto }) {
  const words = reviewWords(lang.value);
  const reading = photo.corrected ?? photo.now ?? photo.original.reading;
  const { error } = photo.original;
  if (!reading) return <p>{error && failureText(new Failure(error))}</p>;
  const score = reading.score;
  const assumed = assumedOf(photo, draft.value, allRulesets.value);
  return (
    <section class="review-reading">
      <Hand reading={reading} />
      <p>
        {score ? <b>{totalText([score.total, score.total], totalUnitOf(score))}</b> : words.noScore}{' '}
        <span class="review-notation">{reading.hand.notation}</span>
      </p>
      {!score && steps.value.length > 0 && <p role="alert">{photo.now?.problem?.detail}</p>}
      {assumed.length > 0 && <p class="review-assumed">{assumedText(assumed)}</p>}
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
      aria-label={listed(parts.flat().map((code) => codeName(code) ?? code))}
    >
      {parts.map((part, at) => (
        <span key={at} class={winning && at === parts.length - 1 ? 'won' : ''}>
          {part.map((code, place) => (
            <TileFace key={place} face={faceOf(code) ?? 'back'} />
          ))}
        </span>
      ))}
    </div>
  );
}

interface Props {
  readonly photo: ReviewPhoto;
  /** The question that is asked. */
  readonly question: Doubt | null;
}

export function ReviewAnswers({ photo, question: doubt }: Props) {
  const words = reviewWords(lang.value);
  const all = open(photo);
  const ask = (one: Doubt): string => askText(one, codeOf(photo.original.reading ?? null, one));
  if (!doubt) {
    return (
      <section class="review-question">
        {all.map((one) => (
          <p key={one.id}>{ask(one)}</p>
        ))}
      </section>
    );
  }
  const question = `${photo.index} ${idOf(doubt)}`;
  return (
    <section class="review-question">
      {/* A question of its own: its buttons are never those of the question before. */}
      <Settling class="review-asked" key={question} about={question}>
        <h3>
          {ask(doubt)} {all.length > 1 && <small>{words.more(all.length - 1)}</small>}
        </h3>
        <ol>
          {doubt.alternatives.map((answer, at) => (
            <Answer key={answer.answer} answer={answer} place={at} />
          ))}
        </ol>
      </Settling>
    </section>
  );
}

function Answer({ answer, place }: { readonly answer: Alternative; readonly place: number }) {
  const reply = replyOf(answer);
  const left = leftBy(answer);
  return (
    <li>
      <button type="button" data-answer={answer.answer} onClick={() => void give(place)}>
        {place < KEYS && <kbd>{place + 1}</kbd>}
        {'face' in reply && <TileFace face={reply.face} />}
        {reply.kind === 'back' && <TileFace face="back" />}
        <span>{replyText(reply)}</span>
        <b>{left ? totalText(left) : t.value.noWin}</b>
      </button>
    </li>
  );
}
