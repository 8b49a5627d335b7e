/**
 * Question about how a hand was won and another one in one answer: a row of ways to win for each answer to the
 * other.
 */
import type { Relation, WinKind } from '../api/types';
import { clauses, withColon } from '../browser/lang';
import { faceName, t } from '../i18n';
import { FROM, valuesOf } from '../model/context';
import { asRead, idOf, type Question, withAnswers } from '../model/doubts';
import { markWinning } from '../model/edit';
import type { Hand } from '../model/hand';
import { print } from '../model/notation';
import type { Beside } from '../model/openQuestions';
import { type Face, faceOf } from '../model/tiles';
import { answerBoth } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';
import { chosenRulesets } from '../state/prefs';
import { doubtsOf } from '../state/questions';
import { type Asked, outcomeText, shortOutcome, useOutcome } from './Leads';
import { asReadTexts, readAs } from './Questions';
import { TileFace } from './Tile';
import { questionText, replyText } from './words';

/** Way to win as an answer: self-drawn, or by whose discard. */
interface Way {
  readonly key: 'self_drawn' | Relation;
  readonly label: string;
  /** Words where there is little room. */
  readonly short: string;
  readonly facts: { readonly win: WinKind; readonly from?: Relation };
}

/** Returns every way to win that is asked about; of three players none sits opposite. */
export function waysToWin(): readonly Way[] {
  const words = t.value;
  const drawn = words.wins.self_drawn;
  return [
    { key: 'self_drawn', label: drawn, short: drawn, facts: { win: 'self_drawn' } },
    ...valuesOf(chosenRulesets.value, 'from', FROM).map((from) => ({
      key: from,
      label: words.outcome.discardBy[from],
      short: words.feeders[from],
      facts: { win: 'discard' as const, from },
    })),
  ];
}

/** Answer to the other question, and the hand that it makes. */
interface Row {
  readonly label: string;
  readonly face?: Face;
  readonly hand: Hand;
}

function rowsOf(entry: Entry, about: Beside): readonly Row[] {
  const hand = entry.edit.hand.value;
  switch (about.kind) {
    case 'winning_tile':
      return about.open.answers.flatMap(({ answer }) => {
        const piece = hand.concealed.findLast(({ face }) => face === faceOf(answer));
        if (!piece) return [];
        return [{ label: faceName(piece.face), face: piece.face, hand: markWinning(hand, piece.id) }];
      });
    case 'doubts':
      return answersTo(entry, hand, about.doubts);
    case 'as_read': {
      const given = asRead(about.doubts);
      return [
        { label: t.value.allAsRead(given.length), hand: withAnswers(hand, given) },
        { label: t.value.notAsRead, hand },
      ];
    }
  }
}

/** Returns each answer to a doubt, with each answer to the others. */
function answersTo(entry: Entry, hand: Hand, doubts: readonly Question[]): readonly Row[] {
  const [asked, ...others] = doubts;
  const reading = entry.photos.reading.value;
  if (!asked || !reading) return [{ label: '', hand }];
  const isAlone = others.length === 0 && hand === entry.edit.hand.value;
  // After an answer to another doubt, one to this makes another hand.
  const now = doubtsOf(entry, hand).find(({ doubt }) => idOf(doubt) === idOf(asked.doubt)) ?? asked;
  return now.choices.flatMap(({ reply, hand: made }) => {
    if (!made) return [];
    const label = isAlone ? replyText(reply) : readAs(reading, now.doubt, reply);
    const face = isAlone && 'face' in reply ? { face: reply.face } : {};
    return answersTo(entry, made, others).map((row) => ({
      ...face,
      label: clauses([label, row.label].filter(Boolean)),
      hand: row.hand,
    }));
  });
}

/** Returns the words of the other question. */
function textOf(entry: Entry, about: Beside): string {
  const words = t.value;
  if (about.kind === 'winning_tile') return words.ask.winning_tile;
  const reading = entry.photos.reading.value;
  const [asked, ...others] = about.doubts;
  if (about.kind === 'doubts' && asked && others.length === 0)
    return questionText(entry.edit.hand.value, reading, asked);
  const told = about.kind === 'as_read' && reading ? asReadTexts(about.doubts, reading) : [];
  return told.length > 0 ? withColon(words.questions, clauses(told)) : words.questions;
}

export function AskWinWith({ entry, scored, about }: Asked & { readonly about: Beside }) {
  const words = t.value;
  const ways = waysToWin();
  return (
    <fieldset class="asked ask-win-with">
      <legend>
        <span>{words.outcome.howFrom}</span> <span>{textOf(entry, about)}</span>
      </legend>
      {rowsOf(entry, about).map((row) => (
        <div key={row.label} class={row.face ? 'round' : 'round worded'}>
          <span aria-hidden="true">{row.face ? <TileFace face={row.face} /> : row.label}</span>
          <div class="answers">
            {ways.map((way) => (
              <WayButton key={way.key} entry={entry} scored={scored} row={row} way={way} />
            ))}
          </div>
        </div>
      ))}
    </fieldset>
  );
}

interface WayProps extends Asked {
  readonly row: Row;
  readonly way: Way;
}

function WayButton({ entry, scored, row, way }: WayProps) {
  const { from: _, ...before } = entry.edit.context.value;
  const context = { ...before, ...way.facts };
  const outcome = useOutcome({ entry, scored }, context, row.hand);
  const name = clauses([row.label, way.label]);
  return (
    <button
      type="button"
      class="answer"
      data-answer={way.key}
      data-hand={print(row.hand) ?? ''}
      onClick={() => answerBoth(entry, row.hand, context)}
    >
      {/* Read out, a button of this table says its row too. */}
      <span class="unseen">{outcome === undefined ? name : withColon(name, outcomeText(outcome))}</span>
      <span aria-hidden="true">
        {way.short}
        {outcome !== undefined && <small>{shortOutcome(outcome)}</small>}
      </span>
    </button>
  );
}
