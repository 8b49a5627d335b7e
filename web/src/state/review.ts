/**
 * The review while it is open: the queue, the photo that is shown, the answers to its questions so
 * far. Every answer is sent as it is complete; a reload comes back to the same photo. A queue of
 * another origin, such as a job, only needs another `ReviewSource`.
 */
import { computed, signal } from '@preact/signals';
import { call, Failure, post } from '../api/client';
import {
  type Answer,
  address,
  beside,
  type Correction,
  correctionOf,
  type Group,
  isSettled,
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
export const answers = signal<readonly Answer[]>([]);
/** What went wrong with the last answer, in words. */
export const trouble = signal('');
/** What was done last, for a short note: the photo's name and what it is now. */
export const last = signal<ReviewPhoto | null>(null);

/** What was said before each answer of this session, to be undone. */
const undone: { index: number; before: ReviewPhoto }[] = [];
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
  answers.value = [];
  trouble.value = '';
  history.replaceState(history.state, '', address(index, group.value));
  photo.value = index === null ? null : await source.photo(index);
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

/** Keeps an answer and goes on to the next photo. */
async function keep(correction: Correction, note = ''): Promise<void> {
  const before = photo.peek();
  if (!before) return;
  const now = await source.answer(before.index, { answers: answers.peek(), correction, note });
  undone.push({ index: before.index, before });
  took(now);
  last.value = now;
  await show(nextOpen(photos.value, before.index) ?? before.index);
}

/** The photo with these answers, which are not kept yet. */
async function attempt(given: readonly Answer[]): Promise<ReviewPhoto | null> {
  const index = photo.peek()?.index;
  if (index === undefined) return null;
  const now = await source.tryAnswer(index, { answers: given, correction: {}, note: '' });
  answers.value = given;
  photo.value = now;
  trouble.value = '';
  return now;
}

/** Gives the answer at a place of the question that is asked; after the last one all are kept. */
export const give = (place: number): Promise<void> =>
  guarded(async () => {
    const current = asked.peek();
    const [doubt, answer] = [current?.id, current?.alternatives[place]?.answer];
    if (doubt === undefined || answer === undefined) return;
    const now = await attempt([...answers.peek(), { doubt, answer }]);
    if (now && isSettled(now)) await keep({ accepted: true });
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
    if (answers.peek().length > 0) {
      await attempt(answers.peek().slice(0, -1));
      return;
    }
    const step = undone.pop();
    const index = step?.index ?? photo.peek()?.index;
    if (index === undefined) return;
    const correction = step?.before.correction;
    took(
      correction
        ? await source.answer(index, { answers: [], correction, note: step.before.note })
        : await source.takeBack(index),
    );
    last.value = null;
    await show(index);
  });
