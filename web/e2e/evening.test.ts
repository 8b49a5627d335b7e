/**
 * An evening of sixteen hands through the page, by photos: on two phones, over a restart, and
 * offline for a while. The test computes the totals itself, from the text of the rules.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { da } from '../src/i18n/da';
import { de } from '../src/i18n/de';
import { en } from '../src/i18n/en';
import { ja } from '../src/i18n/ja';
import { sv } from '../src/i18n/sv';
import { zh } from '../src/i18n/zh';
import { zhHant } from '../src/i18n/zh-Hant';
import { open, type Page, total, useBrowser } from './browser';
import { leaveAndFind } from './evenings';
import { cutOff } from './fits';
import { type Restartable, samplePath, startBehind } from './server';
import {
  begin,
  dealIs,
  enter,
  enterPoints,
  expected,
  from,
  NAMES,
  openMore,
  openTyped,
  openWin,
  photoFrom,
  snap,
  totals,
  truthOf,
  WINDS,
} from './table';
import { unmark } from './unmarked';

useBrowser();

/** Players by seat at the start of each round, worked out by hand from the German rules. */
const SEATS = [
  [0, 1, 2, 3],
  [1, 0, 3, 2],
  [2, 3, 1, 0],
  [3, 2, 0, 1],
];
/** Sample photos of hands that are legal wins with any winds. */
const PHOTOS = [
  '900001',
  '900006',
  '900009',
  '900013',
  '900015',
  '900045',
  '900083',
  '900151',
  '900272',
  'demo',
];

let folder: string;
let server: Restartable;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilesight-evening-'));
  server = await startBehind(['--data', folder]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Enters a hand: by its photo, or by its points once the photo was seen before. */
async function play(page: Page, deal: number, name: string): Promise<readonly number[]> {
  const truth = await truthOf(samplePath(name));
  const seats = [0, 1, 2, 3].map((seat) => SEATS[Math.floor(deal / 4)]?.[(seat + deal) % 4] ?? 0);
  const winner = (deal * 3 + 1) % 4;
  const discarder = (winner + 1 + (deal % 3)) % 4;
  const seat = WINDS[seats.indexOf(winner)] ?? 'E';
  const context = { seat, prevalent: WINDS[Math.floor(deal / 4)] ?? 'E', win: truth.win } as const;
  const points = await expected(server.url, truth, context);
  const self = truth.win === 'self_drawn';
  if (deal < PHOTOS.length) {
    await snap(page, truth, { winner, discarder, seat });
    await enter(page, truth, points);
  } else {
    await enterPoints(page, { winner, discarder: self ? null : discarder }, points);
  }
  return [0, 1, 2, 3].map((player) => {
    if (player === winner) return 24 + (self ? 3 * points : points);
    return self || player === discarder ? -8 - points : -8;
  });
}

it('keeps the sheet of sixteen hands on two phones, over a restart', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  const id = JSON.parse((await page.evaluate(() => localStorage.getItem('tilesight.evening'))) ?? '{}')
    .address.id;
  const other = await open({ url: server.url, path: `/#game=${id}` });
  await dealIs(other, 1);
  let sums = [0, 0, 0, 0];
  for (let deal = 0; deal < 16; deal += 1) {
    await dealIs(page, deal + 1);
    if (deal === 5) {
      await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
    } else {
      const paid = await play(page, deal, PHOTOS[deal % PHOTOS.length] ?? 'demo');
      sums = sums.map((sum, player) => sum + (paid[player] ?? 0));
    }
    await expect.poll(() => totals(page)).toEqual(sums);
    // The other phone updates by itself.
    await expect.poll(() => totals(other)).toEqual(sums);
    if (deal === 8) {
      await server.down();
      await server.up();
    }
  }
  await page.getByRole('heading', { name: en.evening.over.complete }).waitFor();
  await expect.poll(() => page.locator('.score-sheet tbody tr').count()).toBe(16);

  // A correction: the last hand was a draw. Then the correction is undone.
  const last = page.locator('.score-sheet tbody tr').last();
  await last.locator('summary').click();
  await last.getByRole('button', { name: en.evening.wasDraw }).click();
  await page.getByText(`(${en.evening.corrected})`).waitFor();
  expect(await totals(page)).not.toEqual(sums);
  await page.getByRole('button', { name: en.undo, exact: true }).click();
  await expect.poll(() => totals(page)).toEqual(sums);

  // A false mahjong after the game: four numbers that sum to zero.
  await openMore(page, en.evening.byHand);
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('radio', { name: 'Bo' }).check();
  for (const [at, name] of NAMES.entries())
    await sheet
      .getByLabel(name, { exact: true })
      .last()
      .fill(at === 1 ? '-30' : '10');
  await sheet.getByRole('button', { name: en.evening.enter }).click();
  sums = sums.map((sum, player) => sum + (player === 1 ? -30 : 10));
  await expect.poll(() => totals(page)).toEqual(sums);

  // The link shows the sheet and allows no changes.
  const link = await fetch(`${server.url}/v1/games/${id}/share`, { method: 'POST' });
  const { page: path } = (await link.json()) as { readonly page: string };
  const onlooker = await open({ url: server.url, path });
  await expect.poll(() => totals(onlooker)).toEqual(sums);
  expect(await onlooker.getByRole('button', { name: en.evening.draw, exact: true }).count()).toBe(0);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const file = join(folder, 'evening.csv');
  await (await download).saveAs(file);
  const table = await readFile(file, 'utf8');
  expect(table).toContain(`${sums.join(',')},,,,\r\n,,,place,`);
});

