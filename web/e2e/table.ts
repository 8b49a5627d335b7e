/**
 * A table in the page, for tests of evenings: a game is begun, hands are snapped and entered,
 * totals are read. Photos have their truth beside them.
 */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Context, HandDto, Score, Wind, WinKind } from '../src/api/types';
import { en } from '../src/i18n/en';
import { fromDto } from '../src/model/hand';
import { print } from '../src/model/notation';
import { type Page, total, unfold } from './browser';

export const NAMES = ['Anna', 'Bo', 'Clara', 'Dorte'];
export const WINDS: readonly Wind[] = ['E', 'S', 'W', 'N'];
/** A photo, the hand that it shows, and how that was won. */
export interface Truth {
  readonly photo: string;
  readonly hand: HandDto;
  readonly win: WinKind;
}

export async function truthOf(photo: string): Promise<Truth> {
  const truth = JSON.parse(await readFile(photo.replace('.jpg', '.json'), 'utf8'));
  return { photo, hand: truth.hand, win: truth.context.win === 'self_drawn' ? 'self_drawn' : 'discard' };
}

/** Starts a game, by default with the default rules. */
export async function begin(page: Page, ruleset?: string): Promise<void> {
  await page.getByRole('button', { name: en.evening.title, exact: true }).click();
  await page.getByLabel(en.evening.name).fill('Thursday');
  for (const [at, name] of NAMES.entries())
    await page.getByLabel(en.winds[WINDS[at] ?? 'E'], { exact: true }).fill(name);
  if (ruleset) await page.locator('.new-game select').selectOption(ruleset);
  await page.getByRole('button', { name: en.evening.begin }).click();
  await dealIs(page, 1, 'E');
}

/** The deal that the page asks for; four deals are a round where nobody deals again. */
export const dealIs = (
  page: Page,
  number: number,
  round: Wind = WINDS[Math.floor((number - 1) / 4)] ?? 'E',
): Promise<void> => page.locator(`.next-deal[data-deal="${number}"][data-round=${round}]`).waitFor();

/** Says who won, which opens the sheet of the win, and how the hand is entered. */
export async function openWin(
  page: Page,
  winner: number,
  way: 'photo' | 'library' | 'typed' | 'points',
): Promise<void> {
  await page.locator(`.next-deal .turn:not(.unsettled) [data-winner="${winner}"]`).click();
  await page.locator(`dialog input[name=deal-way][value=${way}]`).check();
}

/** Opens a hand that is typed: a self-draw, or from a player. */
export async function openTyped(page: Page, winner: number, discarder: number | null): Promise<void> {
  await openWin(page, winner, 'typed');
  await from(page, discarder).click();
}

/** The button that says that it was a self-draw, or from whom. */
export const from = (page: Page, discarder: number | null) =>
  page.locator('.ask-from').getByRole('button', { name: fromText(discarder), exact: true });

/** The file input of that answer. */
export const photoFrom = (page: Page, discarder: number | null) =>
  page.locator('.ask-from label', { hasText: fromText(discarder) }).locator('input');

const fromText = (discarder: number | null): string =>
  discarder === null ? en.wins.self_drawn : en.evening.from(NAMES[discarder] ?? '');

/** Opens what else may happen in a deal. */
export async function openMore(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: en.evening.more, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

/** The totals in the standings, in the order of the players. */
export async function totals(page: Page): Promise<number[]> {
  const cells = await page.locator('[data-total-points]').all();
  const read = await Promise.all(
    cells.map(async (cell) => [
      Number(await cell.getAttribute('data-player')),
      Number(await cell.getAttribute('data-total-points')),
    ]),
  );
  return read.sort(([a = 0], [b = 0]) => a - b).map(([, points = 0]) => points);
}

/** The score of the true hand in this win context. */
export async function expected(url: string, truth: Truth, context: Told): Promise<number> {
  const body = JSON.stringify({ hand: truth.hand, context });
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  const score = (await (await fetch(`${url}/v1/score`, init)).json()) as Score;
  expect(score.legal).toBe(true);
  return score.total;
}

type Told = Context & { readonly ruleset?: string };

export interface WonBy {
  readonly winner: number;
  readonly discarder: number;
  readonly seat: Wind;
}

/** Says who won and takes a photo of the hand; the page must know the winner's seat. */
export async function snap(page: Page, truth: Truth, { winner, discarder, seat }: WonBy): Promise<void> {
  await openWin(page, winner, 'photo');
  await photoFrom(page, truth.win === 'discard' ? discarder : null).setInputFiles(truth.photo);
  await unfold(page);
  await expect.poll(() => page.locator('input[name^=seat-]:checked').getAttribute('value')).toBe(seat);
}

/** Enters a deal without its tiles: who won, from whom or by a self-draw, and the points. */
export async function enterPoints(
  page: Page,
  { winner, discarder }: { readonly winner: number; readonly discarder: number | null },
  points: number,
): Promise<void> {
  await openWin(page, winner, 'points');
  await from(page, discarder).click();
  await page.getByLabel(en.evening.pointsOfHand).fill(String(points));
  await page.getByRole('button', { name: en.evening.enter, exact: true }).click();
}

/** Enters the hand; if the reading is wrong, corrects it as text, as a person would. */
export async function enter(page: Page, truth: Truth, points: number): Promise<void> {
  // Until the hand is scored as it is now, or shows why it has no score.
  await page.locator('.total-line[aria-busy=false], .incomplete, .verdict .notice').first().waitFor();
  if ((await page.locator(`[data-total="${points}"]`).count()) === 0) {
    await page.getByRole('button', { name: en.addTiles }).click();
    await page.getByLabel(en.asText).fill(print(fromDto(truth.hand)) ?? '');
  }
  await total(page, points);
  await page.getByRole('button', { name: new RegExp(`^${en.evening.add}`) }).click();
  // The reading is right, and its questions, which may have come anew, are for those who do not know
  // the hand.
  const anyway = page.getByRole('button', { name: en.evening.addAnyway(en.total(points)) });
  await anyway.or(page.locator('.score-sheet')).first().waitFor();
  if (await anyway.isVisible()) await anyway.click();
}
