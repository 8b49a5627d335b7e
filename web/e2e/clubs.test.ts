/**
 * Two evenings of clubs on a phone, in the languages of their players: riichi in Japanese, from three photos
 * over two aborted deals and two winners of one discard to a bankruptcy, and Hong Kong in traditional Chinese.
 * Points are worked out by hand from the text of the rules. With `TILESIGHT_SHOTS` every step is a picture in
 * that folder.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { en } from '../src/i18n/en';
import { ja } from '../src/i18n/ja';
import { zhHant } from '../src/i18n/zh-Hant';
import { fromDto } from '../src/model/hand';
import { print } from '../src/model/notation';
import { open, type Page, useBrowser } from './browser';
import { cutOff } from './fits';
import { type Running, samplePath, start } from './server';
import { dealIs, totals, truthOf, WINDS } from './table';

useBrowser();

/** Width of the phone. */
const WIDTH = 390;

let folder: string;
let server: Running;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilesight-clubs-'));
  server = await start(['--data', folder]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A table whose players speak a language. */
class Table {
  private steps = 0;

  constructor(
    readonly page: Page,
    readonly words: typeof en,
    readonly names: readonly string[],
    readonly title: string,
  ) {}

  /** Sees that everything fits, and that nothing is English where its players have words of their own. */
  async look(step: string): Promise<void> {
    const { page } = this;
    this.steps += 1;
    const shots = process.env.TILESIGHT_SHOTS;
    if (shots) {
      const number = String(this.steps).padStart(2, '0');
      await page.screenshot({ path: join(shots, `${this.title}-${number}-${step}.png`), fullPage: true });
    }
    expect(await cutOff(page, WIDTH), step).toEqual([]);
    const text = await page.locator('body').innerText();
    expect(text.match(/[A-Za-z]{3,}[ ,;:][A-Za-z]{2,}/g) ?? [], step).toEqual([]);
    expect(text, step).not.toMatch(/undefined|NaN|\[object/);
  }

  async begin(ruleset: string): Promise<void> {
    const { page, words, names } = this;
    await page.getByRole('button', { name: words.evening.title, exact: true }).click();
    await page.getByLabel(words.evening.name).fill(this.title);
    for (const [at, name] of names.entries())
      await page.getByLabel(words.winds[WINDS[at] ?? 'E'], { exact: true }).fill(name);
    await page.locator('.new-game select').selectOption(ruleset);
    await this.look('new');
    await page.getByRole('button', { name: words.evening.begin, exact: true }).click();
    await dealIs(page, 1, 'E');
    await this.look('begun');
  }

  /** Says who won, how the hand is entered, and what follows on it. */
  async won(winner: number, way: 'photo' | 'typed' | 'points'): Promise<void> {
    await this.page.locator(`.next-deal .turn:not(.unsettled) [data-winner="${winner}"]`).click();
    await this.page.locator(`dialog input[name=deal-way][value=${way}]`).check();
  }

  private fromText(discarder: number | null): string {
    const { words, names } = this;
    return discarder === null ? words.wins.self_drawn : words.evening.from(names[discarder] ?? '');
  }

  from(discarder: number | null): Promise<void> {
    return this.page
      .locator('.ask-from')
      .getByRole('button', { name: this.fromText(discarder), exact: true })
      .click();
  }

  /** Takes a photo of the winner's hand and enters it: what the page still asks is answered by the sample's truth. */
  async snap(winner: number, discarder: number | null, sample: string, total: number): Promise<void> {
    const { page, words } = this;
    const truth = await truthOf(samplePath(sample));
    await this.won(winner, 'photo');
    await this.look('win');
    const input = page.locator('.ask-from label', { hasText: this.fromText(discarder) }).locator('input');
    await input.setInputFiles(truth.photo);
    await this.seen();
    await this.look('read');
    if ((await page.locator(`[data-total="${total}"]`).count()) === 0) {
      await page.getByRole('button', { name: words.addTiles }).click();
      await page.getByLabel(words.asText).fill(print(fromDto(truth.hand)) ?? '');
    }
    await this.add(total);
  }

  /** Until the hand is scored as it is now, or shows why it has no score. */
  async seen(): Promise<void> {
    await this.page.locator('.total-line[aria-busy=false], .incomplete, .verdict .notice').first().waitFor();
  }

  /** Adds the hand to the evening, whatever the page asks that the player does not know. */
  async add(total: number): Promise<void> {
    const { page, words } = this;
    await page.locator(`[data-total="${total}"]`).first().waitFor();
    await page.locator('.to-evening').getByRole('button', { name: words.evening.add }).click();
    const anyway = page.locator('.to-evening .unsure .actions button:not(.primary)');
    await anyway.or(page.locator('.score-sheet')).first().waitFor();
    if (await anyway.isVisible()) {
      await this.look('anyway');
      await anyway.click();
    }
    await page.locator('.score-sheet').waitFor();
  }

  async enter(): Promise<void> {
    await this.look('value');
    await this.page
      .locator('dialog')
      .getByRole('button', { name: this.words.evening.enter, exact: true })
      .click();
  }

  /** Sees the totals, in the order of the players. */
  async has(points: readonly number[]): Promise<void> {
    await expect.poll(() => totals(this.page)).toEqual(points);
    await this.look('sheet');
  }

  /** Enters that a deal of riichi was aborted. */
  async abort(kind: string): Promise<void> {
    const { page, words } = this;
    await page.getByRole('button', { name: words.evening.draw, exact: true }).click();
    await page.locator(`dialog [data-abort=${kind}]`).waitFor();
    await page.locator('dialog .unsettled').waitFor({ state: 'detached' });
    await this.look('draw');
    await page.locator(`dialog [data-abort=${kind}]`).click();
  }

  stick(player: number): Promise<void> {
    const name = this.words.evening.riichi(this.names[player] ?? '');
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Opens every row of the sheet. */
  async unfoldRows(): Promise<void> {
    const rows = this.page.locator('.score-sheet tbody details:not([open]) > summary');
    while ((await rows.count()) > 0) await rows.first().click();
  }
}

it('keeps an evening of riichi in Japanese, from three photos to a bankruptcy', async () => {
  const page = await open({ url: server.url, locale: 'ja-JP' });
  const table = new Table(page, ja, ['佐藤', '鈴木', '高橋', '田中'], '木曜会');
  await table.begin('riichi-tenhou');
  await table.abort('nine_terminals');
  await dealIs(page, 2, 'E');
  // Seven pairs after riichi, 3 han 25 fu from Tanaka: 3200, a counter, and the own stick back.
  await table.stick(1);
  await table.has([0, -1000, 0, 0]);
  await table.snap(1, 3, '900001', 3500);
  await dealIs(page, 3, 'E');
  await table.has([0, 3500, 0, -3500]);
  // All pungs and the white dragon, self-drawn by Sato, 3 han 60 fu: 3900 from Suzuki, who deals.
  await table.snap(0, null, '900272', 7900);
  await dealIs(page, 4, 'E');
  await table.has([7900, -400, -2000, -5500]);
  await table.abort('four_winds');
  await dealIs(page, 5, 'E');
  // An open half flush with the red dragon, 3 han 40 fu from Sato: 5200 and a counter.
  await table.snap(3, 0, '900002', 5500);
  await dealIs(page, 6, 'E');
  await table.has([2400, -400, -2000, 0]);
  // Tanaka's stick goes to Sato, who is next in turn after Takahashi, in whatever order they are entered.
  await table.stick(3);
  await table.has([2400, -400, -2000, -1000]);
  await table.won(1, 'points');
  await table.from(2);
  await page.getByRole('dialog').getByRole('radio', { name: ja.riichi.limits.mangan, exact: true }).check();
  await table.enter();
  await dealIs(page, 7, 'S');
  await table.unfoldRows();
  await table.look('rows');
  await page.getByRole('button', { name: ja.dealer.alsoWon }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('radio', { name: '佐藤' }).check();
  await sheet.getByRole('radio', { name: ja.riichi.limits.haneman, exact: true }).check();
  await table.enter();
  await table.has([15_400, 7600, -22_000, -1000]);
  // Takahashi let the third dragon be called, and pays the whole yakuman.
  await table.won(1, 'points');
  await table.from(null);
  await sheet.getByRole('radio', { name: ja.riichi.limits.yakuman, exact: true }).check();
  await sheet.locator('input[name=deal-liable][value="2"]').check();
  await table.enter();
  await page.getByRole('heading', { name: ja.evening.over.bankruptcy }).waitFor();
  await table.has([15_400, 39_600, -54_000, -1000]);
  const results = await page
    .locator('.standings [data-result]')
    .evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset.result)));
  expect(results).toEqual([74_600, 20_400, -16_000, -79_000]);
  await table.unfoldRows();
  await expect.poll(() => page.locator('.row-photo').count()).toBe(3);
  await table.look('end');
});

it('keeps an evening of Hong Kong in traditional Chinese', async () => {
  const page = await open({ url: server.url, locale: 'zh-HK' });
  const table = new Table(page, zhHant, ['陳太', '李生', '黃伯', '張姐'], '星期五');
  await table.begin('hk-old');
  // All pungs 3, the red dragon 1, no flowers 1: 5 faan are 24 chips, twice from Uncle Wong.
  await table.snap(1, 2, '900151', 5);
  await dealIs(page, 2, 'E');
  await table.has([-24, 96, -48, -24]);
  // Four faan, self-drawn by the dealer, who stays: 32 from each.
  await table.won(1, 'points');
  await table.from(null);
  await page.getByRole('dialog').getByRole('radio', { name: '4', exact: true }).check();
  await table.enter();
  await dealIs(page, 3, 'E');
  await table.has([-56, 192, -80, -56]);
  await page.getByRole('button', { name: zhHant.evening.draw, exact: true }).click();
  await dealIs(page, 4, 'E');
  // A concealed full flush of chows: 7, chows alone 1, concealed 1, no flowers 1.
  await table.won(3, 'typed');
  await table.from(1);
  await page.getByLabel(zhHant.asText).fill('12334567856799s');
  await table.seen();
  await table.look('typed');
  await table.add(10);
  await dealIs(page, 5, 'E');
  await table.has([-184, -64, -208, 456]);
  // A false win of Lee: 32 to each.
  await page.getByRole('button', { name: zhHant.evening.more, exact: true }).click();
  await table.look('more');
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: zhHant.evening.byHand, exact: true }).click();
  await sheet.getByRole('radio', { name: '李生' }).check();
  await sheet.locator('input.each').fill('32');
  await table.enter();
  await table.has([-152, -160, -176, 488]);
  await page.getByRole('button', { name: zhHant.evening.more, exact: true }).click();
  await sheet.getByRole('button', { name: zhHant.evening.finish, exact: true }).click();
  await table.look('finish');
  await sheet.locator('.notice button.primary').click();
  await page.getByRole('heading', { name: zhHant.evening.over.finished }).waitFor();
  await table.unfoldRows();
  await table.look('end');
});
