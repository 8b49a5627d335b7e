/** Several photos of one hand: what one of them hides is read from another. */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { de } from '../src/i18n/de';
import { en } from '../src/i18n/en';
import { faceName } from '../src/i18n/index';
import { MAX_PHOTOS } from '../src/model/together';
import { chooser, open, type Page, total, unfold, useBrowser } from './browser';
import { samplePath } from './server';
import { Player } from './taps';
import { ASIDE, view } from './views';

useBrowser();

/** Two photos of the demo hand; each hides other tiles. */
async function pair(page: Page) {
  return [
    await view(page, 'demo', { covered: [1, 6], colour: 'finger' }),
    await view(page, 'demo', { covered: [3, 9], colour: 'glare', moved: ASIDE }),
  ] as const;
}

const strip = (page: Page): Locator =>
  page.getByRole('region', { name: en.photos.title }).locator('.photo-strip');
const addInput = (page: Page): Locator => page.locator('.photo-tools input[type=file]');

/** Counts the readings that are asked for, and how many photos each has. */
async function counted(page: Page): Promise<() => Promise<readonly number[]>> {
  await page.evaluate(() => {
    const send = globalThis.fetch;
    const sent: number[] = [];
    Object.assign(globalThis, { sent });
    globalThis.fetch = async (path, init) => {
      if (path === '/v1/hands') sent.push((init?.body as FormData).getAll('photo').length);
      return send(path, init);
    };
  });
  return () => page.evaluate(() => (globalThis as unknown as { sent: number[] }).sent);
}

it('settles a hand with one tap for a second photo, and says which photo named which tile', async () => {
  const page = await open();
  const sent = await counted(page);
  const [first, second] = await pair(page);
  const player = new Player(page);
  await player.snap(page.locator('main input[capture=environment]'), first);
  await page.locator('.photo-tools').waitFor();
  await addInput(page).waitFor({ state: 'attached' });
  await expect.poll(() => page.locator('.verdict .total-line').count()).toBeGreaterThan(0);
  expect(await page.locator('[data-total="20"]').count(), 'a photo alone is not enough').toBe(0);

  // One tap opens the camera.
  expect(await addInput(page).getAttribute('capture')).toBe('environment');
  await player.snap(addInput(page), second);
  await total(page, 20);
  expect(player.taps).toBe(2);
  expect(await sent()).toEqual([1, 2]);

  // Every photo has its own outlines, and says how many tiles were read from it.
  const photos = strip(page).getByRole('button');
  await expect.poll(() => photos.count()).toBe(2);
  const outlines = () =>
    page
      .locator('.photo svg .seen.mine polygon')
      .evaluateAll((all) => all.map((one) => one.getAttribute('points')));
  const base = strip(page).getByRole('button', { pressed: true });
  await expect.poll(() => page.locator('.photo svg .seen.mine.elsewhere').count()).toBe(2);
  const names = await photos.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  const tiles = names.map((name) => Number(/: (\d+) tiles/.exec(name)?.[1]));
  expect(
    tiles.every((count) => count > 1),
    names.join(),
  ).toBe(true);
  expect(tiles[0] ?? 0).toBe(14 - (tiles[1] ?? 0));
  const before = await outlines();
  expect(await base.count()).toBe(1);
  const other = strip(page).getByRole('button', { pressed: false });
  await other.focus();
  await page.keyboard.press('Enter');
  await expect.poll(outlines).not.toEqual(before);
  const covered = page.locator('.photo svg .seen.mine.elsewhere');
  expect(await covered.count(), 'what lies under the finger or the highlight').toBe(2);
  await page.getByRole('img', { name: /^Photo \d of the hand/ }).waitFor();

  // A tile says where it was read; the picture is that of this photo.
  await unfold(page);
  const texts = new Set<string>();
  const row = page.getByRole('group', { name: en.concealed }).getByRole('button');
  for (let at = 0; at < (await row.count()); at += 1) {
    await row.nth(at).click();
    texts.add((await page.getByRole('dialog').locator('.which-photos').textContent())?.trim() ?? '');
    await page.getByRole('dialog').getByRole('button', { name: en.close }).click();
  }
  const said = [...texts].join('\n');
  for (const photo of [1, 2]) expect(said).toContain(en.photos.from(photo));
  expect(said).toContain(en.photos.also('1'));
});

it('asks what several photos show, and reads them as one hand or as several', async () => {
  const page = await open();
  const sent = await counted(page);
  const files = [...(await pair(page))];
  await chooser(page).setInputFiles(files);
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('heading', { name: en.photos.what(2) }).waitFor();
  expect(await sent(), 'nothing is sent before it is said').toEqual([]);
  await sheet.getByRole('button', { name: en.photos.show.one }).click();
  await total(page, 20);
  expect(await sent()).toEqual([2]);

  // A correction, undo and the link work as with one photo.
  await unfold(page);
  await page.getByRole('group', { name: en.concealed }).getByRole('button').first().click();
  const palette = page.getByRole('dialog').getByRole('group', { name: en.allTiles });
  await palette.getByRole('button', { name: faceName('9s', en), exact: true }).click();
  await page.getByRole('button', { name: en.undo }).click();
  await total(page, 20);
  await page.getByRole('button', { name: en.redo }).waitFor();

  await page.getByRole('button', { name: /Tilesight/ }).click();
  await chooser(page).setInputFiles(['demo', '900001'].map(samplePath));
  await sheet.getByRole('button', { name: en.photos.show.each }).click();
  await page.getByText(en.handNumber(3), { exact: true }).first().waitFor();
  await expect.poll(sent).toEqual([2, 1, 1]);
});