it('corrects a hand on the table, in the seat of its deal', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await play(page, 0, 'demo');
  await dealIs(page, 2);
  const row = page.locator('.score-sheet tbody tr').first();
  await row.locator('summary').click();
  await row.getByRole('button', { name: en.evening.correct }).click();
  await page.getByRole('heading', { name: en.evening.correcting(1) }).waitFor();
  // It was a self-draw, so all three others pay.
  await page.locator('.to-evening').getByRole('button', { name: en.outcome.change }).click();
  await page.locator('.to-evening input[name^=how-][value=self]').check();
  const correct = page.getByRole('button', { name: new RegExp(`^${en.evening.correct}.*points`) });
  await correct.click();
  await page.getByText(`(${en.evening.corrected})`).waitFor();
  await page.getByText(en.evening.selfDrawn('Bo')).first().waitFor();
  const [anna, bo, clara, dorte] = await totals(page);
  expect([anna, clara, dorte]).toEqual([anna, anna, anna]);
  expect(bo).toBe(-3 * (anna ?? 0));
  await page.reload();
  await page.getByText(`(${en.evening.corrected})`).waitFor();
});

it('keeps offline changes, and asks after a conflict with another phone', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  const id = JSON.parse((await page.evaluate(() => localStorage.getItem('tilesight.evening'))) ?? '{}')
    .address.id;
  const other = await open({ url: server.url, path: `/#game=${id}` });
  await dealIs(other, 1);
  const draw = (phone: Page): Promise<void> =>
    phone.getByRole('button', { name: en.evening.draw, exact: true }).click();

  // Without a network the draw waits, even over a reload; then it arrives by itself.
  await page.context().setOffline(true);
  await draw(page);
  await page.getByText(en.evening.waits).waitFor();
  await page.context().setOffline(false);
  await dealIs(page, 2);
  await dealIs(other, 2);

  // Both phones enter the same deal: the later one sees the conflict and decides.
  await page.context().setOffline(true);
  await draw(page);
  await draw(other);
  await dealIs(other, 3);
  await page.context().setOffline(false);
  await page.getByText(en.evening.changedBy).waitFor();
  await dealIs(page, 3);
  await page.getByRole('button', { name: en.evening.discard }).click();
  await expect.poll(() => page.getByText(en.evening.changedBy).count()).toBe(0);
  await expect.poll(() => page.locator('.score-sheet tbody tr').count()).toBe(2);
  await draw(page);
  await dealIs(other, 4);
});

