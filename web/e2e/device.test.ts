/**
 * Place where the served page reads photos: the device, unless the operator or the person wants the
 * server. The tests cover failures of either, too.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { chooser, installed, open, type Page, readerKept, total, useBrowser } from './browser';
import { drawn } from './drawn';
import { PROGRAM, ROOT, type Running, samplePath, start } from './server';

useBrowser();

let usual: Running;
beforeAll(async () => {
  usual = await start([], 'device');
});
afterAll(() => usual.stop());

/** Returns a list that collects the paths to which the page posts from now on. */
function posted(page: Page): string[] {
  const paths: string[] = [];
  page.context().on('request', (request) => {
    if (request.method() === 'POST') paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

async function read(page: Page, sample = 'demo'): Promise<void> {
  await chooser(page).setInputFiles(samplePath(sample));
  await page.locator('.verdict').waitFor();
}

const choose = (page: Page, place: 'device' | 'server') => page.getByLabel(en.reads[place]).check();

it('reads photos and scores hands on the device, and sends nothing', async () => {
  const page = await open({ url: usual.url });
  const paths = posted(page);
  await page.getByText(en.reads.privacy.device).waitFor();
  await read(page);
  await total(page, 20);
  await page.getByRole('button', { name: en.home }).click();
  await page.getByRole('button', { name: en.type }).click();
  await page.getByLabel(en.asText).fill('123456789m11pFFF');
  await total(page, 21);
  expect(paths).toEqual([]);
});

it('reads on the server where the person prefers that, now and later', async () => {
  const page = await open({ url: usual.url });
  await choose(page, 'server');
  await page.getByText(en.reads.privacy.server).waitFor();
  await page.reload();
  const paths = posted(page);
  expect(await page.getByLabel(en.reads.server).isChecked()).toBe(true);
  await read(page);
  await total(page, 20);
  expect(paths).toContain('/v1/hands');
});

it('reads on the server where the operator has it so, unless the person prefers the device', async () => {
  const page = await open();
  const paths = posted(page);
  await page.getByText(en.reads.privacy.server).waitFor();
  await read(page);
  await total(page, 20);
  expect(paths).toContain('/v1/hands');
  await page.getByRole('button', { name: en.home }).click();
  await choose(page, 'device');
  paths.length = 0;
  await read(page);
  await total(page, 20);
  expect(paths).toEqual([]);
});

/** A hand as the page shows it: its tiles, its totals, its questions. */
async function shown(page: Page): Promise<unknown> {
  await page.locator('.total-line[aria-busy=false] [data-total]').waitFor();
  return page.evaluate(() => {
    const texts = (selector: string) =>
      [...document.querySelectorAll(selector)].map((one) => one.textContent);
    const tiles = [...document.querySelectorAll('[data-tile]')].map((one) => one.getAttribute('data-tile'));
    return { tiles, verdict: texts('.verdict'), lines: texts('.result tr, .result li') };
  });
}

it.each(['demo', '900002', '900010', '900015'])('answers alike on both for %s', async (sample) => {
  const page = await open({ url: usual.url });
  await read(page, sample);
  const device = await shown(page);
  await page.getByRole('button', { name: en.home }).click();
  await choose(page, 'server');
  const paths = posted(page);
  await read(page, sample);
  expect(await shown(page)).toEqual(device);
  expect(paths).toContain('/v1/hands');
});

/** The rows of docs/tiles.png. The red five at the end of each suit is left out. */
const SHEET = [
  ...['m', 'p', 's'].map((suit) => `${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => rank + suit).join(' ')} -`),
  'E S W N C F P back',
  'f1 f2 f3 f4 s1 s2 s3 s4',
];

it('offers the sets of the server where it reads, and reads with the one that is chosen', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tilesight-sets-'));
  const names = join(folder, 'names.txt');
  await writeFile(names, SHEET.join('\n'));
  const learned = ['--names', names, '--name', 'Club', '--out', join(folder, 'club.set')];
  await promisify(execFile)(PROGRAM, ['set', 'learn', 'docs/tiles.png', ...learned], { cwd: ROOT });
  const server = await start(['--sets', folder]);
  const page = await open({ url: server.url });
  const words = en.ownSets;
  const offered = () => page.getByLabel(words.use).locator('option').allTextContents();
  await expect.poll(offered).toEqual([words.auto, 'Club', words.none]);
  await chooser(page).setInputFiles(await drawn(page, ['1m 2m 3m 4p 5p 6p 6s 6s 6s 7s 8s 9s E E']));
  await page.getByText(words.used('Club')).waitFor();
  await page.getByLabel(words.use).selectOption(words.none);
  await page.getByText(words.unused).waitFor();
  await page.getByLabel(words.use).selectOption('Club');
  await page.getByText(words.used('Club')).waitFor();
  // The device has none of them; the choice is kept for when the server reads again.
  await page.getByRole('button', { name: en.home }).click();
  await choose(page, 'device');
  await expect.poll(() => page.getByLabel(words.use).count()).toBe(0);
  await choose(page, 'server');
  await page.reload();
  await expect.poll(() => page.getByLabel(words.use).locator('option:checked').textContent()).toBe('Club');
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

it('reads on the server where the device cannot, and says why', async () => {
  const page = await open({ url: usual.url });
  await page.addInitScript(() => {
    WebAssembly.validate = () => false;
  });
  await page.reload();
  const paths = posted(page);
  await page.getByText(en.problems['no-simd']).waitFor();
  expect(await page.getByRole('button', { name: en.live.title }).count()).toBe(0);
  await read(page);
  await total(page, 20);
  expect(paths).toContain('/v1/hands');
});

it('sends nothing where a file could not be loaded, unless the person has the server read it', async () => {
  const page = await open({ url: usual.url });
  const paths = posted(page);
  await page.route('**/refiner.onnx', (route) => route.abort());
  await chooser(page).setInputFiles(samplePath('demo'));
  await page.getByText(en.problems['not-loaded']).waitFor();
  expect(paths).toEqual([]);
  await page.getByRole('button', { name: en.reads.onServer }).click();
  await total(page, 20);
  expect(paths).toContain('/v1/hands');
});

it('tries again on the device what could not be loaded', async () => {
  const page = await open({ url: usual.url });
  const paths = posted(page);
  await page.route('**/refiner.onnx', (route) => route.abort());
  await chooser(page).setInputFiles(samplePath('demo'));
  await page.getByText(en.problems['not-loaded']).waitFor();
  await page.unroute('**/refiner.onnx');
  await page.getByRole('button', { name: en.tryAgain }).click();
  await total(page, 20);
  expect(paths).toEqual([]);
});

it('reads on the device without a network, whatever was chosen', async () => {
  const first = await start([], 'device');
  const page = await open({ url: first.url, serviceWorkers: 'allow' });
  await installed(page);
  await readerKept(page);
  await choose(page, 'server');
  await first.stop();
  await page.reload();
  await page.getByRole('main').waitFor();
  await read(page);
  await total(page, 20);
});

it('has the rule sets of a server that has some of its own', async () => {
  const page = await open({ url: usual.url });
  await page.route('**/v1/rulesets', async (route) => {
    const response = await route.fetch();
    const list = await response.json();
    const [first] = list.rulesets;
    await route.fulfill({
      response,
      json: { ...list, rulesets: [...list.rulesets, { ...first, id: 'club', name: 'Club' }] },
    });
  });
  await page.reload();
  const paths = posted(page);
  await page.getByLabel(en.rules).selectOption('club');
  await page.getByText(en.reads.privacy.server).waitFor();
  await chooser(page).setInputFiles(samplePath('demo'));
  await expect.poll(() => paths).toContain('/v1/hands');
});
