/**
 * From photo to result: take a photo, correct a tile, change a set, score, share. In two languages,
 * on a phone.
 *
 * The sample is a hand of four pungs of which one lies apart, so the page asks whether that one was
 * claimed.
 */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { de } from '../src/i18n/de';
import { en, type Messages } from '../src/i18n/en';
import { faceName } from '../src/i18n/index';
import { chooser, open, type Page, PHONE, total, unfold, useBrowser } from './browser';
import { samplePath } from './server';

useBrowser();

const LANGUAGES: readonly [string, Messages, string][] = [
  ['en-GB', en, 'All Pungs'],
  ['de-AT', de, 'Drillinghand'],
];

it.each(LANGUAGES)('photo, correction, sets, score and sharing in %s', async (locale, words, allPungs) => {
  const page = await open({ ...PHONE, locale, permissions: ['clipboard-read', 'clipboard-write'] });
  await expect.poll(() => page.getAttribute('html', 'lang')).toBe(locale.slice(0, 2));

  // Photo: the first button opens the camera.
  const camera = page.locator('input[capture=environment]');
  expect(await camera.getAttribute('accept')).toMatch(/^image\/\*,/);
  await camera.setInputFiles(samplePath('900015'));
  await total(page, 34);
  await page.getByText(allPungs, { exact: true }).waitFor();

  // Until it is known how the hand was won, the total is a range. The doubt that changes the score is asked with it:
  // one tap says both, with the total of each answer.
  await expect
    .poll(() => page.locator('.verdict .total').textContent())
    .toContain(words.outcome.range(34, 83));
  const both = page.locator('.first-question:not(.unsettled) .ask-win-with');
  await expect.poll(() => both.textContent()).toContain(words.ask.exposed_set);
  const concealed = both
    .getByRole('button', { name: words.replies.concealed })
    .and(page.locator('[data-answer=left]'));
  await expect.poll(() => concealed.textContent()).toContain(words.outcome.rangeOf(76, 79));
  await concealed.click();
  await total(page, 76);
  await unfold(page);
  await page.getByRole('button', { name: words.undo }).click();
  await total(page, 34);
  const questions = page.locator('.question');
  await questions.first().getByRole('button', { name: words.replies.claimed }).click();

  // Correct a tile: photo and strip open the same sheet; the second tap is the right tile.
  const six = page
    .getByRole('group', { name: words.concealed })
    .getByRole('button', { name: faceName('6p', words) });
  await expect.poll(() => six.count()).toBe(2);
  await six.first().hover();
  await expect.poll(() => page.locator('.seen.pointed').count()).toBe(1);
  const polygon = page.locator(`polygon[data-seen="${await seenOf(page, '9s')}"]`);
  await polygon.click();
  const sheet = page.getByRole('dialog');
  await sheet
    .getByRole('group', { name: words.allTiles })
    .getByRole('button', { name: faceName('8s', words) })
    .click();
  await page.getByText(words.problems['not-a-win']).first().waitFor();
  await page.getByRole('button', { name: words.original }).click();
  await total(page, 34);

  // Change a set: the pung becomes a kong, and the count says why there is one tile too few or too
  // many.
  const set = page.getByRole('article').first();
  await set.locator('summary').click();
  await set.getByRole('radio', { name: words.kinds.kong, exact: true }).check();
  const status = page.getByRole('status').filter({ hasText: words.count(14, 1) });
  await expect.poll(() => status.textContent()).toContain(words.complete);
  const corrected = page.locator('[data-total]:not([data-total="34"])');
  const kong = Number(await corrected.getAttribute('data-total'));
  await expect.poll(() => page.getByText(words.changed(34, kong)).count()).toBe(1);
  await set.getByRole('radio', { name: words.kong.concealed, exact: true }).check();
  await page.locator(`[data-total]:not([data-total="${kong}"])`).waitFor();

  // Tapping a fan highlights its tiles and shows its explanation.
  const fan = page.locator('.fan').first();
  await fan.locator('summary').click();
  await page.locator('.tile.lit').first().waitFor();
  await expect.poll(() => fan.locator('.fan-why').textContent()).not.toBe('');

  // Share: a link that opens as the same hand, and a picture.
  const shown = Number(await page.locator('[data-total]').getAttribute('data-total'));
  await page.getByRole('button', { name: words.shareLink }).click();
  await page.getByText(words.copied).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).search).toBe('');
  const shared = await open({ locale, path: `/${new URL(link).hash}` });
  await total(shared, shown);
  await expect.poll(() => shared.locator('.photo').count()).toBe(0);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: words.sharePicture }).click();
  const file = join(await mkdtemp(join(tmpdir(), 'tilesight-journey-')), 'picture.png');
  await (await download).saveAs(file);
  const png = await readFile(file);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBe(1080);
});

/** The place in the photo of a tile that the strip shows: pointing at one lights the other. */
async function seenOf(page: Awaited<ReturnType<typeof open>>, face: string): Promise<string | null> {
  await page.locator(`.hand .tile[data-tile="${face}"]`).first().hover();
  return page.locator('.seen.pointed polygon').getAttribute('data-seen');
}

