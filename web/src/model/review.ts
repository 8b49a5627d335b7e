/**
 * The queue of photos in doubt, as pure steps: what is asked of a photo, what one key answers, and
 * which photo comes next. Where the queue comes from is for `state/review.ts`.
 */
import type {
  Context,
  ContextDto,
  ContextField,
  Doubt,
  Polygon,
  Problem,
  Reading,
  Ruleset,
  Score,
} from '../api/types';
import { type Assumption, assumptions, FROM, possibleWins, toSend, valuesOf } from './context';
import { type Hand, fromDto as handFromDto } from './hand';
import { boxOf } from './inView';
import { WINDS } from './payments';
import { faceOf } from './tiles';
import { fromDto } from './win';

/**
 * Reasons why a photo is in the queue, by the service's names. A photo that is `sure` is in no
 * queue.
 */
const GROUPS = [
  'correction',
  'winning_tile',
  'tile',
  'set',
  'flower',
  'context',
  'tiles_missing',
  'near_win',
  'small_doubts',
  'sixteen_tiles',
  'strip',
  'not_a_hand',
  'loose_tiles',
  'no_tiles',
  'failed',
  'left_out',
  'sure',
] as const;
export type Group = (typeof GROUPS)[number];

export interface QueuedPhoto {
  readonly index: number;
  readonly id: string;
  readonly group: Group;
  readonly expected_change: number;
  readonly done: boolean;
}

/** Answers that are not kept yet: to questions, and fields of the win context. */
export interface Draft {
  readonly answers: readonly Answer[];
  readonly context: Context;
}

export const EMPTY: Draft = { answers: [], context: {} };

export interface Queue {
  readonly name: string;
  /**
   * Command that puts the answers into the results; missing for a job, whose answers are there at
   * once.
   */
  readonly command?: string;
  readonly reviewer: string;
  /** Whether the photos can still be shown. */
  readonly keep_photos: boolean;
  readonly photos: readonly QueuedPhoto[];
}

export interface Correction {
  readonly accepted?: boolean;
  readonly hand?: string;
  readonly winning_tile?: string;
  readonly no_hand?: boolean;
  readonly game?: string;
  readonly answers?: readonly Answer[];
  readonly context?: Context;
}

export interface ReviewPhoto extends QueuedPhoto {
  readonly original: {
    readonly reading?: Reading;
    readonly image?: { readonly width: number; readonly height: number };
    readonly error?: Problem;
  };
  /** State with the answers so far; the doubts that are left have the totals of now. */
  readonly now: Now | null;
  readonly corrected: Reading | null;
  /** The win context that was given when the photo was read. */
  readonly given: ContextDto;
  readonly correction: Correction | null;
  readonly reviewer: string;
  readonly note: string;
}

interface Now {
  readonly hand: Reading['hand'];
  readonly supposed_winning_tile?: string;
  readonly score: Score | null;
  readonly doubts: readonly Doubt[];
  /** Reason why there is no score. */
  readonly problem?: Problem;
}

/** The id of a doubt, and one of its answers. */
interface Answer {
  readonly doubt: string;
  readonly answer: string;
}

/** Body of a request that tries or stores the answer to a photo. */
export interface Reply {
  readonly answers: readonly Answer[];
  readonly correction: Correction;
  readonly note: string;
}

/** The name under which a game of five sets is noted. */
const SIXTEEN = 'sixteen-tile';

/** Tells whether any answer says what it makes of the hand or of the win context. */
const canBeGiven = (doubt: Doubt): boolean =>
  doubt.alternatives.some((one) => doubt.field != null || one.hand != null);

/** Returns the doubts that the score still depends on. */
export const open = (photo: ReviewPhoto): readonly Doubt[] =>
  (photo.now ?? photo.original.reading)?.doubts.filter((doubt) => doubt.affects_score) ?? [];

/** The question that is asked next; `null` where the answers do not say what they make. */
export const question = (photo: ReviewPhoto): Doubt | null => open(photo).find(canBeGiven) ?? null;

/** Tells whether no question is left, so that the answers can be kept. */
export const isSettled = (photo: ReviewPhoto): boolean =>
  open(photo).length === 0 && photo.now?.score != null;

