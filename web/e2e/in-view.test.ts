/**
 * A photo of a table: several hands to choose from, and a tile beside the hand that would complete
 * it.
 */
import { expect, it } from 'vitest';
import type { Answer } from '../src/api/types';
import { en } from '../src/i18n/en';
import { fromDto } from '../src/model/hand';
import { print } from '../src/model/notation';
import { chooser, open, total, unfold, useBrowser } from './browser';
import { samplePath } from './server';
import { stacked } from './stacked';

useBrowser();

/** The page with a photo of two hands, after it was read. */
async function openTwoHands() {
  const page = await open();
  const buffer = await stacked(page, ['demo', '900001']);
  await chooser(page).setInputFiles({ name: 'table.jpg', mimeType: 'image/jpeg', buffer });
  const choice = page.getByRole('region', { name: en.inView.title });
  await choice.waitFor();
  return { page, choice };
}

it('reads another hand of the photo with one tap, or with the keyboard', async () => {
  const { page, choice } = await openTwoHands();
  const buttons = choice.getByRole('button');
  await expect.poll(() => buttons.count()).toBe(2);
  const pressed = () =>
    buttons.evaluateAll((all) => all.map((one) => one.getAttribute('aria-pressed') === 'true'));
  const before = await pressed();
  expect(before.filter(Boolean)).toHaveLength(1);
  const points = () => page.locator('[data-total]').getAttribute('data-total');
  const first = await points();

  // The other hand is outlined in the photo; a tap within reads it.
  await page.locator('.hand-beside polygon').click();
  await expect.poll(pressed).toEqual(before.map((one) => !one));
  await page.locator(`[data-total]:not([data-total="${first}"])`).waitFor();

  // Back with the keyboard.
  const back = choice.getByRole('button', { pressed: false });
  await back.focus();
  await page.keyboard.press('Enter');
  await expect.poll(pressed).toEqual(before);
  await total(page, Number(first));
});

it('opens the other hand beside a corrected one', async () => {
  const { page, choice } = await openTwoHands();
  await unfold(page);
  const tiles = page.getByRole('group', { name: en.concealed }).getByRole('button');
  await tiles.first().click();
  await page
    .getByRole('dialog')
    .getByRole('group', { name: en.allTiles })
    .getByRole('button')
    .first()
    .click();
  await page.getByRole('button', { name: en.original }).waitFor();
  await choice.getByRole('button', { pressed: false }).click();
  await expect.poll(() => page.getByText(en.handNumber(2), { exact: true }).count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: en.original }).waitFor({ state: 'detached' });
});

/** The answer for a winning tile that lies too far from the hand to be counted. */
function without(answer: Answer): Answer {
  const { reading } = answer;
  const at = reading.tiles.findIndex(({ role }) => role === 'winning');
  const tiles = reading.tiles.map((tile, i) => (i === at ? { ...tile, role: 'ignored' as const } : tile));
  const rest = tiles.flatMap((tile, i) => (tile.role === 'ignored' ? [] : [i]));
  const doubt = { kind: 'tile_count', question: '', affects_score: true } as const;
  const hand = { ...reading.hand, winning_tile: null };
  const offer = {
    ...doubt,
    id: 'offer',
    tiles: [at],
    alternatives: [
      { answer: 'yes', p: 0.5, total: reading.score?.total ?? null, hand: print(fromDto(reading.hand)) },
      { answer: 'no', p: 0.5, total: null, hand: print(fromDto(hand)) },
    ],
  };
  return {
    ...answer,
    reading: {
      ...reading,
      status: 'needs_review',
      hand,
      tiles,
      doubts: [offer, { ...doubt, id: 'missing', tiles: rest, alternatives: [] }],
      score: null,
    },
  };
}

it('offers a tile that would complete the hand before it reports one missing', async () => {
  const page = await open();
  await page.route('**/v1/hands', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: without((await response.json()) as Answer) });
  });
  await chooser(page).setInputFiles(samplePath('demo'));
  const offer = page.locator('.question').first();
  const yes = offer.getByRole('button', { name: en.replies.yes });
  await yes.waitFor();
  // How the hand was won is not known yet: the questions that are asked anew say what is open.
  await expect.poll(() => yes.textContent()).toContain(en.outcome.range(20, 22));
  await expect.poll(() => page.getByText(en.offered).count()).toBeGreaterThan(0);
  expect(await page.getByText(en.missing(1)).count()).toBe(0);

  // Answered no: a tile is missing now; the answer can be undone.
  await offer.getByRole('button', { name: /^No/ }).click();
  await page.getByText(en.missing(1)).first().waitFor();
  await unfold(page);
  await page.getByRole('button', { name: en.undo }).click();

  // Answered yes: no question is left.
  await yes.click();
  await total(page, 20);
  expect(await page.locator('.question').count()).toBe(0);
});