it('takes several photos at once, each its own hand, and scores them by two rule sets', async () => {
  const page = await open();
  await page.locator('main input[multiple]').setInputFiles(['demo', '900005', '900007'].map(samplePath));
  await page.getByRole('dialog').getByRole('button', { name: en.photos.show.each }).click();
  const hands = page.getByRole('navigation', { name: en.hands });
  await expect
    .poll(() => hands.getByRole('button', { name: /^Hand/ }).allTextContents())
    .toEqual(['Hand 120–22', 'Hand 216–17', 'Hand 318–36']);
  await page.getByRole('button', { name: en.outcome.compare }).click();
  await page.getByRole('checkbox', { name: 'MCR 1998' }).check();
  await page.locator('.side-by-side label').nth(1).waitFor();
  await expect.poll(() => page.locator('.side-by-side label').count()).toBe(2);
  await hands.getByRole('button', { name: 'Hand 2' }).click();
  await total(page, 16);
  // Rule sets and the round wind are remembered between hands and visits, the seat is not.
  await unfold(page);
  await page.locator('input[name^=seat][value=S]').check({ force: true });
  await page.locator('input[name^=prevalent][value=W]').check({ force: true });
  // Hand 2 with its photos is stored before this change of it.
  await expect.poll(async () => (await kept(page)).prevalent).toBe('W');
  await page.reload();
  // The hand on the screen is still there.
  await total(page, 16);
  await page.getByRole('button', { name: en.home }).click();
  await page.getByRole('button', { name: en.type }).click();
  await expect.poll(() => page.locator('input[name^=prevalent]:checked').getAttribute('value')).toBe('W');
  expect(await page.locator('input[name^=seat]:checked').count()).toBe(0);
  await page.locator('.win-context').getByText(en.kept).waitFor({ state: 'attached' });
  await expect.poll(() => page.locator('.rules-picker input[type=checkbox]:checked').count()).toBe(1);
});

it('scores a sample photo in two taps, without scrolling', async () => {
  const page = await open();
  await page.getByRole('button', { name: en.sample }).click();
  await total(page, 20);
  // A click that has to wait for the question to take taps would scroll the page as it tries again.
  await page.locator('.first-question:not(.unsettled)').waitFor();
  await page.getByRole('button', { name: en.outcome.discardBy.right }).click();
  await page.getByText('✓').waitFor();
  await expect.poll(() => page.locator('.total').evaluate(inSight)).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.getByText('Pure Straight', { exact: true }).waitFor();
});

const inSight = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};

it('goes back from a hand to the start, and the hand is still there', async () => {
  const page = await open();
  await page.getByRole('button', { name: en.sample }).click();
  await total(page, 20);
  await page.goBack();
  await page.getByRole('button', { name: en.type }).waitFor();
  await page.goForward();
  await total(page, 20);
});

it('has the hand and its photo again after a reload, until the hand is closed', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('demo'));
  await total(page, 20);
  await page.getByRole('button', { name: en.outcome.discardBy.right }).click();
  await page.getByText('✓').waitFor();
  await unfold(page);
  // A correction, and what it makes of the total.
  await page.locator('.strip .tile').first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('group', { name: en.allTiles }).getByRole('button').last().click();
  await sheet.waitFor({ state: 'detached' });
  const tiles = () =>
    page.locator('.strip .tile').evaluateAll((all) => all.map((one) => one.getAttribute('data-tile')));
  const before = await tiles();
  await keptHand(page, 1);

  await page.reload();
  await page.locator('.photo-side img').first().waitFor();
  await unfold(page);
  await expect.poll(tiles).toEqual(before);
  // It can be undone as before, and no answer was lost.
  await page.getByRole('button', { name: en.undo, exact: true }).first().click();
  await total(page, 20);
  await page.getByText('✓').waitFor();

  // A closed hand is gone from the device.
  await page.getByRole('button', { name: new RegExp(`^${en.remove}: `) }).click();
  await keptHand(page, 0);
  await page.reload();
  await page.getByRole('button', { name: en.type }).waitFor();
  expect(await page.locator('.table-hand').count()).toBe(0);
});

it('removes a photo from the device when another hand begins, and works where storage is refused', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('demo'));
  await total(page, 20);
  await keptHand(page, 1);
  await page.getByRole('button', { name: en.home }).click();
  await page.getByRole('button', { name: en.type }).click();
  await keptHand(page, 0);

  const refused = await open();
  await refused.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      get() {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });
  await refused.reload();
  await chooser(refused).setInputFiles(samplePath('demo'));
  await total(refused, 20);
  await refused.reload();
  await refused.getByRole('button', { name: en.type }).waitFor();
});

/** The parts of a hand that are kept on the device, and the round wind of its context. */
const kept = (page: Page): Promise<{ parts: string; prevalent?: string }> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.open('tilesight', 1);
        request.onsuccess = () => {
          const store = request.result.transaction('hand').objectStore('hand');
          const names = store.getAllKeys();
          const hand = store.get('hand');
          hand.onsuccess = () => {
            resolve({ parts: names.result.join(), prevalent: hand.result?.context.prevalent });
            request.result.close();
          };
        };
      }),
  );

/** Until so many hands are kept on the device. */
const keptHand = (page: Page, hands: number): Promise<void> =>
  expect.poll(async () => (await kept(page)).parts).toBe(hands === 1 ? 'hand,photos' : '');
