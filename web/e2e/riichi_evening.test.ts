/**
 * An evening of riichi as it is played, on a narrow phone: two aborted deals, two winners of one discard,
 * a dead hand, a false win, and the bankruptcy that ends it. Points are worked out by hand.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { open, type Page, useBrowser } from './browser';
import { type Running, start } from './server';
import { begin, dealIs, from, openMore, openTyped, openWin, totals } from './table';

useBrowser();

let folder: string;
let server: Running;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilesight-riichi-evening-'));
  server = await start(['--data', folder]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Enters that a deal was aborted. */
async function abort(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  await page.locator(`dialog .turn, dialog [data-abort=${kind}]`).first().waitFor();
  await page.locator(`dialog .unsettled`).waitFor({ state: 'detached' });
  await page.locator(`dialog [data-abort=${kind}]`).click();
}

/** Chooses the value of a hand in the sheet that is open. */
async function enterMangan(page: Page, name: string): Promise<void> {
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('radio', { name, exact: true }).check();
  await sheet.getByRole('button', { name: en.evening.enter, exact: true }).click();
}

it('ends an evening of two aborted deals and two winners with a bankruptcy', async () => {
  const page = await open({ url: server.url, viewport: { width: 320, height: 844 } });
  await begin(page, 'riichi-majsoul');
  await abort(page, 'four_kongs');
  await dealIs(page, 2, 'E');
  // Nobody declared, so that four riichi are not offered.
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  await page.locator('dialog [data-abort=nine_terminals]').waitFor();
  expect(await page.locator('dialog [data-abort=four_riichi]').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.keyboard.press('Escape');
  await abort(page, 'nine_terminals');
  await dealIs(page, 3, 'E');
  // A dead hand can't win any more.
  await openMore(page, en.riichi.faults.dead_hand);
  await page.locator('dialog [data-fault="0"]').click();
  await expect.poll(() => page.locator('[data-winner="0"]').isDisabled()).toBe(true);
  // Dorte and Clara win by Bo's discard: Clara is next in turn and takes both counters.
  await openWin(page, 3, 'points');
  await from(page, 1).click();
  await enterMangan(page, en.riichi.limits.haneman);
  await dealIs(page, 4, 'E');
  await page.locator('.score-sheet tbody tr').last().locator('summary').click();
  await page.getByRole('button', { name: en.dealer.alsoWon }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'Clara' }).check();
  await enterMangan(page, en.riichi.limits.mangan);
  await expect.poll(() => totals(page)).toEqual([0, -20_600, 8600, 12_000]);
  // A false win of Anna: 4000 to Bo, who deals, and 2000 to the others; Bo deals again.
  await openMore(page, en.riichi.faults.chombo);
  await page.locator('dialog [data-fault="0"]').click();
  await dealIs(page, 5, 'E');
  await expect.poll(() => totals(page)).toEqual([-8000, -16_600, 10_600, 14_000]);
  await openWin(page, 3, 'points');
  await from(page, 1).click();
  await enterMangan(page, en.riichi.limits.haneman);
  await page.getByRole('heading', { name: en.evening.over.bankruptcy }).waitFor();
  await expect.poll(() => totals(page)).toEqual([-8000, -28_600, 10_600, 26_000]);
  const first = page.locator('.standings tbody tr').first();
  await first.locator('[data-result="41000"]').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

it('asks who is liable for a typed hand, and its row names the player', async () => {
  const page = await open({ url: server.url, viewport: { width: 390, height: 844 } });
  await begin(page, 'riichi-tenhou');
  await openTyped(page, 1, null);
  await page.getByLabel(en.asText).fill('[CCC,1][FFF,2][PPP,3]123m55p');
  const asked = page.locator('.ask-feeder');
  await asked.waitFor();
  // The three others by their names, who all fed a set; each of these was fed.
  expect(await asked.locator('.answer').allTextContents()).toEqual([
    expect.stringContaining('Anna'),
    expect.stringContaining('Dorte'),
    expect.stringContaining('Clara'),
  ]);
  await page.locator(':not(.unsettled) > .ask-feeder').getByText('Dorte').click();
  await asked.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: new RegExp(`^${en.evening.add}`) }).click();
  // Dorte has no points left, which ends the evening.
  await page.locator('.score-sheet').waitFor();
  await expect.poll(() => totals(page)).toEqual([0, 32_000, 0, -32_000]);
  const row = page.locator('.score-sheet tbody tr').first();
  await row.locator('summary').click();
  await row.getByText(en.evening.liableIs('Dorte')).waitFor();
});
