/**
 * The review while it is open: the queue, the photo that is shown, what is drafted of its answer so
 * far. Every answer is sent as it is complete; a reload comes back to the same photo.
 */
import { computed, signal } from '@preact/signals';
import { fetchBlob } from '../api/client';
import { Failure } from '../api/failure';
import type { Context } from '../api/types';
import { t } from '../i18n';
import {
  address,
  beside,
  type Correction,
  changedFields,
  correctionOf,
  type Draft,
  draftOf,
  EMPTY,
  type Group,
  isSettled,
  kept,
  leavesOut,
  nameIn,
  nextOpen,
  placeIn,
  type Queue,
  type QueuedPhoto,
  question,
  type Reply,
  type ReviewPhoto,
  suggestion,
  within,
} from '../model/review';
import { folder, type ReviewSource } from './reviewSources';

export const queue = signal<Queue | null>(null);
export const photo = signal<ReviewPhoto | null>(null);
export const group = signal<Group | null>(null);
export const draft = signal<Draft>(EMPTY);
/** Description of what went wrong with the last answer; empty if nothing did. */
export const trouble = signal('');
/** Whether the service wants a key first. */
export const needsKey = signal(false);
/** The address of the photo that is shown: `undefined` while it is loaded, `null` where it can't be. */
export const picture = signal<string | null | undefined>(undefined);
/** Photo whose answer changed last, for a short note: its name and its new state. */
export const last = signal<ReviewPhoto | null>(null);

/** State of each photo before it was answered in this session, to be undone. */
const undone: { index: number; before: ReviewPhoto }[] = [];
/** Drafts before each step of this photo. */
export const steps = signal<readonly Draft[]>([]);
let source: ReviewSource = folder;
/** Keys that come while an answer is being kept belong to no photo. */
export const busy = signal(false);

const photos = computed(() => within(queue.value?.photos ?? [], group.value));
export const done = computed(() => (queue.value?.photos ?? []).filter((one) => one.done).length);
export const openQuestion = computed(() => (photo.value ? question(photo.value) : null));

/** Opens a queue where the address says, else at the first photo that nobody has answered. */
export async function begin(from: ReviewSource = source): Promise<void> {
  source = from;
  await guarded(async () => {
    needsKey.value = false;
    trouble.value = '';
    queue.value = await source.list();
    const place = placeIn(location.hash);
    group.value = place.group;
    const known = photos.value.some((one) => one.index === place.index);
    await show(known ? place.index : (nextOpen(photos.value, null) ?? photos.value[0]?.index ?? null));
  });
}

/** The tables that have the answers at once. */
export const tables = (): ReviewSource['tables'] => source.tables;

/** Files of this device in place of photos that are not stored any more, by their names. */
let files: ReadonlyMap<string, File> = new Map();
/** Photos that were loaded, the latest at the end. */
const loaded = new Map<number, Promise<string | null>>();
/** Maximum number of loaded photos: the one that is shown, the next, and some to go back to. */
const LOADED = 8;

function load(row: QueuedPhoto): Promise<string | null> {
  const { index, id } = row;
  const url = loaded.get(index) ?? fetched(index, files.get(nameIn(id)));
  loaded.delete(index);
  loaded.set(index, url);
  const [oldest] = loaded.keys();
  if (loaded.size > LOADED && oldest !== undefined) forget(oldest);
  return url;
}

async function fetched(index: number, file: File | undefined): Promise<string | null> {
  if (file) return URL.createObjectURL(file);
  if (!queue.peek()?.keep_photos) return null;
  try {
    return await source.picture(index);
  } catch {
    // The next look tries again.
    loaded.delete(index);
    return null;
  }
}

function forget(index: number): void {
  void loaded.get(index)?.then((url) => url && URL.revokeObjectURL(url));
  loaded.delete(index);
}

/** Shows files of this device in place of photos that are not stored any more. */
export async function chooseFiles(list: Iterable<File>): Promise<void> {
  files = new Map([...list].map((file) => [nameIn(file.name), file]));
  for (const index of [...loaded.keys()]) forget(index);
  const shown = photo.peek();
  if (!shown) return;
  const url = await load(shown);
  if (photo.peek()?.index === shown.index) picture.value = url;
}

async function show(index: number | null): Promise<void> {
  trouble.value = '';
  history.replaceState(history.state, '', address(source.home, index, group.value));
  const found = index === null ? null : await source.photo(index);
  steps.value = [];
  draft.value = found ? draftOf(found) : EMPTY;
  if (found?.index !== photo.peek()?.index) picture.value = undefined;
  photo.value = found;
  if (!found) return;
  void load(found).then((url) => {
    if (photo.peek()?.index === found.index) picture.value = url;
  });
  // The next photo is there before it is asked for.
  const next = photos.value.find((one) => one.index === nextOpen(photos.value, index));
  if (next) void load(next).then((url) => url && preload(url));
}

function preload(url: string): void {
  new Image().src = url;
}

