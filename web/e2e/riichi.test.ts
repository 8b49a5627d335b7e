/**
 * Riichi and Hong Kong in the page: what is asked of a hand and in which order, its fu, yaku and
 * payments, hands without a yaku, several games side by side from one photo, and evenings. Other games
 * show nothing of riichi.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Score } from '../src/api/types';
import { en } from '../src/i18n/en';
import { zh } from '../src/i18n/zh';
import { findViolations } from './axe';
import { open, type Page, TARGETS, total, unfold, useBrowser } from './browser';
import { type Running, samplePath, start } from './server';
import { dealIs, from, NAMES, openMore, openTyped, openWin, totals } from './table';
import { Player, record } from './taps';

useBrowser();

/** Screens, in pixels, and how they are lit. */
const SCREENS = [
  { width: 320, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 768, colorScheme: 'light' },
] as const;

let folder: string;
let server: Running;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilesight-riichi-'));
  server = await start(['--data', folder]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A hand of four chows with a red five, on a wait for both ends. */
const PINFU = '123m406p789s55m34s5s';

const openHand = (hand: string, ruleset: string, rest = '', options = {}): Promise<Page> =>
  open({ url: server.url, path: `/#hand=${hand}&rules=${ruleset}${rest}`, ...options });

/** Returns the service's score of a hand. */
async function scored(hand: string, context: object): Promise<Score> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const body = JSON.stringify({ hand, context });
  return (await (await fetch(`${server.url}/v1/score`, { ...init, body })).json()) as Score;
}

/** The question that is asked first. */
const first = (page: Page) => page.locator('.first-question .asked');

/** Answers a question once it takes taps. */
const answer = (page: Page, question: string, value: string): Promise<void> =>
  page.locator(`.first-question:not(.unsettled) .${question} [data-answer="${value}"]`).click();

async function tapIndicators(page: Page, tiles: readonly string[]): Promise<void> {
  await answer(page, 'ask-indicators', 'choose');
  const pad = page.getByRole('dialog');
  for (const tile of tiles) await pad.locator(`.palette [data-tile="${tile}"]`).click();
  await pad.getByRole('button', { name: en.done }).click();
}

it('asks what changes the score most, and shows what it comes from', async () => {
  const page = await openHand(PINFU, 'riichi-tenhou');
  await answer(page, 'ask-win', 'self_drawn');
  await answer(page, 'ask-riichi', 'riichi ippatsu');
  await first(page).getByText(en.riichi.askIndicators.dora_indicators).waitFor();
  await tapIndicators(page, ['4m', 'E']);
  await first(page).getByText(en.riichi.askIndicators.ura_indicators).waitFor();
  await tapIndicators(page, ['8s', '1p']);
  // The seat is asked with what lies on the table, and one tap tells both.
  const table = page.locator('.first-question:not(.unsettled) .ask-wind');
  await table.getByRole('button', { name: en.riichi.more(en.riichi.fields.honba) }).click();
  for (const _ of [1, 2]) {
    await table.getByRole('button', { name: en.riichi.more(en.riichi.fields.riichi_sticks) }).click();
  }
  await table.locator('[data-answer=W]').click();

  const context = {
    ruleset: 'riichi-tenhou',
    seat: 'W',
    win: 'self_drawn',
    riichi: 'riichi',
    ippatsu: true,
    dora_indicators: ['4m', 'E'],
    ura_indicators: ['8s', '1p'],
    honba: 1,
    riichi_sticks: 2,
  };
  const score = await scored(PINFU, context);
  await total(page, score.total);
  await expect.poll(() => page.locator('.verdict .asked').count()).toBe(0);
  await page
    .locator('.minimum')
    .getByText(score.verdict ?? '', { exact: false })
    .waitFor();
  // Yaku by their translation and one customary name; in full where they are explained.
  const lines = await page.locator('.fans .fan-name').allTextContents();
  expect(lines).toHaveLength(score.awards.length);
  expect(lines).toContain('One Shot ippatsu');
  expect(lines).toContain('Riichi 立直');
  const full = await page.locator('.fans .fan-why .full-name').allTextContents();
  expect(full).toEqual(score.awards.map(({ name }) => name));
  // The fu add up to what is shown.
  await page.getByText(en.riichi.fuParts(score.fu ?? 0)).click();
  const parts = await page
    .locator('.fu-parts li')
    .evaluateAll((all) => all.map((one) => Number(one.getAttribute('data-fu'))));
  expect(parts.reduce((sum, fu) => sum + fu, 0)).toBe(score.fu);
  // Counters are paid by the others; the sticks are told apart.
  await page.getByText(en.gains('West', score.total)).waitFor();
  await page.getByText(en.riichi.takesSticks(2000)).waitFor();
  await page.getByRole('button', { name: en.riichi.values }).click();
  await page
    .getByRole('dialog')
    .getByRole('row', { name: /^3 han 30 fu 3900 1000 \/ 2000 5800 2000/ })
    .waitFor();
});

