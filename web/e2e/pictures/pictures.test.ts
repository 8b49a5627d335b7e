/** The pictures of the page in the docs, each taken where its sentence in the docs is. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { de } from '../../src/i18n/de';
import { en } from '../../src/i18n/en';
import { chooser, open, type Page, unfold, useBrowser } from '../browser';
import { drawn } from '../drawn';
import { ROOT, type Running, samplePath, start } from '../server';
import { begin, dealIs, from, openWin } from '../table';

useBrowser();

/** A phone, in half as many pixels again. */
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 };
const DESK = {
  viewport: { width: 1360, height: 956 },
  deviceScaleFactor: 1,
  isMobile: false,
  hasTouch: false,
};

let folder: string;
let server: Running;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilesight-pictures-'));
  server = await start(['--data', folder]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Writes what the screen shows into docs/, as WebP. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const png = (await page.screenshot()).toString('base64');
  const webp = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    const canvas = document.createElement('canvas');
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
    return canvas.toDataURL('image/webp', 0.82).replace(/^.*,/, '');
  }, png);
  await writeFile(join(ROOT, 'docs', `${name}.webp`), Buffer.from(webp, 'base64'));
}

/** A hand with a set that may be claimed. */
async function openDoubtful(options: Parameters<typeof open>[0]): Promise<Page> {
  const page = await open({ url: server.url, ...options });
  await page.locator('[data-game=mcr]').click();
  await chooser(page).setInputFiles(samplePath('900015'));
  await page.locator('.first-question:not(.unsettled) .ask-win-with').waitFor();
  await page.locator('.total-line[aria-busy=false]').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  return page;
}

it('takes a hand on a phone, on a desk, and the sheet of a tile', async () => {
  const page = await openDoubtful(PHONE);
  await take(page, 'page-question');
  await unfold(page);
  await page.locator('.strip .tile[data-tile="9s"]').first().click();
  await page.getByRole('dialog').locator('.crop').waitFor();
  await take(page, 'page-tile');
  await take(await openDoubtful({ ...DESK, colorScheme: 'dark' }), 'page-desktop');
});

it('takes a score in German', async () => {
  const page = await openDoubtful({ ...PHONE, locale: 'de-DE' });
  const answer = page.locator('.first-question:not(.unsettled) .answer').first();
  const question = page.locator('.first-question');
  while ((await question.count()) > 0) {
    await answer.click();
    await page
      .locator('.first-question.unsettled, .total-line[aria-busy=true]')
      .first()
      .waitFor({ state: 'detached' });
  }
  await page.locator('.fan summary').nth(2).click();
  await page.getByText(de.shareLink).scrollIntoViewIfNeeded();
  await page
    .locator('.verdict')
    .evaluate((one) => scrollTo(0, one.getBoundingClientRect().top + scrollY - 12));
  await take(page, 'page-score');
});

it('takes an evening, and its sheets of a win and of a draw', async () => {
  const page = await open({ url: server.url, ...PHONE });
  await begin(page, 'riichi-tenhou');
  const sheet = page.getByRole('dialog');
  await openWin(page, 2, 'points');
  await from(page, 1).click();
  await sheet.locator('input[name=deal-han][value="3"]').check();
  await sheet.locator('input[name=deal-fu][value="30"]').check();
  await sheet.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await dealIs(page, 2, 'E');
  await page.getByRole('button', { name: en.evening.riichi('Dorte') }).click();
  await page.locator('.stick[aria-pressed=true]').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await take(page, 'evening');
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  await sheet.locator('[data-abort]').first().waitFor();
  await sheet.locator('.unsettled').waitFor({ state: 'detached' });
  await take(page, 'evening-draw');
  await page.keyboard.press('Escape');
  await openWin(page, 3, 'photo');
  await take(page, 'evening-win');
});

/** A set in which a west wind lies where the 5 of dots belongs; the 9 of dots and the honors are on another photo. */
const SUITS = ['1m 2m 3m 4m 5m 6m 7m 8m 9m', '1p 2p 3p 4p W 6p 7p 8p', '1s 2s 3s 4s 5s 6s 7s 8s 9s'];

it('takes a set that is taught', async () => {
  const page = await open({ url: server.url, ...PHONE });
  await page.getByRole('button', { name: en.ownSets.title }).click();
  await page.getByRole('button', { name: en.ownSets.teach }).click();
  await page.locator('main.sets-page input[type=file][multiple]').setInputFiles(await drawn(page, SUITS));
  await page.locator('.open-tile').first().waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await take(page, 'page-set');
});