it('leaves a photo of another hand out, says why, and reads it as its own', async () => {
  const page = await open();
  await chooser(page).setInputFiles(['demo', '900001'].map(samplePath));
  await page.getByRole('dialog').getByRole('button', { name: en.photos.show.one }).click();
  const notice = page.getByRole('status').filter({ hasText: 'was left out' });
  await notice.waitFor();
  const out = /Photo (\d) was left out/.exec((await notice.textContent()) ?? '')?.[1];
  expect(await notice.textContent()).toContain(en.photos.reasons.other_tiles(Number(out)));
  await strip(page)
    .getByRole('button', { name: en.photos.leftOut(Number(out)) })
    .waitFor();

  // In another language at once, without another reading.
  await page.locator('.language select').selectOption('de');
  await page.getByText(de.photos.reasons.other_tiles(Number(out))).waitFor();
  await page.locator('.language select').selectOption('en');

  await notice.getByRole('button', { name: en.photos.apart }).click();
  await page.locator('[data-total]').waitFor();
  expect(await strip(page).count()).toBe(0);
  await page.locator('.table-hand button').first().click();
  await page.locator('[data-total]').waitFor();
  expect(await page.getByText('was left out').count()).toBe(0);
  expect(await strip(page).count(), 'one photo is left').toBe(0);
});

it('refuses too many photos before anything is sent', async () => {
  const page = await open();
  const sent = await counted(page);
  const many = Array.from({ length: MAX_PHOTOS + 1 }, () => samplePath('demo'));
  await chooser(page).setInputFiles(many);
  const sheet = page.getByRole('dialog');
  await sheet
    .getByRole('alert')
    .filter({ hasText: en.photos.tooMany(MAX_PHOTOS) })
    .waitFor();
  expect(await sheet.getByRole('button', { name: en.photos.show.one }).count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await sent()).toEqual([]);

  await chooser(page).setInputFiles(samplePath('900015'));
  await total(page, 34);
  await dropped(page, MAX_PHOTOS);
  await sheet.getByRole('alert').waitFor();
  expect(await sheet.getByRole('button', { name: en.photos.show.open }).count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await sent()).toEqual([1]);
});

/** Drops copies of the demo photo on the page. */
async function dropped(page: Page, count: number, kind: 'drop' | 'paste' = 'drop'): Promise<void> {
  const jpeg = await readFile(samplePath('demo'), 'base64');
  await page.evaluate(
    ({ file, times, event }) => {
      const bytes = Uint8Array.from(atob(file), (one) => one.charCodeAt(0));
      const data = new DataTransfer();
      for (let at = 0; at < times; at += 1)
        data.items.add(new File([bytes], `${at}.jpg`, { type: 'image/jpeg' }));
      const init = { bubbles: true, cancelable: true };
      const given =
        event === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: data })
          : new ClipboardEvent('paste', { ...init, clipboardData: data });
      document.body.dispatchEvent(given);
    },
    { file: jpeg, times: count, event: kind },
  );
}

it('takes photos that are dropped or pasted, for this hand or another', async () => {
  const page = await open();
  await dropped(page, 1);
  await total(page, 20);
  const sheet = page.getByRole('dialog');
  await dropped(page, 1, 'paste');
  await sheet.getByRole('heading', { name: en.photos.what(1) }).waitFor();
  await sheet.getByRole('button', { name: en.photos.show.open }).click();
  await expect.poll(() => strip(page).getByRole('button').count()).toBe(2);
  await total(page, 20);
  await dropped(page, 1);
  await sheet.getByRole('button', { name: en.photos.another }).click();
  await page.getByRole('button', { name: en.handNumber(2), exact: true }).waitFor();
  await expect.poll(() => strip(page).count()).toBe(0);
  await total(page, 20);
});

it('keeps the hand as it was read when a photo that is added is none', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('demo'));
  await total(page, 20);
  await addInput(page).setInputFiles({
    name: 'x.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('nothing'),
  });
  const alert = page.getByRole('alert').filter({ hasText: en.photos.notAdded });
  await alert.waitFor();
  expect(await alert.textContent()).toContain(en.problems['unsupported-media']);
  await total(page, 20);
  expect(await strip(page).count()).toBe(0);
});

it('points at the hand in the photo that is shown', async () => {
  const page = await open();
  const moved = await view(page, 'demo', { moved: ASIDE });
  const plain = await view(page, 'demo', {});
  await chooser(page).setInputFiles([plain, moved]);
  await page.getByRole('dialog').getByRole('button', { name: en.photos.show.one }).click();
  await total(page, 20);
  await strip(page).getByRole('button', { name: 'Photo 2' }).click();
  await page.getByRole('button', { name: en.pointing.hand }).first().click();
  const box = await page.locator('.photo-frame').boundingBox();
  if (!box) throw new Error('no photo');
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/hands'));
  await page.mouse.move(box.x + 4, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 4, box.y + box.height - 4, { steps: 4 });
  await page.mouse.up();
  await answered;
  await total(page, 20);
  const shown = strip(page).getByRole('button', { pressed: true });
  await expect.poll(() => shown.getAttribute('aria-label')).toMatch(/^Photo 2/);
});
