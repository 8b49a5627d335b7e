/**
 * A club with a folder of photos: read, reviewed by keys, read again without reading anything, and
 * the table is corrected. It measures how many keys a photo takes.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { findViolations } from './axe';
import { open, type Page, useBrowser } from './browser';
import { PROGRAM, type Running, samplePath, start } from './server';
import { note } from './taps';

useBrowser();

const ROOT = resolve(import.meta.dirname, '../..');
const AT_A_DESK = { viewport: { width: 1280, height: 860 }, hasTouch: false, isMobile: false };
/** A reviewer's keys for a photo, half of the photos at most may take more. */
const KEYS_A_PHOTO = 2;

/** A reviewer's keys for each photo, and the status and total that the table then has. */
const PHOTOS: Readonly<Record<string, { keys: readonly string[]; status: string; total: string }>> = {
  'forms/910058.jpg': { keys: ['1'], status: 'ok', total: '42' },
  'forms/910061.jpg': { keys: ['1'], status: 'ok', total: '20' },
  'forms/910168.jpg': { keys: ['2'], status: 'ok', total: '26' },
  'samples/900002.jpg': { keys: ['1', '1', '1', '1'], status: 'ok', total: '10' },
  'samples/900015.jpg': { keys: ['Enter'], status: 'ok', total: '34' },
  'samples/900083.jpg': { keys: ['2'], status: 'ok', total: '37' },
  'games/classical-west.jpg': { keys: ['n'], status: 'no_hand', total: '' },
  'samples/demo.jpg': { keys: [], status: 'ok', total: '20' },
};

let folder = '';
let running: ChildProcess | null = null;
let service: Running | null = null;

afterEach(async () => {
  running?.kill('SIGKILL');
  await service?.stop();
  service = null;
  if (folder) rmSync(folder, { recursive: true, force: true });
});

function club(...only: readonly string[]): string {
  folder = mkdtempSync(join(tmpdir(), 'tilesight-club-'));
  for (const name of only.length > 0 ? only : Object.keys(PHOTOS)) {
    const file = join(folder, 'club', name);
    mkdirSync(join(file, '..'), { recursive: true });
    copyFileSync(join(ROOT, 'datasets', name), file);
  }
  copyFileSync(join(ROOT, 'web/public/icon-192.png'), join(folder, 'club', 'logo.png'));
  return folder;
}

const env = {
  TILESIGHT_MODELS: join(ROOT, 'models'),
  TILESIGHT_ONNXRUNTIME: join(ROOT, '.onnxruntime'),
  USER: 'Kim',
  ...process.env,
};

