/**
 * The hands of those who did not win, where the rules score every player: typed, or read from
 * photos.
 */
import { useSignal } from '@preact/signals';
import { type Problem, polygonOf, type Wind } from '../api/types';
import { t } from '../i18n';
import { type Choice, idOf, type Question, questions } from '../model/doubts';
import { print } from '../model/notation';
import type { OtherHand } from '../model/others';
import { WINDS } from '../model/payments';
import type { Entry } from '../state/hand/entry';
import { crowdedSeats, othersOf } from '../state/hand/table';
import type { Scoring } from '../state/hand/verdict';
import { answer, snap, type } from '../state/others';
import { chosenRulesets } from '../state/prefs';
import { Crop } from './Crop';
import { Settling } from './Settling';
import { TileFace } from './Tile';
import { TilePad } from './TilePad';
import { failureText, progressText, questionText, replyText } from './words';

interface Props {
  readonly entry: Entry;
  /** The name of the player in this seat. */
  readonly nameOf: (seat: Wind) => string;
}

export function OtherHands({ entry, nameOf }: Props) {
  const words = t.value;
  if (!chosenRulesets.value.some((one) => one.scores_everybody)) return null;
  const winner = entry.edit.context.value.seat ?? 'E';
  return (
    <section class="other-hands card" aria-labelledby="other-hands-title">
      <h3 id="other-hands-title">{words.otherHands}</h3>
      <p class="help">{words.otherHandsHelp}</p>
      {WINDS.filter((seat) => seat !== winner).map((seat) => (
        <Seat key={seat} entry={entry} seat={seat} name={nameOf(seat)} />
      ))}
    </section>
  );
}

interface SeatProps {
  readonly entry: Entry;
  readonly seat: Wind;
  readonly name: string;
}

function Seat({ entry, seat, name }: SeatProps) {
  const words = t.value;
  const other = entry.table.others.value[seat];
  const wrong = other?.wrong ?? null;
  const refused = refusal(entry, seat);
  const total = totalOf(entry, seat);
  const id = `other-${entry.id}-${seat}`;
  const padding = useSignal(false);
  return (
    <div class="other-hand" data-seat={seat}>
      <div class="text-field">
        <label for={id}>{words.handOf(name)}</label>
        <input
          id={id}
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={other?.text ?? ''}
          aria-invalid={wrong !== null || refused !== null}
          aria-describedby={`${id}-state`}
          onInput={({ currentTarget }) => type(entry.table, seat, currentTarget.value)}
        />
      </div>
      <button
        type="button"
        class="with-tiles"
        // Text that is no hand is to be corrected first: the pad would replace it.
        disabled={wrong !== null && other?.text.trim() !== ''}
        onClick={() => {
          padding.value = true;
        }}
      >
        {words.pad.open}
      </button>
      {padding.value && (
        <TilePad
          title={words.handOf(name)}
          hand={other?.hand ?? null}
          onChange={(hand) => type(entry.table, seat, print(hand) ?? '')}
          onClose={() => {
            padding.value = false;
          }}
        />
      )}
      {other?.hand && <Faces other={other} />}
      <p id={`${id}-state`} class={wrong || refused ? 'help wrong' : 'help'} role="status">
        {wrong
          ? (wrong.detail ?? words.problems['not-loaded'])
          : (refused ?? (total === null ? '' : words.total(total)))}
      </p>
      <Camera entry={entry} seat={seat} name={name} />
      {other?.reading && <Asked entry={entry} seat={seat} other={other} all={refused !== null} />}
    </div>
  );
}

/** The tiles of the text, small, to make typing errors visible. */
function Faces({ other }: { readonly other: OtherHand }) {
  const { hand } = other;
  if (!hand) return null;
  const groups = [...hand.melds.map(({ pieces }) => pieces), hand.concealed, hand.flowers];
  return (
    <div class="hand-line" aria-hidden="true">
      {groups.map((pieces, at) => (
        <span key={at} class="mini-set">
          {pieces.map(({ id, face }) => (
            <TileFace key={id} face={face} />
          ))}
        </span>
      ))}
    </div>
  );
}

