/**
 * Questions after changes: each is about the hand and the win as they are now. What was answered or
 * settled by a change is gone, and no question that changes nothing says that it changes the score.
 */
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import type { Answer } from '../src/api/types';
import { en } from '../src/i18n/en';
import { chooser, open, type Page, total, unfold, useBrowser } from './browser';
import { samplePath } from './server';
import { unmark } from './unmarked';

useBrowser();

async function openUnmarked(name: string): Promise<Page> {
  const page = await open();
  await unmark(page);
  await chooser(page).setInputFiles(samplePath(name));
  await page.locator('[data-total]').waitFor();
  return page;
}

it('asks which tile won where no photo can tell, and the total is final after two answers', async () => {
  const page = await openUnmarked('demo');
  const verdict = page.locator('.verdict');
  await expect.poll(() => verdict.textContent()).toContain(en.outcome.about.winning_tile);
  await expect.poll(() => verdict.textContent()).toContain(en.outcome.about.win);
  expect(await verdict.textContent()).toContain(en.winningMark);
  await page.locator('.ask-win [data-answer=right]').click();
  // A screen reader hears what each tile leads to.
  const tile = page.locator('.ask-tile .tile[data-tile="1m"]');
  await expect.poll(() => tile.getAttribute('aria-label')).toContain(`: ${en.total(20)}`);
  await tile.click();
  await total(page, 20);
  await page.getByText('✓').waitFor();
  await expect.poll(() => page.locator('.asked').count()).toBe(0);
});

it('moves the focus from an answered question to the next, and to the total after the last', async () => {
  const page = await openUnmarked('demo');
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement;
      return at?.closest('.ask-tile, .ask-win')?.className ?? at?.id ?? '';
    });
  await page.locator('.ask-win [data-answer=right]').waitFor();
  const first = await page.locator('.first-question > .asked').first().getAttribute('class');
  if (first?.includes('ask-win')) {
    await page.locator('.ask-win [data-answer=right]').press('Enter');
    await expect.poll(focused).toContain('ask-tile');
    await page.locator('.ask-tile .tile[data-tile="1m"]').press('Enter');
  } else {
    await page.locator('.ask-tile .tile[data-tile="1m"]').press('Enter');
    await expect.poll(focused).toContain('ask-win');
    await page.locator('.ask-win [data-answer=right]').press('Enter');
  }
  await expect.poll(focused).toBe('verdict');
  // The next question itself has the focus, and no answer of it: Enter does nothing.
  await total(page, 20);
});

it('supposes no winning tile any more once a person said which one won', async () => {
  const page = await openUnmarked('demo');
  await unfold(page);
  await page.locator('.strip .tile[data-tile="2s"]').first().click();
  await page.getByRole('dialog').getByRole('button', { name: en.markWinning }).click();
  await expect.poll(() => page.locator('.verdict').textContent()).not.toContain(en.winningMark);
  await page.locator('.seen.winning').waitFor();
});

/** Questions that claim to change the score although their answers have the same total. */
async function stale(page: Page): Promise<string[]> {
  await page.locator('.total-line[aria-busy=false], .incomplete, .verdict .notice').first().waitFor();
  const questions = await page.locator('.question.matters').all();
  const found = await Promise.all(
    questions.map(async (question) => {
      const totals = await question.locator('.answer small').allTextContents();
      const text = (await question.locator('.ask').textContent()) ?? '';
      return totals.length > 1 && new Set(totals).size === 1 ? [`${text}: ${totals}`] : [];
    }),
  );
  return found.flat();
}

const ALL = readdirSync(dirname(samplePath('demo')))
  .filter((name) => name.endsWith('.jpg'))
  .map((name) => name.replace('.jpg', ''));
/** Samples with doubts of several kinds; `make taps` takes all samples. */
const SAMPLES = process.env.TILESIGHT_FIGURES ? ALL : ['900002', '900003', '900012', '900015', '900083'];

