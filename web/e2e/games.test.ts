/**
 * An evening of MMM and one of the classical game through the page, by photos. The test computes
 * the payments from the text of the rules; the service scores the true hands.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HandDto, Wind } from '../src/api/types';
import { en } from '../src/i18n/en';
import { faces, kindOf } from '../src/model/hand';
import { parse } from '../src/model/notation';
import { open, type Page, total, unfold, useBrowser } from './browser';
import { gamePath, type Restartable, samplePath, startBehind } from './server';
import {
  begin,
  dealIs,
  enter,
  enterPoints,
  expected,
  NAMES,
  openTyped,
  snap,
  totals,
  truthOf,
  WINDS,
} from './table';

useBrowser();

/** Points that each seat, or each player, gains or loses. */
type Points = readonly number[];

let folder: string;
let server: Restartable;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilesight-games-'));
  server = await startBehind(['--data', folder]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const PLACES = [0, 1, 2, 3];
const wind = (place: number): Wind => WINDS[place] ?? 'E';

/** Converts points by seat to points by player. */
const byPlayer = (dealer: number, bySeat: Points): number[] =>
  PLACES.map((player) => bySeat[(player - dealer + 4) % 4] ?? 0);

const sum = (one: Points, other: Points): number[] => one.map((points, at) => points + (other[at] ?? 0));

/** Photos of hands that win by MMM in every seat; the first one only in the East round. */
const OF_MMM = [
  gamePath('mmm-kongs'),
  gamePath('mmm-four-chows'),
  ...['900001', '900006', '900008', '900048', '900151', '900272', 'demo'].map(samplePath),
];

/**
 * 1.4 of the Danish supplement: the discarder pays everything, on a self-draw East a half and the
 * others a quarter, to East a third each; 1.4.1: after four called chows the player to the left
 * pays, no matter who discarded.
 */
function mmmPayments(hand: HandDto, total: number, winner: number, feeder: number | null): Points {
  const called = (hand.melds ?? []).filter(({ kind, from }) => kind === 'chow' && from === 'left');
  const payer = called.length === 4 ? (winner + 3) % 4 : feeder;
  return PLACES.map((seat) => {
    if (seat === winner) return total;
    if (payer !== null) return seat === payer ? -total : 0;
    if (winner === 0) return -total / 3;
    return -total / (seat === 0 ? 2 : 4);
  });
}

it('keeps the sheet of sixteen hands of MMM, over a restart', async () => {
  const page = await open({ url: server.url });
  await begin(page, 'mmm');
  let sums = [0, 0, 0, 0];
  for (let deal = 0; deal < 16; deal += 1) {
    await dealIs(page, deal + 1);
    const truth = await truthOf(OF_MMM[deal % OF_MMM.length] ?? '');
    const winner = (deal * 5 + 1) % 4;
    const discarder = (winner + 1 + (deal % 3)) % 4;
    const placeOf = (player: number): number => (player - deal + 16) % 4;
    const seat = placeOf(winner);
    const feeder = placeOf(discarder);
    const round = wind(Math.floor(deal / 4));
    // In later rounds the hand that only wins in the East round is entered as a draw.
    if (deal === OF_MMM.length) {
      await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
      continue;
    }
    const context = { ruleset: 'mmm', seat: wind(seat), prevalent: round, win: truth.win };
    const points = await expected(server.url, truth, context);
    const self = truth.win === 'self_drawn';
    // Four called chows decide who pays, which points alone can't say.
    if (deal < OF_MMM.length || truth.photo === gamePath('mmm-four-chows')) {
      await snap(page, truth, { winner, discarder, seat: wind(seat) });
      await enter(page, truth, points);
    } else {
      // Its photo was read before; the points are settled by the same rules.
      await enterPoints(page, { winner, discarder: self ? null : discarder }, points);
    }
    const paid = mmmPayments(truth.hand, points, seat, self ? null : feeder);
    sums = sum(sums, byPlayer(deal % 4, paid));
    await expect.poll(() => totals(page)).toEqual(sums);
    // Four called chows: Anna discarded, and Bo, who sits left of Clara, pays.
    if (deal === 1) expect(sums).toEqual([0, 28 - 20, -28 + 20, 0]);
    if (deal === 8) await restart();
  }
  await page.getByRole('heading', { name: en.evening.over.complete }).waitFor();
  expect(await page.locator('.score-sheet tbody tr').count()).toBe(16);
  expect(sums.reduce((all, one) => all + one, 0)).toBe(0);
});

async function restart(): Promise<void> {
  await server.down();
  await server.up();
}

/** Photos of hands that win the classical game in every seat. */
const OF_CLASSICAL = [
  gamePath('classical-east'),
  ...['900048', '900005', '900006', '900010', '900008', '900052', '900151', '900272', 'demo'].map(samplePath),
];

/**
 * Three hands that did not win, with their values in any seat: an exposed pung of 2 to 8 counts 2,
 * a concealed one 4, a concealed pung of ones or nines 8. No tile appears more than four times on
 * the table.
 */
function losing(hand: HandDto): readonly (readonly [string, number])[] {
  const { concealed = [], melds = [] } = hand;
  const there = [...concealed, hand.winning_tile, ...melds.flatMap(({ tiles }) => tiles)];
  const pung = (ranks: readonly number[]): string => {
    const kinds = ['m', 'p', 's'].flatMap((suit) => ranks.map((rank) => [rank, suit] as const));
    const [rank, suit] = kinds.find(([r, s]) => there.filter((code) => code === `${r}${s}`).length < 2) ?? [];
    return `${rank}${rank}${rank}${suit}`;
  };
  return [
    [`[${pung([3, 5, 7])},1]`, 2],
    [pung([2, 4, 6, 8]), 4],
    [pung([1, 9]), 8],
  ];
}

/**
 * The German source: all others pay the winner and pay each other the difference, doubled if East
 * is one of the two. After a dangerous discard that player pays for everyone.
 */
function classicalPayments(total: number, winner: number, worth: Points, dangerous: number | null): Points {
  const factor = (one: number, other: number): number => (one === 0 || other === 0 ? 2 : 1);
  const paid = [0, 0, 0, 0];
  const pay = (payer: number, to: number, points: number): void => {
    paid[payer] = (paid[payer] ?? 0) - points;
    paid[to] = (paid[to] ?? 0) + points;
  };
  const others = PLACES.filter((seat) => seat !== winner);
  for (const seat of others) pay(dangerous ?? seat, winner, total * factor(seat, winner));
  if (dangerous !== null) return paid;
  for (const one of others) {
    for (const other of others.filter((seat) => seat > one)) {
      pay(one, other, ((worth[other] ?? 0) - (worth[one] ?? 0)) * factor(one, other));
    }
  }
  return paid;
}

/** The hands of a table by photos: misread flowers are corrected in the text. */
async function snapOthers(page: Page): Promise<void> {
  const corrected = { S: 'f2s2', W: '', N: 's1' };
  for (const [seat, name] of [
    ['S', 'south'],
    ['W', 'west'],
    ['N', 'north'],
  ] as const) {
    const place = page.locator(`.other-hand[data-seat=${seat}]`);
    await place.locator('input[type=file]').setInputFiles(gamePath(`classical-${name}`));
    await place.locator('.other-photo img').waitFor();
    const field = place.locator('input[type=text]');
    const [tiles = ''] = (await field.inputValue()).split('|');
    await field.fill(`${tiles}||${corrected[seat]}`);
  }
}

/**
 * Enters the other players' hands, in the first deal by photos. The values were worked out by
 * hand.
 */
async function tellOthers(page: Page, deal: number, winner: number, hand: HandDto): Promise<Points> {
  if (deal === 1) {
    await snapOthers(page);
    return [0, 24, 8, 24];
  }
  const hands = losing(hand);
  const worth = [0, 0, 0, 0];
  for (const [at, place] of PLACES.filter((one) => one !== winner).entries()) {
    const [text, points] = hands[at] ?? ['', 0];
    worth[place] = points;
    await page.locator(`.other-hand[data-seat=${wind(place)}] input[type=text]`).fill(text);
  }
  return worth;
}

it('keeps the sheet of an evening of the classical game', async () => {
  const page = await open({ url: server.url });
  await begin(page, 'classical-dmjl');
  let sums = [0, 0, 0, 0];
  let round = 0;
  let dealer = 0;
  let number = 0;
  let stayed = 0;
  let dangers = 0;
  while (round < 4) {
    number += 1;
    await dealIs(page, number, wind(round));
    if (number === 5) {
      // East deals again after a draw.
      await page.getByRole('button', { name: en.evening.draw, exact: true }).click();
      stayed += 1;
      continue;
    }
    const truth = await truthOf(OF_CLASSICAL[(number - 1) % OF_CLASSICAL.length] ?? '');
    const seat = number % 8 === 1 ? 0 : 1 + (number % 3);
    const feeder = (seat + 1 + (number % 2)) % 4;
    const winner = (seat + dealer) % 4;
    const discarder = (feeder + dealer) % 4;
    const context = { ruleset: 'classical-dmjl', seat: wind(seat), prevalent: wind(round), win: truth.win };
    const points = await expected(server.url, truth, context);
    await snap(page, truth, { winner, discarder, seat: wind(seat) });
    const worth = await tellOthers(page, number, seat, truth.hand);
    const dangerous = truth.win === 'discard' && number % 4 === 2 ? feeder : null;
    if (dangerous !== null) {
      dangers += 1;
      await unfold(page);
      await page.locator('.declared summary').click();
      await page.getByLabel(en.declared.dangerous_game).check();
    }
    await enter(page, truth, points);
    const paid = classicalPayments(points, seat, worth, dangerous);
    sums = sum(sums, byPlayer(dealer, paid));
    await expect.poll(() => totals(page)).toEqual(sums);
    // The same case as in tests/reading/games.rs.
    if (number === 1) expect(sums).toEqual([504, -152, -200, -152]);
    if (seat === 0) {
      stayed += 1;
    } else {
      dealer = (dealer + 1) % 4;
      round += dealer === 0 ? 1 : 0;
    }
  }
  await page.getByRole('heading', { name: en.evening.over.complete }).waitFor();
  expect([number, stayed > 1, dangers > 1]).toEqual([16 + stayed, true, true]);
});

it('asks only what the rules of the game need', async () => {
  const page = await open({ url: server.url });
  await page.evaluate(() => localStorage.setItem('tilesight.rulesets', '["mcr-wmo"]'));
  await page.reload();
  await page.getByRole('button', { name: en.type }).click();
  // A pung or the pair: both can have been completed. Three pungs of dragons, fed by several.
  await page.getByLabel(en.asText).fill('[CCC,1][FFF,2][PPP,3]4445m+6m');
  const asked = {
    completes: page.locator('input[name^=completes]'),
    feeder: page.locator('input[name^=feeder]'),
    declared: page.locator('.declared'),
    others: page.locator('.other-hand'),
  };
  const shown = async (): Promise<string[]> => {
    const counts = await Promise.all(
      Object.entries(asked).map(async ([name, there]) => [name, await there.count()] as const),
    );
    return counts.flatMap(([name, count]) => (count > 0 ? [name] : []));
  };
  const choose = (rules: string): Promise<unknown> =>
    page.getByRole('combobox', { name: en.rules }).selectOption({ label: rules });
  await unfold(page);
  expect(await shown()).toEqual([]);
  await choose('MMM');
  await expect.poll(shown).toEqual(['feeder']);
  await choose('Classical (DMJL)');
  await expect.poll(shown).toEqual(['declared', 'others']);
  // Only one set holds the last tile now; with a four there are two.
  await page.getByLabel(en.asText).fill('[CCC,1][FFF,2][999p,3]4456m+4m');
  await expect.poll(shown).toEqual(['completes', 'declared', 'others']);
  // 20 for going out, 4 for each of three pungs, 2 for the pair, doubled for each pung of dragons.
  // The winner chooses the pair; the chow, where it lies shown on the table, counts nothing.
  await total(page, 136);
  await page.locator('input[name^=completes][value="456m"]').check();
  await total(page, 128);
  await page.locator('input[name^=completes][value="44m"]').check();
  await total(page, 136);
});

it('renames the game and its players', async () => {
  const page = await open({ url: server.url });
  await begin(page);
  await page.getByRole('button', { name: en.evening.rename }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel(en.evening.name).fill('Friday');
  await sheet.getByLabel(en.winds.S, { exact: true }).fill(NAMES[0] ?? '');
  // Names must be different.
  expect(await sheet.getByRole('button', { name: en.save }).isDisabled()).toBe(true);
  await sheet.getByLabel(en.winds.S, { exact: true }).fill('Bodil');
  await sheet.getByRole('button', { name: en.save }).click();
  await page.getByRole('heading', { name: 'Friday' }).waitFor();
  const south = (name: string) =>
    page.locator('.winners').getByRole('button', { name: `${en.winds.S} ${name}`, exact: true });
  await south('Bodil').waitFor();
  await page.getByRole('button', { name: en.undo, exact: true }).click();
  await page.getByRole('heading', { name: 'Thursday' }).waitFor();
  await south('Bo').waitFor();
});

it('corrects another player’s hand', async () => {
  const page = await open({ url: server.url });
  await begin(page, 'classical-dmjl');
  await openTyped(page, 0, null);
  await page.getByLabel(en.asText).fill('[EEE,2]123m456p789s5s5s');
  const hand = (seat: Wind) => page.locator(`.other-hand[data-seat=${seat}] input[type=text]`);
  await hand('S').fill('[CCC,1]');
  await hand('W').fill('222m');
  // 20 for going out, 4 for the pung, 2 each for the draw, the pair and the only tile, doubled by
  // seat and round.
  await page.locator('[data-total="120"]').waitFor();
  await page.getByText(en.unsettled(['Dorte'])).waitFor();
  await page.getByRole('button', { name: new RegExp(`^${en.evening.add}`) }).click();
  // South has 8, the pung of dragons doubled, and West 4.
  await expect.poll(() => totals(page)).toEqual([720, -236, -244, -240]);
  const row = page.locator('.score-sheet tbody tr').first();
  await row.locator('summary').click();
  await row.getByRole('button', { name: en.evening.correct }).click();
  expect(await hand('S').inputValue()).toBe('[CCC,1]');
  await hand('W').fill('999m');
  await page.getByText(en.total(8), { exact: true }).nth(1).waitFor();
  await page.getByRole('button', { name: new RegExp(`^${en.evening.correct}.*points`) }).click();
  await expect.poll(() => totals(page)).toEqual([720, -240, -240, -240]);
});

it('takes another player’s hand from a tile pad, sets and a concealed kong with one tap each', async () => {
  const page = await open({ url: server.url });
  await begin(page, 'classical-dmjl');
  await openTyped(page, 0, null);
  await page.getByLabel(en.asText).fill('[EEE,2]123m456p789s5s5s');
  const south = page.locator('.other-hand[data-seat=S]');
  await south.getByRole('button', { name: en.pad.open }).click();
  const pad = page.getByRole('dialog');
  const tap = (tile: string) => pad.locator(`.tile[data-tile="${tile}"]`).click();
  const kind = (name: string) => pad.getByRole('radio', { name, exact: true }).check();
  const offset = () =>
    pad.locator('.palette').evaluate((one) => {
      const whole = one.closest('.tile-pad')?.getBoundingClientRect().top ?? 0;
      return one.getBoundingClientRect().top - whole;
    });
  const top = await offset();
  await kind(en.pad.kinds.hidden);
  await tap('9p');
  expect(await pad.locator('.tile[data-tile="9p"]').isDisabled()).toBe(true);
  await kind(en.kinds.pung);
  await tap('C');
  await kind(en.kinds.chow);
  // No chow begins with an eight.
  expect(await pad.locator('.tile[data-tile="8m"]').isDisabled()).toBe(true);
  await tap('6m');
  await kind(en.pad.kinds.concealed);
  await tap('2s');
  await tap('3s');
  await pad.getByRole('button', { name: en.undo, exact: true }).click();
  // The pad does not move under the finger.
  expect(await offset()).toBe(top);
  await pad.getByRole('button', { name: en.close }).click();
  const text = await south.locator('input[type=text]').inputValue();
  const written = parse(text).hand;
  expect(written.melds.map((meld) => [kindOf(meld), meld.concealed])).toEqual([
    ['kong', true],
    ['pung', false],
    ['chow', false],
  ]);
  expect(faces(written.concealed)).toEqual(['2s']);
});

it('says why MMM gives no total: it is played without flowers; four rule sets fit every phone', async () => {
  const page = await open({ url: server.url, path: '/#hand=123m456p789sEEEC+C||f1s3' });
  await page.locator('[data-total]').waitFor();
  await unfold(page);
  await page.getByRole('button', { name: en.outcome.compare }).click();
  for (const name of [/MCR 1998/, /MMM/, /Classical/]) {
    await page.getByRole('checkbox', { name }).first().check();
  }
  await expect.poll(() => page.locator('.side-by-side label').count()).toBe(4);
  const why = page.locator('.side-by-side .without-total');
  await expect.poll(() => why.textContent()).toMatch(/flowers/);
  expect(await page.getByText(en.problems['invalid-hand']).count()).toBe(0);
  for (const width of [320, 390, 768]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBe(width);
  }
  // Chosen alone it gives the same reason.
  await page.locator('.side-by-side label', { hasText: 'MMM' }).locator('input').check();
  await expect.poll(() => page.locator('.verdict .notice').textContent()).toMatch(/flowers/);
});
