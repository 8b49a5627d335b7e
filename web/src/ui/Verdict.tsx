/**
 * The first screen of a hand: its total, or the range in which it lies and what it hangs on, the
 * question that narrows it most, and what was assumed. Everything else of the page is below.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Failure } from '../api/failure';
import type { OpenField, Repair, Score, Scored, Wind } from '../api/types';
import { clauses, withColon } from '../browser/lang';
import { faceName, t } from '../i18n';
import { assumptions, fieldsOf, possibleFeeders, valuesOf } from '../model/context';
import { count } from '../model/count';
import { countFlowers, idOf, isOffer, leftBy, type Question, repaired, unasked } from '../model/doubts';
import { markWinning, mayAddFlower } from '../model/edit';
import { type OpenQuestion, subjectOf, subjectsOf, uncountedOf } from '../model/openQuestions';
import { WINDS } from '../model/payments';
import { faceOf } from '../model/tiles';
import { withField } from '../model/win';
import { isEntering } from '../state/evening';
import { change, type Edit, setContext, undoChange } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';
import { scoreAgain } from '../state/hand/scoring';
import { allRulesets, chosenRulesets, handSize, playsFlowers, shortNameOf } from '../state/prefs';
import { mayBeWin, rangeOf, totalsOf } from '../state/questions';
import { AskDealer, AskReady } from './Dealer';
import { goTo, pointed, useNextQuestion } from './focus';
import { KeyField } from './KeyField';
import { type Asked, Leads, namedOutcome, outcomeText, shortOutcome, useOutcome } from './Leads';
import { OtherRules } from './OtherRules';
import { AsRead, QuestionCard } from './Questions';
import { AskIndicators, AskOnTable, AskRiichi, BesideTable, type OnTable } from './Riichi';
import { Segmented } from './Segmented';
import { Settling } from './Settling';
import { feederNames } from './seats';
import { TileButton, TileFace } from './Tile';
import { AskWinWith, waysToWin } from './WinWith';
import { assumedText, beforeText, countText, failureText, repairText, totalText, unitOf } from './words';

interface Props {
  readonly entry: Entry;
  /** Questions to ask, the best one first. */
  readonly questions: readonly OpenQuestion[];
  readonly doubts: readonly Question[];
  /** The score to show: that of the chosen rule set. */
  readonly scored: Scored | undefined;
  /** Content between the total and the questions: the table of an evening. */
  readonly children?: ComponentChildren;
}

export function Verdict({ entry, questions, doubts, scored, children }: Props) {
  const [chosen, choose] = useState<string | null>(null);
  // A question that was tapped is asked first, until it is answered.
  const tapped = questions.find((question) => subjectsOf(question).some((subject) => subject === chosen));
  const [first, ...rest] = tapped ? [tapped, ...questions.filter((one) => one !== tapped)] : questions;
  const score = scored?.score ?? null;
  const part = useRef<HTMLElement>(null);
  useNextQuestion(part, [first, ...rest].map((one) => one && keyOf(one)).join());
  return (
    <section ref={part} class="verdict" id="verdict" aria-label={t.value.score} tabIndex={-1}>
      <div class="verdict-head">
        <div role="status">
          {scored && score ? (
            <Total entry={entry} scored={scored} score={score} questions={questions} />
          ) : (
            <Unscored entry={entry} scored={scored} doubts={doubts} />
          )}
        </div>
        <UndoChange edit={entry.edit} />
      </div>
      {score && first && rest.length > 0 && <Chips questions={questions} asked={first} onChoose={choose} />}
      {entry.verdict.scoring.value.kind === 'failed' &&
        entry.verdict.scoring.value.failure.kind === 'unauthorized' && <KeyField onSaved={scoreAgain} />}
      <OtherRules entry={entry} />
      <FlowerStepper entry={entry} />
      {!score && <Repairs entry={entry} repairs={unasked(entry.verdict.repairs.value, doubts)} />}
      {children}
      {/* A question of its own: its buttons are never those of the question before. */}
      {first && (
        <Settling class="first-question" key={keyOf(first)} about={keyOf(first)}>
          <Ask entry={entry} question={first} scored={scored} table={rest.find(isOnTable)} />
          <AsRead entry={entry} list={doubtsAlone(questions)} />
        </Settling>
      )}
      {rest.length > 0 && (
        <details class="more-questions" id="questions">
          <summary>{t.value.outcome.more(rest.length)}</summary>
          <Settling about={rest.map(keyOf).join()}>
            {rest.map((one) => (
              <Ask key={keyOf(one)} entry={entry} question={one} scored={scored} />
            ))}
          </Settling>
        </details>
      )}
      {score && <Assumed edit={entry.edit} score={score} />}
      <KeptRound key={`kept-round ${entry.id}`} entry={entry} />
    </section>
  );
}

