/** House rules: set on the page, kept, named in links, and never confused with other rules. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { open, type Page, useBrowser } from './browser';
import { cutOff } from './fits';
import { type Restartable, startBehind } from './server';
import { begin, dealIs, from, openWin, totals } from './table';

useBrowser();

/** All chows of mixed suits without flowers: two faan, fewer than Hong Kong's three. */
const TWO_FAAN = '123m456p789s234m55p';

let folder: string;
let server: Restartable;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilesight-house-'));
  server = await startBehind(['--data', folder]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Changes the minimum of Hong Kong's rules, under a name. */
async function setMinimum(page: Page, name: string, minimum: string): Promise<void> {
  await page.getByRole('button', { name: en.house.title }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel(en.house.name).fill(name);
  await sheet.locator('[data-option=minimum] input').fill(minimum);
  await sheet.getByRole('button', { name: en.house.keep }).click();
}

const chosen = (page: Page): Promise<string> => page.locator('.rules-picker select').first().inputValue();

it('sets a minimum, keeps it, names it in the total and brings it along in a link', async () => {
  const page = await open({ url: server.url });
  await page.locator('[data-game=hongkong]').click();
  await setMinimum(page, 'Thursdays', '99');
  // What the rules can't have is refused with the reason.
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByRole('dialog').locator('[data-option=minimum] input').fill('1');
  await page.getByRole('dialog').getByRole('button', { name: en.house.keep }).click();
  await expect.poll(() => chosen(page)).toMatch(/^house-/);
  const id = await chosen(page);
  await page.reload();
  expect(await chosen(page)).toBe(id);

  await page.getByRole('button', { name: en.type }).click();
  await page.getByLabel(en.asText).fill(TWO_FAAN);
  await page.locator('[data-total]').first().waitFor();
  await expect.poll(() => page.locator('.total .by-rules').textContent()).toBe('Thursdays');
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => Object.assign(globalThis, { copied: text }) },
    });
    Object.defineProperty(navigator, 'canShare', { value: undefined });
  });
  await page.reload();
  await page.getByRole('button', { name: en.goOn }).click();
  await page.getByRole('button', { name: en.shareLink }).click();
  await page.getByText(en.copied).waitFor();
  const link = await page.evaluate(() => (globalThis as unknown as { copied: string }).copied);

  // Another phone has never seen these rules.
  const other = await open({ url: server.url, path: `/${new URL(link).hash}` });
  await expect.poll(() => other.locator('.total .by-rules').textContent()).toBe('Thursdays');
  expect(await other.locator('.total.missed').count()).toBe(0);
});

it('sets an option whose value is a word, which is named as people say it', async () => {
  const page = await open({ url: server.url, viewport: { width: 320, height: 844 } });
  await page.locator('[data-game=riichi]').click();
  const openSheet = () => page.getByRole('button', { name: en.house.title }).click();
  const option = page.getByRole('dialog').locator('[data-option=several_winners]');
  await openSheet();
  await option.locator('select').selectOption({ label: en.house.choices.winners.nearest });
  expect(await option.textContent()).not.toMatch(/[`_]/);
  await page.getByRole('dialog').locator('.more summary').click();
  expect(await cutOff(page, 320)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: en.house.keep }).click();
  await expect.poll(() => chosen(page)).toMatch(/^house-/);
  await openSheet();
  expect(await option.locator('select').inputValue()).toBe('nearest');
});

it('says so where rules are not known, and does not score by others in silence', async () => {
  const page = await open({ url: server.url, path: '/#rules=house-unknown&hand=123456789m11pFFF' });
  await page.getByText(en.house.unknown('house-unknown', 'MCR 2006')).waitFor();
});

it('keeps an evening by house rules on this device, and says so before', async () => {
  const page = await open({ url: server.url });
  await page.locator('[data-game=hongkong]').click();
  await setMinimum(page, 'Thursdays', '1');
  await expect.poll(() => chosen(page)).toMatch(/^house-/);
  await page.getByRole('button', { name: en.evening.title, exact: true }).click();
  await page.getByText(en.house.evening).waitFor();
  await page.getByRole('button', { name: en.home, exact: true }).last().click();
  await begin(page);
  expect(await page.getByRole('button', { name: en.evening.invite, exact: true }).count()).toBe(0);
  // Two faan are a win here: the discarder pays 8, and the others 4.
  await openWin(page, 1, 'points');
  await from(page, 2).click();
  await page.locator('input[name=deal-faan][value="2"]').check();
  await page.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await dealIs(page, 2);
  const paid = await totals(page);
  expect(paid.reduce((sum, one) => sum + one, 0)).toBe(0);
  expect(paid[1]).toBeGreaterThan(0);
  // Without a network it goes on, and is there after a reload.
  await page.context().setOffline(true);
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  await dealIs(page, 3);
  await page.context().setOffline(false);
  await page.reload();
  await dealIs(page, 3);
  expect(await totals(page)).toEqual(paid);
});