it('enters a second deal by photo in three taps: winner, discarder with the camera, add', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  await dealIs(page, 2);
  const truth = await truthOf(samplePath('demo'));
  const points = await expected(server.url, truth, { seat: 'E', prevalent: 'E', win: 'discard' });
  // Bo deals now and is East. Clara discarded.
  await openWin(page, 1, 'photo');
  await photoFrom(page, 2).setInputFiles(truth.photo);
  await page.getByText(en.evening.wonFrom('Bo', 'Clara')).waitFor();
  const add = page.getByRole('button', { name: new RegExp(`${en.evening.add}.*${en.total(points)}`) });
  await add.waitFor();
  // The winner and the discarder are not asked again.
  expect(await page.locator('.to-evening input').count()).toBe(0);
  expect(await page.locator('.ask-win').count()).toBe(0);
  expect(
    await add.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight && scrollY === 0),
  ).toBe(true);
  await add.click();
  await expect.poll(() => totals(page)).toEqual([-8, 24 + points, -8 - points, -8]);
});

it('adds a hand that hangs on a question only after a second tap, and keeps what was supposed', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await unmark(page);
  await openWin(page, 1, 'photo');
  await photoFrom(page, 2).setInputFiles(samplePath('demo'));
  const table = page.locator('.to-evening');
  const add = table.getByRole('button', { name: en.evening.add });
  await page.locator('.verdict .ask-tile').waitFor();
  await expect.poll(() => add.textContent()).toMatch(/\d+ to \d+ points/);
  await add.click();
  const range = (await page.locator('.verdict [data-range]').textContent()) ?? '';
  await expect.poll(() => table.locator('.unsure p').textContent()).toContain(range.trim());
  // The question first: the focus is on its first answer, and nothing was entered.
  await table.getByRole('button', { name: en.evening.answerFirst }).click();
  expect(await page.evaluate(() => document.activeElement?.closest('.asked') !== null)).toBe(true);
  expect(await add.count()).toBe(1);
  // It may be added all the same; the sheet says which tile is supposed, and so does a correction.
  const supposed = Number(await page.locator('.verdict [data-total]').getAttribute('data-total'));
  const assumed = (await page.locator('.verdict .assumed').textContent()) ?? '';
  const tile = new RegExp(`${en.winningMark} [^;.]+`, 'i').exec(assumed)?.[0] ?? 'nothing';
  await add.click();
  await table.getByRole('button', { name: en.evening.addAnyway(en.total(supposed)) }).click();
  await expect.poll(() => totals(page)).toEqual([-8, 24 + supposed, -8 - supposed, -8]);
  const row = page.locator('.score-sheet tbody tr').first();
  await row.locator('summary').click();
  await row.getByText(en.assumed([tile])).waitFor();
  await row.getByRole('button', { name: en.evening.correct }).click();
  await expect.poll(() => page.locator('.verdict .assumed').textContent()).toContain(tile);
  // So it stays on this device, and in a link.
  await page.reload();
  await page.getByRole('button', { name: en.goOn, exact: true }).click();
  await expect.poll(() => page.locator('.verdict .assumed').textContent()).toContain(tile);
});

it('keeps the evening that another one takes the place of, and lists both', async () => {
  await leaveAndFind(await open({ url: server.url }));
});