/** Question about what lies on the table, which a question about winds asks beside it. */
type TableQuestion = Extract<OpenQuestion, { kind: 'on_table' }>;

const isOnTable = (question: OpenQuestion): question is TableQuestion => question.kind === 'on_table';

/** The doubts that are asked, where nothing else is. */
function doubtsAlone(questions: readonly OpenQuestion[]): readonly Question[] {
  const doubts = questions.flatMap((one) => (one.kind === 'doubt' ? [one.about] : []));
  return doubts.length === questions.length ? doubts : [];
}

const keyOf = (question: OpenQuestion): string =>
  question.kind === 'doubt' ? idOf(question.about.doubt) : `${question.kind} ${subjectOf(question)}`;

interface TotalProps {
  readonly entry: Entry;
  readonly scored: Scored;
  readonly score: Score;
  readonly questions: readonly OpenQuestion[];
}

/** The total; while something that it hangs on is not known, the range in which it lies. */
function Total({ entry, scored, score, questions }: TotalProps) {
  const words = t.value;
  const scoring = entry.verdict.scoring.value;
  const fresh = scoring.kind === 'done' && scoring.fresh;
  const open = questions.length > 0;
  const [low, high] = open ? totalsOf(entry, scored) : [score.total, score.total];
  const minimum = low === high ? undefined : rangeOf(entry, scored)?.text;
  const isRefused = !mayBeWin(entry, scored);
  const isBefore = uncountedOf(questions).length > 0;
  // Of several questions each has a chip.
  const about = questions.length === 1 && !isBefore ? questions.flatMap(subjectsOf).map(aboutOf) : [];
  return (
    <div class="total-line" aria-busy={!fresh}>
      <p class={isRefused ? 'total missed' : 'total'}>
        <b data-total={score.total} data-range={`${low}-${high}`} class={open ? 'provisional' : ''}>
          {low === high ? low : words.outcome.range(low, high)}
        </b>{' '}
        {unitOf(score, high)} <span class="by-rules">{shortNameOf(scored.ruleset)}</span>
        {isBefore && <span class="hangs before"> {beforeText(questions)}</span>}
        {about.length > 0 && <span class="hangs"> {about.join(' ')}</span>}
      </p>
      {minimum && <p class="minimum">{minimum}</p>}
      {!minimum && score.verdict !== '' && (!open || low === high) && (score.legal || isRefused) && (
        <p class="minimum">
          <span aria-hidden="true">{isRefused ? '✗ ' : '✓ '}</span>
          {score.verdict}
        </p>
      )}
    </div>
  );
}

/** Names what a question is about: "self-draw?". */
const aboutOf = (subject: ReturnType<typeof subjectOf>): string =>
  ({ ...t.value.outcome.about, ...t.value.riichi.about })[subject];

interface ChipsProps {
  readonly questions: readonly OpenQuestion[];
  /** The question that is asked now. */
  readonly asked: OpenQuestion;
  readonly onChoose: (subject: string) => void;
}

/** Open questions on which the total depends; a tap asks one at once. */
function Chips({ questions, asked, onChoose }: ChipsProps) {
  const subjects = new Set(questions.flatMap(subjectsOf));
  const isAsked = (subject: ReturnType<typeof subjectOf>): boolean => subjectsOf(asked).includes(subject);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these are actions
    <div class="chips" role="group" aria-label={t.value.questions}>
      {[...subjects].map((subject) => (
        <button
          key={subject}
          type="button"
          class="chip"
          data-subject={subject}
          aria-pressed={isAsked(subject)}
          onClick={() => onChoose(subject)}
        >
          {aboutOf(subject)}
        </button>
      ))}
    </div>
  );
}

interface UnscoredProps {
  readonly entry: Entry;
  readonly scored: Scored | undefined;
  readonly doubts: readonly Question[];
}

