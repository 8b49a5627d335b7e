/**
 * The game of sixteen tiles on a phone: from a photo to who pays whom, evenings on which the dealer stays on and
 * the streak is paid, tai without a hand, the winds of the opened wall. Totals are worked out by hand: base 100,
 * 20 for each tai, and 2n + 1 tai with a dealer who stayed on n times (docs/taiwan.md, 7).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { chooser, open, type Page, total, unfold, useBrowser } from './browser';
import { gamePath, type Restartable, startBehind } from './server';
import { begin, dealIs, from, openTyped, openWin, photoFrom, totals } from './table';

useBrowser();

/** Concealed, and chows alone: 3 tai for a self-draw. */
const CHOWS = '123m456m789p234s55s67p5p';

let folder: string;
let server: Restartable;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilesight-taiwan-'));
  server = await startBehind(['--data', folder]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

it('keeps an evening of three deals on which the dealer stays on, and pays for the streak', async () => {
  const page = await open({ url: server.url });
  await begin(page, 'tw-common');
  // Anna deals and draws 3 tai: each of the three owes one more.
  await openTyped(page, 0, null);
  await page.getByLabel(en.asText).fill(CHOWS);
  await page.locator('[data-total="3"]').first().waitFor();
  await page.getByRole('button', { name: new RegExp(`^${en.evening.add}`) }).click();
  await dealIs(page, 2, 'E');
  await expect.poll(() => totals(page)).toEqual([540, -180, -180, -180]);
  await page.locator('.next-deal').getByText(en.dealer.stayed(1)).waitFor();
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  await dealIs(page, 3, 'E');
  await page.locator('.next-deal').getByText(en.dealer.stayed(2)).waitFor();
  // She stayed on twice, so that Bo's 3 tai on her discard are 8.
  await openWin(page, 1, 'points');
  await from(page, 0).click();
  await page.locator('.hand-value input').fill('3');
  await page.getByText('Anna −260, Bo +260').waitFor();
  await page.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await dealIs(page, 4, 'E');
  await expect.poll(() => totals(page)).toEqual([280, 80, -180, -180]);
  expect(await page.locator('.next-deal .on-table').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

/** Opens the sheet of a further winner by the last discard. */
async function openFurther(page: Page, winner: string): Promise<Locator> {
  const row = page.locator('.score-sheet tbody tr').last();
  if (
    !(await row
      .locator('details')
      .getAttribute('open')
      .catch(() => null))
  )
    await row.locator('summary').click();
  await row.getByRole('button', { name: en.dealer.alsoWon }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('radio', { name: winner }).check();
  return sheet;
}

/** Enters tai of a further winner by the last discard. */
async function enterFurther(page: Page, winner: string, tai: number): Promise<void> {
  const sheet = await openFurther(page, winner);
  await sheet.locator('.hand-value input').fill(String(tai));
  await sheet.getByRole('button', { name: en.evening.enter, exact: true }).click();
}

it('takes a further winner by one discard offline, and enters both later', async () => {
  const page = await open({ url: server.url });
  await begin(page, 'tw-common');
  await page.locator('.winners').waitFor();
  await page.context().setOffline(true);
  await page.getByText(en.offline, { exact: true }).waitFor();
  await openWin(page, 1, 'points');
  await from(page, 2).click();
  await page.locator('.hand-value input').fill('3');
  await page.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await dealIs(page, 2);
  // Bo's hand waits, and its row takes nothing else.
  await enterFurther(page, 'Dorte', 4);
  await expect.poll(() => page.locator('.score-sheet tbody tr').count()).toBe(2);
  const shown = [0, 160, -340, 180];
  await expect.poll(() => totals(page)).toEqual(shown);
  await page.context().setOffline(false);
  await expect.poll(() => page.getByText(en.evening.waits).count()).toBe(0);
  await expect.poll(() => totals(page)).toEqual(shown);
  await dealIs(page, 2);
});

/** Answers a question; one that is not asked first has a chip. */
async function tell(page: Page, subject: string, answer: string): Promise<void> {
  const chip = page.locator(`.chips [data-subject=${subject}]`);
  const asked = page.locator(`.first-question:not(.unsettled) .ask-${subject}`);
  await chip.or(asked).first().waitFor();
  if ((await chip.count()) > 0) await chip.click();
  await asked.locator(answer).click();
}

it('goes from a photo to who pays whom, by the rules that were tapped at the start', async () => {
  const page = await open({ url: server.url });
  await page.locator('.game-picker [data-game=taiwan]').click();
  await chooser(page).setInputFiles(gamePath('taiwan-claimed'));
  await tell(page, 'win', '[data-answer=left]');
  // Seat and round: a pung of the round wind, and a season of South.
  await tell(page, 'winds', '[data-answer="ES"]');
  const chip = page.locator('.chips [data-subject=dealer]');
  const dealer = page.locator('.first-question:not(.unsettled) .ask-dealer');
  await chip.or(dealer).first().waitFor();
  if ((await chip.count()) > 0) await chip.click();
  const more = dealer.getByRole('button', { name: en.riichi.more(en.dealer.fields.dealer_streak) });
  for (const _ of [1, 2]) await more.click();
  await dealer.locator('[data-answer=dealer]').click();
  await total(page, 3);
  // Each line has its name in Chinese too.
  const lines = await page.locator('.fans .fan-name').allTextContents();
  const names = lines.map((line) => line.replace(/\P{ASCII}/gu, '').trim());
  expect(names).toEqual(['Dragon', 'Prevalent Wind', 'Own Bonus Tile']);
  // East deals, discarded, and owes 3 + 5 tai; the others nothing.
  const paid = page.locator('.payments');
  await expect.poll(() => paid.locator('li').allTextContents()).toEqual([en.pays('East', 260, 'South')]);
  await paid.getByText(en.gains('South', 260)).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

it('enters a photo into the evening by the winds of the opened wall', async () => {
  const page = await open({ url: server.url });
  await begin(page, 'tw-common');
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  await dealIs(page, 2, 'E');
  await openWin(page, 1, 'photo');
  await photoFrom(page, 0).setInputFiles(gamePath('taiwan-claimed'));
  await unfold(page);
  // With Anna as East the season is Bo's; with Clara as East he sits North, and has neither wind nor season.
  await total(page, 3);
  await page.getByRole('group', { name: en.dealer.east }).getByRole('radio', { name: 'Clara' }).check();
  await total(page, 2);
  await page.getByRole('button', { name: new RegExp(`^${en.evening.add}`) }).click();
  const anyway = page.locator('.unsure button').last();
  await anyway.or(page.locator('.score-sheet')).first().waitFor();
  if (await anyway.isVisible()) await anyway.click();
  // Anna deals wherever she sits: she owes the tai of her streak, and the deal passes to Bo.
  await expect.poll(() => totals(page)).toEqual([-200, 200, 0, 0]);
  await dealIs(page, 3, 'E');
  expect(await page.locator('.next-deal .on-table').count()).toBe(0);
});

it('asks for East with the first hand by a discard, also behind tai without tiles', async () => {
  const page = await open({ url: server.url });
  await begin(page, 'tw-common');
  await openWin(page, 1, 'points');
  await from(page, 2).click();
  const east = page.getByRole('group', { name: en.dealer.east });
  // Tai alone hang on no wind.
  expect(await east.count()).toBe(0);
  await page.locator('.hand-value input').fill('3');
  await page.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await dealIs(page, 2);
  const sheet = await openFurther(page, 'Dorte');
  await sheet.getByRole('button', { name: en.evening.ways.typed, exact: true }).click();
  await page.getByLabel(en.asText).fill(`WWW${CHOWS.slice(4)}`);
  await total(page, 1);
  // Dorte sits West if Bo is East, so that the pung of West is hers.
  await east.getByRole('radio', { name: 'Bo' }).check();
  await total(page, 2);
});

it('asks whether a ready hand was declared where it counts', async () => {
  const hand = `${CHOWS}%7CSE1000`;
  const path = `/#hand=${hand}&rules=tw-star31&dealer=E&dealer_streak=0`;
  const page = await open({ url: server.url, path });
  const ask = page.locator('.first-question:not(.unsettled) .ask-ready');
  await ask.waitFor();
  const before = Number(await page.locator('[data-total]').getAttribute('data-total'));
  await ask.locator('[data-answer=ready]').click();
  await total(page, before + 1);
  await expect.poll(() => page.locator('.verdict .asked').count()).toBe(0);
});
