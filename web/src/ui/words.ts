/** Sentences made from facts: the count, the name of a tile with its position, a failure. */
import type { Failure } from '../api/failure';
import type { Award, Context, ContextField, Deal, Doubt, Reading, Repair, Score, Wind } from '../api/types';
import { clauses, fullStop, listed, withColon } from '../browser/lang';
import { progress } from '../engine/device';
import { faceName, t } from '../i18n';
import type { Assumption } from '../model/context';
import type { Count } from '../model/count';
import { codeOf, type Question, type Reply } from '../model/doubts';
import { dealerNumber, signed, streakOf } from '../model/evening';
import { type Hand, type Piece, pieceOf } from '../model/hand';
import { lineName } from '../model/lineNames';
import { type OpenQuestion, uncountedOf } from '../model/openQuestions';
import { placeBeside, settlement, WINDS } from '../model/payments';
import { COUNTS } from '../model/riichi';
import { faceOf, UNNAMED } from '../model/tiles';
import { MAX_PHOTOS } from '../model/together';
import type { NotRead } from '../state/hand/photos';
import { type TotalUnit, totalUnit } from '../state/prefs';

/**
 * "13 + one kong: one tile missing"; where the photo may show that tile, it is asked about first.
 */
export function countText(count: Count, offered = false): string {
  const words = t.value;
  const reasons = [
    count.off < 0 && (offered ? words.offered : words.missing(-count.off)),
    count.off > 0 && words.surplus(count.off),
    count.broken.length > 0 && words.brokenSets(count.broken.length),
    count.copies.length > 0 && words.copies(count.copies.map((tile) => faceName(tile))),
    count.tooManyMelds && words.tooManyMelds,
  ].filter((reason) => reason !== false);
  if (reasons.length === 0) reasons.push(count.noWinning ? words.noWinning : words.complete);
  // Every hand of a game has as many, and one tile more for each kong: so they are counted at a table.
  return withColon(words.count(count.tiles, count.kongs), clauses(reasons));
}

/** The name of a tile; of a red five that it is one. */
export const pieceName = ({ face, red }: Pick<Piece, 'face' | 'red'>): string =>
  red ? t.value.riichi.red(faceName(face)) : faceName(face);

/** "5 dots, unsure, fourth": what it is, whether that is sure, and where it lies. */
export function tileLabel(piece: Piece, place: number, marks: { unsure: boolean; winning: boolean }): string {
  const words = t.value;
  const parts = [
    pieceName(piece),
    marks.unsure && words.unsure,
    marks.winning && words.winningMark,
    words.ordinal(place),
  ];
  return clauses(parts.filter((part) => part !== false));
}

const fieldName = (field: string): string => {
  const names: Readonly<Record<string, string>> = {
    ...t.value.fields,
    ...t.value.riichi.fields,
    ...t.value.dealer.fields,
  };
  const last = field.split('.').at(-1) ?? field;
  return names[last] ?? last;
};

/**
 * Puts assumptions into words: "Assumed: Prevalent wind East; won on a discard from the left." Whose
 * discard it was tells that it was one.
 */
export function assumedText(list: readonly Assumption[]): string {
  const isFrom = list.some(({ field }) => field === 'from');
  const named = list.filter(({ field }) => field !== 'win' || !isFrom);
  return t.value.assumed(named.map(assumptionText));
}

/** "red 5 dots" for `0p`. */
function redName(code: string): string {
  const face = faceOf(code);
  return face ? t.value.riichi.red(faceName(face)) : code;
}

function assumptionText(one: Assumption): string {
  const words = t.value;
  switch (one.field) {
    case 'seat':
    case 'prevalent':
      return `${words.fields[one.field]} ${words.winds[one.value]}`;
    case 'win':
      return words.assumptions.win[one.value];
    case 'from':
      return words.assumptions[one.robbed ? 'robbed' : 'from'][one.value];
    case 'feeder':
      return words.assumptions.feeder[one.value];
    case 'dealer':
      return words.dealer.assumed;
    case 'ready':
      return words.dealer.assumedUnready;
    case 'riichi':
      return words.riichi.assumed[one.value];
    case 'red_fives':
      return words.riichi.redOfFour(listed(one.value.map(redName)));
    case 'winning_tile':
      return `${words.winningMark} ${faceName(one.value)}`;
  }
}

