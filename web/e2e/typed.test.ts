/** Typing a hand without a photo: with nothing but a keyboard, and with taps. */
import { expect, inject, it } from 'vitest';
import { da } from '../src/i18n/da';
import { de } from '../src/i18n/de';
import { en } from '../src/i18n/en';
import { ja } from '../src/i18n/ja';
import { sv } from '../src/i18n/sv';
import { zh } from '../src/i18n/zh';
import { zhHant } from '../src/i18n/zh-Hant';
import { toDto } from '../src/model/hand';
import { parse, print } from '../src/model/notation';
import { open, total, unfold, useBrowser } from './browser';
import { cutOff } from './fits';

useBrowser();

const CATALOGUES = { en, de, da, sv, zh, 'zh-Hant': zhHant, ja };
/** Screens, in pixels. */
const WIDTHS = [320, 390, 768];

type Page = Awaited<ReturnType<typeof open>>;

/** Tabs until something with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let at = 0; at < 60; at += 1) {
    await page.keyboard.press('Tab');
    if (matches(await focused(page), name)) return;
  }
  throw new Error(`the Tab key never reaches ${name}`);
}

const matches = (text: string, name: string | RegExp): boolean =>
  typeof name === 'string' ? text === name : name.test(text);

/** Roughly what a screen reader says for the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
    return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
  });

it('works with a keyboard alone', async () => {
  const page = await open({ hasTouch: false, isMobile: false, viewport: { width: 1280, height: 900 } });
  await tabTo(page, en.type);
  await page.keyboard.press('Enter');

  // As text.
  await tabTo(page, en.asText);
  await page.keyboard.type('123456789m11pFF');
  await expect.poll(() => page.locator('.count').textContent()).toBe('13 tiles: one tile missing');

  // By the palette: one stop of the Tab key, arrows inside.
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => focused(page)).toBe('1 characters');
  for (let row = 0; row < 3; row += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page)).toBe('East wind');
  for (let right = 0; right < 5; right += 1) await page.keyboard.press('ArrowRight');
  await expect.poll(() => focused(page)).toBe('green dragon');
  await page.keyboard.press('Enter');
  await page.locator('[data-total]').waitFor();

  // A tile's sheet takes the focus, Escape gives it back.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBe('1 characters, first');
  await page.keyboard.press('End');
  await expect.poll(() => focused(page)).toBe('green dragon, winning tile, fourteenth');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('green dragon, winning tile, fourteenth');

  // The win context is folded. It has radio buttons: Space chooses, arrows move.
  await tabTo(page, new RegExp(`^${en.winContext}`));
  await page.keyboard.press('Enter');
  await tabTo(page, en.winds.E);
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.locator('input[name^=seat]:checked').getAttribute('value')).toBe('S');
  await tabTo(page, en.winds.E);
  await tabTo(page, en.wins.self_drawn);
  await page.keyboard.press('Space');
  await page.getByText('Fully Concealed Hand', { exact: true }).waitFor();
  await page.keyboard.press('Control+Home');
});

/** Keys of the pad for the hand with the most tiles, each with the kind of set that it enters. */
const FULL_HAND_KEYS: readonly (readonly ['kong' | 'hidden' | 'concealed', readonly string[]])[] = [
  ['kong', ['1m', '2p']],
  ['hidden', ['3s', 'E']],
  ['concealed', ['9m', '9m', 'f1', 'f2', 'f3', 'f4', 's1', 's2', 's3', 's4']],
];

/** Every language on the narrowest phone, where words need most room, and English at all widths. */
const PAD_CASES = Object.entries(CATALOGUES).flatMap(([language, words]) =>
  (language === 'en' ? WIDTHS : WIDTHS.slice(0, 1)).map((width) => ({ language, words, width })),
);

