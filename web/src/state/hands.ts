/**
 * The open hands, one for each photo and each typed hand; the state of each, and which one is
 * shown.
 *
 * A hand goes through phases (`Phase`), photos are read one after the other, and a changed hand is
 * scored again. Invariant: `edits.present` is what is shown, sent and scored.
 */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Aim, answerReading, Failure, readHand, scoreHand, type ToScore } from '../api/client';
import type { Context, Doubt, Other, Player, Reading, Scored, Wind, WinKind } from '../api/types';
import { lang } from '../i18n';
import { toSend } from '../model/context';
import { count } from '../model/count';
import { EMPTY, type Hand, isEmpty, toDoubtfulDto, toDto } from '../model/hand';
import { begin, type History, step } from '../model/history';
import { NotationError, parse, print, type Written } from '../model/notation';
import { type Others, toSend as othersToSend } from '../model/others';
import { fromReading, suppose } from '../model/reading';
import { NoPhoto, type Photo, prepare, type Turns } from '../photo/prepare';
import { type Warning, warnings } from '../photo/quality';
import { online } from './online';
import { chosen, rememberContext, rulesets, usualContext } from './prefs';
import { read, write } from './storage';

export type Phase =
  | { readonly kind: 'preparing' }
  | { readonly kind: 'warned'; readonly warnings: readonly Warning[] }
  /** In the queue, or waiting for the server to be reached. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'ready' };

export type Scoring =
  | { readonly kind: 'none' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** `fresh` until something changes; then the score is out of date. */
  | { readonly kind: 'done'; readonly scores: readonly Scored[]; readonly fresh: boolean };

/** The state of the photo of another player's hand. */
export type Snap =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'read'; readonly photo: Photo };

export interface WonBy {
  readonly winner: Player | null;
  readonly discarder: Player | null;
  /** The entry that is corrected; `null` for the next deal. */
  readonly entry: number | null;
}

export const NOBODY: WonBy = { winner: null, discarder: null, entry: null };

export interface Entry {
  readonly id: number;
  /** The file as it was chosen; `null` for a typed hand. */
  readonly file: Blob | null;
  /** Whether the hand is typed from nothing: then its tiles come before its score. */
  readonly typing: boolean;
  readonly photo: Signal<Photo | null>;
  readonly turns: Signal<Turns>;
  /** Where in the photo the hand is that is read; empty for the likeliest. */
  readonly aim: Signal<Aim>;
  /** Why the last part of the photo that was pointed at could not be read. */
  readonly missed: Signal<Failure | null>;
  readonly phase: Signal<Phase>;
  readonly reading: Signal<Reading | null>;
  readonly edits: Signal<History<Hand>>;
  readonly context: Signal<Context>;
  /** The doubts of the reading, as they are for the hand and the context now. */
  readonly doubts: Signal<readonly Doubt[]>;
  readonly scoring: Signal<Scoring>;
  /** Who won it, in the evening's game, and the entry of the sheet that it corrects. */
  readonly won: Signal<WonBy>;
  /** The other players' hands, for rules that score every player. */
  readonly others: Signal<Others>;
  /** The photos of those hands, by seat. */
  readonly snaps: Signal<Readonly<Partial<Record<Wind, Snap>>>>;
  readonly hand: ReadonlySignal<Hand>;
  /** How often its photo did not reach the server. */
  tries: number;
  /** Aborts the requests for this hand. */
  readonly leave: () => void;
}

export const entries = signal<readonly Entry[]>([]);
export const currentId = signal<number | null>(null);
export const current = computed(() => entries.value.find(({ id }) => id === currentId.value) ?? null);

let nextId = 1;

/**
 * Typing comes in bursts; a score is asked for when a person pauses this long, in milliseconds.
 */
const PAUSE = 120;

/**
 * After so many failed uploads the photo is at fault and not the network, and it is not sent
 * again.
 */
const MOST_TRIES = 3;

function create(
  file: Blob | null,
  hand: Hand,
  context: Context,
  won: WonBy = NOBODY,
  others: Others = {},
): Entry {
  const edits = signal(begin(hand));
  const stops: (() => void)[] = [];
  const entry: Entry = {
    id: nextId++,
    file,
    typing: file === null && isEmpty(hand),
    photo: signal(null),
    turns: signal(0),
    aim: signal({}),
    missed: signal(null),
    phase: signal<Phase>(file ? { kind: 'preparing' } : { kind: 'ready' }),
    reading: signal(null),
    edits,
    context: signal(context),
    doubts: signal([]),
    scoring: signal<Scoring>({ kind: 'none' }),
    won: signal(won),
    others: signal(others),
    snaps: signal({}),
    hand: computed(() => edits.value.present),
    tries: 0,
    leave: () => {
      for (const stop of stops) stop();
      if (entry.photo.peek()?.url) URL.revokeObjectURL(entry.photo.peek()?.url ?? '');
      for (const snap of Object.values(entry.snaps.peek())) {
        if (snap.kind === 'read') URL.revokeObjectURL(snap.photo.url);
      }
    },
  };
  stops.push(
    effect(() => keepScored(entry)),
    effect(() => keepDraft(entry)),
  );
  return entry;
}

