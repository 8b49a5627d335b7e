/**
 * Own sets: a sheet of drawn tiles is taught with one tap for each tile that is unsure, and hands are
 * read with it; sets are kept, saved, added, renamed, merged and deleted. The static site runs these
 * tests too.
 */
import { expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { findViolations } from './axe';
import { chooser, open, type Page, TARGETS, useBrowser } from './browser';
import { drawn } from './drawn';
import { samplePath } from './server';

useBrowser();

const words = en.ownSets;

/** Two photos of a set. In the first a west wind lies where the 5 of dots belongs, and the 9 is missing. */
const SUITS = ['1m 2m 3m 4m 5m 6m 7m 8m 9m', '1p 2p 3p 4p W 6p 7p 8p', '1s 2s 3s 4s 5s 6s 7s 8s 9s'];
const OTHERS = ['5p 9p', 'E S W N C F P', 'f1 f2 f3 f4 s1 s2 s3 s4', 'back back'];
const HAND = ['1m 2m 3m 4p 5p 6p 6s 6s 6s 7s 8s 9s E E'];

const sets = (page: Page) => page.locator('.own-set');
const sheetChooser = (page: Page) => page.locator('main.sets-page input[type=file][multiple]');
const missing = (page: Page) => page.locator('[data-missing]').getAttribute('data-missing');

async function toSets(page: Page): Promise<void> {
  await page.getByRole('button', { name: en.home }).first().click();
  await page.getByRole('button', { name: words.title }).click();
  await page.getByRole('heading', { name: words.title }).waitFor();
}

/** Answers whatever is unsure with what it is thought to be. */
async function takeProposals(page: Page): Promise<void> {
  const open = page.locator('.open-tile');
  for (let left = await open.count(); left > 0; left = await open.count()) {
    await open.first().locator('.answer').first().click();
    await expect.poll(() => open.count()).toBe(left - 1);
  }
}

/** Teaches a set from one photo of the other tiles. */
async function teachOthers(page: Page, name: string): Promise<void> {
  await toSets(page);
  await page.getByRole('button', { name: words.teach }).click();
  await sheetChooser(page).setInputFiles(await drawn(page, OTHERS));
  await page.getByRole('region', { name: en.photos.number(1) }).waitFor();
  await takeProposals(page);
  await page.getByLabel(words.name).fill(name);
  await page.getByRole('button', { name: words.keep }).click();
  await page.locator(`.own-set[data-set="${name}"]`).waitFor();
}

/** The set of a card, as it is saved. */
async function saved(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.locator(`.own-set[data-set="${name}"]`).getByRole('button', { name: words.saveFile }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${name}.set`);
  const parts: Buffer[] = [];
  for await (const part of await file.createReadStream()) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

const asFile = (text: string, name = 'Home.set') => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
});

async function add(page: Page, text: string): Promise<void> {
  await page.locator('.sets-page .starts input[type=file]').setInputFiles(asFile(text));
}

it('teaches a set, one tap for each tile that is unsure, and reads with it', async () => {
  const page = await open();
  await toSets(page);
  await page.getByRole('button', { name: words.teach }).click();
  expect(await page.locator('.guide-row').first().locator('.face').count()).toBe(9);
  await sheetChooser(page).setInputFiles(await drawn(page, SUITS));
  const open_ = page.locator('.open-tile');
  await open_.first().waitFor();
  // The row proposes the 5 of dots, and the picture is that of a west wind.
  const west = open_.filter({ hasText: en.honors.W }).filter({ hasText: en.suited(5, 'p') });
  await west.getByRole('button', { name: en.honors.W }).click();
  await takeProposals(page);
  await expect.poll(() => missing(page)).toBe('5p 9p E S N C F P back');

  await sheetChooser(page).setInputFiles(await drawn(page, OTHERS));
  await page.getByRole('region', { name: en.photos.number(2) }).waitFor();
  await takeProposals(page);
  await expect.poll(() => missing(page)).toBe('');
  await page.getByText(words.nothingMissing).waitFor();
  await page.getByLabel(words.name).fill(' Home ');
  await page.getByRole('button', { name: words.keep }).click();
  await sets(page).waitFor();
  expect(await sets(page).getByRole('heading').textContent()).toBe('Home');
  await sets(page).getByText(words.knows(43, 45)).waitFor();
  await sets(page).getByRole('img', { name: words.picture }).waitFor();

  // It is there after a reload too, and a hand is read with it; a photo of another set is not.
  await page.reload();
  await page.getByLabel(words.use).waitFor();
  await chooser(page).setInputFiles(await drawn(page, HAND));
  await page.getByText(words.used('Home')).waitFor();
  await expect.poll(() => page.locator('.strip [data-tile]').count()).toBeGreaterThan(0);
  await page.getByLabel(words.use).selectOption(words.none);
  await page.getByText(words.unused).waitFor();
  await page.getByLabel(words.use).selectOption('Home');
  await page.getByText(words.used('Home')).waitFor();
  await page.getByRole('button', { name: en.home }).first().click();
  await chooser(page).setInputFiles(samplePath('demo'));
  await page.locator('[data-total="20"]').waitFor();
  await page.locator('[data-set]').waitFor();
});

it('names a tile as anything: another face, a further kind, or nothing', async () => {
  const page = await open();
  await toSets(page);
  await page.getByRole('button', { name: words.teach }).click();
  await sheetChooser(page).setInputFiles(await drawn(page, ['E S W N C F P']));
  const tile = (at: number) => page.locator('.strip .tile').nth(at);
  await tile(0).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: en.suited(3, 'm') }).click();
  await tile(1).click();
  await dialog.getByLabel(words.further).fill('joker');
  await dialog.getByRole('button', { name: en.save }).click();
  await tile(2).click();
  await dialog.getByRole('button', { name: words.leaveOut }).click();
  await tile(3).click();
  await dialog.getByRole('button', { name: en.faceDown }).click();
  const names = () =>
    page.locator('.strip .tile').evaluateAll((all) => all.map((one) => one.getAttribute('data-tile')));
  expect(await names()).toEqual(['3m', 'extra:joker', '', 'back', 'C', 'F', 'P']);
  await page.getByLabel(words.name).fill('Odd');
  await page.getByRole('button', { name: words.keep }).click();
  await sets(page).getByText(words.knows(6, 6)).waitFor();
  const file = JSON.parse(await saved(page, 'Odd')) as {
    readonly faces: readonly { readonly face: string }[];
  };
  expect(file.faces.map(({ face }) => face)).toEqual(['3m', 'C', 'F', 'P', 'back', 'extra:joker']);
});

it('saves, deletes, adds, renames and merges sets', async () => {
  const page = await open();
  await teachOthers(page, 'Home');
  const file = await saved(page, 'Home');
  await sets(page).getByRole('button', { name: words.remove }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: words.remove }).click();
  await expect.poll(() => sets(page).count()).toBe(0);
  await page.reload();
  await toSets(page);
  // The stored sets are loaded before a file is added: the page would say that this one is known.
  await add(page, file);
  await page.getByText(en.done, { exact: true }).waitFor();
  expect(await sets(page).count()).toBe(1);
  expect(await saved(page, 'Home')).toBe(file);
  await add(page, file);
  await page.getByText(words.known).waitFor();
  expect(await sets(page).count()).toBe(1);

  await sets(page).getByRole('button', { name: words.rename }).click();
  await dialog.getByLabel(words.name).fill('Club');
  await dialog.getByRole('button', { name: en.save }).click();
  await page.locator('.own-set[data-set=Club]').waitFor();
  await add(page, file);
  await page.locator('.own-set[data-set=Home]').waitFor();
  await page.locator('.own-set[data-set=Home]').getByRole('button', { name: words.merge }).click();
  await dialog.getByRole('button', { name: words.mergeWith('Club') }).click();
  await page.locator('.own-set[data-set=Home]').getByText(words.knows(18, 38)).waitFor();
  await page.locator('.own-set[data-set=Club]').getByText(words.knows(18, 19)).waitFor();
});

it('refuses a file that is no set, with the reason in the page’s language', async () => {
  const page = await open();
  await teachOthers(page, 'Home');
  const file = await saved(page, 'Home');
  const alert = page.getByRole('alert');
  for (const [text, reason] of [
    ['a diary', /not the file of a set/],
    [file.slice(0, 5_000), /damaged/],
    [file.replace('"version":1', '"version":7'), /version 7/],
    [file.replace('"spread":', '"spread":1e999,"was":'), /damaged.*faces\[0\]/],
    [file.replace('"face":"5p"', '"face":"<b>"'), /damaged/],
    [' '.repeat(2_000_000), /at most 150000/],
  ] as const) {
    await add(page, text);
    await expect.poll(() => alert.textContent()).toMatch(reason);
  }
  expect(await sets(page).count()).toBe(1);
  // A reason that is shown follows the language.
  await page.getByLabel(en.language).selectOption('da');
  await expect.poll(() => alert.textContent()).toMatch(/højst 150000/);
  await add(page, 'a diary');
  await expect.poll(() => alert.textContent()).toMatch(/ikke filen til et brikkesæt/);
});

it.each([320, 390, 768])('is accessible and fits a screen of %d pixels', async (width) => {
  const page = await open({ viewport: { width, height: 844 } });
  await toSets(page);
  await check(page, width);
  await page.getByRole('button', { name: words.teach }).click();
  await check(page, width);
  await sheetChooser(page).setInputFiles(await drawn(page, SUITS));
  await page.locator('.open-tile').first().waitFor();
  await check(page, width);
  await page.locator('.strip .tile').first().click();
  await page.getByRole('dialog').waitFor();
  await check(page, width);
  await page.getByRole('button', { name: en.close }).click();
  await page.getByRole('button', { name: words.keep }).click();
  await sets(page).waitFor();
  await check(page, width);
});

let shots = 0;

/** Axe is content in light and dark, everything that is tapped has 44 pixels, nothing is cut off. */
async function check(page: Page, width: number): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const found = (await findViolations(page)).filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    expect(found.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  }
  if (process.env.TILESIGHT_SHOTS) {
    shots += 1;
    await page.screenshot({ path: `${process.env.TILESIGHT_SHOTS}/${width}-${shots}.png`, fullPage: true });
  }
  const small = await page.locator(TARGETS).evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility())
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.width < 43.5 || box.height < 43.5))
      .map(({ element }) => element.outerHTML.slice(0, 90)),
  );
  expect(small).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}