it('shows what every answer leads to, and says what the total does not count yet', async () => {
  const page = await openHand(PINFU, 'riichi-tenhou');
  const { riichi, dora_indicators, ura_indicators, on_table } = en.riichi.uncounted;
  const leads = (value: string) => first(page).locator(`[data-answer="${value}"] small`).textContent();
  const before = (what: readonly string[]) =>
    page.locator('.total-line .before').getByText(en.riichi.before(what)).waitFor();
  await answer(page, 'ask-win', 'left');
  await before([riichi, dora_indicators, on_table]);
  await expect.poll(() => leads('no')).toBe(en.outcome.rangeOf(2000, 2900));
  expect(await leads('riichi')).toBe(en.outcome.rangeOf(3900, 5800));
  expect(await leads('riichi ippatsu')).toBe(en.outcome.rangeOf(7700, 11600));
  await answer(page, 'ask-riichi', 'riichi');
  await page.locator('[data-range="3900-5800"]').waitFor();
  await first(page).and(page.locator('.ask-indicators')).waitFor();
  expect(await leads('none')).toBe(en.outcome.rangeOf(3900, 5800));
  // The pad tells it before it is closed.
  await first(page).locator('[data-answer=choose]').click();
  const pad = page.getByRole('dialog');
  await pad.locator('.palette [data-tile="4m"]').click();
  const done = pad.getByRole('button', { name: en.done });
  await expect.poll(() => done.textContent()).toContain(en.outcome.rangeOf(8000, 12000));
  await done.click();
  await page.locator('[data-range="8000-12000"]').waitFor();
  await before([ura_indicators, on_table]);
});

it('takes six taps from a photo to a total with riichi, dora and ura dora, and no pad', async () => {
  const page = await open({ url: server.url });
  await page.locator('[data-game=riichi]').click();
  const player = new Player(page);
  await player.snap(page.locator('main input[capture=environment]'), samplePath('demo'));
  const asked = (kind: string) => page.locator(`.first-question:not(.unsettled) .${kind}`);
  await player.tap(asked('ask-win').locator('[data-answer=right]'));
  await player.tap(asked('ask-riichi').locator('[data-answer=riichi]'));
  const indicators = asked('ask-indicators');
  await indicators.getByText(en.riichi.askIndicators.dora_indicators).waitFor();
  // Only indicators that give dora are offered: of 1 to 9 and three times 2 bamboo, ten.
  expect(await indicators.locator('.tile-answers').first().locator('.tile').count()).toBe(10);
  await player.tap(indicators.locator('[data-tile="1s"]'));
  await indicators.getByText(en.riichi.askIndicators.ura_indicators).waitFor();
  await player.tap(indicators.locator('[data-answer=none]'));
  await player.tap(asked('ask-wind').locator('[data-answer=W]'));
  await expect.poll(() => page.locator('.verdict .asked').count()).toBe(0);
  const context = {
    ruleset: 'riichi-tenhou',
    win: 'discard',
    from: 'right',
    seat: 'W',
    riichi: 'riichi',
    dora_indicators: ['1s'],
  };
  await total(page, (await scored('1123456789m222s1m', context)).total);
  expect(record('riichi, read exactly', 'demo', player).taps).toBe(6);
});

it('shows the sets that give fu', async () => {
  const page = await openHand('[777z,2]999m111z34p22s5p', 'riichi-wrc', '&honba=0&riichi_sticks=0');
  await answer(page, 'ask-win', 'left');
  await page.locator('.fu-parts summary').click();
  const pung = page.locator('.fu-parts li', { hasText: 'Concealed pung' });
  await expect.poll(() => pung.count()).toBe(2);
  expect(await pung.first().locator('img').count()).toBe(3);
});

