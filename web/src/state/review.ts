/**
 * The review while it is open: the queue, the photo that is shown, what is drafted of its answer so
 * far. Every answer is sent as it is complete; a reload comes back to the same photo. A queue of
 * another origin, such as a job, only needs another `ReviewSource`.
 */
import { computed, signal } from '@preact/signals';
import { call, Failure, post } from '../api/client';
import type { Context } from '../api/types';
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
  leavesOut,
  nextOpen,
  placeIn,
  type Queue,
  question,
  type Reply,
  type ReviewPhoto,
  suggestion,
  within,
} from '../model/review';

/** Where a queue comes from, and where answers go. */
export interface ReviewSource {
  list(): Promise<Queue>;
  photo(index: number): Promise<ReviewPhoto>;
  picture(index: number): string;
  tryAnswer(index: number, reply: Reply): Promise<ReviewPhoto>;
  answer(index: number, reply: Reply): Promise<ReviewPhoto>;
  takeBack(index: number): Promise<ReviewPhoto>;
}

const at = (index: number): string => `/v1/review/${index}`;

/** The folder that `tilesight review` was opened with. */
export const folder: ReviewSource = {
  list: () => call('/v1/review', {}),
  photo: (index) => call(at(index), {}),
  picture: (index) => `${at(index)}/photo`,
  tryAnswer: (index, reply) => post(`${at(index)}/answers`, reply),
  answer: (index, reply) =>
    call(at(index), {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(reply),
    }),
  takeBack: (index) => call(at(index), { method: 'DELETE' }),
};

export const queue = signal<Queue | null>(null);
export const photo = signal<ReviewPhoto | null>(null);
export const group = signal<Group | null>(null);
export const draft = signal<Draft>(EMPTY);
/** What went wrong with the last answer, in words. */
export const trouble = signal('');
/** What was done last, for a short note: the photo's name and what it is now. */
export const last = signal<ReviewPhoto | null>(null);

/** What was said before each answer of this session, to be undone. */
const undone: { index: number; before: ReviewPhoto }[] = [];
/** What was drafted before each step of this photo. */
export const steps = signal<readonly Draft[]>([]);
let source: ReviewSource = folder;
/** Keys that come while an answer is being kept belong to no photo. */
export const busy = signal(false);

export const photos = computed(() => within(queue.value?.photos ?? [], group.value));
export const done = computed(() => (queue.value?.photos ?? []).filter((one) => one.done).length);
export const asked = computed(() => (photo.value ? question(photo.value) : null));

/** Opens a queue where the address says, else at the first photo that nobody has answered. */
export async function begin(from: ReviewSource = folder): Promise<void> {
  source = from;
  await guarded(async () => {
    queue.value = await source.list();
    const place = placeIn(location.hash);
    group.value = place.group;
    const known = photos.value.some((one) => one.index === place.index);
    await show(known ? place.index : (nextOpen(photos.value, null) ?? photos.value[0]?.index ?? null));
  });
}

export const pictureOf = (index: number): string => source.picture(index);

async function show(index: number | null): Promise<void> {
  trouble.value = '';
  history.replaceState(history.state, '', address(index, group.value));
  const found = index === null ? null : await source.photo(index);
  steps.value = [];
  draft.value = found ? draftOf(found) : EMPTY;
  photo.value = found;
  const next = nextOpen(photos.value, index);
  // The next photo is there before it is asked for.
  if (next !== null) new Image().src = source.picture(next);
}

/** One thing at a time; what goes wrong is said on the page. */
async function guarded(work: () => Promise<void>): Promise<void> {
  if (busy.peek()) return;
  busy.value = true;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    trouble.value = error.problem.detail ?? error.problem.title;
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
  const told = Object.keys(context).length > 0 && !leavesOut(correction);
  const now = await store({ answers, correction: { ...correction, ...(told && { context }) }, note });
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

/** One step of a draft, which can be taken back. */
async function step(next: Draft): Promise<ReviewPhoto | null> {
  const before = draft.peek();
  const now = await attempt(next);
  if (now) steps.value = [...steps.peek(), before];
  return now;
}

/** Gives the answer at a place of the question that is asked; after the last one all are kept. */
export const give = (place: number): Promise<void> =>
  guarded(async () => {
    const current = asked.peek();
    const [doubt, answer] = [current?.id, current?.alternatives[place]?.answer];
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
    const kept = await store({ answers: [], correction: { ...now.correction, context }, note: now.note });
    if (kept) await show(kept.index);
  });

/** Takes what is likeliest; says whether something has to be typed instead. */
export async function takeSuggestion(): Promise<boolean> {
  const now = photo.peek();
  const correction = now && correctionOf(suggestion(now));
  if (correction) await say(correction);
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
    const kept = undone.pop();
    const index = kept?.index ?? photo.peek()?.index;
    if (index === undefined) return;
    const correction = kept?.before.correction;
    took(
      correction
        ? await source.answer(index, { answers: [], correction, note: kept.before.note })
        : await source.takeBack(index),
    );
    last.value = null;
    await show(index);
  });
