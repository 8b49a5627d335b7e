/**
 * The score in detail: each fan with its tiles, what doesn't count and why, other decompositions,
 * and who pays whom. Several rule sets are shown side by side.
 */
import type { Signal } from '@preact/signals';
import { Failure } from '../api/failure';
import type { Award, Score, Scored, Wind } from '../api/types';
import { lang } from '../browser/lang';
import { t } from '../i18n';
import { assumptions } from '../model/context';
import { chineseName, lineName } from '../model/lineNames';
import { WINDS } from '../model/payments';
import { litBy, placeSets } from '../model/sets';
import { isEntering } from '../state/evening';
import { type Edit, isOwnCorrection } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';
import { allRulesets, paysByPlace, shortNameOf, tellPayersByPlace } from '../state/prefs';
import { mayBeWin, questionsOf, totalsOf } from '../state/questions';
import { lit } from './focus';
import { FuParts, Sticks } from './RiichiScore';
import { Share } from './Share';
import { seatNames } from './seats';
import { MiniSets, TileFace } from './Tile';
import { ValuesButton } from './ValueTable';
import {
  assumedText,
  beforeText,
  failureText,
  fieldNames,
  paymentWords,
  placeName,
  placeWords,
  shortTotal,
  totalText,
  totalUnitOf,
  unitName,
  worth,
} from './words';

interface ResultProps {
  readonly entry: Entry;
  readonly scored: Scored;
  readonly score: Score;
}

export function Result({ entry, scored, score }: ResultProps) {
  const scoring = entry.verdict.scoring.value;
  const fresh = scoring.kind === 'done' && scoring.fresh;
  return (
    <section class="result" id="result" aria-labelledby="result-title" tabIndex={-1}>
      <h2 id="result-title">{t.value.outcome.why}</h2>
      <div class="scored" aria-busy={!fresh}>
        <Details entry={entry} scored={scored} score={score} />
      </div>
    </section>
  );
}

interface SideBySideProps {
  readonly entry: Entry;
  readonly scores: readonly Scored[];
  readonly chosen: Signal<string | null>;
}

/** The totals of several rule sets, of which one is shown in detail. */
export function SideBySide({ entry, scores, chosen }: SideBySideProps) {
  const [first] = scores;
  return (
    <fieldset class="side-by-side">
      <legend class="unseen">{t.value.rules}</legend>
      {scores.map((scored) => (
        <label key={scored.ruleset}>
          <input
            type="radio"
            name="shown-ruleset"
            checked={scored.ruleset === (chosen.value ?? first?.ruleset)}
            onChange={() => {
              chosen.value = scored.ruleset;
            }}
          />
          <span>
            <b>{scored.score ? shortTotal(totalsOf(entry, scored)) : '–'}</b>
            <small>{shortNameOf(scored.ruleset)}</small>
          </span>
        </label>
      ))}
      <Unscored scores={scores} />
    </fieldset>
  );
}

/** Says why rule sets give no total where others do, such as flowers in a game without them. */
function Unscored({ scores }: { readonly scores: readonly Scored[] }) {
  if (scores.every(({ score }) => !score)) return null;
  return (
    <>
      {scores.flatMap(({ ruleset, problem }) =>
        problem ? (
          <p key={ruleset} class="help without-total">
            <b>{shortNameOf(ruleset)}:</b> {failureText(new Failure(problem))}
          </p>
        ) : (
          []
        ),
      )}
    </>
  );
}

/** While several totals are possible, the parts of a score are those of one of them, and say so. */
function Details({ entry, scored, score }: ResultProps) {
  const words = t.value;
  const was = entry.photos.reading.value?.score?.total;
  const [low, high] = totalsOf(entry, scored);
  const isOpen = low !== high;
  const unit = unitName(totalUnitOf(score));
  const corrected = isOwnCorrection(entry.edit) && was !== undefined && was !== score.total;
  return (
    <>
      {isOpen && <p class="help one-of">{words.outcome.oneOf(score.total, low, high, unit)}</p>}
      {score.within_reach?.map(({ text }) => (
        <p key={text} class="help enough">
          {text}
        </p>
      ))}
      {corrected && <p class="help">{words.changed(was, score.total, unit)}</p>}
      <HandLine edit={entry.edit} score={score} />
      <ul class="fans">
        {score.awards.map((award) => (
          <FanRow key={award.code} edit={entry.edit} score={score} award={award} ruleset={scored.ruleset} />
        ))}
      </ul>
      <FuParts score={score} />
      <Excluded score={score} />
      <RunnersUp score={score} />
      {isOpen || (!score.legal && mayBeWin(entry, scored)) ? (
        <p class="payments help">
          {mayBeWin(entry, scored) ? words.outcome.paysLater : words.outcome.nobodyPays}
        </p>
      ) : (
        <Payments entry={entry} score={score} />
      )}
      <ValuesButton ruleset={scored.ruleset} />
      <Share
        entry={entry}
        score={score}
        ruleset={scored.ruleset}
        totals={[low, high]}
        before={beforeText(questionsOf(entry, scored))}
      />
    </>
  );
}

/**
 * The hand by its sets, small, so that a fan's tiles light up beside it. The strip above names
 * them.
 */
