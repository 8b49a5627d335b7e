/**
 * The open hands, photographed or typed; the state of each, and which one is shown.
 *
 * A hand goes through phases (`Phase`), hands are read one after the other, and a changed hand is
 * scored again. Invariants: `edits.present` is what is shown, sent and scored; the reading is that
 * of the first `photosRead` photos, so that photos which can't be added are dropped without it.
 */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Aim, ToScore } from '../api/engine';
import { Failure } from '../api/failure';
import type {
  Context,
  Doubt,
  Other,
  Player,
  Reading,
  Repair,
  Scored,
  TotalRange,
  Wind,
  WinKind,
} from '../api/types';
import { engine } from '../engine';
import { NotationError, parse, print, type Written } from '../engine/notation';
import { canRead, canScore } from '../engine/place';
import { lang } from '../i18n';
import { toSend } from '../model/context';
import { count } from '../model/count';
import { settle } from '../model/doubts';
import { EMPTY, type Hand, isEmpty, toDoubtfulDto, toDto } from '../model/hand';
import { begin, type History, redo, step, undo } from '../model/history';
import { type Others, toSend as othersToSend } from '../model/others';
import { fromReading, suppose } from '../model/reading';
import { baseOf, MAX_PHOTOS, placed, sendingOrder, without } from '../model/together';
import { NoPhoto, type Photo, prepare, type Turns } from '../photo/prepare';
import { type Warning, warnings } from '../photo/quality';
import { online } from './online';
import { allSetsKnown, setsToUse } from './ownSets';
import { chosen, rememberContext, rulesets, usualContext } from './prefs';
import { read, write } from './storage';

export type Phase =
  | { readonly kind: 'preparing' }
  | { readonly kind: 'warned'; readonly warnings: readonly Warning[] }
  /** Waits in the queue, or for the server to be reached. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'reading' }
  /** `at` names the photo that failed, of several. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly at?: number }
  | { readonly kind: 'ready' };

/** Reason why photos, or a part of one, were not read; the hand stays as it was read before. */
export type Missed =
  /** No hand in the part of the photo that was pointed at. */
  | { readonly kind: 'part' }
  /** More photos than are read together. */
  | { readonly kind: 'too-many' }
  /** More photos of the hand could not be read. */
  | { readonly kind: 'photo'; readonly failure: Failure };

/** A photo of a hand. */
export interface Picture {
  /** The file as it was chosen. */
  readonly file: Blob;
  readonly turns: Turns;
  /** Photo as it is shown and sent; `null` until it is prepared. */
  readonly photo: Photo | null;
  /** Whether `photo` is turned as `turns` says. */
  readonly prepared: boolean;
}

/** Place of the hand that is read, and which of its photos the place is in. */
export interface PhotoAim extends Aim {
  readonly photo?: number;
}

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
  /** Photos of the hand; empty for a typed hand. */
  readonly pictures: Signal<readonly Picture[]>;
  /** Index of the photo on the screen. */
  readonly shown: Signal<number>;
  /** Whether the hand is typed from nothing: then its tiles come before its score. */
  readonly typing: boolean;
  /** The photo on the screen. */
  readonly photo: ReadonlySignal<Photo | null>;
  /** Place of the hand that is read; empty for the likeliest hand in the photo. */
  readonly aim: Signal<PhotoAim>;
  readonly missed: Signal<Missed | null>;
  readonly phase: Signal<Phase>;
  readonly reading: Signal<Reading | null>;
  readonly edits: Signal<History<Hand>>;
  /** Changes that can be taken back, the last one at the end. */
  readonly changes: Signal<readonly Change[]>;
  readonly context: Signal<Context>;
  /** The round wind that is kept from an earlier hand, until a person chooses one. */
  readonly keptRound: Signal<Wind | null>;
  /** The doubts of the reading, as they are for the hand and the context now. */
  readonly doubts: Signal<readonly Doubt[]>;
  /** The hand that these doubts are about. */
  readonly doubtsAbout: Signal<Hand | null>;
  /** The totals that these doubts and the context leave; `null` where there is one or none. */
  readonly possible: Signal<TotalRange | null>;
  /** Repairs of a hand that does not win. */
  readonly repairs: Signal<readonly Repair[]>;
  readonly scoring: Signal<Scoring>;
  /**
   * Winner and discarder of the hand, in the evening's game, and the entry of the sheet that it
   * corrects.
   */
  readonly won: Signal<WonBy>;
  /** Hands of the other players, for rules that score every player. */
  readonly others: Signal<Others>;
  /** The photos of those hands, by seat. */
  readonly snaps: Signal<Readonly<Partial<Record<Wind, Snap>>>>;
  readonly hand: ReadonlySignal<Hand>;
  /**
   * Number of failed attempts to read the photos; it limits the retries while the server is
   * unreachable.
   */
  tries: number;
  /** Number of photos that the reading is of: the first ones. */
  photosRead: number;
  isLeft: boolean;
  /** Aborts the requests for this hand, and releases its photos. */
  readonly leave: () => void;
}