it('enters a deal without tiles as points and who pays', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await openWin(page, 2, 'points');
  await from(page, 0).click();
  await page.getByLabel(en.evening.pointsOfHand).fill('30');
  await page.getByText('Anna −38, Bo −8, Clara +54, Dorte −8').waitFor();
  await page.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await expect.poll(() => totals(page)).toEqual([-38, -8, 54, -8]);
  await dealIs(page, 2);
  await page
    .getByText(`Clara from Anna, ${en.total(30)}`)
    .first()
    .waitFor();

  // Offline it is shown who will pay as well. Clara is South now; the service settles the rest.
  await page.context().setOffline(true);
  await openWin(page, 2, 'points');
  await from(page, null).click();
  await page.getByLabel(en.evening.pointsOfHand).fill('10');
  await page.getByText('Anna −18, Bo −18, Clara +54, Dorte −18').waitFor();
  await page.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await page.getByText(en.evening.waits).waitFor();
  await page.context().setOffline(false);
  await expect.poll(() => totals(page)).toEqual([-56, -26, 108, -26]);

  // The first deal was 24 points, from Bo.
  const row = page.locator('.score-sheet tbody tr').first();
  await row.locator('summary').click();
  await row.getByRole('button', { name: en.evening.correct }).click();
  const sheet = page.getByRole('dialog', { name: en.evening.correcting(1) });
  await expect.poll(() => sheet.getByLabel(en.evening.pointsOfHand).inputValue()).toBe('30');
  await sheet.getByRole('button', { name: en.evening.from('Bo') }).click();
  await sheet.getByLabel(en.evening.pointsOfHand).fill('24');
  await sheet.getByText('Anna −8, Bo −32, Clara +48, Dorte −8').waitFor();
  await sheet.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await expect.poll(() => totals(page)).toEqual([-26, -50, 102, -26]);
  await page.getByText(`(${en.evening.corrected})`).waitFor();
});

it('goes on with the sheet offline, and enters later what it showed', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  const hand = '123456789m11pSSS';
  const facts = { seat: 'S', prevalent: 'E', win: 'discard' } as const;
  const points = await expected(server.url, { hand, win: 'discard', photo: '' } as never, facts);
  const enterHand = async (winner: number, discarder: number): Promise<void> => {
    await openTyped(page, winner, discarder);
    // The seat wind's pung counts for South alone.
    await page.getByLabel(en.asText).fill(hand);
    await total(page, points);
    await page.getByRole('button', { name: new RegExp(`^${en.evening.add}.*${en.total(points)}`) }).click();
  };
  await page.locator('.winners').waitFor();
  await page.context().setOffline(true);
  await page.getByText(en.offline, { exact: true }).waitFor();
  // Bo is South now, and so is Clara in the deal after it.
  await enterHand(1, 2);
  await dealIs(page, 2);
  await expect.poll(() => totals(page)).toEqual([-8, 24 + points, -8 - points, -8]);
  await page
    .locator('.winners')
    .getByRole('button', { name: `${en.winds.E} Bo`, exact: true })
    .waitFor();
  await enterHand(2, 1);
  await dealIs(page, 3);
  const shown = [-16, 16, 16, -16];
  await expect.poll(() => totals(page)).toEqual(shown);
  // A draw that is taken back while it waits is never sent.
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  await dealIs(page, 4);
  await page.getByRole('button', { name: en.undo, exact: true }).click();
  await dealIs(page, 3);
  expect(await page.getByText(en.evening.waits).count()).toBe(2);

  // So it stays over a reload, and so the service settles it.
  await page.context().setOffline(false);
  await expect.poll(() => page.getByText(en.evening.waits).count()).toBe(0);
  await page.reload();
  await expect.poll(() => totals(page)).toEqual(shown);
  await dealIs(page, 3);
});

it('refuses an amount while it is typed, and says what is wrong with it', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await openWin(page, 2, 'points');
  await from(page, 0).click();
  const points = page.getByLabel(en.evening.pointsOfHand);
  const add = page.getByRole('button', { name: en.evening.enter, exact: true });
  // Each was a number once, or was refused without a word.
  for (const text of ['1e3', '0x10', '8.5', '-8', 'eight', '100001']) {
    await points.fill(text);
    await page.getByText(en.evening.wrongPoints(100_000)).waitFor();
    expect([await points.getAttribute('aria-invalid'), await add.isDisabled()], text).toEqual(['true', true]);
  }
  // Below the minimum nobody is shown to pay.
  await points.fill('7');
  await page.getByText(en.evening.belowMinimum(en.total(8), en.evening.byHand)).waitFor();
  expect([await points.getAttribute('aria-invalid'), await add.isDisabled()]).toEqual(['true', true]);
  expect(await page.getByText('Clara +', { exact: false }).count()).toBe(0);
  await points.fill('8');
  await expect.poll(() => add.isEnabled()).toBe(true);
  await page.keyboard.press('Escape');

  await openMore(page, en.evening.byHand);
  const sheet = page.getByRole('dialog');
  const anna = sheet.locator('.points input').first();
  await anna.fill('−');
  expect(await anna.getAttribute('aria-invalid')).toBe('false');
  await anna.fill('−3x');
  await sheet.getByText(en.evening.wrongPayment('−3x')).waitFor();
  expect(await anna.getAttribute('aria-invalid')).toBe('true');
});