export type Suggestion = 'accept' | 'no_hand' | 'another_game' | 'type';

const NO_HAND: readonly Group[] = ['strip', 'not_a_hand', 'loose_tiles', 'no_tiles', 'failed'];

/** Returns the action of the key Enter: the likeliest answer to the photo. */
export function suggestion(photo: ReviewPhoto): Suggestion {
  if (photo.now?.score ?? photo.original.reading?.score) return 'accept';
  if (photo.group === 'sixteen_tiles') return 'another_game';
  return NO_HAND.includes(photo.group) ? 'no_hand' : 'type';
}

/** The correction of a suggestion; `null` where something has to be typed. */
export function correctionOf(what: Suggestion): Correction | null {
  switch (what) {
    case 'accept':
      return { accepted: true };
    case 'no_hand':
      return { no_hand: true };
    case 'another_game':
      return { game: SIXTEEN };
    default:
      return null;
  }
}

/** Tells whether a correction leaves the photo without a score. */
export const leavesOut = ({ no_hand, game }: Correction): boolean => no_hand === true || game !== undefined;

/** Returns the draft that a photo starts with: at most the win context of an earlier answer. */
export const draftOf = ({ correction }: ReviewPhoto): Draft => ({
  ...EMPTY,
  context: fromDto(correction?.context),
});

/** The hand that a win context is entered for. */
export const handOf = (photo: ReviewPhoto): Hand =>
  handFromDto((photo.corrected ?? photo.now ?? photo.original.reading)?.hand ?? {});

/** The win context as it is shown: what was corrected outranks what was given. */
export const contextOf = (photo: ReviewPhoto, { context }: Draft): Context => ({
  ...fromDto(photo.given),
  ...context,
});

/** Returns what the score of a photo assumed, a winning tile that is only supposed among it. */
export function assumedOf(
  photo: ReviewPhoto,
  draft: Draft,
  rulesets: readonly Ruleset[],
): readonly Assumption[] {
  const reading = photo.corrected ?? photo.now ?? photo.original.reading;
  if (!reading?.score) return [];
  const supposed = faceOf(reading.supposed_winning_tile ?? '');
  return [
    ...assumptions(reading.score, handOf(photo), contextOf(photo, draft), rulesets),
    ...(supposed ? [{ field: 'winning_tile', value: supposed } as const] : []),
  ];
}

/** Returns the fields of the win context on the screen that differ from those that were given. */
export function changedFields(photo: ReviewPhoto, shown: Context): Context {
  const given: Readonly<Record<string, unknown>> = { ...photo.given };
  const same = ([field, value]: [string, unknown]): boolean =>
    JSON.stringify(given[field]) === JSON.stringify(value);
  return Object.fromEntries(Object.entries(toSend(shown, handOf(photo))).filter((entry) => !same(entry)));
}

/** The fields of the win context that have a key. */
export const CONTEXT_KEYS = {
  s: 'seat',
  p: 'prevalent',
  w: 'win',
  f: 'from',
  l: 'last_wall_tile',
  k: 'last_of_kind',
} as const satisfies Readonly<Record<string, ContextField>>;

/** A key changes a field to its next value that the rule sets have, and after the last one to the first. */
export function stepped(
  context: Context,
  key: keyof typeof CONTEXT_KEYS,
  hand: Hand,
  rulesets: readonly Ruleset[] = [],
): Context {
  const after = <T>(values: readonly T[], value: T | undefined): T | undefined =>
    values[(values.indexOf(value as T) + 1) % values.length];
  const { seat, prevalent, win, from, last_wall_tile, last_of_kind } = context;
  const next = {
    s: { seat: after(valuesOf(rulesets, 'seat', WINDS), seat) },
    p: { prevalent: after(WINDS, prevalent) },
    w: { win: after(possibleWins(hand, context), win) },
    f: { from: after(valuesOf(rulesets, 'from', FROM), from) },
    l: { last_wall_tile: !last_wall_tile },
    k: { last_of_kind: !last_of_kind },
  }[key];
  return { ...context, ...next } as Context;
}

/**
 * Returns the correction that Enter stores for a photo: added to the earlier one if the photo is
 * answered already and is not answered anew.
 */