it('says why a hand without a yaku is no win', async () => {
  const page = await openHand('[123m,1]456p789s55m34s5s', 'riichi-tenhou', '&dora_indicators=4m');
  await answer(page, 'ask-win', 'left');
  // Nobody declares riichi with a called set, and dora are no yaku.
  await page.locator('.total.missed').waitFor();
  expect(await page.locator('.ask-riichi').count()).toBe(0);
  await page.locator('.verdict .minimum').getByText('1 yaku', { exact: false }).waitFor();
  await page.getByText('a concealed hand would have been enough', { exact: false }).waitFor();
  await page.getByText(en.outcome.nobodyPays).waitFor();
});

it('types red fives, and shows nothing of riichi in other games', async () => {
  const page = await open({ url: server.url });
  await page.getByRole('button', { name: en.type }).click();
  await page.locator('.palette').waitFor();
  expect(await page.locator('.palette [data-tile="0p"]').count()).toBe(0);
  await page.locator('.rules-picker select').selectOption('riichi-tenhou');
  for (const tile of ['1m', '2m', '3m', '4p', '0p', '6p', '7s', '8s', '9s', '5m', '5m', '3s', '4s', '5s']) {
    await page.locator(`.palette [data-tile="${tile}"]`).click();
  }
  await expect.poll(() => page.getByLabel(en.asText).inputValue()).toContain('406p');
  await page.locator('.fan-name', { hasText: 'aka dora' }).waitFor();
  // A hand of riichi has no flowers.
  expect(await page.locator('.flower-count:not(.stepper)').count()).toBe(0);
  // The tile can be a plain five after all.
  await page.locator('#hand .strip [data-tile="0p"]').click();
  await page.getByRole('dialog').locator('.palette [data-tile="5p"]').click();
  await page.locator('.fan-name', { hasText: 'aka dora' }).waitFor({ state: 'detached' });

  for (const other of ['mcr-wmo', 'mmm', 'classical-dmjl', 'hk-old', 'riichi-wrc']) {
    await page.locator('.rules-picker select').selectOption(other);
    await page.locator('.palette [data-tile="0p"]').waitFor({ state: 'detached' });
    if (other === 'riichi-wrc') continue;
    await unfold(page);
    await page.locator('.win-context input[name^=win-]').first().waitFor();
    expect(
      await page.locator('.ask-riichi, .ask-indicators, .ask-on-table, .stepper, .indicator-field').count(),
    ).toBe(0);
    expect(await page.locator('.win-context input[name^=riichi-]').count()).toBe(0);
  }
});

it('scores one photo by several games side by side', async () => {
  const page = await open({ url: server.url });
  await page.locator('.rules-picker, main').first().waitFor();
  await page.locator('main input[type=file][multiple]').setInputFiles(samplePath('demo'));
  await page.locator('.verdict').waitFor();
  await page.getByRole('button', { name: en.outcome.compare }).click();
  for (const name of ['Riichi Tenhou', 'Hong Kong']) {
    await page.locator('.rules-picker .segment', { hasText: name }).first().click();
  }
  const side = page.locator('.side-by-side label');
  await expect.poll(() => side.count()).toBe(3);
  await expect.poll(() => side.locator('b').allTextContents()).not.toContain('–');
  // Only the total of riichi asks for riichi.
  expect(await page.locator('.ask-riichi').count()).toBe(0);
  await side.nth(1).click();
  await page.locator('.ask-riichi').first().waitFor({ state: 'attached' });
  await side.nth(2).click();
  await page.locator('.total-line .total').getByText(en.faan).waitFor();
  expect(await page.locator('.ask-riichi').count()).toBe(0);
});

/** Begins an evening. */
async function beginGame(page: Page, ruleset: string): Promise<void> {
  await page.getByRole('button', { name: en.evening.title, exact: true }).click();
  for (const [at, name] of NAMES.entries()) {
    await page.getByLabel(Object.values(en.winds)[at] ?? '', { exact: true }).fill(name);
  }
  await page.locator('.new-game select').selectOption(ruleset);
  await page.getByRole('button', { name: en.evening.begin }).click();
  await dealIs(page, 1, 'E');
}