it('asks before the game is finished, and undoes it', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
  await dealIs(page, 2);
  await openMore(page, en.evening.finish);
  await page.getByText(en.evening.finishAsk).waitFor();
  // The answer that changes nothing has the focus.
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByText(en.evening.finishAsk).count()).toBe(0);
  await dealIs(page, 2);
  await openMore(page, en.evening.finish);
  await page.locator('.finish').getByRole('button', { name: en.evening.finish }).click();
  await page.getByRole('heading', { name: en.evening.over.finished }).waitFor();
  await page.getByRole('button', { name: en.undo, exact: true }).click();
  await dealIs(page, 2);
});

const LONG = ['Annabella-Charlotte', 'Bartholomew Longfellow', 'Clara', 'Wolfeschlegelsteinhausen'];

it('shows payments by names and hands as tiles, in four columns of a phone', async () => {
  const page = await open({ url: server.url });
  await page.getByRole('button', { name: en.evening.title, exact: true }).click();
  for (const [at, name] of LONG.entries()) {
    await page.getByLabel(en.winds[WINDS[at] ?? 'E'], { exact: true }).fill(name);
  }
  await page.getByRole('button', { name: en.evening.begin }).click();
  await dealIs(page, 1);
  await openWin(page, 1, 'typed');
  await page.getByRole('button', { name: en.evening.from(LONG[3] ?? '') }).click();
  await page.getByLabel(en.asText).fill('123456789m11p[FFF,1]');
  const paid = page.locator('.payments ul');
  await expect.poll(() => paid.textContent()).toContain(LONG[3]);
  expect(await paid.textContent()).toContain(LONG[1]);
  expect(await paid.textContent()).not.toContain(en.winds.E);
  await page.getByRole('button', { name: new RegExp(`^${en.evening.add}`) }).click();
  await dealIs(page, 2);
  const row = page.locator('.score-sheet tbody tr').first();
  await row.locator('summary').click();
  // The tiles are drawn, and named for those who can't see them.
  const laid = row.getByRole('img', { name: /1 characters/ });
  await expect.poll(() => laid.locator('.face').count()).toBe(14);
  expect(await row.textContent()).not.toContain('FFF');
  for (const width of [320, 390, 768]) {
    await page.setViewportSize({ width, height: 844 });
    const over = await page
      .locator('.score-sheet .wide')
      .evaluate((one) => one.scrollWidth - one.clientWidth);
    expect([width, over]).toEqual([width, 0]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  // A name is cut for the eye alone.
  await page.getByRole('columnheader', { name: 'Wolfeschlegelsteinhausen', exact: true }).waitFor();
});

it('gives the reason beside the disabled button, and enters a false mahjong', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await openTyped(page, 1, 3);
  // A chow and nothing else: far from eight points.
  await page.getByLabel(en.asText).fill('[123m,1][567p,1][789s,1]67s22m8s');
  const add = page.locator('.to-evening').getByRole('button', { name: new RegExp(`^${en.evening.add}`) });
  await page.locator('.to-evening .not-added').waitFor();
  expect(await add.isDisabled()).toBe(true);
  const id = (await add.getAttribute('aria-describedby')) ?? 'nothing';
  expect(await page.locator(`#${id}`).textContent()).toMatch(/8/);
  await page.getByRole('button', { name: en.evening.falseWin }).click();
  const sheet = page.getByRole('dialog');
  expect(await sheet.locator('input[name=manual-player]:checked').getAttribute('value')).toBe('1');
  await sheet.getByLabel(en.evening.eachPays).fill('10');
  await sheet.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await expect.poll(() => totals(page)).toEqual([10, -30, 10, 10]);
  // The deal goes on, and the hand is closed.
  await dealIs(page, 1);
  expect(await page.locator('.table-hand').count()).toBe(0);
});

it('enters one draw with a double tap, and undoes and redoes it', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await page.getByRole('button', { name: en.evening.draw, exact: true }).dblclick();
  await dealIs(page, 2);
  const rows = page.locator('.score-sheet tbody tr');
  await page.getByRole('button', { name: en.undo, exact: true }).click();
  await dealIs(page, 1);
  expect(await rows.count()).toBe(0);
  await page.getByRole('button', { name: en.redo, exact: true }).click();
  await dealIs(page, 2);
  expect(await rows.count()).toBe(1);
  expect(await page.getByRole('button', { name: en.redo, exact: true }).count()).toBe(0);
});

