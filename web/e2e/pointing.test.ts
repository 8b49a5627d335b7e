/** Pointing at the photo: zoom, a box around the hand, and one sheet for whatever a tile is. */
import { expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { chooser, open, type Page, unfold, useBrowser } from './browser';
import { samplePath } from './server';
import { stacked } from './stacked';

useBrowser();

async function openSample(name: string): Promise<Page> {
  const page = await open();
  await chooser(page).setInputFiles(samplePath(name));
  await page.locator('[data-total]').waitFor();
  return page;
}

/** A place of the photo on the screen, by shares of its width and height. */
async function inPhoto(page: Page, across: number, down: number): Promise<{ x: number; y: number }> {
  const box = await page.locator('.photo-frame').boundingBox();
  if (!box) throw new Error('the page shows no photo');
  return { x: box.x + box.width * across, y: box.y + box.height * down };
}

const scale = async (page: Page): Promise<number> =>
  Number(await page.locator('.photo-frame').getAttribute('data-scale'));

async function drag(
  page: Page,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  const [a, b] = [await inPhoto(page, ...from), await inPhoto(page, ...to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
  await page.mouse.move(b.x, b.y);
  await page.mouse.up();
}

it('zooms by a button, by a double tap and by two fingers, and moves the zoomed photo', async () => {
  const page = await openSample('900015');
  await page.getByRole('button', { name: en.pointing.zoomIn }).click();
  await expect.poll(() => scale(page)).toBe(2.5);
  await page.getByRole('button', { name: en.pointing.zoomOut }).click();
  await expect.poll(() => scale(page)).toBe(1);

  const { x, y } = await inPhoto(page, 0.05, 0.9);
  await page.mouse.click(x, y);
  await page.mouse.click(x, y);
  await expect.poll(() => scale(page)).toBe(2.5);
  await page.getByRole('button', { name: en.pointing.zoomOut }).click();

  await page.locator('.photo-frame').evaluate(pinch);
  await expect.poll(() => scale(page)).toBeCloseTo(3, 1);
  const before = await page.locator('.photo-content').evaluate((one) => one.style.transform);
  await drag(page, [0.5, 0.5], [0.6, 0.6]);
  expect(await page.locator('.photo-content').evaluate((one) => one.style.transform)).not.toBe(before);
});

/** Two fingers that move apart to three times their distance, around the middle of the photo. */
function pinch(frame: Element): void {
  const { left, top, width, height } = frame.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const send = (type: string, pointerId: number, clientX: number): boolean =>
    frame.dispatchEvent(
      new PointerEvent(type, { pointerId, clientX, clientY: y, pointerType: 'touch', bubbles: true }),
    );
  send('pointerdown', 11, x - 20);
  send('pointerdown', 12, x + 20);
  send('pointermove', 11, x - 60);
  send('pointermove', 12, x + 60);
  send('pointerup', 11, x - 60);
  send('pointerup', 12, x + 60);
}

it('opens a tile that a finger just missed', async () => {
  const page = await openSample('demo');
  const box = await page.locator('.seen.mine polygon').first().boundingBox();
  if (!box) throw new Error('no tile is outlined');
  await page.mouse.click(box.x + box.width / 2, box.y - 8);
  await page.getByRole('dialog').waitFor();
});

it('reads the hand that a box is drawn around, and keeps the hand if the box is empty', async () => {
  const page = await open();
  const buffer = await stacked(page, ['demo', '900001']);
  await chooser(page).setInputFiles({ name: 'table.jpg', mimeType: 'image/jpeg', buffer });
  await page.locator('[data-total]').waitFor();
  const mine = () =>
    page
      .locator('.seen.mine polygon')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  const [top = 0] = await mine();
  const middle = await inPhoto(page, 0.5, 0.5);
  // The other half of the picture.
  const upper = top < middle.y;

  await page.getByRole('button', { name: en.pointing.hand }).click();
  await drag(page, [0.05, upper ? 0.52 : 0.05], [0.95, upper ? 0.95 : 0.48]);
  await expect.poll(async () => ((await mine())[0] ?? top) < middle.y).toBe(!upper);
  await page.locator('[data-total]').waitFor();

  await page.getByRole('button', { name: en.pointing.hand }).click();
  await drag(page, [0.1, 0.03], [0.4, 0.15]);
  await page.getByText(en.pointing.missed).waitFor();
  await page.locator('[data-total]').waitFor();
});

it('adds a tile that was left out, as the one that won, in one sheet', async () => {
  const page = await openSample('900083');
  const left = page.locator('.seen.left-out polygon').first();
  const seen = await left.getAttribute('data-seen');
  await left.click({ force: true });
  const sheet = page.getByRole('dialog');
  await sheet.locator('input[name=add-as][value=won]').check();
  await sheet.getByRole('group', { name: en.likely }).getByRole('button').first().click();
  await page.locator(`.seen.winning polygon[data-seen="${seen}"]`).waitFor();
});

it('says in a tile’s sheet that it was claimed, with its neighbours', async () => {
  const page = await openSample('demo');
  await unfold(page);
  await page.locator('.strip .tile').first().click();
  await page.getByRole('dialog').locator('[data-claimed=left]').click();
  await page.getByRole('article', { name: new RegExp(en.kinds.chow) }).waitFor();
});

it('outlines other tiles only while tiles are added', async () => {
  const page = await openSample('900083');
  const stroke = () =>
    page
      .locator('.seen.left-out polygon')
      .first()
      .evaluate((one) => getComputedStyle(one).stroke);
  expect(await stroke()).toBe('rgba(0, 0, 0, 0)');
  await unfold(page);
  await page.getByRole('button', { name: en.addTiles }).click();
  await expect.poll(stroke).toBe('rgb(255, 255, 255)');
});