it.each(PAD_CASES)('holds the pad still and the hand in view: $language, $width pixels', async ({
  language,
  words,
  width,
}) => {
  const page = await open({ viewport: { width, height: 700 }, locale: language });
  await page.getByRole('button', { name: words.type }).click();
  const palette = page.locator('.hand .palette');
  const top = (): Promise<number> => palette.evaluate((one) => one.getBoundingClientRect().top + scrollY);
  const before = await top();
  for (const [kind, tiles] of FULL_HAND_KEYS) {
    await page
      .locator('.hand')
      .getByRole('radio', { name: { ...words.kinds, ...words.pad.kinds }[kind], exact: true })
      .check();
    for (const tile of tiles) {
      await palette.locator(`.tile[data-tile="${tile}"]`).click();
      expect(await top(), tile).toBe(before);
    }
  }
  const text = await page.getByLabel(words.asText).inputValue();
  expect(text).toMatch(/^\[1111m,\?\]\[2222p,\?\]\[3333s\]\[EEEE\]9m9m/);
  // At the last keys the hand is still in view, whole.
  await palette.locator('.tile').last().scrollIntoViewIfNeeded();
  const tiles = await page.locator('.pad-hand img').evaluateAll((all) =>
    all.map((one) => {
      const { top, bottom, left, right } = one.getBoundingClientRect();
      const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth && on === one;
    }),
  );
  expect(tiles).toEqual(Array.from({ length: 26 }, () => true));
  expect(await cutOff(page, width)).toEqual([]);
});

/** Both ways of sending a hand: the page sends objects, links and people use the text. */
it.each([
  '123456789m11pFFF|SE1000',
  '[234m,2][EEE,3]55p123s66s6s|EW0000,3|1af',
  '[CCCC,7]55m999p11444s5m|NN0010,1',
  '[3333m][567s,2]567m57p44s6p|ES1001|b',
  '[8888m,6][1111p]44p22sCCC2s|EN1001|cd',
  '9m19p19sEESWNCFP1m',
])('reads %s as the server does', async (text) => {
  const { hand, context } = parse(text);
  const score = async (body: unknown): Promise<unknown> => {
    const sent = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${inject('url')}/v1/score`, sent);
    expect(response.ok).toBe(true);
    return response.json();
  };
  const asText = await score({ hand: text });
  expect(await score({ hand: toDto(hand), context })).toEqual(asText);
  expect(await score({ hand: print(hand, context) })).toEqual(asText);
});

it('builds sets from tiles: select, split, merge, move, mark', async () => {
  const page = await open();
  await page.getByRole('button', { name: en.type }).click();
  await page.getByLabel(en.asText).fill('EEE123m456p789s55s');
  await total(page, Number(await page.locator('[data-total]').getAttribute('data-total')));
  await page.getByRole('button', { name: en.select }).click();
  for (const tile of await page.getByRole('button', { name: /^East wind/ }).all()) {
    if (await tile.getAttribute('aria-pressed')) await tile.click();
  }
  await page.getByText(en.selected(3)).waitFor();
  await page.getByRole('button', { name: en.toNewSet }).click();
  const set = page.getByRole('article');
  await expect.poll(() => set.getAttribute('aria-label')).toBe('Set 1: Pung');
  await set.locator('summary').click();
  await set.getByRole('radio', { name: en.from.across }).check();
  await expect.poll(() => page.getByLabel(en.asText).inputValue()).toBe('[EEE,2]123m456p5789s5s');
  await set.getByRole('button', { name: en.split }).click();
  await expect.poll(() => page.getByRole('article').count()).toBe(0);

  // The winning tile is marked; the text says it last.
  await page
    .locator('.strip')
    .getByRole('button', { name: /^1 characters/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: en.markWinning }).click();
  await expect.poll(() => page.getByLabel(en.asText).inputValue()).toBe('23m456p55789sEEE1m');

  // An error names the position in the text.
  await page.getByLabel(en.asText).fill('12x');
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('character 3: found `x`');
});

it('shows only fields that matter', async () => {
  const page = await open({ path: '/#hand=123456789m11pFFF' });
  await total(page, 21);
  await expect.poll(() => page.getByRole('group', { name: en.fields.from }).count()).toBe(0);
  await expect.poll(() => page.getByText(en.wins.kong_replacement, { exact: true }).count()).toBe(0);
  await unfold(page);
  await page.getByRole('radio', { name: en.wins.discard }).check();
  await page.getByRole('radio', { name: en.from.right }).check();
  await page.getByText(`${en.pays(en.winds.S, 29, en.winds.E)}`).waitFor();
  await page.getByLabel(en.language).selectOption('sv');
  await page.getByText('Hur den vanns').waitFor();
  await page.getByLabel('Språk').selectOption('zh');
  await page.getByText('清龙', { exact: true }).waitFor();
});