/** Describes what is known of the win, in a few words: "East · East · Self-draw". */
export function contextText(context: Context): string {
  const words = t.value;
  const { seat, prevalent, win, from } = context;
  const known = [
    seat && `${words.fields.seat} ${words.winds[seat]}`,
    prevalent && `${words.fields.prevalent} ${words.winds[prevalent]}`,
    win === 'discard' && from ? words.outcome.discardBy[from] : win && words.wins[win],
  ];
  return [...known.filter(Boolean), ...riichiTexts(context)].join(' · ');
}

/** Known facts of riichi: "Riichi, ippatsu", "Dora indicators 4 characters", "Counters 2". */
function riichiTexts({ riichi, ippatsu = false, ...context }: Context): string[] {
  const { calls, withIppatsu, fields } = t.value.riichi;
  const call = riichi && riichi !== 'no' ? [ippatsu ? withIppatsu(calls[riichi]) : calls[riichi]] : [];
  const lists = (['dora_indicators', 'ura_indicators'] as const).flatMap((field) => {
    const names = (context[field] ?? []).flatMap((code) => codeName(code) ?? []);
    return names.length > 0 ? [`${fields[field]} ${listed(names)}`] : [];
  });
  const counts = COUNTS.flatMap((field) => (context[field] ? [`${fields[field]} ${context[field]}`] : []));
  return [...call, ...lists, ...counts];
}

export const fieldNames = (fields: readonly ContextField[]): string[] => fields.map(fieldName);

/**
 * The value of a line, as often as it counts: points, doubles, limits, faan or han. A score of `yakuman`
 * has no other lines.
 */
export function worth(award: Award, { yakuman }: Pick<Score, 'yakuman'> = {}): string {
  if (typeof award.doublings === 'number') return t.value.doublings(award.doublings * award.count);
  if (typeof award.limits === 'number') return t.value.limits(award.limits * award.count);
  if (typeof award.faan === 'number') return `${award.faan} ${t.value.faan}`;
  if (typeof award.tai === 'number') return `${award.tai} ${t.value.tai}`;
  if (typeof award.han === 'number' && yakuman)
    return yakumanText((award.han * award.count) / HAN_OF_YAKUMAN);
  if (typeof award.han === 'number') return t.value.han(award.han * award.count);
  return `${award.points * award.count}`;
}

/** The name of a line with the one that players use, and how often it counts: "Riichi 立直", "Flower Tiles × 2". */
export function lineText({ name, count }: Pick<Award, 'name' | 'count'>): string {
  const { own, customary } = lineName(name);
  const names = customary ? `${own} ${customary}` : own;
  return count > 1 ? `${names} × ${count}` : names;
}

/** Han of one yakuman, as the service gives them. */
const HAN_OF_YAKUMAN = 13;

function yakumanText(number: number): string {
  const { yakuman } = t.value.riichi.limits;
  return number === 1 ? yakuman : `${number} × ${yakuman}`;
}

/** The parts of a score that say what its total counts. */
type Counted = Pick<Score, 'faan' | 'tai' | 'doubling' | 'minimum_unit'>;

/** Returns what the total of a score counts. Only the competition rules add points up and never double them. */
export function totalUnitOf({ faan, tai, doubling, minimum_unit }: Counted): TotalUnit {
  if (typeof faan === 'number') return 'faan';
  if (typeof tai === 'number') return 'tai';
  return minimum_unit === 'points' && !doubling ? 'fan' : 'points';
}

/** The name of a unit beside a number; points go without. */
export function unitName(unit: TotalUnit): string | undefined {
  if (unit === 'points') return undefined;
  return unit === 'fan' ? t.value.ownUnits.fan : t.value[unit];
}