/** Says why there is no total: what is missing, or what went wrong. */
function Unscored({ entry, scored, doubts }: UnscoredProps) {
  const words = t.value;
  const scoring = entry.verdict.scoring.value;
  if (scored?.problem) return <p class="notice">{failureText(new Failure(scored.problem))}</p>;
  switch (scoring.kind) {
    case 'pending':
      return <p class="total-line">{words.scoring}</p>;
    case 'offline':
      return <p class="notice">{words.offlineScore}</p>;
    case 'failed':
      return <p class="notice">{failureText(scoring.failure)}</p>;
    default:
      return (
        <p class="total-line incomplete">
          {countText(count(entry.edit.hand.value, handSize.value), doubts.some(isOffer))}
        </p>
      );
  }
}

/** Takes back the last answer or correction, where the eye is after it. */
function UndoChange({ edit }: { readonly edit: Edit }) {
  const words = t.value;
  if (edit.changes.value.length === 0) return null;
  return (
    <button
      type="button"
      class="icon undo-change"
      aria-label={words.takeBackChange}
      title={words.takeBackChange}
      onClick={() => undoChange(edit)}
    >
      ↶
    </button>
  );
}

/** Sets the number of flowers, of a hand that has its other tiles. */
function FlowerStepper({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const hand = entry.edit.hand.value;
  const number = hand.flowers.length;
  if (count(hand, handSize.value).off !== 0 || (number === 0 && !playsFlowers.value)) return null;
  const step = (by: number) => () =>
    change(entry, countFlowers(hand, number + by, entry.verdict.doubts.peek()));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these are actions
    <div class="flower-count" role="group" aria-label={words.flowers}>
      <span>{words.flowers}</span>
      <button
        type="button"
        class="icon"
        aria-label={words.flowerCount.fewer}
        disabled={number === 0}
        onClick={step(-1)}
      >
        −
      </button>
      <output aria-label={words.flowerCount.number(number)}>{number}</output>
      <button
        type="button"
        class="icon"
        aria-label={words.flowerCount.more}
        disabled={!mayAddFlower(hand)}
        onClick={step(1)}
      >
        +
      </button>
    </div>
  );
}

/** Repairs that are shown at once; the others are folded. */
const FIRST_REPAIRS = 3;

interface RepairsProps {
  readonly entry: Entry;
  readonly repairs: readonly Repair[];
}