/** Starts a command that ends in a review, and waits for its address. */
function review(args: readonly string[]): Promise<string> {
  const child = spawn(PROGRAM, args, { cwd: folder, env });
  running = child;
  return new Promise((done, failed) => {
    let said = '';
    const hear = (text: Buffer): void => {
      said += String(text);
      const found = /listens on (http:[^#\s]+)/.exec(said);
      if (found?.[1]) done(found[1].replace(/\/$/, ''));
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('exit', (code) => failed(new Error(`the program ended with ${code}:\n${said}`)));
  });
}

/** The rows of the table, by the names of the columns; no cell of these has a comma in it. */
function table(): Record<string, string>[] {
  const [names = [], ...rows] = readFileSync(join(folder, 'out/results.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) =>
      (line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? []).map((cell) => cell.replace(/,$/, '')),
    );
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}

const corrections = (): string => readFileSync(join(folder, 'out/corrections.csv'), 'utf8');
const shown = (page: Page) => page.locator('[data-photo]');
const named = async (page: Page): Promise<string> => (await shown(page).getAttribute('aria-label')) ?? '';

/** Presses a key and waits until the photo or the question is another one. */
async function press(page: Page, key: string): Promise<void> {
  const before = await page.locator('main').innerText();
  await page.keyboard.press(key);
  await expect.poll(() => page.locator('main').innerText()).not.toBe(before);
  await page.locator('main[aria-busy=false]').waitFor();
}

it('a folder of photos becomes a corrected table', async () => {
  club();
  const url = await review(['batch', 'club', '--out', 'out', '--quiet', '--review']);
  expect(table().filter((row) => row.status !== 'ok')).toHaveLength(8);
  const page = await open({ ...AT_A_DESK, url, path: '/#review' });
  await shown(page).waitFor();

  // Every photo has its file's name; the place stays after a reload.
  await press(page, 'ArrowRight');
  const second = await named(page);
  await page.reload();
  await expect.poll(() => named(page)).toBe(second);
  await press(page, 'ArrowLeft');

  const counts: number[] = [];
  while ((await page.getByText(/Every photo is answered/).count()) === 0) {
    const name = (await named(page)).replace('club/', '');
    const keys = PHOTOS[name]?.keys ?? ['Enter'];
    for (const key of keys) await press(page, key);
    counts.push(keys.length);
    note({ what: 'review', photo: name, keys: keys.length });
    if (counts.length === 2) {
      // Taken back, and said again.
      expect(corrections()).toContain(name);
      await press(page, 'u');
      expect(corrections()).not.toContain(name);
      expect(await named(page)).toBe(`club/${name}`);
      for (const key of keys) await press(page, key);
    }
  }
  counts.sort((a, b) => a - b);
  expect(counts).toHaveLength(8);
  expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(KEYS_A_PHOTO);
  console.info(`keys a photo: ${counts.join(' ')}`);

  // Nothing is lost when it is killed, and nothing is read again.
  running?.removeAllListeners('exit');
  running?.kill('SIGKILL');
  const args = ['batch', 'club', '--out', 'out', '--quiet'];
  const ended = (() => {
    try {
      return execFileSync(PROGRAM, args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      // The exit code says that some photos have no hand.
      return (error as { stdout: string }).stdout;
    }
  })();
  expect(ended).toContain('9 photos: 7 exact, 2 without a hand, 8 of them corrected');
  const rows = new Map(table().map((row) => [row.id?.replace('club/', ''), row]));
  for (const [name, { keys, status, total }] of Object.entries(PHOTOS)) {
    const row = rows.get(name);
    expect([name, row?.status, row?.total, row?.corrected]).toEqual([
      name,
      status,
      total,
      keys.length > 0 ? 'yes' : 'no',
    ]);
  }
  expect(rows.get('logo.png')?.group).toBe('left_out');
});

/** Starts a review that should not open, and returns its message. */
const complaint = (args: readonly string[]): string => {
  try {
    return execFileSync(PROGRAM, ['review', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
};

it('everything can be tapped on a small phone, light or dark, and in every language', async () => {
  club();
  const url = await review(['batch', 'club', '--out', 'out', '--quiet', '--review']);
  for (const colorScheme of ['light', 'dark'] as const) {
    const small = { viewport: { width: 320, height: 640 }, colorScheme };
    const page = await open({ ...small, url, path: '/#review' });
    await shown(page).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  }
  // A second review would overwrite the rows of this one.
  expect(complaint(['out'])).toContain('another review of out is open');
  const page = await open({ ...AT_A_DESK, url, path: '/#review', locale: 'de-DE' });
  await page.getByRole('button', { name: /Gewinnziegel unbekannt/ }).click();
  await expect.poll(() => named(page)).toBe('club/forms/910168.jpg');
  await page.locator('[data-answer="2p"]').click();
  await page.locator('main[aria-busy=false]').waitFor();
  expect(corrections()).toContain('[EEEE]13345567p88s2p');
  // The next photo of a group follows the one that was answered.
  await page.getByRole('button', { name: /gerufen oder verdeckt/ }).click();
  await expect.poll(() => named(page)).toBe('club/samples/900015.jpg');
  await page.locator('[data-answer="claimed"]').click();
  await page.locator('main[aria-busy=false]').waitFor();
  expect(corrections()).toContain('club/samples/900015.jpg');
  await expect.poll(() => named(page)).toBe('club/samples/900083.jpg');
  // A tapped button does not keep the focus: Enter answers the photo and presses nothing.
  await page.getByRole('button', { name: 'Alle Fotos' }).click();
  await page.locator('main[aria-busy=false]').waitFor();
  const before = await named(page);
  await press(page, 'Enter');
  expect(corrections()).toContain(before);
});

/** Codes of tiles and answers, and fields with their values, which are for programs. */
const CODES = /[0-9][mps](?!\p{L})|\bnone\b|\bback\b|\byes\b|\w=\w/u;

it('questions, answers and what was assumed are words and no codes', async () => {
  club();
  const url = await review(['batch', 'club', '--out', 'out', '--quiet', '--review']);
  for (const locale of ['en-GB', 'de-DE', 'zh-CN']) {
    const page = await open({ ...AT_A_DESK, url, path: '/#review', locale });
    await shown(page).waitFor();
    for (let at = 0; at < 8; at += 1) {
      const said = await page.locator('.review-question, .review-assumed').allInnerTexts();
      expect(said.join(' '), `${locale} ${await named(page)}`).not.toMatch(CODES);
      if (at < 7) await press(page, 'ArrowRight');
    }
    await page.close();
  }
});

it('a second tap on an answer neither answers the next question nor the next photo', async () => {
  club('samples/900002.jpg', 'samples/900015.jpg');
  const url = await review(['batch', 'club', '--out', 'out', '--quiet', '--review']);
  const page = await open({ ...AT_A_DESK, url, path: '/#review' });
  await shown(page).waitFor();
  await press(page, 'ArrowRight');
  expect(await named(page)).toBe('club/samples/900002.jpg');
  const answer = page.locator('.review-question [data-answer]').first();
  const settled = page.locator('.review-asked:not(.unsettled)');
  await settled.waitFor();
  await page.locator('.review-sayings:not(.unsettled)').waitFor();
  // From here on time passes only as this test says.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  /** Tells whether a tap in the middle of an element would press it. */
  const takesTaps = (selector: string): Promise<boolean> =>
    page.locator(selector).evaluate((element) => {
      element.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  const question = page.locator('.review-question h3');
  const first = await question.innerText();
  await answer.click();
  await expect.poll(() => question.innerText()).not.toBe(first);
  await page.locator('main[aria-busy=false]').waitFor();
  const NEXT = '.review-question li:first-child [data-answer]';
  expect(await takesTaps(NEXT)).toBe(false);
  await page.clock.runFor(1_000);
  await settled.waitFor();
  expect(await takesTaps(NEXT)).toBe(true);

  // The same for what can be said of any photo.
  expect(await takesTaps('.review-actions .main')).toBe(true);
  await page.locator('.review-actions .main').click();
  await expect.poll(() => named(page)).not.toBe('club/samples/900002.jpg');
  expect(await takesTaps('.review-actions .main')).toBe(false);
  await page.clock.runFor(1_000);
  await expect.poll(() => takesTaps('.review-actions .main')).toBe(true);
});

it('how a hand was won is set by key or tap, and taken back', async () => {
  club('samples/900015.jpg');
  const url = await review(['batch', 'club', '--out', 'out', '--quiet', '--review']);
  const page = await open({ ...AT_A_DESK, url, path: '/#review' });
  await shown(page).waitFor();
  const total = (): Promise<string> => page.locator('.review-reading b').innerText();
  const asRead = await total();
  await press(page, 'w');
  expect(await total()).not.toBe(asRead);
  await press(page, 'u');
  expect(await total()).toBe(asRead);

  // A tapped wind does not keep the focus: the keys go on to be the photo's.
  await press(page, 'w');
  await page.locator('.review-context [name^=seat][value=W]').click();
  await expect.poll(() => page.locator('.review-assumed').innerText()).not.toContain(en.fields.seat);
  const drawn = await total();
  await press(page, 'Enter');
  const [names = '', row = ''] = corrections().trim().split('\n');
  const cells = row.split(',');
  const cell = (name: string): string | undefined => cells[names.split(',').indexOf(name)];
  expect([cell('accepted'), cell('seat'), cell('win')]).toEqual(['true', 'W', 'self_drawn']);
  await press(page, 'ArrowLeft');
  expect(await total()).toBe(drawn);

  // What was answered before changes at once, and is taken back.
  await press(page, 'l');
  expect(corrections()).toContain('last_wall_tile');
  await press(page, 'u');
  expect(corrections()).not.toContain('last_wall_tile');
});

it('a review is for this machine alone, and of a folder with results', () => {
  club();
  mkdirSync(join(folder, 'out'));
  expect(complaint(['out'])).toContain('run `tilesight batch ... --out out` first');
  expect(complaint(['out', '--listen', '0.0.0.0:0'])).toContain('for this machine alone');
});

/** A job of photos, once it has ended. */
async function job(url: string, key: string, names: readonly string[], query = ''): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const body = new FormData();
  for (const name of names) {
    body.append('photo', new Blob([readFileSync(samplePath(name))]), `${name}.jpg`);
  }
  const made = await fetch(`${url}/v1/jobs${query}`, { method: 'POST', headers, body });
  const { links, id } = (await made.json()) as { id: string; links: { events: string; page: string } };
  expect(links.page).toBe(`/#job=${id}`);
  await (await fetch(url + links.events, { headers })).text();
  return id;
}

it('a job of the service is reviewed with its key, and its results follow', async () => {
  folder = mkdtempSync(join(tmpdir(), 'tilesight-job-'));
  const keys = join(folder, 'keys.txt');
  const key = execFileSync(PROGRAM, ['keys', 'new', 'club', '--file', keys], { encoding: 'utf8' }).trim();
  service = await start(['--keys', keys, '--data', join(folder, 'jobs')]);
  const { url } = service;
  const names = ['900002', '900015'];
  const kept = await job(url, key, names, '?keep_photos=true');

  const page = await open({ ...AT_A_DESK, url, path: `/#job=${kept}` });
  await page.getByLabel('Key for this server').fill(key);
  await page.getByRole('button', { name: 'Save' }).click();
  await shown(page).waitFor();
  await page.getByLabel('Reviewer').fill('Kim');
  await page.keyboard.press('Enter');
  const picture = page.locator('.review-picture image');
  await expect.poll(() => picture.getAttribute('href')).toMatch(/^blob:/);
  expect(await findViolations(page)).toEqual([]);

  // The place stays after a reload, and the key.
  await press(page, 'ArrowRight');
  const second = await named(page);
  await page.reload();
  await expect.poll(() => named(page)).toBe(second);
  await press(page, 'ArrowLeft');

  // Answered with keys, taken back, answered again.
  while ((await page.getByText(/Every photo is answered/).count()) === 0) {
    for (const one of PHOTOS[`samples/${await named(page)}`]?.keys ?? []) await press(page, one);
  }
  await press(page, 'u');
  expect(await page.getByText(/Every photo is answered/).count()).toBe(0);
  for (const one of PHOTOS[`samples/${await named(page)}`]?.keys ?? []) await press(page, one);
  const saved = async (name: string): Promise<string> => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByText(name).click()]);
    expect(file.suggestedFilename()).toBe(name);
    await file.saveAs(join(folder, name));
    return readFileSync(join(folder, name), 'utf8');
  };
  const table = await saved('results.csv');
  for (const name of names) {
    const { total } = PHOTOS[`samples/${name}.jpg`] ?? {};
    expect(table).toMatch(new RegExp(`^${name}.jpg,\\d,ok,.*,mcr-wmo,${total},.*,yes,{6}$`, 'm'));
  }
  expect(await saved('results.xlsx')).toMatch(/^PK/);
  expect((await saved('corrections.csv')).match(/,Kim,/g)).toHaveLength(2);

  // Photos that are not stored any more come from the device.
  const gone = await job(url, key, ['900015']);
  await page.goto(`${url}/#job=${gone}`);
  await page.getByText('This photo is not stored any more').waitFor();
  await page.locator('input[type=file]').setInputFiles(samplePath('900015'));
  await expect.poll(() => picture.getAttribute('href')).toMatch(/^blob:/);
});