function HandLine({ edit, score }: { readonly edit: Edit; readonly score: Score }) {
  const hand = edit.hand.value;
  const lightOf = (id: number): string => (lit.value?.has(id) ? 'lit' : 'unlit');
  const groups = [...placeSets(hand, score.sets).map(({ pieces }) => pieces), hand.flowers];
  return (
    <div class="hand-line" aria-hidden="true">
      {groups.map((pieces, at) => (
        <span key={at} class="mini-set">
          {pieces.map(({ id, face, red }) => (
            <span key={id} class={lit.value ? lightOf(id) : ''}>
              <TileFace face={face} red={red} />
            </span>
          ))}
        </span>
      ))}
    </div>
  );
}

interface FanProps {
  readonly edit: Edit;
  readonly score: Score;
  readonly award: Award;
  readonly ruleset: string;
}

/** A fan; tapping it highlights its tiles in the hand and in the photo, and explains it. */
function FanRow({ edit, score, award, ruleset }: FanProps) {
  const words = t.value;
  const rules = allRulesets.value.find(({ id }) => id === ruleset);
  // Who reads Chinese has the name already.
  const chinese = lang.value.startsWith('zh') ? undefined : chineseName(rules, award.code);
  const { own, customary } = lineName(award.name, chinese);
  return (
    <li>
      <details
        class="fan"
        onToggle={({ currentTarget }) => {
          lit.value = currentTarget.open ? litBy(edit.hand.value, score.sets, award) : null;
        }}
        name="fan"
      >
        <summary>
          <span class="fan-points">{worth(award, score)}</span>
          <span class="fan-line">
            <span class="fan-name">
              <span>{own}</span>
              {award.count > 1 && ` × ${award.count}`}
              {customary && ' '}
              {customary && <small>{customary}</small>}
            </span>
            <span class="fan-tiles" aria-hidden="true">
              {award.sets.slice(0, 1).map((sets, at) => (
                <MiniSets key={at} sets={sets} />
              ))}
            </span>
          </span>
        </summary>
        <div class="fan-why">
          {own !== award.name && <p class="help full-name">{award.name}</p>}
          <p>{award.explanation}</p>
          {award.sets.length === 0 ? (
            <p class="help">{words.wholeHand}</p>
          ) : (
            award.sets.map((sets, at) => <MiniSets key={at} sets={sets} />)
          )}
          {award.depends_on && award.depends_on.length > 0 && (
            <p class="help">{words.dependsOn(fieldNames(award.depends_on))}</p>
          )}
        </div>
      </details>
    </li>
  );
}

function Excluded({ score }: { readonly score: Score }) {
  const words = t.value;
  if (score.excluded.length === 0) return null;
  return (
    <details class="more">
      <summary>{words.excluded(score.excluded.length)}</summary>
      <ul>
        {score.excluded.map((one, at) => (
          <li key={at}>
            <b>
              {one.name}
              {one.count > 1 && ` × ${one.count}`}
            </b>{' '}
            {words.reasons[one.reason as keyof typeof words.reasons]?.(one.by_name)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function RunnersUp({ score }: { readonly score: Score }) {
  const words = t.value;
  if (score.runners_up.length === 0) return null;
  return (
    <details class="more">
      <summary>{words.runnersUp(score.runners_up.length)}</summary>
      <ul>
        {score.runners_up.map((other, at) => (
          <li key={at}>
            <b>{totalText([other.total, other.total], totalUnitOf(score))}</b>
            <MiniSets sets={other.sets} />
            <p class="help">{other.why_not}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Shows who pays whom; a hand that is not a legal win pays nobody. */
function Payments({ entry, score }: { readonly entry: Entry; readonly score: Score }) {
  const words = t.value;
  const ofSeat = seatNames(entry.table.won.value);
  const winner = WINDS.find((seat) => score.payments[seat] > 0);
  // Players have names in an evening; where every hand counts, no one is beside the winner.
  const mayBePlaces = winner !== undefined && !isEntering(entry.table.won.value) && !score.others?.length;
  const isByPlace = mayBePlaces && paysByPlace.value;
  const nameOf = isByPlace ? (seat: Wind) => placeName(winner, seat) : ofSeat;
  const { lines, sum } = isByPlace ? placeWords(score, winner) : paymentWords(score, ofSeat);
  const unsettled = score.unsettled ?? [];
  const list = assumptions(score, entry.edit.hand.value, entry.edit.context.value, allRulesets.value);
  if (!score.legal) return <p class="payments">{words.outcome.nobodyPays}</p>;
  if (lines.length === 0) return null;
  return (
    <div class="payments">
      <h3>{words.whoPays}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {sum && (
        <p>
          <b>{sum}</b>
        </p>
      )}
      {mayBePlaces && (
        <button
          type="button"
          class="quiet"
          aria-pressed={isByPlace}
          onClick={() => tellPayersByPlace(!isByPlace)}
        >
          {words.byPlace}
        </button>
      )}
      <Sticks score={score} />
      {list.length > 0 && <p class="help">{assumedText(list)}</p>}
      {unsettled.length > 0 && <p class="help">{words.unsettled(unsettled.map(nameOf))}</p>}
    </div>
  );
}