/** The camera button of a seat, and the state of its photo. */
function Camera({ entry, seat, name }: SeatProps) {
  const words = t.value;
  const state = entry.table.snaps.value[seat];
  return (
    <div class="other-photo">
      <label class="file button">
        <input
          type="file"
          class="unseen"
          accept="image/*,.heic,.heif,.avif"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) snap(entry, seat, file);
            // The same photo may be chosen again.
            currentTarget.value = '';
          }}
        />
        {words.snapOf(name)}
      </label>
      {state?.kind === 'reading' && (
        <p class="busy" role="status">
          <span class="spinner" aria-hidden="true" />
          {progressText()}
        </p>
      )}
      {state?.kind === 'failed' && (
        <p class="help wrong" role="alert">
          {failureText(state.failure)}
        </p>
      )}
      {state?.kind === 'read' && <img src={state.photo.url} alt={words.snapOf(name)} />}
    </div>
  );
}

interface AskedProps extends Omit<SeatProps, 'name'> {
  readonly other: OtherHand;
  /** Also those that change nothing by themselves: the hand is impossible on this table. */
  readonly all: boolean;
}

/** The doubts that change the value of the hand, each answered with one tap. */
function Asked({ entry, seat, other, all }: AskedProps) {
  const { hand, reading } = other;
  if (!hand || !reading) return null;
  const list = questions(hand, reading).filter(({ doubt }) => all || doubt.affects_score);
  if (list.length === 0) return null;
  const state = entry.table.snaps.value[seat];
  const url = state?.kind === 'read' ? state.photo.url : null;
  const picture = ({ doubt }: Question) => {
    const [at = -1] = doubt.tiles;
    const tile = doubt.tiles.length === 1 ? reading.tiles[at] : undefined;
    return url && tile ? <Crop url={url} polygon={polygonOf(tile)} /> : null;
  };
  return (
    <Settling about={list.map(({ doubt }) => idOf(doubt)).join()}>
      <ul class="other-doubts" aria-label={t.value.questions}>
        {list.map((question) => (
          <li key={idOf(question.doubt)}>
            {picture(question)}
            <div>
              <p class="ask">{questionText(hand, reading, question)}</p>
              <div class="actions">
                {question.choices.map((choice) => (
                  <Answer key={JSON.stringify(choice.reply)} entry={entry} seat={seat} choice={choice} />
                ))}
              </div>
            </div>
          </li>
        ))}
      </ul>
    </Settling>
  );
}

interface AnswerProps extends Omit<SeatProps, 'name'> {
  readonly choice: Choice;
}

function Answer({ entry, seat, choice }: AnswerProps) {
  const { reply, hand, current } = choice;
  if (!hand) return null;
  return (
    <button
      type="button"
      class={current ? 'answer current' : 'answer'}
      onClick={() => answer(entry.table, seat, hand)}
    >
      {'face' in reply && <TileFace face={reply.face} />}
      <span>{replyText(reply)}</span>
    </button>
  );
}

/** The value of a seat's hand, once the table is scored. */
function totalOf(entry: Entry, seat: Wind): number | null {
  const scoring = entry.verdict.scoring.value;
  if (scoring.kind !== 'done' || !scoring.fresh) return null;
  const others = scoring.scores.flatMap(({ score }) => score?.others ?? []);
  return others.find((other) => other.seat === seat)?.total ?? null;
}

/** Returns the problems of a table that is not scored. */
function problemsOf(scoring: Scoring): readonly Problem[] {
  if (scoring.kind === 'failed') return [scoring.failure.problem];
  return scoring.kind === 'done' ? scoring.scores.flatMap(({ problem }) => problem ?? []) : [];
}

/**
 * Returns why the hand of a seat can't be entered, or `null`: problems of the server name its index in
 * the list that was sent.
 */
function refusal(entry: Entry, seat: Wind): string | null {
  const scoring = entry.verdict.scoring.value;
  const at = othersOf(entry).findIndex((other) => other.seat === seat);
  const errors = problemsOf(scoring).flatMap(({ errors: named = [] }) => named);
  const place = `others[${at}].hand`;
  const here = errors.find(({ field }) => at >= 0 && field.startsWith(place));
  if (!here) return crowdedSeats(entry).includes(seat) ? t.value.besideOthers : null;
  // The whole hand or its flowers: valid alone, but not together with the other hands.
  const beside = [place, `${place}.flowers`].includes(here.field);
  return beside ? t.value.besideOthers : t.value.problems['invalid-hand'];
}
