/**
 * Scores a hand again whenever it or its context changes.
 *
 * Invariant: an answer is shown only if nothing has changed since it was asked for.
 */
import { batch, signal } from '@preact/signals';
import type { ToScore } from '../../api/engine';
import { asFailure } from '../../api/failure';
import type { Reading } from '../../api/types';
import { lang } from '../../browser/lang';
import { online } from '../../browser/online';
import { engine } from '../../engine';
import { canScore } from '../../engine/place';
import { toSend } from '../../model/context';
import { count } from '../../model/count';
import { isEmpty, toDoubtfulDto, toDto } from '../../model/hand';
import { suppose } from '../../model/reading';
import { chosenRulesets, handSize, rulesets } from '../prefs';
import type { Parts } from './parts';
import { othersOf } from './table';
import { setDoubts } from './verdict';

/**
 * Typing comes in bursts; a score is asked for when a person pauses this long, in milliseconds.
 */
const PAUSE = 120;

const attempt = signal(0);

/** Scores all hands again, with a key for instance that was missing before. */
export function scoreAgain(): void {
  attempt.value += 1;
}

/** Scores the hand as it is now; as an effect, whenever it or its context changes. */
export function keepScored(parts: Parts): (() => void) | undefined {
  const { photos, edit, verdict } = parts;
  const hand = edit.hand.value;
  const isRead = photos.reading.value !== null;
  const request: ToScore = {
    hand: isRead ? toDoubtfulDto(hand) : toDto(hand),
    context: toSend(edit.context.value, hand, chosenRulesets.value),
    rulesets: rulesets.value,
    others: othersOf(parts),
  };
  const reached = canScore.value;
  void lang.value;
  void attempt.value;
  if (
    photos.phase.value.kind !== 'ready' ||
    isEmpty(hand) ||
    !(isRead || count(hand, handSize.value).ready)
  ) {
    verdict.scoring.value = { kind: 'none' };
    return undefined;
  }
  if (!reached) {
    verdict.scoring.value = { kind: 'offline' };
    return undefined;
  }
  const abort = new AbortController();
  const timer = setTimeout(() => void score(parts, request, abort.signal), PAUSE);
  const last = verdict.scoring.peek();
  verdict.scoring.value = last.kind === 'done' ? { ...last, fresh: false } : { kind: 'pending' };
  return () => {
    clearTimeout(timer);
    abort.abort();
  };
}

async function score(parts: Parts, request: ToScore, signal: AbortSignal): Promise<void> {
  const { photos, verdict } = parts;
  const reading = photos.reading.peek();
  try {
    if (reading) {
      await scoreReading(parts, reading, request, signal);
    } else {
      const scores = await engine.scoreHand(request, signal);
      if (!signal.aborted) verdict.scoring.value = { kind: 'done', scores, fresh: true };
    }
  } catch (error) {
    if (signal.aborted) return;
    const failure = asFailure(error);
    if (failure.kind === 'offline') {
      online.value = false;
      verdict.scoring.value = { kind: 'offline' };
    } else {
      verdict.scoring.value = { kind: 'failed', failure };
    }
  }
}

/** Scores a hand that was read, and learns which of its doubts are left. */
async function scoreReading(
  { edit, verdict }: Parts,
  reading: Reading,
  request: ToScore,
  signal: AbortSignal,
): Promise<void> {
  const hand = edit.hand.peek();
  const answer = await engine.answerReading(reading, hand.answered, request, signal);
  if (signal.aborted) return;
  const scores = answer.scores ?? [];
  batch(() => {
    const isScored = scores.some(({ score }) => score) || count(hand, handSize.value).ready;
    verdict.scoring.value = isScored ? { kind: 'done', scores, fresh: true } : { kind: 'none' };
    // What is supposed follows from the hand, and is no step of its own.
    const present = suppose(hand, answer.supposed_winning_tile);
    if (present !== hand) edit.history.value = { ...edit.history.peek(), present };
    setDoubts(verdict, answer, present);
  });
}