/** The head of a deal: "East 1, 2 counters, 1 stick". */
const headIs = (page: Page, text: string): Promise<void> =>
  page.getByRole('heading', { name: text, exact: true }).waitFor();

const declare = (page: Page, name: string): Promise<void> =>
  page
    .locator('.winners')
    .getByRole('button', { name: en.evening.riichi(name) })
    .click();

async function drawWith(page: Page, ready: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  const sheet = page.getByRole('dialog');
  for (const name of NAMES) await sheet.getByRole('checkbox', { name }).setChecked(ready.includes(name));
  await sheet.getByRole('button', { name: en.riichi.exhausted }).click();
}

it('shows beside the dora which fives are red, and shares what a total does not count', async () => {
  const page = await openHand('123m456p789s55m34s5s', 'riichi-tenhou');
  await page.evaluate(() => {
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ title }: ShareData) => {
        document.body.dataset.shared = title ?? '';
      },
    });
  });
  await answer(page, 'ask-win', 'self_drawn');
  await answer(page, 'ask-riichi', 'no');
  const fives = first(page).locator('.red-fives');
  await fives.getByText(en.riichi.redFives(0)).waitFor();
  const before = await page.locator('[data-range]').getAttribute('data-range');
  await fives.getByRole('button').first().click();
  await fives.getByText(en.riichi.redFives(1)).waitFor();
  await expect.poll(() => page.locator('[data-range]').getAttribute('data-range')).not.toBe(before);
  // Another tap takes it back.
  await fives.getByRole('button', { pressed: true }).click();
  await expect.poll(() => page.locator('[data-range]').getAttribute('data-range')).toBe(before);
  await page.getByRole('button', { name: en.shareLink }).click();
  const names = [en.riichi.uncounted.dora_indicators, en.riichi.uncounted.on_table];
  await expect
    .poll(() => page.evaluate(() => document.body.dataset.shared))
    .toContain(en.riichi.before(names));
});

