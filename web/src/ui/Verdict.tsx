/**
 * The first screen of a hand: its total, or the range in which it lies and what it hangs on, the
 * question that narrows it most, and what was assumed. Everything else of the page is below.
 */
import type { ComponentChildren } from 'preact';
import { Failure } from '../api/client';
import type { OpenField, Relation, Score, Scored, Wind, WinKind } from '../api/types';
import { t } from '../i18n';
import { type Asked, aboutOf } from '../model/asking';
import { assumptions, withField } from '../model/context';
import { count } from '../model/count';
import { isOffer, type Question } from '../model/doubts';
import { WINDS } from '../model/payments';
import { totalsOf } from '../state/asking';
import { type Entry, scoreAgain, setContext } from '../state/hands';
import { goTo } from './focus';
import { KeyField } from './KeyField';
import { QuestionCard } from './Questions';
import { assumedText, countText, failureText } from './words';

interface Props {
  readonly entry: Entry;
  /** What is to be asked, the best question first. */
  readonly asked: readonly Asked[];
  readonly doubts: readonly Question[];
  /** The score to show: that of the chosen rule set. */
  readonly scored: Scored | undefined;
  /** What stands between the total and the questions: the table of an evening. */
  readonly children?: ComponentChildren;
}

export function Verdict({ entry, asked, doubts, scored, children }: Props) {
  const [first, ...rest] = asked;
  const score = scored?.score ?? null;
  return (
    <section class="verdict" id="verdict" aria-label={t.value.score} tabIndex={-1}>
      <div role="status">
        {scored && score ? (
          <Total entry={entry} scored={scored} score={score} asked={asked} />
        ) : (
          <Unscored entry={entry} scored={scored} doubts={doubts} />
        )}
      </div>
      {entry.scoring.value.kind === 'failed' && entry.scoring.value.failure.kind === 'unauthorized' && (
        <KeyField onSaved={scoreAgain} />
      )}
      {children}
      {first && <Ask entry={entry} asked={first} />}
      {rest.length > 0 && (
        <button type="button" class="quiet more-questions" onClick={() => goTo('questions')}>
          {t.value.outcome.more(rest.length)}
        </button>
      )}
      {score && <Assumed entry={entry} score={score} />}
    </section>
  );
}

interface TotalProps {
  readonly entry: Entry;
  readonly scored: Scored;
  readonly score: Score;
  readonly asked: readonly Asked[];
}

/** The total; while something that it hangs on is not known, the range in which it lies. */
function Total({ entry, scored, score, asked }: TotalProps) {
  const words = t.value;
  const { scoring } = entry;
  const fresh = scoring.value.kind === 'done' && scoring.value.fresh;
  const open = asked.length > 0;
  const [low, high] = open ? totalsOf(entry, scored) : [score.total, score.total];
  const about = [...new Set(asked.map((one) => words.outcome.about[aboutOf(one)]))];
  return (
    <div class="total-line" aria-busy={!fresh}>
      <p class={score.legal || open ? 'total' : 'total missed'}>
        <b data-total={score.total} data-range={`${low}-${high}`} class={open ? 'provisional' : ''}>
          {low === high ? low : words.outcome.range(low, high)}
        </b>{' '}
        {words.points(high)}
        {open && <span class="hangs"> {about.join(' ')}</span>}
      </p>
      {!open && score.verdict !== '' && (
        <p class="minimum">
          <span aria-hidden="true">{score.legal ? '✓ ' : '✗ '}</span>
          {score.verdict}
        </p>
      )}
    </div>
  );
}

interface UnscoredProps {
  readonly entry: Entry;
  readonly scored: Scored | undefined;
  readonly doubts: readonly Question[];
}

/** Why there is no total: what is missing, or what went wrong. */
function Unscored({ entry, scored, doubts }: UnscoredProps) {
  const words = t.value;
  const scoring = entry.scoring.value;
  if (scored?.problem) return <p class="notice">{failureText(new Failure(scored.problem))}</p>;
  switch (scoring.kind) {
    case 'pending':
      return <p class="total-line">{words.scoring}</p>;
    case 'offline':
      return <p class="notice">{words.offlineScore}</p>;
    case 'failed':
      return <p class="notice">{failureText(scoring.failure)}</p>;
    default:
      return <p class="total-line lacking">{countText(count(entry.hand.value), doubts.some(isOffer))}</p>;
  }
}

function Ask({ entry, asked }: { readonly entry: Entry; readonly asked: Asked }) {
  switch (asked.kind) {
    case 'win':
      return <AskWin entry={entry} open={asked.open} />;
    case 'wind':
      return <AskWind entry={entry} field={asked.field} open={asked.open} />;
    case 'doubt':
      return (
        <ul class="asked">
          <QuestionCard entry={entry} question={asked.question} />
        </ul>
      );
  }
}

const FROM: readonly Relation[] = ['left', 'across', 'right'];

/** Self-drawn, or by whose discard: one tap tells both. */
function AskWin({ entry, open }: { readonly entry: Entry; readonly open: OpenField | null }) {
  const words = t.value;
  const { from: _, ...context } = entry.context.value;
  const answers = [
    { key: 'self_drawn', label: words.wins.self_drawn, told: { win: 'self_drawn' as WinKind } },
    ...FROM.map((from) => ({
      key: from,
      label: words.outcome.discardBy[from],
      told: { win: 'discard' as WinKind, from },
    })),
  ];
  return (
    <fieldset class="asked ask-win">
      <legend>{words.outcome.how}</legend>
      <div class="answers">
        {answers.map(({ key, label, told }) => (
          <button
            key={key}
            type="button"
            class="answer"
            data-answer={key}
            onClick={() => setContext(entry, { ...context, ...told })}
          >
            <span>
              {label}
              <Worth open={open} answer={told.win} />
            </span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

interface WindProps {
  readonly entry: Entry;
  readonly field: 'seat' | 'prevalent';
  readonly open: OpenField;
}

function AskWind({ entry, field, open }: WindProps) {
  const words = t.value;
  const context = entry.context.value;
  return (
    <fieldset class="asked ask-wind">
      <legend>{words.outcome[field]}</legend>
      <div class="answers">
        {WINDS.map((wind: Wind) => (
          <button
            key={wind}
            type="button"
            class="answer"
            data-answer={wind}
            onClick={() => setContext(entry, withField(context, field, wind))}
          >
            <span>
              {words.winds[wind]}
              <Worth open={open} answer={wind} />
            </span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** What an answer leaves of the range. */
function Worth({ open, answer }: { readonly open: OpenField | null; readonly answer: string }) {
  const words = t.value;
  const left = open?.answers.find((one) => one.answer === answer);
  if (!left) return null;
  const { least, most } = left;
  return <small>{least === most ? words.total(least) : words.outcome.rangeOf(least, most)}</small>;
}

/** What the score assumed, each with its value, and the way to change it. */
function Assumed({ entry, score }: { readonly entry: Entry; readonly score: Score }) {
  const list = assumptions(score, entry.hand.value);
  if (list.length === 0) return null;
  return (
    <p class="help assumed">
      {assumedText(list)}{' '}
      <button type="button" class="quiet" onClick={() => goTo('win-context')}>
        {t.value.outcome.change}
      </button>
    </p>
  );
}