it('has no stale question after a change, in sample photos', async () => {
  const found: string[] = [];
  for (const name of SAMPLES) {
    const page = await open();
    await chooser(page).setInputFiles(samplePath(name));
    await page.locator('[data-total]').waitFor();
    found.push(...(await stale(page)));
    await page.locator('.first-question [data-answer=self_drawn]').first().click();
    found.push(...(await stale(page)));
    await unfold(page);
    await page.locator('.strip .tile').first().click();
    await page.getByRole('dialog').getByRole('button', { name: en.markWinning }).click();
    found.push(...(await stale(page)));
    await page.getByRole('button', { name: en.undo }).click();
    await page.getByRole('radio', { name: en.winds.S }).first().check();
    found.push(...(await stale(page)));
    await page.context().close();
  }
  expect(found).toEqual([]);
});

it('drops a question that another change settled', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('900015'));
  await total(page, 34);
  await page.locator('.verdict').getByText(en.ask.exposed_set).waitFor();
  // The set is split up by hand: whether it was claimed is not asked any more.
  await unfold(page);
  await page.locator('.meld summary').first().click();
  await page.getByRole('button', { name: en.split }).click();
  await expect.poll(() => page.getByText(en.ask.exposed_set).count()).toBe(0);
});

it('says what to do about missing tiles', async () => {
  const page = await open();
  await page.route('**/v1/hands', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as Answer;
    const { reading } = answer;
    const at = reading.tiles.findIndex(({ role }) => role === 'winning');
    const tiles = reading.tiles.map((tile, i) => (i === at ? { ...tile, role: 'ignored' as const } : tile));
    const all = tiles.flatMap((_, i) => (i === at ? [] : [i]));
    const doubt = { id: 'count', kind: 'tile_count', tiles: all, question: '', alternatives: [] } as const;
    const hand = { ...reading.hand, winning_tile: null };
    const doubts = [{ ...doubt, affects_score: true }];
    await route.fulfill({
      response,
      json: { ...answer, reading: { ...reading, hand, tiles, doubts, score: null } },
    });
  });
  await chooser(page).setInputFiles(samplePath('demo'));
  await page.getByText(en.ask.tile_count).waitFor();
  await page.getByRole('button', { name: en.pointing.hand }).last().click();
  await page.getByText(en.pointing.help.box).waitFor();
  await page.locator('.photo-tools').getByRole('button', { name: en.pointing.hand }).click();
  // Tapping the missing tile completes the hand, and nothing more is asked about it.
  await page.locator('.seen.left-out polygon').first().click({ force: true });
  await page.getByRole('dialog').getByRole('group', { name: en.likely }).getByRole('button').first().click();
  await total(page, 20);
  expect(await page.getByText(en.ask.tile_count).count()).toBe(0);
});

it('draws what was read below the photo, marks doubts in both, and asks what a chip says', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('900083'));
  await page.locator('[data-total]').waitFor();
  // Every tile of the hand, in the order of the photo, with the doubts of the photo.
  const read = page.locator('.read-tiles .read-tile');
  await expect.poll(() => read.count()).toBe(await page.locator('.seen.mine').count());
  const seenIn = (found: string) =>
    page.locator(found).evaluateAll((all) => all.map((one) => one.getAttribute('data-seen')).sort());
  const marked = await page
    .locator('.read-tile.doubtful')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-read')).sort());
  expect(marked.length).toBeGreaterThan(0);
  expect(marked).toEqual(await seenIn('.seen.mine.doubtful polygon'));
  // A chip asks its question at once, in the place of the first one.
  const chip = page.locator('.chip[data-subject=tiles]');
  await chip.click();
  expect(await chip.getAttribute('aria-pressed')).toBe('true');
  // The focus goes on to what is asked.
  await expect.poll(() => page.locator('.first-question .asked:focus').count()).toBe(1);
  const asked = page.locator('.first-question:not(.unsettled) .question');
  const before = await page.locator('[data-range]').getAttribute('data-range');
  await asked.locator('.answer:not(.current)').first().click();
  await expect.poll(() => page.locator('[data-range]').getAttribute('data-range')).not.toBe(before);
  // Answers to questions are no corrections.
  expect(await page.getByText(en.changed(0, 1).split(':')[0] ?? '', { exact: false }).count()).toBe(0);
});