/** A table with the answers; `null` where it can't be had, which the page then says. */
export async function fetchTable(path: string): Promise<Blob | null> {
  let table: Blob | null = null;
  await guarded(async () => {
    table = await fetchBlob(path);
  });
  return table;
}

/** Runs one piece of work at a time, and says on the page what goes wrong. */
async function guarded(work: () => Promise<void>): Promise<void> {
  if (busy.peek()) return;
  busy.value = true;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    needsKey.value = error.kind === 'unauthorized';
    const words: Readonly<Record<string, string>> = t.value.problems;
    trouble.value = error.problem.detail ?? words[error.kind] ?? t.value.problems.other;
  } finally {
    busy.value = false;
  }
}

/** Moves to another photo. */
export const move = (step: number): Promise<void> =>
  guarded(() => show(beside(photos.value, photo.value?.index ?? null, step)));

/** Looks at the photos of one group, or at all. */
export const choose = (wanted: Group | null): Promise<void> =>
  guarded(async () => {
    group.value = wanted;
    await show(nextOpen(photos.value, null) ?? photos.value[0]?.index ?? null);
  });

function took(now: ReviewPhoto): void {
  const list = queue.peek();
  if (!list) return;
  const { index, id, group: why, expected_change, done: isDone } = now;
  const row = { index, id, group: why, expected_change, done: isDone };
  queue.value = { ...list, photos: list.photos.map((one) => (one.index === index ? row : one)) };
}

/** Keeps an answer of the photo that is shown. */
async function store(reply: Reply): Promise<ReviewPhoto | null> {
  const before = photo.peek();
  if (!before) return null;
  const now = await source.answer(before.index, reply);
  undone.push({ index: before.index, before });
  took(now);
  last.value = now;
  return now;
}

/** Keeps an answer with what was drafted, and goes on to the next photo. */
async function keep(correction: Correction, note = ''): Promise<void> {
  const { answers, context } = draft.peek();
  const hasContext = Object.keys(context).length > 0 && !leavesOut(correction);
  const now = await store({ answers, correction: { ...correction, ...(hasContext && { context }) }, note });
  if (now) await show(nextOpen(photos.value, now.index) ?? now.index);
}

/** The photo with a draft, which is not kept yet. */
async function attempt(next: Draft): Promise<ReviewPhoto | null> {
  const index = photo.peek()?.index;
  if (index === undefined) return null;
  const { answers, context } = next;
  const now = await source.tryAnswer(index, { answers, correction: { context }, note: '' });
  draft.value = next;
  photo.value = now;
  trouble.value = '';
  return now;
}

/** Makes a step of a draft, which can be taken back. */
async function step(next: Draft): Promise<ReviewPhoto | null> {
  const before = draft.peek();
  const now = await attempt(next);
  if (now) steps.value = [...steps.peek(), before];
  return now;
}

/** Gives the answer at a place of the question that is asked; after the last one all are kept. */
export const give = (place: number): Promise<void> =>
  guarded(async () => {
    const current = openQuestion.peek();
    const doubt = current?.id;
    const answer = current?.alternatives[place]?.answer;
    if (doubt === undefined || answer === undefined) return;
    const { answers, context } = draft.peek();
    const now = await step({ answers: [...answers, { doubt, answer }], context });
    if (now && isSettled(now)) await keep({ accepted: true });
  });

/**
 * Changes the win context to what is shown. Of a photo that is answered already it is kept at once;
 * else with the answer.
 */
export const setContext = (shown: Context): Promise<void> =>
  guarded(async () => {
    const now = photo.peek();
    if (!now) return;
    const context = changedFields(now, shown);
    if (!now.correction || leavesOut(now.correction)) {
      await step({ ...draft.peek(), context });
      return;
    }
    const stored = await store({ answers: [], correction: { ...now.correction, context }, note: now.note });
    if (stored) await show(stored.index);
  });

/** Takes what is likeliest; says whether something has to be typed instead. */
export async function takeSuggestion(): Promise<boolean> {
  const now = photo.peek();
  const correction = now && correctionOf(suggestion(now));
  if (correction) await say(kept(now, correction, steps.peek().length > 0));
  return correction !== null;
}

export const say = (correction: Correction, note = ''): Promise<void> =>
  guarded(() => keep(correction, note));

/** Takes the last answer back: of this photo's questions, else of this session. */
export const undo = (): Promise<void> =>
  guarded(async () => {
    const drafted = steps.peek().at(-1);
    if (drafted) {
      await attempt(drafted);
      steps.value = steps.peek().slice(0, -1);
      return;
    }
    const answer = undone.pop();
    const index = answer?.index ?? photo.peek()?.index;
    if (index === undefined) return;
    const correction = answer?.before.correction;
    took(
      correction
        ? await source.answer(index, { answers: [], correction, note: answer.before.note })
        : await source.takeBack(index),
    );
    last.value = null;
    await show(index);
  });
