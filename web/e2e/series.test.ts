/** A series through the page: an organiser seats a round and enters its results, and others look on. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { open, type Page, useBrowser } from './browser';
import { type Restartable, startBehind } from './server';

useBrowser();

const words = en.series;
const NAMES = ['Anna', 'Bo', 'Clara', 'Dorte', 'Eva', 'Finn', 'Gerd', 'Hal', 'Ina'];
const NARROW = { viewport: { width: 320, height: 640 } };

let folder: string;
let server: Restartable;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilesight-series-'));
  server = await startBehind(['--data', folder]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const cards = (page: Page) => page.locator('.series-table');

/** Enters the points of a table, in the order of its seats. */
async function enter(page: Page, table: number, points: readonly number[]): Promise<void> {
  const card = cards(page).nth(table - 1);
  await card.getByText(words.enter).click();
  for (const [at, one] of points.entries())
    await card.locator('.points-form input').nth(at).fill(String(one));
  await card.getByRole('button', { name: words.save, exact: true }).click();
  await card.getByText(words.correct).waitFor();
}

/** The points in the standings, by falling scores. */
const scores = (page: Page): Promise<number[]> =>
  page
    .locator('.series-standings td.total')
    .evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset.points)));

it('seats a round, takes points, and shows the standings to everyone, on 320 pixels', async () => {
  const page = await open({ url: server.url, ...NARROW });
  await page.getByRole('button', { name: words.title, exact: true }).click();
  await page.getByLabel(words.name).fill('League');
  await page.getByLabel(words.playersByLine).fill(NAMES.join('\n'));
  await page.getByRole('button', { name: en.evening.begin, exact: true }).click();
  await page.getByRole('heading', { name: 'League', exact: true }).waitFor();
  await page.getByRole('button', { name: words.seat(1), exact: true }).click();
  await expect.poll(() => cards(page).count()).toBe(2);
  expect(await page.locator('.series-rounds').textContent()).toContain(words.repeated(0));
  await enter(page, 1, [30, 10, -10, -30]);
  await enter(page, 2, [50, 0, -20, -30]);
  await expect.poll(() => scores(page)).toEqual([50, 30, 10, 0, -10, -20, 0, -30, -30]);
  const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(320);
  // Points that do not add up are refused, with the reason.
  const card = cards(page).first();
  await card.getByText(words.correct).click();
  await card.locator('.points-form input').first().fill('31');
  await card.getByRole('button', { name: words.save, exact: true }).click();
  await page.getByRole('alert').getByText('these sum to 1').waitFor();
  await page.getByRole('button', { name: words.lookOn, exact: true }).click();
  const link = (await page.locator('.link').textContent()) ?? '';
  const looking = await open({ url: server.url, path: `/${new URL(link).hash}` });
  await expect.poll(() => scores(looking)).toEqual([50, 30, 10, 0, -10, -20, 0, -30, -30]);
  expect(await looking.getByText(words.enter).count()).toBe(0);
  expect(await looking.getByRole('button', { name: words.finish }).count()).toBe(0);
  // A correction is seen where others look on, without a tap.
  await card.locator('.points-form input').first().fill('29');
  await card.locator('.points-form input').nth(1).fill('11');
  await card.getByRole('button', { name: words.save, exact: true }).click();
  await expect.poll(() => scores(looking)).toEqual([50, 29, 11, 0, -10, -20, 0, -30, -30]);
});

it('begins the evening of a table', async () => {
  const page = await open({ url: server.url });
  await page.getByRole('button', { name: words.title, exact: true }).click();
  await page.getByLabel(words.name).fill('Cup');
  await page.getByLabel(words.playersByLine).fill(NAMES.slice(0, 4).join('\n'));
  await page.getByRole('button', { name: en.evening.begin, exact: true }).click();
  await page.getByRole('button', { name: words.seat(1), exact: true }).click();
  await page.getByRole('button', { name: words.openEvening, exact: true }).click();
  await page.getByRole('button', { name: words.toEvening, exact: true }).click();
  await page.getByRole('heading', { name: 'Cup 1.1', exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Cup', exact: true }).waitFor();
});