// --- photos --------------------------------------------------------------------------------

/** Opens photos, each as its own hand, and shows the first. */
export function addPhotos(files: readonly Blob[]): void {
  show(files.map((file) => create(file, EMPTY, usualContext())));
}

/** Opens the photo of a hand of which it is known how it was won. */
export function addPhotoOf(file: Blob, won: WonBy, win: WinKind): void {
  show([create(file, EMPTY, { ...usualContext(), win }, won)]);
}

function show(added: readonly Entry[]): void {
  entries.value = [...entries.value, ...added];
  currentId.value = added[0]?.id ?? currentId.value;
  for (const entry of added) void look(entry);
}

/** Prepares a photo and sends it, unless there is a warning. */
async function look(entry: Entry): Promise<void> {
  if (!entry.file) return;
  entry.phase.value = { kind: 'preparing' };
  const old = entry.photo.peek()?.url;
  let photo: Photo;
  try {
    photo = await prepare(entry.file, entry.turns.peek());
  } catch (error) {
    entry.phase.value = { kind: 'failed', failure: asFailure(error) };
    return;
  }
  if (old) URL.revokeObjectURL(old);
  entry.photo.value = photo;
  const found = warnings(photo.quality);
  if (found.length > 0) entry.phase.value = { kind: 'warned', warnings: found };
  else send(entry);
}

/** Retries the step that failed: preparing or sending. */
export function tryAgain(entry: Entry): void {
  entry.tries = 0;
  if (entry.photo.peek()) send(entry);
  else void look(entry);
}

/** Puts a photo into the queue. */
export function send(entry: Entry): void {
  entry.phase.value = { kind: 'waiting' };
  void readNext();
}

export function turn(entry: Entry): void {
  entry.turns.value = ((entry.turns.value + 1) % 4) as Turns;
  entry.aim.value = {};
  void look(entry);
}

/**
 * Reads another of the hands in the photo. If the current hand was corrected, the other one is
 * opened beside it, so that no correction is lost.
 */
export function lookAt(entry: Entry, aim: Aim): void {
  entry.missed.value = null;
  if (entry.edits.peek().past.length === 0) {
    entry.aim.value = aim;
    send(entry);
    return;
  }
  const beside = create(entry.file, EMPTY, usualContext());
  beside.turns.value = entry.turns.peek();
  beside.aim.value = aim;
  entries.value = [...entries.value, beside];
  currentId.value = beside.id;
  void look(beside);
}

let reading = false;

/**
 * Reads waiting photos one after the other: the server answers each in less time than two at once.
 */
export async function readNext(): Promise<void> {
  const next = entries.peek().find((entry) => entry.phase.peek().kind === 'waiting');
  if (reading || !next || !online.peek()) return;
  reading = true;
  try {
    await readOne(next);
  } finally {
    reading = false;
  }
  await readNext();
}

async function readOne(entry: Entry): Promise<void> {
  const photo = entry.photo.peek();
  if (!photo) return;
  entry.phase.value = { kind: 'reading' };
  const context = toSend(entry.context.peek(), entry.hand.peek());
  try {
    const signal = AbortSignal.timeout(90_000);
    const answer = await readHand(photo.blob, context, rulesets.peek()[0], signal, entry.aim.peek());
    entry.reading.value = answer.reading;
    entry.doubts.value = answer.reading.doubts;
    entry.edits.value = begin(fromReading(answer.reading));
    entry.phase.value = { kind: 'ready' };
  } catch (error) {
    const failure = asFailure(error);
    if (entry.aim.peek().region && entry.reading.peek() && failure.kind === 'no-hand') {
      // Nothing was in the box: the hand that was read before stays.
      entry.aim.value = {};
      entry.missed.value = failure;
      entry.phase.value = { kind: 'ready' };
      return;
    }
    entry.tries += 1;
    if (failure.kind === 'offline' && entry.tries < MOST_TRIES) {
      online.value = false;
      entry.phase.value = { kind: 'waiting' };
    } else {
      entry.phase.value = { kind: 'failed', failure };
    }
  }
}