/** Changes that would make the hand win, each with one tap. */
function Repairs({ entry, repairs }: RepairsProps) {
  const words = t.value.repairs;
  const scoring = entry.verdict.scoring.value;
  if (repairs.length === 0 || (scoring.kind === 'done' && !scoring.fresh)) return null;
  const rest = repairs.slice(FIRST_REPAIRS);
  return (
    <section class="repairs" aria-labelledby="repairs-title">
      <h3 id="repairs-title">{words.title}</h3>
      <ul>
        {repairs.slice(0, FIRST_REPAIRS).map((repair) => (
          <RepairButton key={repair.hand} entry={entry} repair={repair} />
        ))}
      </ul>
      {rest.length > 0 && (
        <details>
          <summary>{words.more(rest.length)}</summary>
          <ul>
            {rest.map((repair) => (
              <RepairButton key={repair.hand} entry={entry} repair={repair} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function RepairButton({ entry, repair }: { readonly entry: Entry; readonly repair: Repair }) {
  const hand = repaired(entry.edit.hand.value, repair);
  const left = leftBy(repair);
  const face = faceOf(repair.to ?? repair.from ?? '');
  if (!hand || !left) return null;
  return (
    <li>
      <button type="button" class="answer" data-repair={repair.hand} onClick={() => change(entry, hand)}>
        {face && <TileFace face={face} />}
        <span>
          {repairText(repair)}
          <small>
            {totalText(left)}
            {repair.legal === false && `, ${t.value.repairs.short}`}
          </small>
        </span>
      </button>
    </li>
  );
}

interface AskProps extends Asked {
  readonly question: OpenQuestion;
  /** Question about the table, if this one has room for it. */
  readonly table?: TableQuestion | undefined;
}

function Ask({ entry, question, scored, table }: AskProps) {
  switch (question.kind) {
    case 'win':
      return <AskWin entry={entry} scored={scored} open={question.open} />;
    case 'win_with':
      return <AskWinWith entry={entry} scored={scored} about={question.about} />;
    case 'wind':
      return (
        <AskWind entry={entry} scored={scored} field={question.field} open={question.open} table={table} />
      );
    case 'winds':
      return <AskWinds entry={entry} scored={scored} table={table} />;
    case 'winning_tile':
      return <AskTile entry={entry} open={question.open} />;
    case 'riichi':
      return <AskRiichi entry={entry} scored={scored} />;
    case 'indicators':
      return <AskIndicators entry={entry} scored={scored} field={question.field} />;
    case 'on_table':
      return <AskOnTable entry={entry} scored={scored} withNorths={question.norths} />;
    case 'ready':
      return <AskReady entry={entry} scored={scored} open={question.open} />;
    case 'dealer':
      return <AskDealer entry={entry} scored={scored} />;
    case 'feeder':
      return <AskFeeder entry={entry} scored={scored} />;
    case 'doubt':
      return (
        <ul class="asked">
          <QuestionCard entry={entry} question={question.about} />
        </ul>
      );
  }
}

/** Asks who fed the last of the sets that make their feeder liable; in an evening it names the players. */
function AskFeeder({ entry, scored }: Asked) {
  const { edit } = entry;
  const context = edit.context.value;
  const nameOf = feederNames(entry.table.won.value);
  const feeders = valuesOf(chosenRulesets.value, 'feeder', possibleFeeders(edit.hand.value, context));
  return (
    <fieldset class="asked ask-feeder">
      <legend>{t.value.ask.feeder}</legend>
      <div class="answers">
        {feeders.map((feeder) => (
          <button
            key={feeder}
            type="button"
            class="answer"
            data-answer={feeder}
            onClick={() => setContext(edit, { ...context, feeder })}
          >
            <span>
              {nameOf(feeder)}
              <Leads entry={entry} scored={scored} context={{ ...context, feeder }} />
            </span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Self-drawn, or by whose discard: one tap tells both. */
function AskWin({ entry, scored, open }: Asked & { readonly open: OpenField | null }) {
  const words = t.value;
  const { edit } = entry;
  const { from: _, ...context } = edit.context.value;
  const answers = waysToWin();
  return (
    <fieldset class="asked ask-win">
      <legend>{words.outcome.how}</legend>
      <div class="answers">
        {answers.map(({ key, label, facts }) => (
          <button
            key={key}
            type="button"
            class="answer"
            data-answer={key}
            onClick={() => setContext(edit, { ...context, ...facts })}
          >
            <span>
              {label}
              <Leads
                entry={entry}
                scored={scored}
                context={{ ...context, ...facts }}
                named={namedOutcome(open, facts.win)}
              />
            </span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** The table before anybody counted what lies on it, and the norths beside the hand where they are asked about. */
const NOTHING: OnTable = { honba: 0, riichi_sticks: 0 };
const NOTHING_OF_THREE: OnTable = { norths: 0, ...NOTHING };

const nothingOn = (table: TableQuestion | undefined): OnTable => (table?.norths ? NOTHING_OF_THREE : NOTHING);

interface WindProps extends Asked {
  readonly field: 'seat' | 'prevalent';
  readonly open: OpenField;
  readonly table: TableQuestion | undefined;
}

function AskWind({ entry, scored, field, open, table }: WindProps) {
  const words = t.value;
  const { edit } = entry;
  const counts = useSignal(nothingOn(table));
  const context = { ...edit.context.value, ...(table && counts.value) };
  // The service names the totals without counters and norths.
  const isNamed = counts.value === nothingOn(table);
  return (
    <fieldset class="asked ask-wind">
      <legend>{words.outcome[field]}</legend>
      {table && <BesideTable counts={counts} hand={edit.hand.value} />}
      <div class="answers">
        {valuesOf(chosenRulesets.value, field, WINDS).map((wind: Wind) => (
          <button
            key={wind}
            type="button"
            class="answer"
            data-answer={wind}
            onClick={() => setContext(edit, withField(context, field, wind))}
          >
            <span>
              {words.winds[wind]}
              <Leads
                entry={entry}
                scored={scored}
                context={withField(context, field, wind)}
                named={isNamed ? namedOutcome(open, wind) : undefined}
              />
            </span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Round and seat, given with one tap: a row of seats for each round. */
function AskWinds({ entry, scored, table }: Asked & { readonly table: TableQuestion | undefined }) {
  const words = t.value;
  const counts = useSignal(nothingOn(table));
  return (
    <fieldset class="asked ask-winds">
      <legend>{words.outcome.winds}</legend>
      {table && <BesideTable counts={counts} hand={entry.edit.hand.value} />}
      {WINDS.map((prevalent) => (
        <div key={prevalent} class="round">
          <span aria-hidden="true">{words.outcome.round(words.winds[prevalent])}</span>
          <div class="answers">
            {valuesOf(chosenRulesets.value, 'seat', WINDS).map((seat) => (
              <WindsButton
                key={seat}
                entry={entry}
                scored={scored}
                facts={{ prevalent, seat, ...(table && counts.value) }}
              />
            ))}
          </div>
        </div>
      ))}
    </fieldset>
  );
}

interface WindsProps extends Asked {
  /** The facts that the answer tells. */
  readonly facts: { readonly prevalent: Wind; readonly seat: Wind } & Partial<OnTable>;
}

function WindsButton({ entry, scored, facts }: WindsProps) {
  const words = t.value;
  const { prevalent, seat } = facts;
  const context = { ...entry.edit.context.value, ...facts };
  const outcome = useOutcome({ entry, scored }, context);
  const name = clauses([words.outcome.round(words.winds[prevalent]), words.winds[seat]]);
  return (
    <button
      type="button"
      class="answer"
      data-answer={`${prevalent}${seat}`}
      onClick={() => setContext(entry.edit, context)}
    >
      {/* Read out, a button of this table says its round too. */}
      <span class="unseen">{outcome === undefined ? name : withColon(name, outcomeText(outcome))}</span>
      <span aria-hidden="true">
        {words.winds[seat]}
        {outcome !== undefined && <small>{shortOutcome(outcome)}</small>}
      </span>
    </button>
  );
}

/**
 * Asks which tile won: shows the tiles of the hand, each with the totals that it leaves possible.
 */
function AskTile({ entry, open }: { readonly entry: Entry; readonly open: OpenField }) {
  const hand = entry.edit.hand.value;
  const choices = open.answers.flatMap(({ answer }) => {
    const piece = hand.concealed.findLast(({ face }) => face === faceOf(answer));
    return piece ? [{ answer, piece }] : [];
  });
  return (
    <fieldset class="asked ask-tile">
      <legend>{t.value.ask.winning_tile}</legend>
      <div class="tile-answers">
        {choices.map(({ answer, piece }) => {
          const outcome = namedOutcome(open, answer) ?? null;
          return (
            <TileButton
              key={answer}
              face={piece.face}
              label={withColon(faceName(piece.face), outcomeText(outcome))}
              class="with-note"
              onTap={() => change(entry, markWinning(hand, piece.id))}
              onPoint={(here) => {
                pointed.value = here ? piece.id : null;
              }}
            >
              <small class="tile-note">{shortOutcome(outcome)}</small>
            </TileButton>
          );
        })}
      </div>
    </fieldset>
  );
}

/**
 * Names the round wind that is kept from an earlier hand, and lets it be changed. Changed here, it
 * stays where the finger is.
 */
function KeptRound({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const [changed, setChanged] = useState(false);
  const context = entry.edit.context.value;
  const wind = entry.edit.keptRound.value;
  const isTold = changed && context.prevalent !== undefined && !isEntering(entry.table.won.value);
  if (!wind && !isTold) return null;
  if (!fieldsOf(chosenRulesets.value, context, entry.edit.hand.value).has('prevalent')) return null;
  return (
    <div class="kept-round">
      <Segmented
        legend={wind ? words.keptRound(words.winds[wind]) : words.fields.prevalent}
        name={`kept-round-${entry.id}`}
        value={context.prevalent ?? null}
        options={WINDS.map((value: Wind) => ({ value, label: words.winds[value] }))}
        onChoose={(value) => {
          setChanged(true);
          setContext(entry.edit, withField(context, 'prevalent', value));
        }}
      />
    </div>
  );
}

/** Lists what the score assumed, each with its value, and offers to change it. */
function Assumed({ edit, score }: { readonly edit: Edit; readonly score: Score }) {
  const list = assumptions(score, edit.hand.value, edit.context.value, allRulesets.value);
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