/** The unit of a total: points, fan, faan or tai. */
export const unitOf = (score: Counted, total: number): string =>
  unitName(totalUnitOf(score)) ?? t.value.points(total);

/** A failure in words; contradicting fields of the context are named. */
export function failureText(failure: Failure): string {
  const words: Readonly<Record<string, string>> = t.value.problems;
  const text = words[failure.kind] ?? t.value.problems.other;
  const errors = failure.problem.errors ?? [];
  // Why it is no hand: it may be one by other rules, as with flowers where a game has none.
  const why = failure.kind === 'invalid-hand' ? handFaults(errors) : [];
  if (why.length > 0) return why.join(' ');
  const fields = errors
    .filter(({ field }) => field.startsWith('context.'))
    .map(({ field }) => fieldName(field));
  return fields.length > 0 ? `${text} ${t.value.contradicts(listed([...new Set(fields)]))}` : text;
}

/** Returns what is wrong with a hand, as sentences in the page's language. */
function handFaults(errors: NonNullable<Failure['problem']['errors']>): string[] {
  const own = errors.filter(({ field }) => /^hand\b/.test(field)).map(({ detail }) => detail.trim());
  return [...new Set(own)].filter((text) => text !== '').map(sentence);
}

/** A reason of the engine as a sentence. */
export function sentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.!?。！？]$/.test(text) ? text : `${text}${fullStop()}`;
}

/** Says how far the reading of a photo is: on this device stage by stage. */
export function progressText(): string {
  const { loadingReader, readingPhoto, stages } = t.value;
  const step = progress.value;
  if (step && 'loaded' in step) return loadingReader(step.loaded, step.total);
  const text: Readonly<Record<string, string>> = stages;
  return (step && text[step.stage]) || readingPhoto;
}

/** Says why the hand stays as it was read before. */
export function notReadText(reason: NotRead): string {
  const { photos, pointing } = t.value;
  switch (reason.kind) {
    case 'part':
      return pointing.noHand;
    case 'too-many':
      return photos.tooMany(MAX_PHOTOS);
    case 'photo':
      return `${photos.notAdded} ${failureText(reason.failure)}`;
  }
}

/**
 * A total, or the lowest and the highest that are possible, in their unit: by default as the rule
 * set counts that was chosen first.
 */
export function totalText([low, high]: readonly [number, number], unit = totalUnit.value): string {
  const { total, outcome } = t.value;
  const name = unitName(unit);
  if (name) return `${low === high ? low : outcome.range(low, high)} ${name}`;
  return low === high ? total(low) : outcome.rangeOf(low, high);
}

/** Names what is asked and a total does not count yet: "before dora"; nothing for a total that has everything. */
export function beforeText(questions: readonly OpenQuestion[]): string {
  const { before, uncounted } = t.value.riichi;
  const names = uncountedOf(questions).map((subject) => uncounted[subject]);
  return names.length > 0 ? before(names) : '';
}

/** Returns a total, or the lowest and the highest one, in little room. */
export const shortTotal = ([low, high]: readonly [number, number]): string =>
  low === high ? `${low}` : `${low}–${high}`;

/** Describes the change of a repair: "4 dots instead of 2 dots". */
export function repairText({ change, from, to }: Repair): string {
  const { repairs } = t.value;
  const name = (code: string | null | undefined): string => codeName(code ?? '') ?? t.value.unnamed;
  if (change === 'leave_out') return repairs.leave_out(name(from));
  return change === 'add' ? repairs.add(name(to)) : repairs.rename(name(to), name(from));
}

/** Returns the name of a code: a face, a tile face down, or a flower without a name. */
export function codeName(code: string): string | null {
  const face = faceOf(code);
  if (face) return faceName(face);
  return code === 'back' ? t.value.faceDown : null;
}