/** An error as a problem to show. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const kind = error instanceof NoPhoto ? error.kind : 'other';
  return new Failure({ type: `urn:tilesight:problem:${kind}`, title: String(error), status: 0 });
}

// --- typed hands, and leaving ----------------------------------------------------------------

export function addTyped(
  hand: Hand = EMPTY,
  context: Context = usualContext(),
  won: WonBy = NOBODY,
  others: Others = {},
): Entry {
  const entry = create(null, hand, context, won, others);
  entries.value = [...entries.value, entry];
  currentId.value = entry.id;
  return entry;
}

export function leave(entry: Entry): void {
  entry.leave();
  entries.value = entries.value.filter((one) => one !== entry);
  if (currentId.value === entry.id) currentId.value = entries.value.at(-1)?.id ?? null;
}

// --- changes and their scores ----------------------------------------------------------------

export function change(entry: Entry, hand: Hand): void {
  entry.edits.value = step(entry.edits.value, hand);
}

export function setContext(entry: Entry, context: Context): void {
  entry.context.value = context;
  rememberContext(context);
}

const attempt = signal(0);

/** Scores all hands again, with a key for instance that was missing before. */
export function scoreAgain(): void {
  attempt.value += 1;
}

/** Scores the hand again whenever it or its context changes. */
function keepScored(entry: Entry): (() => void) | undefined {
  const hand = entry.hand.value;
  const read = entry.reading.value !== null;
  const asked = {
    hand: read ? toDoubtfulDto(hand) : toDto(hand),
    context: toSend(entry.context.value, hand),
    rulesets: rulesets.value,
    others: othersOf(entry),
  };
  const reached = online.value;
  void [lang.value, attempt.value];
  if (entry.phase.value.kind !== 'ready' || isEmpty(hand) || !(read || count(hand).ready)) {
    entry.scoring.value = { kind: 'none' };
    return undefined;
  }
  if (!reached) {
    entry.scoring.value = { kind: 'offline' };
    return undefined;
  }
  const abort = new AbortController();
  const timer = setTimeout(() => void score(entry, asked, abort.signal), PAUSE);
  const last = entry.scoring.peek();
  entry.scoring.value = last.kind === 'done' ? { ...last, fresh: false } : { kind: 'pending' };
  return () => {
    clearTimeout(timer);
    abort.abort();
  };
}

/** The other players' hands, if any of the rule sets scores them. */
export const othersOf = (entry: Entry): Other[] =>
  chosen.value.some((one) => one.scores_everybody)
    ? othersToSend(entry.others.value, entry.context.value.seat ?? 'E')
    : [];

async function score(entry: Entry, asked: ToScore, signal: AbortSignal): Promise<void> {
  const reading = entry.reading.peek();
  try {
    if (reading) {
      await scoreReading(entry, reading, asked, signal);
    } else {
      const scores = await scoreHand(asked, signal);
      if (!signal.aborted) entry.scoring.value = { kind: 'done', scores, fresh: true };
    }
  } catch (error) {
    if (signal.aborted) return;
    const failure = asFailure(error);
    if (failure.kind === 'offline') {
      online.value = false;
      entry.scoring.value = { kind: 'offline' };
    } else {
      entry.scoring.value = { kind: 'failed', failure };
    }
  }
}

/** Scores a hand that was read, and learns which of its doubts are left. */
async function scoreReading(
  entry: Entry,
  reading: Reading,
  asked: ToScore,
  signal: AbortSignal,
): Promise<void> {
  const hand = entry.hand.peek();
  const answered = await answerReading(reading, hand.answered, asked, signal);
  if (signal.aborted) return;
  const { doubts, supposed_winning_tile: supposed, scores = [] } = answered;
  batch(() => {
    entry.doubts.value = doubts;
    const scored = scores?.some(({ score }) => score) || count(hand).ready;
    entry.scoring.value = scored ? { kind: 'done', scores: scores ?? [], fresh: true } : { kind: 'none' };
    // What is supposed follows from the hand, and is no step of its own.
    const present = suppose(hand, supposed);
    if (present !== hand) entry.edits.value = { ...entry.edits.peek(), present };
  });
}

/** The hand is stored on the device as text, so that it survives closing the page. */
function keepDraft(entry: Entry): void {
  const hand = entry.hand.value;
  if (currentId.value !== entry.id || isEmpty(hand)) return;
  write('draft', { text: print(hand, entry.context.value), supposed: hand.supposed });
}

/** The hand that was on the screen last; `null` without one. */
export function lastDraft(): Written | null {
  const kept = read('draft');
  // Earlier pages stored the text alone.
  const { text, supposed = false } = (typeof kept === 'string' ? { text: kept } : (kept ?? {})) as Draft;
  if (typeof text !== 'string') return null;
  try {
    const { hand, context } = parse(text);
    return { hand: { ...hand, supposed: supposed && hand.winning !== null }, context };
  } catch (error) {
    if (error instanceof NotationError) return null;
    throw error;
  }
}

interface Draft {
  readonly text?: unknown;
  readonly supposed?: boolean;
}
