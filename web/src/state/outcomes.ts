/** Totals that an answer about the win leads to, scored on this device at once. */
import type { Context, HandDto, Scored } from '../api/types';
import { lang } from '../browser/lang';
import { typed } from '../engine/device';
import { type Module, module, shipped } from '../engine/module';
import { toSend } from '../model/context';
import { count } from '../model/count';
import { type Hand, toDto } from '../model/hand';
import type { Entry } from './hand/entry';
import { othersOf } from './hand/table';
import { chosenRulesets, handSize } from './prefs';
import { doubtsOf } from './questions';

/** The lowest and the highest total; `null` where the hand would be no win. */
export type Outcome = readonly [number, number] | null;

/** The most hands that the answers to open doubts make, beside the hand as it is. */
const MAX_HANDS = 12;

/**
 * Returns what an answer leads to that makes the win context this one, and the hand if it changes that. Each doubt
 * about the tiles that is open may have any of its answers. A winning tile that is only supposed counts as it does in
 * the total that is shown. `undefined` where only the service has the rule set, and before the package is loaded.
 */
export function outcomeOf(
  entry: Entry,
  ruleset: string,
  context: Context,
  hand: Hand = entry.edit.hand.value,
): Outcome | undefined {
  const engine = module.value;
  if (!engine || !shipped.value?.has(ruleset) || !count(hand, handSize.value).ready) return undefined;
  const doubts = doubtsOf(entry, hand).filter(({ doubt }) => doubt.affects_score);
  const doubtful = doubts.flatMap(({ choices }) => choices.flatMap((choice) => choice.hand ?? []));
  const hands = [hand, ...doubtful.slice(0, MAX_HANDS)];
  const ends = hands.flatMap((one) => {
    const sent = toSend(context, one, chosenRulesets.value);
    return endsOf(scoredAt(engine, entry, { ruleset, hand: toDto(one), context: sent })) ?? [];
  });
  return ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : null;
}

interface Asked {
  readonly ruleset: string;
  readonly hand: HandDto;
  readonly context: Context;
}

function scoredAt(engine: Module, entry: Entry, { ruleset, hand, context }: Asked): Scored | undefined {
  try {
    const options = { others: othersOf(entry), lang: lang.value };
    return engine.scores(hand, [ruleset], typed(context), options)[0];
  } catch {
    return undefined;
  }
}

/** The totals of a legal win. */
function endsOf(scored: Scored | undefined): readonly number[] | null {
  const score = scored?.score;
  if (!score) return null;
  const { range } = score;
  if (!score.legal && (!range || range.legal === false)) return null;
  return range ? [range.min, range.max] : [score.total];
}
