/**
 * The page without any server: photos are read, hands scored and evenings kept on the device. The
 * journey of the served page runs here too (`vitest.config.ts`).
 */
import { resolve } from 'node:path';
import { expect, inject, it } from 'vitest';
import { en } from '../../src/i18n/en';
import { chooser, open, type Page, readerKept, total, useBrowser } from '../browser';
import { leaveAndFind } from '../evenings';
import { samplePath } from '../server';
import { begin, enterPoints, totals } from '../table';
import { longestPause, occupy } from './pauses';
import { host } from './server';

useBrowser();

const HEIC = resolve(import.meta.dirname, '../../../tests/data/stills/turned.heic');

/** Every address that a page asks for, its workers' too. */
function asked(page: Page): Set<string> {
  const addresses = new Set<string>();
  page.context().on('request', (request) => addresses.add(request.url()));
  return addresses;
}

it('asks nobody but its own folder, and says what it does', async () => {
  const page = await open();
  const addresses = asked(page);
  await expect.poll(() => page.locator('.privacy').textContent()).toBe(en.privacyHere);
  const said: (string | null)[] = [];
  await page.exposeFunction('told', (text: string | null) => said.push(text));
  await page.evaluate(() => {
    const tell = () => (window as never as { told(text: unknown): void }).told(document.body.textContent);
    new MutationObserver(tell).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await chooser(page).setInputFiles(samplePath('demo'));
  await total(page, 20);
  for (const words of [en.loadingReader(3, 6), en.stages.detect, en.stages.classify]) {
    expect(
      said.some((text) => text?.includes(words)),
      words,
    ).toBe(true);
  }
  const elsewhere = [...addresses].filter(
    (one) => !one.startsWith(`${inject('url')}/`) && !one.startsWith('blob:'),
  );
  expect(elsewhere).toEqual([]);
  expect([...addresses].some((one) => one.includes('/v1/'))).toBe(false);
});

it('reads a photo, scores typed hands and plays an evening without a network', async () => {
  const first = await host();
  const page = await open({ url: first.url, serviceWorkers: 'allow' });
  await readerKept(page);
  await first.stop();

  await page.reload();
  await page.getByRole('main').waitFor();
  await chooser(page).setInputFiles(samplePath('demo'));
  await total(page, 20);
  await page.getByRole('button', { name: en.home }).click();
  await page.getByRole('button', { name: en.type }).click();
  await page.getByLabel(en.asText).fill('123456789m11pFFF');
  await total(page, 21);
  expect(await page.getByText(en.offline, { exact: true }).count()).toBe(0);

  await page.getByRole('button', { name: en.home }).click();
  await begin(page);
  await enterPoints(page, { winner: 1, discarder: 2 }, 20);
  await expect.poll(() => totals(page)).toEqual([-8, 44, -28, -8]);
  await page.reload();
  await expect.poll(() => totals(page)).toEqual([-8, 44, -28, -8]);
});

it('keeps the evening that another one takes the place of, and lists both', async () => {
  await leaveAndFind(await open());
});

it('lists an evening that an earlier build no longer showed', async () => {
  const page = await open();
  await begin(page);
  await enterPoints(page, { winner: 1, discarder: 2 }, 20);
  await expect.poll(() => totals(page)).toEqual([-8, 44, -28, -8]);
  await page.evaluate(() => {
    const shown = Object.keys(localStorage).filter((name) => name.startsWith('tilesight.evening'));
    for (const name of shown) localStorage.removeItem(name);
  });
  await page.reload();
  await page.getByRole('button', { name: en.evening.title, exact: true }).click();
  await page.locator('.evenings').getByRole('button', { name: 'Thursday' }).click();
  await expect.poll(() => totals(page)).toEqual([-8, 44, -28, -8]);
});

it('opens a shared hand from a link of its own', async () => {
  const page = await open({ path: '/#hand=123456789m11pFFF&rules=mcr-wmo' });
  await total(page, 21);
  expect(page.url()).toBe(`${inject('url')}/`);
});

it('reads a photo that the browser cannot show', async () => {
  const page = await open();
  await chooser(page).setInputFiles(HEIC);
  await page.locator('.photo img').first().waitFor();
});

it('scores typed hands where photos cannot be read, and says why', async () => {
  const page = await open();
  await page.evaluate(() => {
    WebAssembly.validate = () => false;
  });
  await chooser(page).setInputFiles(samplePath('demo'));
  await page.getByText(en.problems['no-simd']).waitFor();
  await page.getByRole('button', { name: en.home }).click();
  await page.getByRole('button', { name: en.type }).click();
  await page.getByLabel(en.asText).fill('123456789m11pFFF');
  await total(page, 21);
});

it('reads a photo as soon as what it needs can be loaded', async () => {
  const page = await open();
  await page.route('**/classifier.onnx', (route) => route.abort());
  await chooser(page).setInputFiles(samplePath('demo'));
  await page.getByText(en.problems['not-loaded']).waitFor();
  await page.unroute('**/classifier.onnx');
  await page.getByRole('button', { name: en.tryAgain }).click();
  await total(page, 20);
});

it('never freezes on a slow phone while a photo is read', async () => {
  const page = await open();
  expect(await longestPause(page, () => occupy(page, 3)), 'a freeze is noticed').toBeGreaterThan(1);
  const pauses: number[] = [];
  // A collection of garbage may hold the page up once; the page itself would each time.
  const names = ['demo', '900015', '900001', '900006'];
  for (const name of [...names, ...names]) {
    const read = async () => {
      await page.locator('input[capture=environment]').first().setInputFiles(samplePath(name));
      await page.locator('[data-total]').waitFor();
    };
    pauses.push(await longestPause(page, read));
    await page.getByRole('button', { name: `${en.remove}: ${en.handNumber(1)}` }).click();
    if (Math.min(...pauses) < 1) break;
  }
  expect(Math.min(...pauses)).toBeLessThan(1);
});