it('says who won, from whom, and then by camera, library, tiles or points', async () => {
  const page = await open({ url: server.url });
  const live = await page.getByRole('button', { name: en.live.title }).count();
  await begin(page);
  // One way in for each: a winner, a draw, and all else.
  const names = await page.locator('.next-deal button').allTextContents();
  expect(names.slice(-2)).toEqual([en.evening.draw, en.evening.more]);
  expect(names).toHaveLength(6);
  await openWin(page, 1, 'library');
  expect(await page.locator('dialog input[name=deal-way][value=live]').count()).toBe(live);
  // Without `capture` the phone offers its library.
  const clara = photoFrom(page, 2);
  expect(await clara.getAttribute('capture')).toBe(null);
  await clara.setInputFiles(samplePath('demo'));
  await page.getByText(en.evening.wonFrom('Bo', 'Clara')).waitFor();
  await page.getByRole('button', { name: new RegExp(`${en.evening.add}.*20`) }).click();
  // The row opens to the hand and its photo, which stays on the device.
  await dealIs(page, 2);
  const row = page.locator('.score-sheet tbody tr').first();
  await row.locator('summary').click();
  await row.getByRole('img', { name: en.evening.rowPhoto }).waitFor();
  await page.reload();
  await row.locator('summary').click();
  await row.getByRole('img', { name: en.evening.rowPhoto }).waitFor();
  // A hand that is taken back and entered again has its photo again.
  await page.getByRole('button', { name: en.undo, exact: true }).click();
  await dealIs(page, 1);
  await page.getByRole('button', { name: en.redo, exact: true }).click();
  await dealIs(page, 2);
  await row.locator('summary').click();
  await row.getByRole('img', { name: en.evening.rowPhoto }).waitFor();
  // The way in which the hand was entered is that of the next one.
  await page.locator('.next-deal .turn:not(.unsettled) [data-winner="0"]').click();
  expect(await page.locator('dialog input[name=deal-way]:checked').getAttribute('value')).toBe('library');
});

it('takes no second tap in a sheet that the first one opened', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await page.locator('.next-deal .turn:not(.unsettled)').waitFor();
  // From here on time passes only as this test says.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const taken = (selector: string): Promise<string> =>
    page.locator(selector).evaluate((one) => getComputedStyle(one).pointerEvents);
  const sheets = [
    ['[data-winner="1"]', 'dialog .ask-from .answers'],
    [`.deal-ways button:last-child`, 'dialog .more-ways button'],
  ] as const;
  for (const [button, inside] of sheets) {
    await page.locator(`.next-deal ${button}`).click();
    await page.locator(inside).first().waitFor();
    expect(await taken(inside)).toBe('none');
    await page.clock.runFor(1_000);
    await expect.poll(() => taken(inside)).toBe('auto');
    await page.keyboard.press('Escape');
    await page.clock.runFor(1_000);
  }
});

it('names whose points a row has where the columns stand below each other', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await enterPoints(page, { winner: 1, discarder: 2 }, 20);
  await dealIs(page, 2);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  const sheet = page.locator('.score-sheet');
  for (const name of NAMES) {
    await expect.poll(() => sheet.ariaSnapshot()).toMatch(new RegExp(`${name} [+−]\\d`));
  }
});

