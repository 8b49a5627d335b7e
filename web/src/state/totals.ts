/**
 * The totals that answers to a doubt would give, for the hand as it is now.
 *
 * The reading has those of its doubts for the hand as it was read. After a correction they are
 * requested again, one after the other, and cached: the same hand in the same context has the same
 * score.
 */
import { signal } from '@preact/signals';
import { Failure, scoreHand } from '../api/client';
import { toSend } from '../model/context';
import { count } from '../model/count';
import type { Choice } from '../model/doubts';
import { type Hand, toDto } from '../model/hand';
import { print } from '../model/notation';
import type { Entry } from './hands';
import { online } from './online';
import { rulesets } from './prefs';

const known = signal<ReadonlyMap<string, number | null>>(new Map());
const asked = new Set<string>();
let last: Promise<void> = Promise.resolve();

/** Whether hand and context are those of the reading. */
export const isAsRead = (entry: Entry): boolean =>
  entry.edits.value.past.length === 0 &&
  JSON.stringify(toSend(entry.context.value, entry.hand.value)) === JSON.stringify(entry.readContext.value);

/** The total, `null` where the hand would not win, `undefined` while it is not known. */
export function totalOf(entry: Entry, choice: Choice): number | null | undefined {
  if (isAsRead(entry)) return choice.total;
  return choice.hand ? current(choice.hand, entry) : undefined;
}

function current(hand: Hand, entry: Entry): number | null | undefined {
  if (!count(hand).ready) return undefined;
  const [ruleset = 'mcr-wmo'] = rulesets.value;
  const context = toSend(entry.context.value, hand);
  const key = `${ruleset} ${print(hand)} ${JSON.stringify(context)}`;
  const found = known.value.get(key);
  if (found === undefined && online.value && !asked.has(key)) {
    asked.add(key);
    last = last.then(() => ask(key, { hand: toDto(hand), context, rulesets: [ruleset] }));
  }
  return found;
}

async function ask(key: string, what: Parameters<typeof scoreHand>[0]): Promise<void> {
  const keep = (total: number | null): void => {
    known.value = new Map([...known.value, [key, total]]);
  };
  try {
    const [first] = await scoreHand(what, null);
    keep(first?.score?.total ?? null);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'not-a-win') keep(null);
    // Otherwise the answer has no total, which is requested again when the answer is shown again.
    else asked.delete(key);
  }
}
