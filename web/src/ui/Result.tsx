/**
 * The score: its total, whether it is a legal win, each fan with its tiles, what doesn't count and
 * why, other decompositions, and who pays whom. Several rule sets are shown side by side.
 */
import { useSignal } from '@preact/signals';
import { Failure } from '../api/client';
import type { Award, Score, Scored } from '../api/types';
import { t } from '../i18n';
import { litBy, placeSets } from '../model/sets';
import { faceOf } from '../model/tiles';
import { type Entry, scoreAgain } from '../state/hands';
import { known } from '../state/prefs';
import { lit } from './focus';
import { KeyField } from './KeyField';
import { Share } from './Share';
import { TileFace } from './Tile';
import { failureText, fieldNames, paymentWords, worth } from './words';

const nameOf = (id: string): string => known.value.find((one) => one.id === id)?.name ?? id;

export function Result({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const scoring = entry.scoring.value;
  const chosen = useSignal<string | null>(null);
  return (
    <section class="result" id="result" aria-labelledby="result-title" tabIndex={-1}>
      <h2 id="result-title">{words.score}</h2>
      <div role="status" class="result-status">
        {scoring.kind === 'pending' && <p>{words.scoring}</p>}
        {scoring.kind === 'done' && scoring.fresh && <p class="unseen">{totals(scoring.scores)}</p>}
        {scoring.kind === 'offline' && <p class="notice">{words.offlineScore}</p>}
        {scoring.kind === 'failed' && <p class="notice">{failureText(scoring.failure)}</p>}
      </div>
      {scoring.kind === 'failed' && scoring.failure.kind === 'unauthorized' && (
        <KeyField onSaved={scoreAgain} />
      )}
      {scoring.kind === 'done' && (
        <div class="scored" aria-busy={!scoring.fresh}>
          {scoring.scores.length > 1 && <SideBySide scores={scoring.scores} chosen={chosen} />}
          <One
            entry={entry}
            scored={scoring.scores.find((one) => one.ruleset === chosen.value) ?? scoring.scores[0]}
          />
        </div>
      )}
    </section>
  );
}

/** The totals for screen readers, which announce every change. */
const totals = (scores: readonly Scored[]): string =>
  scores.map(({ score }) => (score ? t.value.total(score.total) : t.value.noWin)).join(', ');

interface SideBySideProps {
  readonly scores: readonly Scored[];
  readonly chosen: { value: string | null };
}

function SideBySide({ scores, chosen }: SideBySideProps) {
  const [first] = scores;
  return (
    <fieldset class="side-by-side">
      <legend class="unseen">{t.value.rules}</legend>
      {scores.map(({ ruleset, score }) => (
        <label key={ruleset}>
          <input
            type="radio"
            name="shown-ruleset"
            checked={ruleset === (chosen.value ?? first?.ruleset)}
            onChange={() => {
              chosen.value = ruleset;
            }}
          />
          <span>
            <b>{score ? score.total : '–'}</b>
            <small>{nameOf(ruleset)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function One({ entry, scored }: { readonly entry: Entry; readonly scored: Scored | undefined }) {
  if (!scored) return null;
  if (!scored.score) {
    return scored.problem ? <p class="notice">{failureText(new Failure(scored.problem))}</p> : null;
  }
  return <Details entry={entry} score={scored.score} />;
}

function Details({ entry, score }: { readonly entry: Entry; readonly score: Score }) {
  const words = t.value;
  const was = entry.reading.value?.score?.total;
  const corrected = entry.edits.value.past.length > 0 && was !== undefined && was !== score.total;
  return (
    <>
      <p class={score.legal ? 'total' : 'total missed'}>
        <b data-total={score.total}>{score.total}</b> {words.points(score.total)}
      </p>
      {score.verdict !== '' && (
        <p class="minimum">
          <span aria-hidden="true">{score.legal ? '✓ ' : '✗ '}</span>
          {score.verdict}
        </p>
      )}
      {score.within_reach?.map(({ told }) => (
        <p key={told} class="help enough">
          {told}
        </p>
      ))}
      {corrected && <p class="help">{words.changed(was, score.total)}</p>}
      <HandLine entry={entry} score={score} />
      <ul class="fans">
        {score.awards.map((award) => (
          <FanRow key={award.code} entry={entry} score={score} award={award} />
        ))}
      </ul>
      {score.assumed.length > 0 && <p class="help">{words.assumed(fieldNames(score.assumed))}</p>}
      <Excluded score={score} />
      <RunnersUp score={score} />
      <Payments score={score} />
      <Share entry={entry} score={score} />
    </>
  );
}

/**
 * The hand by its sets, small, so that a fan's tiles light up beside it. The strip above names
 * them.
 */
function HandLine({ entry, score }: { readonly entry: Entry; readonly score: Score }) {
  const hand = entry.hand.value;
  const groups = [...placeSets(hand, score.sets).map(({ pieces }) => pieces), hand.flowers];
  return (
    <div class="hand-line" aria-hidden="true">
      {groups.map((pieces, at) => (
        <span key={at} class="mini-set">
          {pieces.map(({ id, face }) => (
            <span key={id} class={lit.value ? (lit.value.has(id) ? 'lit' : 'unlit') : ''}>
              <TileFace face={face} />
            </span>
          ))}
        </span>
      ))}
    </div>
  );
}

interface FanProps {
  readonly entry: Entry;
  readonly score: Score;
  readonly award: Award;
}

/** A fan; tapping it highlights its tiles in the hand and in the photo, and explains it. */
function FanRow({ entry, score, award }: FanProps) {
  const words = t.value;
  return (
    <li>
      <details
        class="fan"
        onToggle={({ currentTarget }) => {
          lit.value = currentTarget.open ? litBy(entry.hand.value, score.sets, award) : null;
        }}
        name="fan"
      >
        <summary>
          <span class="fan-points">{worth(award)}</span>
          <span class="fan-name">
            {award.name}
            {award.count > 1 && ` × ${award.count}`}
          </span>
          <span class="fan-tiles" aria-hidden="true">
            {award.sets.slice(0, 1).map((sets, at) => (
              <MiniSets key={at} sets={sets} />
            ))}
          </span>
        </summary>
        <div class="fan-why">
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

function MiniSets({ sets }: { readonly sets: Score['sets'] }) {
  return (
    <span class="mini-sets">
      {sets.map((set, at) => (
        <span key={at} class="mini-set">
          {set.tiles.map((code, i) => {
            const face = faceOf(code);
            return face && <TileFace key={i} face={face} />;
          })}
        </span>
      ))}
    </span>
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
            <b>{words.total(other.total)}</b>
            <MiniSets sets={other.sets} />
            <p class="help">{other.why_not}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Payments({ score }: { readonly score: Score }) {
  const words = t.value;
  const { lines, sum } = paymentWords(score);
  const unsettled = score.unsettled ?? [];
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
      {unsettled.length > 0 && (
        <p class="help">{words.unsettled(unsettled.map((seat) => words.winds[seat]))}</p>
      )}
    </div>
  );
}