it('keeps an evening of riichi: sticks, counters, ready players, uma and oka', async () => {
  const page = await open({ url: server.url });
  await beginGame(page, 'riichi-tenhou');
  await headIs(page, 'East 1');
  await declare(page, 'Bo');
  await headIs(page, 'East 1, 1 stick');
  await expect.poll(() => totals(page)).toEqual([0, -1000, 0, 0]);
  // A second tap takes the stick back.
  const sticks = page.locator('.winners .stick');
  const pressed = () => sticks.evaluateAll((all) => all.map((one) => one.getAttribute('aria-pressed')));
  await expect.poll(pressed).toEqual(['false', 'true', 'false', 'false']);
  await declare(page, 'Bo');
  await headIs(page, 'East 1');
  await expect.poll(() => totals(page)).toEqual([0, 0, 0, 0]);
  await declare(page, 'Bo');
  await headIs(page, 'East 1, 1 stick');
  // Anna, who deals, and Bo are ready: the two others pay 1500 each, and Anna deals again.
  await drawWith(page, ['Anna', 'Bo']);
  await dealIs(page, 2, 'E');
  await headIs(page, 'East 1, 1 counter, 1 stick');
  await expect.poll(() => totals(page)).toEqual([1500, 500, -1500, -1500]);
  // Clara declares and draws her tile: mangan, 4000 from Anna and 2000 from the others, 100 for the
  // counter from each, and both sticks.
  await declare(page, 'Clara');
  await headIs(page, 'East 1, 1 counter, 2 sticks');
  await openTyped(page, 2, null);
  await page.getByLabel(en.asText).fill(PINFU);
  // Her stick says riichi; whether the win was ippatsu is still asked, and the counters are known.
  await answer(page, 'ask-riichi', 'riichi ippatsu');
  await answer(page, 'ask-indicators', 'none');
  await answer(page, 'ask-indicators', 'none');
  await expect.poll(() => page.locator('.verdict .asked').count()).toBe(0);
  await page.getByText(en.riichi.takesSticks(2000)).waitFor();
  await page.getByRole('button', { name: new RegExp(`^${en.evening.add}`) }).click();
  await dealIs(page, 3, 'E');
  await headIs(page, 'East 2');
  const after = [1500 - 4100, 500 - 2100, -2500 + 8300 + 2000, -1500 - 2100];
  await expect.poll(() => totals(page)).toEqual(after);
  // By its points, as they are booked: the preview says the same.
  await openWin(page, 1, 'points');
  await from(page, 3).click();
  // Only values that hands have are offered: no self-draw, so no 20 fu.
  await page.locator('input[name=deal-han][value="3"]').check();
  const fu = await page
    .locator('input[name=deal-fu]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
  expect(fu).toEqual(['25', '30', '40', '50', '60']);
  expect(await page.getByRole('button', { name: en.evening.enter, exact: true }).isDisabled()).toBe(true);
  await page.locator('input[name=deal-fu][value="40"]').check();
  await page.getByText(en.total(7700), { exact: true }).waitFor();
  await page.getByText('Anna 0, Bo +7700, Clara 0, Dorte −7700').waitFor();
  await page.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await dealIs(page, 4, 'E');
  // A draw that was entered wrongly is corrected: nobody was ready but Bo.
  const row = page.locator('.score-sheet tbody tr').nth(1);
  await row.locator('summary').click();
  await row.getByRole('button', { name: en.evening.wasDraw }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Anna' }).uncheck();
  await page.getByRole('dialog').getByRole('button', { name: en.riichi.exhausted }).click();
  await row.getByText(en.riichi.drawTenpai('Bo')).waitFor();
  // The result counts at the end.
  expect(await page.locator('[data-result]').count()).toBe(0);
  await openMore(page, en.evening.finish);
  await page.locator('.finish').getByRole('button', { name: en.evening.finish }).click();
  await page.locator('[data-result]').first().waitFor();
  const results = await page
    .locator('[data-result]')
    .evaluateAll((all) => all.map((one) => Number(one.getAttribute('data-result'))));
  expect(results).toHaveLength(4);
  expect(results.reduce((sum, one) => sum + one, 0)).toBe(0);
  expect(await seriousFaults(page)).toEqual([]);
});

it('refuses no hand of an evening while riichi is open, which would make it a win', async () => {
  const page = await open({ url: server.url });
  await beginGame(page, 'riichi-tenhou');
  await openTyped(page, 1, 3);
  // Closed, with a terminal pair of tiles to wait for, and without a yaku.
  await page.getByLabel(en.asText).fill('123m456p789s99m12s3s');
  await first(page).and(page.locator('.ask-riichi')).waitFor();
  const table = page.locator('.to-evening');
  await table.getByText(en.evening.hangs).waitFor();
  expect(await page.locator('.total.missed').count()).toBe(0);
  expect(await table.getByRole('button', { name: en.evening.falseWin }).count()).toBe(0);
  // The tap leads to the question.
  await table.getByRole('button', { name: new RegExp(`^${en.evening.add}`) }).click();
  expect(await page.evaluate(() => document.activeElement?.closest('.ask-riichi') !== null)).toBe(true);
  // Without riichi it is no win, and with it, it is.
  await answer(page, 'ask-riichi', 'no');
  await table.getByRole('button', { name: en.evening.falseWin }).waitFor();
  await page.getByRole('button', { name: en.takeBackChange }).click();
  await answer(page, 'ask-riichi', 'riichi');
  await page.locator('[data-total="1300"]').waitFor();
  expect(await table.getByRole('button', { name: en.evening.falseWin }).count()).toBe(0);
});

it('asks three players for norths, and begins an evening of three', async () => {
  const hand = '123p406p789s55s34s5s';
  const page = await openHand(hand, 'riichi-three', '&riichi=no&dora_indicators=9p', {
    viewport: { width: 320, height: 844 },
  });
  await answer(page, 'ask-win', 'self_drawn');
  const assumed = page.locator('.assumed').getByText(en.riichi.assumed.norths, { exact: false });
  await assumed.waitFor();
  await page.locator('.total-line').getByText(en.riichi.uncounted.norths, { exact: false }).waitFor();
  const norths = first(page).locator('[data-field=norths]');
  await norths.waitFor();
  // On a narrow screen too, what counts is one row.
  const tops = await norths
    .locator('button')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  for (const _ of [1, 2]) {
    await norths.getByRole('button', { name: en.riichi.more(en.riichi.fields.norths) }).click();
  }
  // The seat is asked with what lies on the table, and one tap tells both.
  await answer(page, 'ask-wind', 'W');
  const given = { win: 'self_drawn', riichi: 'no', dora_indicators: ['9p'], norths: 2, seat: 'W' };
  await total(page, (await scored(hand, { ruleset: 'riichi-three', ...given })).total);
  await assumed.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: en.home }).first().click();
  await page.getByLabel(en.rules).selectOption('riichi-three');
  await page.getByRole('button', { name: en.evening.title }).click();
  await page.getByText(en.evening.namesNeeded(3)).waitFor();
  const names = page.locator('.new-game fieldset input');
  expect(await names.count()).toBe(3);
  for (const [at, name] of ['Anna', 'Bo', 'Clara'].entries()) await names.nth(at).fill(name);
  await page.getByRole('button', { name: en.evening.begin, exact: true }).click();
  await page.locator('[data-winner]').first().waitFor();
  expect(await page.locator('[data-winner]').count()).toBe(3);
});