export const kept = (photo: ReviewPhoto, correction: Correction, isAnew: boolean): Correction =>
  photo.correction && !isAnew && !leavesOut(photo.correction) && !leavesOut(correction)
    ? { ...photo.correction, ...correction }
    : correction;

export interface GroupCount {
  readonly group: Group;
  readonly left: number;
  readonly all: number;
}

/** The groups in the order in which they come first, with what is left of them. */
export function groupsOf(photos: readonly QueuedPhoto[]): readonly GroupCount[] {
  const counts = new Map<Group, GroupCount>();
  for (const { group, done } of photos) {
    const { left = 0, all = 0 } = counts.get(group) ?? {};
    counts.set(group, { group, left: left + (done ? 0 : 1), all: all + 1 });
  }
  return [...counts.values()];
}

/** The photos that are looked at: all, or those of a group. */
export const within = (photos: readonly QueuedPhoto[], group: Group | null): readonly QueuedPhoto[] =>
  group ? photos.filter((photo) => photo.group === group) : photos;

/** The next photo that nobody has answered, after this one or from the beginning; `null` at the end. */
export function nextOpen(photos: readonly QueuedPhoto[], index: number | null): number | null {
  const at = photos.findIndex((photo) => photo.index === index);
  const order = [...photos.slice(at + 1), ...photos.slice(0, at + 1)];
  return order.find((photo) => !photo.done)?.index ?? null;
}

/** The photo so many steps away; the first and the last are the ends. */
export function beside(photos: readonly QueuedPhoto[], index: number | null, step: number): number | null {
  const at = photos.findIndex((photo) => photo.index === index);
  return photos[Math.min(Math.max(at + step, 0), photos.length - 1)]?.index ?? null;
}

/** The address of a place in a queue, and back. */
export const address = (home: string, index: number | null, group: Group | null): string =>
  `${home}${index === null ? '' : `/${index}`}${index === null || !group ? '' : `/${group}`}`;

export function placeIn(hash: string): { index: number | null; group: Group | null } {
  const [, index, group] = hash.split('/');
  return {
    index: index && /^\d+$/.test(index) ? Number(index) : null,
    group: GROUPS.find((one) => one === group) ?? null,
  };
}

/** The name of a photo's file, without the folder or archive that it was in. */
export const nameIn = (id: string): string => id.split('/').at(-1) ?? id;

/** A rectangle in pixels of the photo. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The part of the photo with the hand, the tiles that a question is about, and a margin around
 * them; the whole photo where there are none.
 */
export function handBox(photo: ReviewPhoto, tiles: readonly number[] = []): Box | null {
  const { reading, image } = photo.original;
  if (!image) return null;
  const shown = (reading?.tiles ?? []).filter((tile, at) => tile.role !== 'ignored' || tiles.includes(at));
  return around(shown, image, 1 / 16) ?? { x: 0, y: 0, width: image.width, height: image.height };
}

/** Tiles in a close-up, at most: more of them are as small as in the picture of the hand. */
const MAX_CLOSE_TILES = 4;

/** The part of the photo with the tiles that a question is about, large enough to read them. */
export function closeUp(photo: ReviewPhoto, tiles: readonly number[]): Box | null {
  const { reading, image } = photo.original;
  if (!image || tiles.length > MAX_CLOSE_TILES) return null;
  return around(
    tiles.flatMap((at) => reading?.tiles[at] ?? []),
    image,
    1 / 4,
  );
}

type Tiles = readonly { readonly polygon: readonly (readonly number[])[] }[];

/** Returns the box around tiles with a margin, as a share of its sides; `null` without tiles. */
function around(tiles: Tiles, image: Pick<Box, 'width' | 'height'>, share: number): Box | null {
  const corners = tiles.flatMap((tile) => tile.polygon as Polygon);
  if (corners.length === 0) return null;
  const box = boxOf(corners);
  const margin = (box.width + box.height) * share;
  const x = Math.max(box.left - margin, 0);
  const y = Math.max(box.top - margin, 0);
  return {
    x,
    y,
    width: Math.min(box.left + box.width + margin, image.width) - x,
    height: Math.min(box.top + box.height + margin, image.height) - y,
  };
}
