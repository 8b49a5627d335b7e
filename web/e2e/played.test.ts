/** The game that is played: asked once, with the region's game first, and named wherever a total is. */
import { expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { zhHant } from '../src/i18n/zh-Hant';
import { open, type Page, useBrowser } from './browser';

useBrowser();

/** The games that are asked about, in their order. */
const asked = (page: Page): Promise<(string | null)[]> =>
  page.locator('.game-picker button').evaluateAll((all) => all.map((one) => one.getAttribute('data-game')));

it('asks at the first start with the region’s game first, remembers it, and names it beside a total', async () => {
  const page = await open({ locale: 'zh-HK' });
  await page.getByRole('group', { name: zhHant.games.ask }).waitFor();
  expect((await asked(page)).slice(0, 2)).toEqual(['hongkong', 'mcr']);
  await page.locator('[data-game=hongkong]').click();
  const rules = page.locator('.rules-picker select').first();
  await expect.poll(() => rules.inputValue()).toBe('hk-old');
  expect(await page.locator('.game-picker').count()).toBe(0);
  await page.reload();
  await expect.poll(() => rules.inputValue()).toBe('hk-old');
  expect(await page.locator('.game-picker').count()).toBe(0);
  const name = (await rules.locator('option:checked').textContent()) ?? 'nothing';
  // An evening begins with it, and a hand is scored by it.
  await page.getByRole('button', { name: zhHant.evening.title, exact: true }).click();
  await expect.poll(() => page.locator('.new-game select').inputValue()).toBe('hk-old');
  await page.goBack();
  await page.getByRole('button', { name: zhHant.type, exact: true }).click();
  await page.getByLabel(zhHant.asText).fill('123456789m11pFFF');
  await page.locator('.total-line .by-rules', { hasText: name }).waitFor();
});

it('begins with the games of other regions elsewhere', async () => {
  const first = async (locale: string): Promise<string | null | undefined> => {
    const page = await open({ locale });
    await page.locator('.game-picker button').first().waitFor();
    return (await asked(page))[0];
  };
  expect([await first('ja-JP'), await first('de-DE')]).toEqual(['riichi', 'mcr']);
});

it('names the rules in what is shared', async () => {
  const page = await open({ path: '/#hand=123456789m11pFFF&rules=mcr-wmo' });
  await page.locator('[data-total="21"]').waitFor();
  await page.evaluate(() => {
    Object.assign(navigator, {
      canShare: () => true,
      share: async (data: ShareData) => {
        document.body.dataset.shared = data.title ?? '';
      },
    });
  });
  await page.getByRole('button', { name: en.shareLink }).click();
  await expect.poll(() => page.evaluate(() => document.body.dataset.shared)).toContain('MCR 2006');
});

it('offers the other game that a hand shows', async () => {
  const page = await open({ path: '/#hand=123456789m11p99s9s||ah&rules=riichi-tenhou' });
  const other = page.locator('.other-game');
  await other.getByText(en.games.shows.flowers).waitFor();
  await other.getByRole('button', { name: en.games.names.mcr }).click();
  await page.locator('.by-rules', { hasText: 'MCR 2006' }).first().waitFor();
  expect(await other.count()).toBe(0);
});