it('keeps an evening of Hong Kong by faan', async () => {
  const page = await open({ url: server.url });
  await beginGame(page, 'hk-old');
  expect(await page.locator('.stick, .on-table').count()).toBe(0);
  // Four faan are worth 16: Dorte, who discarded, pays twice that, the others once; East deals again.
  await openWin(page, 0, 'points');
  await from(page, 3).click();
  // No fewer faan are offered than the minimum.
  expect(await page.locator('input[name=deal-faan]').first().getAttribute('value')).toBe('3');
  await page.locator('input[name=deal-faan][value="4"]').check();
  await page.getByText('Anna +64, Bo −16, Clara −16, Dorte −32').waitFor();
  await page.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await dealIs(page, 2, 'E');
  await expect.poll(() => totals(page)).toEqual([64, -16, -16, -32]);
  await page.locator('.score-sheet').getByText(`4 ${en.faan}`, { exact: false }).first().waitFor();
  // A draw asks nobody who was ready.
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  await dealIs(page, 3, 'E');
  // The table of values is shown when it is asked for.
  const hand = await openHand('111222333m11p999s', 'hk-old');
  await hand.getByRole('button', { name: en.riichi.values }).click();
  await hand.getByRole('dialog').getByRole('row', { name: '4 32 16 32' }).waitFor();
});

it.each(SCREENS)('fits a screen of $width pixels, and axe finds nothing', async ({ width, colorScheme }) => {
  const page = await openHand(PINFU, 'riichi-tenhou', '&riichi=riichi&ippatsu=true', {
    viewport: { width, height: 844 },
    colorScheme,
  });
  await page.locator('[data-total]').waitFor();
  await unfold(page);
  await page.locator('.more-questions summary').click();
  await page.locator('.fu-parts summary').click();
  await check(page, width);
  await page.locator('.ask-indicators [data-answer=choose]').first().click();
  for (const tile of ['1m', '9m', 'P', 'E', '5s']) {
    await page.locator(`dialog .palette [data-tile="${tile}"]`).click();
  }
  await check(page, width);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: en.riichi.values }).click();
  await page.getByRole('dialog').locator('td').first().waitFor();
  await check(page, width);
});

/**
 * Checks that nothing is wider than the screen, that targets have 44 pixels, and that axe finds no
 * serious fault.
 */
async function check(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  const small = await page.locator(TARGETS).evaluateAll((all) =>
    all
      .map((one) => [one.getBoundingClientRect(), one.textContent ?? ''] as const)
      .filter(([{ width: wide, height }]) => wide > 0 && (wide < 43.5 || height < 43.5))
      .map(([, text]) => text),
  );
  expect(small).toEqual([]);
  expect(await seriousFaults(page)).toEqual([]);
}

/** Faults that axe finds and that keep people from using the page. */
const seriousFaults = async (page: Page) =>
  (await findViolations(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical');

it('speaks Chinese', async () => {
  const page = await openHand(PINFU, 'riichi-tenhou', '', { locale: 'zh-CN' });
  await page.getByText(zh.riichi.ask).first().waitFor({ state: 'attached' });
  await page.locator('.fan-name', { hasText: /^平和$/ }).waitFor();
});