/** A change that a person can take back: of the hand, or of what is known of the win. */
export type Change =
  | { readonly kind: 'hand' }
  | { readonly kind: 'win'; readonly context: Context; readonly keptRound: Wind | null };

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
const MAX_TRIES = 3;

function create(
  pictures: readonly Picture[],
  hand: Hand,
  context: Context,
  won: WonBy = NOBODY,
  others: Others = {},
): Entry {
  const edits = signal(begin(hand));
  const stops: (() => void)[] = [];
  const all = signal(pictures);
  const shown = signal(0);
  const photographed = pictures.length > 0;
  const entry: Entry = {
    id: nextId++,
    pictures: all,
    shown,
    typing: !photographed && isEmpty(hand),
    photo: computed(() => all.value[shown.value]?.photo ?? null),
    aim: signal({}),
    missed: signal(null),
    phase: signal<Phase>(photographed ? { kind: 'preparing' } : { kind: 'ready' }),
    reading: signal(null),
    edits,
    changes: signal([]),
    context: signal(context),
    keptRound: signal(keptRoundOf(context)),
    doubts: signal([]),
    doubtsAbout: signal(null),
    possible: signal(null),
    repairs: signal([]),
    scoring: signal<Scoring>({ kind: 'none' }),
    won: signal(won),
    others: signal(others),
    snaps: signal({}),
    hand: computed(() => edits.value.present),
    tries: 0,
    photosRead: 0,
    isLeft: false,
    leave: () => {
      entry.isLeft = true;
      for (const stop of stops) stop();
      release(entry.pictures.peek());
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

const pictureOf = (file: Blob, turns: Turns = 0): Picture => ({ file, turns, photo: null, prepared: false });

/** Returns the photos for another hand, which prepares them for itself. */
const copied = (pictures: readonly Picture[]): Picture[] =>
  pictures.map(({ file, turns }) => pictureOf(file, turns));

/** Frees the memory of photos that are not shown any more. */
function release(pictures: readonly Picture[]): void {
  for (const { photo } of pictures) if (photo) URL.revokeObjectURL(photo.url);
}

/** Opens hands, each with its photos, and shows the first. */
export function addPhotos(hands: readonly (readonly Blob[])[]): void {
  show(
    hands.map((files) =>
      create(
        files.map((file) => pictureOf(file)),
        EMPTY,
        usualContext(),
      ),
    ),
  );
}

/** Opens a photo that was read already, by the viewfinder. */
export async function addRead(file: Blob, reading: Reading, won?: WonBy, win?: WinKind): Promise<void> {
  const entry = create([pictureOf(file)], EMPTY, { ...usualContext(), ...(win && { win }) }, won);
  entries.value = [...entries.value, entry];
  currentId.value = entry.id;
  try {
    const photo = await prepare(file);
    entry.pictures.value = [{ file, turns: 0, photo, prepared: true }];
    takeReading(entry, reading);
  } catch (error) {
    fail(entry, asFailure(error));
  }
}

/** A hand as it was before the page was loaded again. */
export interface Reopened {
  readonly pictures: readonly Picture[];
  /** Reading of its photos; `null` if they are to be read. */
  readonly reading: Reading | null;
  readonly edits: History<Hand>;
  readonly context: Context;
  readonly keptRound: Wind | null;
  readonly won: WonBy;
  readonly others: Others;
  readonly aim: PhotoAim;
}

/** Opens a hand as it was before, on the screen if `shown`. */
export function reopen(
  { pictures, reading, edits, context, keptRound, won, others, aim }: Reopened,
  shown: boolean,
): Entry {
  const entry = create(pictures, EMPTY, context, won, others);
  entry.keptRound.value = keptRound;
  entry.aim.value = aim;
  entries.value = [...entries.value, entry];
  if (shown) currentId.value = entry.id;
  if (reading && pictures.every(({ prepared }) => prepared)) {
    batch(() => {
      takeReading(entry, reading);
      entry.edits.value = edits;
    });
  } else {
    void look(entry);
  }
  return entry;
}

/** Opens the photo of a hand of which it is known how it was won. */
export function addPhotoOf(file: Blob, won: WonBy, win: WinKind): void {
  show([create([pictureOf(file)], EMPTY, { ...usualContext(), win }, won)]);
}

function show(added: readonly Entry[]): void {
  entries.value = [...entries.value, ...added];
  currentId.value = added[0]?.id ?? currentId.value;
  for (const entry of added) void look(entry);
}

/** Tells whether more photos can be added to a hand. */
export const takesPhotos = (entry: Entry): boolean =>
  entry.phase.value.kind === 'ready' && entry.pictures.value.length > 0;

const isCorrected = (entry: Entry): boolean => entry.edits.peek().past.length > 0;

/**
 * Reads a hand again with more photos of it. A corrected hand stays as it is, and all photos are
 * opened beside it, so that no correction is lost.
 */
export function addPhotosTo(entry: Entry, files: readonly Blob[]): void {
  const pictures = [...entry.pictures.peek(), ...files.map((file) => pictureOf(file))];
  entry.missed.value = null;
  if (pictures.length > MAX_PHOTOS) {
    entry.missed.value = { kind: 'too-many' };
  } else if (isCorrected(entry)) {
    const { context, won, others } = entry;
    show([create(copied(pictures), EMPTY, context.peek(), won.peek(), others.peek())]);
  } else {
    entry.tries = 0;
    entry.pictures.value = pictures;
    void look(entry);
  }
}

/** Takes a photo out that is not read, or that was left out of the reading. */
export function dropPhoto(entry: Entry, at: number): void {
  const pictures = entry.pictures.peek();
  const reading = entry.reading.peek();
  release(pictures.slice(at, at + 1));
  batch(() => {
    entry.pictures.value = pictures.filter((_, i) => i !== at);
    if (reading && at < entry.photosRead) {
      const { photo = 0, ...aim } = entry.aim.peek();
      entry.aim.value = { ...aim, photo: photo - Number(at < photo) };
      entry.photosRead -= 1;
      entry.reading.value = without(reading, at);
    }
    entry.shown.value = reading ? baseOf(entry.reading.peek() ?? reading) : 0;
    if (reading && pictures.length - 1 === entry.photosRead) entry.phase.value = { kind: 'ready' };
    else void look(entry);
  });
}

/** Opens a photo that was left out as a hand of its own. */
export function openApart(entry: Entry, at: number): void {
  const picture = entry.pictures.peek()[at];
  if (!picture) return;
  dropPhoto(entry, at);
  show([create(copied([picture]), EMPTY, usualContext())]);
}

/** Prepares the photos that are not prepared yet and sends all, unless there is a warning. */
async function look(entry: Entry): Promise<void> {
  entry.phase.value = { kind: 'preparing' };
  const warned = new Map<number, readonly Warning[]>();
  for (const [at, picture] of entry.pictures.peek().entries()) {
    if (picture.prepared) continue;
    let photo: Photo;
    try {
      photo = await prepare(picture.file, picture.turns);
    } catch (error) {
      const several = entry.pictures.peek().length > 1;
      fail(entry, asFailure(error), several ? at : undefined);
      return;
    }
    const prepared = { ...picture, photo, prepared: true };
    release(entry.isLeft ? [prepared] : [picture]);
    if (entry.isLeft) return;
    entry.pictures.value = entry.pictures.peek().map((one, i) => (i === at ? prepared : one));
    const found = warnings(photo.quality);
    if (found.length > 0) warned.set(at, found);
  }
  const [first] = warned.keys();
  if (first === undefined) {
    send(entry);
    return;
  }
  entry.shown.value = first;
  entry.phase.value = { kind: 'warned', warnings: [...new Set([...warned.values()].flat())] };
}

/** The hand can't be read; with more photos than before, it stays as it was without them. */
function fail(entry: Entry, failure: Failure, at?: number): void {
  const reading = entry.reading.peek();
  const pictures = entry.pictures.peek();
  if (!reading || pictures.length <= entry.photosRead) {
    if (at !== undefined) entry.shown.value = at;
    entry.phase.value = { kind: 'failed', failure, ...(at !== undefined && { at }) };
    return;
  }
  release(pictures.slice(entry.photosRead));
  batch(() => {
    entry.pictures.value = pictures.slice(0, entry.photosRead);
    entry.shown.value = baseOf(reading);
    entry.missed.value = { kind: 'photo', failure };
    entry.phase.value = { kind: 'ready' };
  });
}

/** Retries the step that failed: preparing or sending. */
export function tryAgain(entry: Entry): void {
  entry.tries = 0;
  if (entry.pictures.peek().every(({ prepared }) => prepared)) send(entry);
  else void look(entry);
}

/** Puts the photos of a hand into the queue. */
export function send(entry: Entry): void {
  entry.phase.value = { kind: 'waiting' };
  void readNext();
}

/** Turns the photo on the screen. */
export function turn(entry: Entry): void {
  const quarter = (picture: Picture): Picture => ({
    ...picture,
    turns: ((picture.turns + 1) % 4) as Turns,
    prepared: false,
  });
  const shown = entry.shown.peek();
  entry.pictures.value = entry.pictures.peek().map((one, at) => (at === shown ? quarter(one) : one));
  entry.aim.value = {};
  void look(entry);
}

/**
 * Reads another of the hands in a photo. If the current hand was corrected, the other one is
 * opened beside it, so that no correction is lost.
 */
export function lookAt(entry: Entry, aim: PhotoAim): void {
  entry.missed.value = null;
  if (!isCorrected(entry)) {
    entry.aim.value = aim;
    send(entry);
    return;
  }
  const beside = create(copied(entry.pictures.peek()), EMPTY, usualContext());
  beside.aim.value = aim;
  show([beside]);
}

let reading = false;

/**
 * Reads waiting hands one after the other: each is answered in less time than two at once.
 */
export async function readNext(): Promise<void> {
  const next = entries.peek().find((entry) => entry.phase.peek().kind === 'waiting');
  if (reading || !next || !canRead.peek()) return;
  reading = true;
  try {
    await readOne(next);
  } finally {
    reading = false;
  }
  await readNext();
}

async function readOne(entry: Entry): Promise<void> {
  entry.phase.value = { kind: 'reading' };
  try {
    takeReading(entry, await readingOf(entry));
  } catch (error) {
    notRead(entry, asFailure(error));
  }
}

/** Shows what its photos were read as. */
function takeReading(entry: Entry, reading: Reading): void {
  batch(() => {
    entry.reading.value = reading;
    entry.photosRead = entry.pictures.peek().length;
    entry.shown.value = baseOf(reading);
    entry.doubts.value = reading.doubts;
    entry.possible.value = reading.possible ?? null;
    entry.repairs.value = reading.repairs ?? [];
    entry.edits.value = begin(fromReading(reading));
    entry.changes.value = [];
    entry.doubtsAbout.value = entry.edits.value.present;
    entry.phase.value = { kind: 'ready' };
  });
}

/** Sends the photos of a hand, the one that is pointed at first. */
async function readingOf(entry: Entry): Promise<Reading> {
  const photos = entry.pictures.peek().flatMap(({ photo }) => photo ?? []);
  const { photo: first, ...aim } = entry.aim.peek();
  const order = sendingOrder(photos.length, first);
  const blobs = order.flatMap((at) => photos[at]?.blob ?? []);
  const context = toSend(entry.context.peek(), entry.hand.peek(), chosen.peek());
  const signal = AbortSignal.timeout(90_000);
  await allSetsKnown();
  const { reading } = await engine.readHand(
    blobs,
    context,
    rulesets.peek()[0],
    signal,
    aim,
    setsToUse.peek(),
  );
  return placed(reading, order);
}

function notRead(entry: Entry, failure: Failure): void {
  if (entry.aim.peek().region && entry.reading.peek() && failure.kind === 'no-hand') {
    // Nothing was in the box: the hand that was read before stays.
    entry.aim.value = {};
    entry.missed.value = { kind: 'part' };
    entry.phase.value = { kind: 'ready' };
    return;
  }
  entry.tries += 1;
  if (failure.kind === 'offline' && entry.tries < MAX_TRIES) {
    online.value = false;
    entry.phase.value = { kind: 'waiting' };
  } else {
    fail(entry, failure);
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
  context: Context | null = null,
  won: WonBy = NOBODY,
  others: Others = {},
): Entry {
  const entry = create([], hand, context ?? usualContext(), won, others);
  // What a link, a draft or a score sheet says is not kept from another hand.
  if (context) entry.keptRound.value = null;
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
  const settled = settle(entry.hand.peek(), hand, entry.doubts.peek());
  if (settled === entry.hand.peek()) return;
  batch(() => {
    entry.edits.value = step(entry.edits.value, settled);
    entry.changes.value = [...entry.changes.value, { kind: 'hand' }];
  });
}

/** Sets what a person says of the win. A round wind that was chosen is kept for the next hand. */
export function setContext(entry: Entry, context: Context): void {
  const before = { context: entry.context.peek(), keptRound: entry.keptRound.peek() };
  const isRoundChosen = context.prevalent !== before.context.prevalent;
  batch(() => {
    entry.changes.value = [...entry.changes.value, { kind: 'win', ...before }];
    entry.context.value = context;
    if (isRoundChosen) entry.keptRound.value = null;
  });
  if (isRoundChosen) rememberContext(context);
}

/** Takes back the last change, be it of the hand or of the win. */
export function undoChange(entry: Entry): void {
  const last = entry.changes.peek().at(-1);
  if (last?.kind === 'hand') undoHand(entry);
  if (last?.kind !== 'win') return;
  batch(() => {
    entry.changes.value = entry.changes.value.slice(0, -1);
    entry.context.value = last.context;
    entry.keptRound.value = last.keptRound;
  });
  rememberContext(last.context);
}

/** Takes back the last change of the hand. */
export function undoHand(entry: Entry): void {
  const changes = entry.changes.peek();
  const last = changes.findLastIndex(({ kind }) => kind === 'hand');
  batch(() => {
    entry.edits.value = undo(entry.edits.value);
    entry.changes.value = changes.filter((_, at) => at !== last);
  });
}

/** Makes the last change of the hand again that was taken back. */
export function redoHand(entry: Entry): void {
  batch(() => {
    entry.edits.value = redo(entry.edits.value);
    entry.changes.value = [...entry.changes.value, { kind: 'hand' }];
  });
}

/** Sets what an evening knows of the win. Its winds are not kept: the evening has the next ones. */
export function setContextOfGame(entry: Entry, context: Context): void {
  batch(() => {
    entry.context.value = context;
    entry.keptRound.value = null;
  });
}

const keptRoundOf = ({ prevalent }: Context): Wind | null =>
  prevalent !== undefined && prevalent === usualContext().prevalent ? prevalent : null;

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
    context: toSend(entry.context.value, hand, chosen.value),
    rulesets: rulesets.value,
    others: othersOf(entry),
  };
  const reached = canScore.value;
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

/** Returns the hands of the other players to send; none unless a chosen rule set scores them. */
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
      const scores = await engine.scoreHand(asked, signal);
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
  const answered = await engine.answerReading(reading, hand.answered, asked, signal);
  if (signal.aborted) return;
  const { doubts, supposed_winning_tile: supposed, scores = [] } = answered;
  batch(() => {
    entry.doubts.value = doubts;
    entry.possible.value = answered.possible ?? null;
    entry.repairs.value = answered.repairs ?? [];
    const scored = scores?.some(({ score }) => score) || count(hand).ready;
    entry.scoring.value = scored ? { kind: 'done', scores: scores ?? [], fresh: true } : { kind: 'none' };
    // What is supposed follows from the hand, and is no step of its own.
    const present = suppose(hand, supposed);
    if (present !== hand) entry.edits.value = { ...entry.edits.peek(), present };
    entry.doubtsAbout.value = present;
  });
}

/** The hand is stored on the device as text, so that it survives closing the page. */
function keepDraft(entry: Entry): void {
  const hand = entry.hand.value;
  if (currentId.value !== entry.id || isEmpty(hand)) return;
  const text = print(hand, entry.context.value);
  if (text !== null) write('draft', { text, supposed: hand.supposed });
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
