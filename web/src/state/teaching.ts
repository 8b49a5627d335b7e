/**
 * A set that is being taught: its sheets, the names of their tiles, and what is done with them.
 *
 * Input: photos and answers. Output: a set that is kept (`ownSets.ts`). Invariant: photos are in
 * memory only, and are gone when teaching ends.
 */
import { batch, computed, signal } from '@preact/signals';
import type { Failure } from '../api/failure';
import { asFailure } from '../api/failure';
import type { SheetRows } from '../api/types';
import { learnSet, readSheet } from '../engine/sets';
import { missingIn, nameAll, namesOf, nameTile, openIn, otherOrder, type Place } from '../model/sheet';
import { type Photo, prepare } from '../photo/prepare';
import { currentId } from './hand/entry';
import { addToSet, keepLearned, type OwnSet } from './ownSets';

/** A photo of tiles, with their names. */
export interface Sheet {
  readonly photo: Photo;
  readonly rows: SheetRows;
  /** Whether a person answered for the order in which its tiles lie. */
  readonly isOrderTold?: boolean;
}

/** Whether the page of own sets is on the screen. */
export const showingSets = signal(false);

/** Whether a set is being taught, and which one if it is to learn more. */
export const teaching = signal<{ readonly more: OwnSet | null } | null>(null);

export const sheets = signal<readonly Sheet[]>([]);

/** Step that is being done. */
export const work = signal<'sheet' | 'learn' | null>(null);

/** Reason why the last step was not done. */
export const fault = signal<Failure | null>(null);

/** A tile of a sheet that is to be named. */
interface OpenTile extends Place {
  readonly sheet: number;
}

/** All tiles to be asked about. */
export const openTiles = computed(() =>
  sheets.value.flatMap(({ photo, rows }, sheet) => openIn(rows).map((one) => ({ ...one, sheet, photo }))),
);

/** A sheet that seems to lie in another order, with its names in that one; `null` for none. */
export const asksOrder = computed(() => {
  const asked = sheets.value.flatMap(({ rows, isOrderTold }, sheet) => {
    const names = isOrderTold ? null : otherOrder(rows);
    return names ? [{ sheet, names }] : [];
  });
  return asked[0] ?? null;
});

/** Answers for the order of a sheet: with the names that it has in another one, or `null` to be asked tile by tile. */
export function tellOrder(sheet: number, names: readonly (readonly (string | null)[])[] | null): void {
  sheets.value = sheets
    .peek()
    .map((one, at) =>
      at === sheet ? { ...one, rows: names ? nameAll(one.rows, names) : one.rows, isOrderTold: true } : one,
    );
}

/** All names, with those that the set knows already. */
const names = computed(() => [
  ...(teaching.value?.more?.content.faces.map(({ face }) => face) ?? []),
  ...sheets.value.flatMap(({ rows }) => rows.flat().map(({ name }) => name)),
]);

/** The faces that are still missing, even as a guess. */
export const missingFaces = computed(() => missingIn(names.value));

/** Whether there is something to learn. */
export const isTeachable = computed(() =>
  sheets.value.some(({ rows }) =>
    namesOf(rows)
      .flat()
      .some((name) => name !== null),
  ),
);

/** Fewest tiles that tell a set: as many as the reader needs to say that it knows none like them. */
const MIN_TILES_OF_SET = 8;

/** Returns whether a photo without a hand shows tiles that may be of a set the program does not know. */
export const mayBeUnknownSet = ({ kind, problem }: Failure): boolean =>
  kind === 'no-hand' && (problem.seen?.count ?? 0) >= MIN_TILES_OF_SET;

/** Shows the own sets instead of the hand, and begins to teach a new one. */
export function teachInstead(): void {
  batch(() => {
    currentId.value = null;
    showingSets.value = true;
    teach();
  });
}

/** Begins to teach a new set, or more of one. */
export function teach(more: OwnSet | null = null): void {
  endTeaching();
  teaching.value = { more };
}

export function endTeaching(): void {
  for (const { photo } of sheets.peek()) URL.revokeObjectURL(photo.url);
  sheets.value = [];
  fault.value = null;
  teaching.value = null;
}

/** Does one thing at a time; whether it was done. */
async function step(kind: 'sheet' | 'learn', act: () => Promise<void>): Promise<boolean> {
  if (work.peek()) return false;
  work.value = kind;
  fault.value = null;
  try {
    await act();
    return true;
  } catch (error) {
    fault.value = asFailure(error);
    return false;
  } finally {
    work.value = null;
  }
}

/** Reads photos of tiles. */
export async function addSheets(files: readonly Blob[]): Promise<void> {
  const begun = teaching.peek();
  await step('sheet', async () => {
    for (const file of files) {
      const photo = await prepare(file);
      try {
        const rows = await readSheet(photo.blob);
        if (!begun || teaching.peek() !== begun) throw new DOMException('left', 'AbortError');
        sheets.value = [...sheets.peek(), { photo, rows }];
      } catch (error) {
        URL.revokeObjectURL(photo.url);
        throw error;
      }
    }
  });
}

/** Names a tile; `null` leaves it out. */
export function answerTile({ sheet, row, at }: OpenTile, name: string | null): void {
  sheets.value = sheets
    .peek()
    .map((one, i) => (i === sheet ? { ...one, rows: nameTile(one.rows, { row, at }, name) } : one));
}

export function dropSheet(at: number): void {
  const [dropped] = sheets.peek().slice(at, at + 1);
  if (dropped) URL.revokeObjectURL(dropped.photo.url);
  sheets.value = sheets.peek().filter((_, i) => i !== at);
}

/** Learns the set, or more of it, and keeps it. `onKept` is given whether it outlives the page. */
export async function learn(name: string, onKept: (isKept: boolean) => void): Promise<void> {
  const begun = teaching.peek();
  const more = begun?.more ?? null;
  await step('learn', async () => {
    const lessons = sheets.peek().map(({ photo, rows }) => ({ photo: photo.blob, names: namesOf(rows) }));
    const file = await learnSet(more ? more.content.name : name, lessons);
    const isKept = more ? await addToSet(more, [file]) : await keepLearned(file, name);
    // Another set may be taught by now.
    if (teaching.peek() === begun) endTeaching();
    onKept(isKept);
  });
}
