/**
 * A server that requires a key, and one that stores corrections: only with consent, and until they
 * are deleted.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { chooser, open, total, useBrowser } from './browser';
import { PROGRAM, type Running, samplePath, start } from './server';

useBrowser();

const folder = mkdtempSync(join(tmpdir(), 'tilesight-e2e-'));
const kept = join(folder, 'feedback');
let key: string;
let server: Running;

beforeAll(async () => {
  const keys = join(folder, 'keys');
  const said = execFileSync(PROGRAM, ['keys', 'new', '--file', keys, 'e2e'], { encoding: 'utf8' });
  key = /tilesight_[\w-]+/.exec(said)?.[0] ?? '';
  server = await start(['--keys', keys, '--feedback', kept]);
});
afterAll(() => server.stop());

/** Names of the stored files, without the notes of the service's clock. */
const files = (): string[] =>
  readdirSync(kept, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'clock.json')
    .map(({ name }) => name);

it('asks for the key if the server requires one, and remembers it', async () => {
  const page = await open({ url: server.url, path: '/#hand=123456789m11pFFF' });
  await page.getByText(en.problems.unauthorized).first().waitFor();
  await page.getByLabel(en.key).fill(key);
  await page.getByRole('button', { name: en.save }).click();
  await total(page, 21);
  await page.getByRole('combobox', { name: en.rules }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: en.goOn }).click();
  await total(page, 21);
});

it('sends a correction, the photo only if that is ticked, and deletes it', async () => {
  const page = await open({ url: server.url });
  await chooser(page).setInputFiles(samplePath('900015'));
  await page.getByLabel(en.key).fill(key);
  await page.getByRole('button', { name: en.save }).click();
  await total(page, 34);
  const concealed = page.locator('.ask-win-with .round', { hasText: en.replies.concealed });
  await concealed.locator('[data-answer=left]').click();
  await total(page, 76);
  await page.getByText(en.feedback).click();
  await expect.poll(() => page.getByRole('checkbox', { name: en.withPhoto }).isChecked()).toBe(false);
  await page.getByRole('button', { name: en.send }).click();
  await page.getByText(en.thanks).waitFor();
  expect(files().filter((name) => name.endsWith('.jpg'))).toEqual([]);
  expect(files()).not.toEqual([]);
  await page.getByRole('button', { name: en.takeBack }).click();
  await page.getByText(en.takenBack).waitFor();
  expect(files()).toEqual([]);

  await page.getByRole('checkbox', { name: en.withPhoto }).check();
  await page.getByRole('button', { name: en.send }).click();
  await page.getByRole('button', { name: en.takeBack }).waitFor();
  expect(files().some((name) => name.endsWith('.jpg'))).toBe(true);
});