it('says so where the code can not be loaded, or the link not be copied', async () => {
  const page = await open({ url: server.url });
  await page.addInitScript(() => {
    const refused = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: refused } });
    Object.defineProperty(navigator, 'canShare', { value: undefined });
  });
  await page.reload();
  await begin(page);
  await page.route('**/lean-qr*.js', (route) => route.abort());
  await page.getByRole('button', { name: en.evening.invite, exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText(en.evening.noCode).waitFor();
  await sheet.getByText('#game=').waitFor();
  await sheet.getByRole('button', { name: en.shareLink }).click();
  await page.getByText(en.notCopied).waitFor();
});

it('invites by a code, shares the standings as a picture, and remembers the players', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await enterPoints(page, { winner: 1, discarder: 2 }, 20);
  await dealIs(page, 2);
  const id = JSON.parse((await page.evaluate(() => localStorage.getItem('tilesight.evening'))) ?? '{}')
    .address.id;
  await page.getByRole('button', { name: en.evening.invite, exact: true }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('img', { name: en.evening.code }).waitFor();
  await sheet.getByText(`#game=${id}`).waitFor();
  await sheet.locator('input[name=invite][value=spectators]').check();
  await sheet.getByText('#shared=').waitFor();
  await sheet.getByRole('img', { name: en.evening.code }).waitFor();
  await sheet.getByRole('button', { name: en.close }).click();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: en.evening.picture }).click();
  expect((await download).suggestedFilename()).toBe('Thursday.png');

  await page.getByRole('button', { name: en.evening.all }).click();
  await page.getByRole('button', { name: en.evening.samePlayers(NAMES.join(', ')) }).click();
  await page.getByRole('button', { name: en.evening.begin, exact: true }).click();
  await dealIs(page, 1);
  await page
    .locator('.winners')
    .getByRole('button', { name: `${en.winds.W} Clara`, exact: true })
    .waitFor();
});

it.each([320, 390])('cuts no number at twice the text size on %i pixels', async (width) => {
  const page = await open({ url: server.url, viewport: { width, height: 844 } });
  await begin(page, 'riichi-tenhou');
  await openWin(page, 3, 'points');
  await from(page, null).click();
  await page.locator('input[name=deal-han][value="yakuman 1"]').check();
  await page.getByRole('button', { name: en.evening.enter, exact: true }).click();
  await page.locator('.score-sheet tbody tr').first().waitFor();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  const cut = await page.locator('.evening').evaluate((main) =>
    [...main.querySelectorAll('td, td b, td small')]
      .filter((one) => /\d/.test(one.textContent) && one.getClientRects().length > 0)
      .filter((one) => {
        const text = document.createRange();
        text.selectNodeContents(one);
        const { left, right } = text.getBoundingClientRect();
        const cell = one.closest('td')?.getBoundingClientRect();
        return !cell || left < cell.left - 1 || right > cell.right + 1 || right > innerWidth;
      })
      .map((one) => one.textContent),
  );
  expect(cut).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
});

it.each([
  ['en', en],
  ['de', de],
  ['da', da],
  ['sv', sv],
  ['zh', zh],
  ['zh-TW', zhHant],
  ['ja-JP', ja],
] as const)('speaks %s, and fits 320 pixels', async (locale, words) => {
  const page = await open({ url: server.url, locale, viewport: { width: 320, height: 844 } });
  await page.getByRole('button', { name: words.evening.title, exact: true }).click();
  for (const [at, name] of NAMES.entries()) {
    await page.getByLabel(words.winds[WINDS[at] ?? 'E'], { exact: true }).fill(name);
  }
  await page.getByRole('button', { name: words.evening.begin }).click();
  await page.getByRole('heading', { name: words.evening.deal(1, words.winds.E) }).waitFor();
  await page.getByRole('heading', { name: words.evening.standings }).waitFor();
  expect(await cutOff(page, 320)).toEqual([]);
});
