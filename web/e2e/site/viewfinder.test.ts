/**
 * The viewfinder, in front of a camera whose picture is drawn: some tile of the hand is hidden by
 * glare in every frame.
 */
import { expect, inject, it } from 'vitest';
import { en } from '../../src/i18n/en';
import { open, type Page, total, unfold, useBrowser } from '../browser';
import { drawn } from '../drawn';
import { cameras, noteCameras, withCamera } from './camera';
import { longestPause } from './pauses';

useBrowser(() => withCamera('demo', 'glare'));

/** The hand of the sample, its total, and its total while nobody said how it was won. */
const HAND = ['1m', '1m', '2m', '3m', '4m', '5m', '6m', '7m', '8m', '9m', '2s', '2s', '2s', '1m'];
const TOTAL = 20;
const TOTALS = `${TOTAL}-${TOTAL + 2}`;

/** Number of frames that are read while the longest pause is measured. */
const FRAMES = 3;

async function look(page: Page): Promise<void> {
  await page.getByRole('button', { name: en.live.title }).click();
  await page.locator('.finder polygon').first().waitFor();
}

const steady = (page: Page): Promise<void> => page.locator(`[data-live-total="${TOTALS}"]`).waitFor();

it('reads a hand of which every frame hides a tile, and keeps the best frame', async () => {
  const page = await open();
  const elsewhere: string[] = [];
  page.context().on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${inject('url')}/`) && !url.startsWith('blob:')) elsewhere.push(url);
  });
  await noteCameras(page);
  await look(page);
  await steady(page);
  await page.getByText(en.live.steady).waitFor();
  expect(await cameras(page)).toEqual([true]);
  await page.getByRole('button', { name: en.live.keep }).click();

  await total(page, TOTAL);
  await page.locator('.photo img').waitFor();
  await expect.poll(() => page.locator('.photo .mine polygon').count()).toBe(14);
  await unfold(page);
  const tiles = page.getByRole('group', { name: en.concealed }).locator('[data-tile]');
  expect(await tiles.evaluateAll((all) => all.map((one) => one.getAttribute('data-tile')))).toEqual(HAND);
  expect(await cameras(page)).toEqual([false]);
  expect(elsewhere).toEqual([]);
});

it('names the tiles of each frame with the set that is chosen', async () => {
  const page = await open();
  const words = en.ownSets;
  await page.getByRole('button', { name: words.title }).click();
  await page.getByRole('button', { name: words.teach }).click();
  const sheets = page.locator('main.sets-page input[type=file][multiple]');
  await sheets.setInputFiles(await drawn(page, ['E S W N C F P']));
  await page.locator('.strip .tile').first().waitFor();
  await page.getByRole('button', { name: words.keep }).click();
  await page.getByLabel(words.use).selectOption(words.usualName);
  await page.getByRole('button', { name: en.home }).first().click();
  await look(page);
  await steady(page);
  await page.getByRole('button', { name: en.live.keep }).click();
  // The winds and dragons are no set of the sample's suits.
  await page.getByText(words.fitsNot(words.usualName)).waitFor();
  await total(page, TOTAL);
});

it('turns the camera off when it is left, by the back button too', async () => {
  const page = await open();
  await noteCameras(page);
  await look(page);
  await page.getByRole('button', { name: en.live.close }).click();
  await page.getByRole('heading', { name: en.tagline }).waitFor();
  await expect.poll(() => cameras(page)).toEqual([false]);
  await look(page);
  await page.goBack();
  await page.getByRole('heading', { name: en.tagline }).waitFor();
  await expect.poll(() => cameras(page)).toEqual([false, false]);
});

it('never freezes on a slow phone while frames are read', async () => {
  const page = await open();
  await look(page);
  await steady(page);
  const read = async (): Promise<number> => Number(await page.locator('main').getAttribute('data-read'));
  const pauses: number[] = [];
  // A collection of garbage may hold the page up once; the page itself would each time.
  for (let time = 0; time < 8 && !pauses.some((pause) => pause < 1); time += 1) {
    const before = await read();
    pauses.push(await longestPause(page, () => expect.poll(read).toBeGreaterThan(before + FRAMES)));
  }
  expect(Math.min(...pauses)).toBeLessThan(1);
});