/** An answer to a doubt. */
export function replyText(reply: Reply): string {
  const { replies } = t.value;
  switch (reply.kind) {
    case 'face':
      return pieceName(reply);
    case 'faces':
      return listed(reply.faces.map((face) => faceName(face)));
    case 'in_set':
      return clauses([faceName(reply.face), replies.in_set]);
    case 'feeder':
      return t.value.feeders[reply.feeder];
    default:
      return replies[reply.kind];
  }
}

/** Asks about a hand: its tile is named as the hand has it now. */
export function questionText(hand: Hand, reading: Reading | null, { doubt, pieces }: Question): string {
  const piece = pieces[0] === undefined ? undefined : pieceOf(hand, pieces[0]);
  return askText(doubt, piece?.face ?? codeOf(reading, doubt));
}

/** Asks what a doubt is about, with the name of a tile in place of its code. */
export function askText(doubt: Doubt, code: string): string {
  const { ask } = t.value;
  const name = codeName(code);
  // Beside the word for any tile or any flower, a name that says no more than that is left out.
  const face = faceOf(code);
  const inBrackets = face && face !== UNNAMED ? name : null;
  switch (doubt.kind) {
    case 'tile':
    case 'too_many_copies':
      return name === null ? ask.whichTile : ask[doubt.kind](name);
    case 'flower':
      return doubt.tiles.length > 1 ? ask.flowerGap : ask.flower(inBrackets);
    case 'tile_count':
      if (doubt.alternatives.length > 0) return ask.offered(inBrackets);
      if (doubt.game) return ask.otherGame;
      return doubt.tiles.length === 1 ? ask.touching(inBrackets) : ask.tile_count;
    case 'contradiction':
      return ask.contradiction(fieldName(doubt.field ?? ''));
    default:
      return ask[doubt.kind];
  }
}

/** Names a deal, with the dealer's streak where it is paid; of riichi as people do: "East 3, 2 counters, 1 stick". */
export function dealText(deal: Deal): string {
  const { evening, riichi, dealer, winds } = t.value;
  const { honba, riichi_sticks: laid, number, round } = deal;
  if (typeof honba !== 'number') {
    const streak = streakOf(deal);
    const text = evening.deal(number, winds[round]);
    return streak ? clauses([text, dealer.stayedOn(streak)]) : text;
  }
  const parts = [
    riichi.head(winds[round], dealerNumber(deal)),
    honba > 0 && riichi.counters(honba),
    !!laid && riichi.sticks(laid),
  ];
  return clauses(parts.filter((part) => typeof part === 'string'));
}

interface PaymentWords {
  readonly lines: readonly string[];
  /**
   * Sentence about what the winner gets; `null` without a winner, and where every hand counts: then
   * each line has what one player gains or loses.
   */
  readonly sum: string | null;
}

/**
 * Returns who pays whom, one line each; without a legal win nobody pays, and where every hand
 * counts, each line has a player's balance.
 */
export function paymentWords(
  { legal, others = [], payments }: Score,
  nameOf: (seat: Wind) => string = (seat) => t.value.winds[seat],
): PaymentWords {
  const words = t.value;
  if (!legal) return { lines: [], sum: null };
  if (others.length > 0) {
    return { lines: WINDS.map((seat) => `${nameOf(seat)} ${signed(payments[seat])}`), sum: null };
  }
  const { winner, gains, payers } = settlement(payments);
  if (!winner) return { lines: [], sum: null };
  const name = nameOf(winner);
  const lines = payers.map(({ seat, pays }) => words.pays(nameOf(seat), pays, name));
  return { lines, sum: words.gains(name, gains) };
}

/** The name of a seat as the winner sees it: left, across or right. */
export const placeName = (winner: Wind, seat: Wind): string =>
  seat === winner ? t.value.theWinner : t.value.from[placeBeside(winner, seat)];

/** Returns who pays the winner, by their places beside it. */
export function placeWords({ payments }: Pick<Score, 'payments'>, winner: Wind): PaymentWords {
  const { gains, payers } = settlement(payments);
  const lines = payers.map(({ seat, pays }) => t.value.paysOne(placeName(winner, seat), pays));
  return { lines, sum: t.value.gains(t.value.theWinner, gains) };
}
