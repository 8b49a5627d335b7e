/**
 * WCAG 2.2 AA as far as machines can tell, in every view, light and dark: axe finds nothing
 * serious, targets have 44 pixels, nothing is wider than the screen, screen readers get the same
 * information.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { findViolations } from './axe';
import { open, type Page, TARGETS, total, unfold, useBrowser } from './browser';
import { cutOff } from './fits';
import { gamePath, type Running, samplePath, start } from './server';
import { stacked } from './stacked';
import { begin, enter, from, openMore, openWin, snap, truthOf } from './table';
import { ASIDE, view } from './views';

useBrowser();

/** A server that stores games. */
let server: Running;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilesight-access-'));
  server = await start(['--data', folder]);
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The views of the page, each reached from a fresh start. */
const VIEWS: readonly [string, (page: Page) => Promise<unknown>][] = [
  ['the start', async () => {}],
  ['a typed hand', (page) => page.getByRole('button', { name: en.type }).click()],
  ['a doubtful photo with its score', doubtful],
  [
    'a set being changed',
    async (page) => {
      await doubtful(page);
      await unfold(page);
      await page.locator('.meld summary').first().click();
      await page.getByRole('button', { name: en.select }).click();
    },
  ],
  [
    'a fan and what is not counted',
    async (page) => {
      await doubtful(page);
      for (const summary of await page.locator('.result summary').all()) await summary.click();
    },
  ],
  [
    'a tile’s sheet',
    async (page) => {
      await doubtful(page);
      await unfold(page);
      await page.locator('.strip .tile').first().click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'several hands in view',
    async (page) => {
      const buffer = await stacked(page, ['demo', '900001']);
      const file = { name: 'table.jpg', mimeType: 'image/jpeg', buffer };
      await page.locator('main input[multiple]').setInputFiles(file);
      await page.getByRole('region', { name: en.inView.title }).waitFor();
      await page.locator('[data-total]').waitFor();
    },
  ],
  [
    'photos of which it is asked what they show',
    async (page) => {
      await page.locator('main input[multiple]').setInputFiles(['demo', '900015'].map(samplePath));
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'two photos of a hand, and one that is left out',
    async (page) => {
      await severalPhotos(page);
      await page.getByText('was left out').waitFor();
    },
  ],
  [
    'a tile that several photos show',
    async (page) => {
      await severalPhotos(page);
      await page.locator('.photo svg .seen.mine polygon').first().click({ force: true });
      await page.locator('.which-photos').waitFor();
    },
  ],
  [
    'a photo without a hand',
    async (page) => {
      const file = { name: 'x.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('nothing') };
      await page.locator('main input[multiple]').setInputFiles(file);
      await page.getByRole('alert').waitFor();
    },
  ],
  [
    'a game that is to begin',
    (page) => page.getByRole('button', { name: en.evening.title, exact: true }).click(),
  ],
  ['the hands of a whole table', wholeTable],
  [
    'a score sheet with a row opened',
    async (page) => {
      await enterTable(page);
      await page.locator('.score-sheet summary').first().click();
      await page.getByText(en.evening.history(1)).click();
    },
  ],
  [
    'names being changed',
    async (page) => {
      await enterTable(page);
      await page.getByRole('button', { name: en.evening.rename }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'points by hand',
    async (page) => {
      await begin(page);
      await openMore(page, en.evening.byHand);
      await page.getByRole('dialog').locator('.manual').waitFor();
    },
  ],
  [
    'a win by its value',
    async (page) => {
      await begin(page, 'riichi-tenhou');
      await openWin(page, 1, 'points');
      await from(page, 2).click();
      await page.locator('input[name=deal-han][value="3"]').check();
    },
  ],
  [
    'a code for other phones',
    async (page) => {
      await begin(page);
      await page.getByRole('button', { name: en.evening.invite, exact: true }).click();
      await page.getByRole('img', { name: en.evening.code }).waitFor();
    },
  ],
];

/**
 * A hand of the classical game with its declarations, one hand of the others by photo, one typed,
 * one that is not.
 */
async function wholeTable(page: Page): Promise<void> {
  await begin(page, 'classical-dmjl');
  const truth = await truthOf(gamePath('classical-east'));
  await snap(page, truth, { winner: 0, discarder: 1, seat: 'E' });
  await page.locator('.declared summary').click();
  const other = (seat: string, input: string) => page.locator(`.other-hand[data-seat=${seat}] ${input}`);
  await other('S', 'input[type=file]').setInputFiles(gamePath('classical-south'));
  await other('S', '.other-photo img').waitFor();
  await other('W', 'input[type=text]').fill('222p333s');
  await other('N', 'input[type=text]').fill('22x');
  await page.locator('.other-hand[data-seat=N] .wrong').waitFor();
  await total(page, 84);
}

async function enterTable(page: Page): Promise<void> {
  await wholeTable(page);
  await enter(page, await truthOf(gamePath('classical-east')), 84);
  await page.locator('.score-sheet summary').first().waitFor();
}

/** Two photos of a hand and one of another. */
async function severalPhotos(page: Page): Promise<void> {
  const aside = await view(page, 'demo', { covered: [3, 9], moved: ASIDE });
  const plain = await view(page, 'demo', { covered: [1, 6], colour: 'glare' });
  const other = await view(page, '900015', {});
  await page.locator('main input[multiple]').setInputFiles([plain, aside, other]);
  await page.getByRole('dialog').getByRole('button', { name: en.photos.show.one }).click();
  await page.locator('[data-total]').waitFor();
}

async function doubtful(page: Page): Promise<void> {
  await page.locator('main input[multiple]').setInputFiles(samplePath('900015'));
  await total(page, 34);
}

it.each(VIEWS)('%s, light and dark', async (_, reach) => {
  const page = await open({ url: server.url });
  await reach(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findGrave(page), colorScheme).toEqual([]);
  }
  expect(await tooSmall(page)).toEqual([]);
  expect(await cutOff(page, 390)).toEqual([]);
});

/** The narrowest screen that is asked for, in pixels, with text twice as large. */
const NARROW = 320;

it.each(VIEWS)('%s, 320 pixels wide, text twice as large', async (_, reach) => {
  const page = await open({ viewport: { width: NARROW, height: 844 }, url: server.url });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await reach(page);
  expect(await findGrave(page)).toEqual([]);
  expect(await cutOff(page, NARROW)).toEqual([]);
});

/** Returns the faults that axe calls serious or critical, with the first elements. */
async function findGrave(page: Page): Promise<unknown[]> {
  return (await findViolations(page))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({
      id,
      nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => [html, failureSummary]),
    }));
}

/** Targets that are smaller than 44 pixels. */
function tooSmall(page: Page): Promise<string[]> {
  return page.locator(TARGETS).evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility())
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.width < 43.5 || box.height < 43.5))
      .map(({ element, box }) => `${element.outerHTML.slice(0, 80)} ${box.width}×${box.height}`),
  );
}

it('gives screen readers a tile’s name, its doubt and its position', async () => {
  const page = await open();
  await doubtful(page);
  await unfold(page);
  await page.getByRole('button', { name: 'red dragon, unsure, second' }).waitFor();
  await page.getByRole('button', { name: '6 dots, winning tile, eleventh' }).waitFor();
  await page.getByRole('img', { name: en.photoOf }).waitFor();
  // A doubt shows without colour: a dashed outline and a question mark, in the photo and in the
  // strip.
  expect(
    await page.locator('.seen.doubtful polygon').first().getAttribute('stroke-dasharray'),
  ).not.toBeNull();
  await expect.poll(() => page.locator('.tile.doubtful .doubt-mark').first().textContent()).toBe('?');
});

it('has no animation if reduced motion is preferred', async () => {
  const page = await open();
  const duration = await page
    .locator('.primary')
    .first()
    .evaluate((one) => getComputedStyle(one).transitionDuration);
  expect(Number.parseFloat(duration)).toBeLessThan(0.001);
});
