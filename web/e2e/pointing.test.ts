/** Pointing at the photo: zoom, a box or an outline around the hand, and one sheet for whatever a tile is. */
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
  const box = await page.locator('.photo-content').boundingBox();
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
  const a = await inPhoto(page, ...from);
  const b = await inPhoto(page, ...to);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
  await page.mouse.move(b.x, b.y);
  await page.mouse.up();
}

it('zooms by a button, by a double tap and by two fingers, and moves the zoomed photo', async () => {
  const page = await openSample('900015');
  await page.getByRole('button', { name: en.pointing.zoomOut }).click();
  await expect.poll(() => scale(page)).toBe(1);
  await page.getByRole('button', { name: en.pointing.zoomIn }).click();
  await expect.poll(() => scale(page)).toBe(2.5);
  await page.getByRole('button', { name: en.pointing.zoomOut }).click();
  await expect.poll(() => scale(page)).toBe(1);

  const { x, y } = await inPhoto(page, 0.05, 0.9);
  await page.mouse.dblclick(x, y);
  await expect.poll(() => scale(page)).toBe(2.5);
  await page.getByRole('button', { name: en.pointing.zoomOut }).click();

  await page.locator('.photo-frame').evaluate(pinch);
  await expect.poll(() => scale(page)).toBeCloseTo(3, 1);
  const before = await page.locator('.photo-content').evaluate((one) => one.style.transform);
  await drag(page, [0.5, 0.5], [0.6, 0.6]);
  expect(await page.locator('.photo-content').evaluate((one) => one.style.transform)).not.toBe(before);
});

it.each([390, 320])('shows the hand as large as it fits, with every tile, on %i pixels', async (width) => {
  const page = await open({ viewport: { width, height: 844 } });
  await chooser(page).setInputFiles(samplePath('900015'));
  await page.locator('[data-total]').waitFor();
  await expect.poll(() => scale(page)).toBeGreaterThan(1.1);
  const frame = await page.locator('.photo-frame').boundingBox();
  if (!frame) throw new Error('the page shows no photo');
  for (const tile of await page.locator('.seen.mine polygon').all()) {
    const box = await tile.boundingBox();
    expect(box && box.x >= frame.x && box.x + box.width <= frame.x + frame.width).toBe(true);
    expect(box && box.y >= frame.y && box.y + box.height <= frame.y + frame.height).toBe(true);
  }
  // A finger that is put on it scrolls the page.
  expect(await page.locator('.photo-frame').evaluate((one) => getComputedStyle(one).touchAction)).toBe(
    'pan-y',
  );
});

/** Two fingers that move apart to three times their distance, around the middle of the photo. */
function pinch(frame: Element): void {
  const { left, top, width, height } = frame.getBoundingClientRect();
  const x = left + width / 2;
  const y = top + height / 2;
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

/** Two hands in one photo, one above the other; the other one is in the upper half or the lower. */
async function openStacked(): Promise<{ page: Page; upper: boolean; mine: () => Promise<number[]> }> {
  const page = await open();
  const buffer = await stacked(page, ['demo', '900001']);
  await chooser(page).setInputFiles({ name: 'table.jpg', mimeType: 'image/jpeg', buffer });
  await page.locator('[data-total]').waitFor();
  const mine = () =>
    page
      .locator('.seen.mine polygon')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  const [top = 0] = await mine();
  return { page, upper: top < (await inPhoto(page, 0.5, 0.5)).y, mine };
}

it('reads the hand that a box is drawn around, and keeps the hand if the box is empty', async () => {
  const { page, upper, mine } = await openStacked();
  const middle = await inPhoto(page, 0.5, 0.5);
  await page.getByRole('button', { name: en.pointing.hand }).click();
  await drag(page, [0.05, upper ? 0.52 : 0.05], [0.95, upper ? 0.95 : 0.48]);
  await expect.poll(async () => ((await mine())[0] ?? middle.y) < middle.y).toBe(!upper);
  await page.locator('[data-total]').waitFor();

  await page.getByRole('button', { name: en.pointing.hand }).click();
  await drag(page, [0.1, 0.03], [0.4, 0.15]);
  await page.getByText(en.pointing.noHand).waitFor();
  await page.locator('[data-total]').waitFor();
});

/** The regions that the page sent. */
interface Sent {
  readonly regions: string[];
}

it('reads the hand that an outline is drawn around, also beyond the edge of the photo', async () => {
  const { page, upper, mine } = await openStacked();
  await page.evaluate(() => {
    const { set } = FormData.prototype;
    Object.assign(globalThis, { regions: [] as string[] });
    FormData.prototype.set = new Proxy(set, {
      apply(target, form, args: [string, string]) {
        if (args[0] === 'region') (globalThis as unknown as Sent).regions.push(args[1]);
        return Reflect.apply(target, form, args);
      },
    });
  });
  const regions = () => page.evaluate(() => (globalThis as unknown as Sent).regions);
  await page.getByRole('button', { name: en.pointing.hand }).click();
  await page.getByText(en.pointing.help.box).waitFor();
  await page.getByRole('radio', { name: en.pointing.shapes.outline }).check();
  await page.getByText(en.pointing.help.outline).waitFor();
  // Around the half with the other hand: along an ellipse that leaves the photo on both sides.
  const frame = page.locator('.photo-frame');
  const box = await frame.boundingBox();
  if (!box) throw new Error('the page shows no photo');
  const down = upper ? 0.75 : 0.25;
  const at = (step: number): [number, number] => {
    const angle = (step / 90) * 2 * Math.PI;
    return [
      box.x + box.width * (0.5 + 0.6 * Math.cos(angle)),
      box.y + box.height * (down + 0.24 * Math.sin(angle)),
    ];
  };
  // The finger begins inside of the photo.
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * (down + 0.24));
  await page.mouse.down();
  for (let step = 23; step <= 112; step += 1) await page.mouse.move(...at(step));
  await page.locator('.drawn polygon').waitFor();
  await page.mouse.up();
  const middle = await inPhoto(page, 0.5, 0.5);
  await expect.poll(async () => ((await mine())[0] ?? middle.y) < middle.y).toBe(!upper);
  await page.locator('[data-total]').waitFor();
  const corners = ((await regions())[0] ?? '').split(' ').map((corner) => corner.split(',').map(Number));
  expect(corners.length).toBeGreaterThan(8);
  expect(corners.length).toBeLessThanOrEqual(32);
  expect(corners.flat().every((one) => one >= 0)).toBe(true);

  // A scribble without an inside is not an outline: nothing is read, and the page still waits.
  await page.getByRole('button', { name: en.pointing.hand }).click();
  await drag(page, [0.2, 0.3], [0.8, 0.3]);
  await page.getByText(en.pointing.help.outline).waitFor();
  expect(await regions()).toHaveLength(1);
});

it('adds a tile that was left out, as the one that won, in one sheet', async () => {
  const page = await openSample('900083');
  await page.getByRole('button', { name: en.pointing.zoomOut }).click();
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
