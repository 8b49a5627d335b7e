/**
 * The installed page of a server that reads photos itself: without it, typed hands are scored on the
 * device, photos wait, and the hand is kept. It takes photos that other apps share.
 */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { chooser, installed, open, total, useBrowser } from './browser';
import { samplePath, startBehind } from './server';

useBrowser();

it('opens, scores and keeps hands while the server is gone, and reads photos when it is back', async () => {
  const server = await startBehind();
  const page = await open({ url: server.url, serviceWorkers: 'allow' });
  await installed(page);
  // The worker caches the rule sets with the first request.
  await page.reload();
  await page.getByRole('main').waitFor();
  await server.down();

  await page.reload();
  await page.getByRole('button', { name: en.type }).click();
  await page.getByLabel(en.asText).fill('123456789m11pFFF');
  await total(page, 21);
  await expect.poll(() => page.locator('.palette img').evaluateAll(drawn)).toBe(true);
  await expect.poll(() => page.getByText(en.rules, { exact: true }).count()).toBe(1);

  // A photo waits in the queue, and a typed hand survives closing the page.
  await page.reload();
  await page.getByRole('button', { name: en.goOn }).click();
  await expect.poll(() => page.getByLabel(en.asText).inputValue()).toBe('123456789m11pFFF');
  await page.getByRole('button', { name: en.home }).click();
  await chooser(page).setInputFiles(samplePath('demo'));
  await page.getByText(en.waitingOnline).waitFor();

  await server.up();
  try {
    await total(page, 20);
  } finally {
    await server.stop();
  }
});

const drawn = (images: Element[]): boolean =>
  images.length > 40 && images.every((image) => image instanceof HTMLImageElement && image.naturalWidth > 0);

it('can be installed and takes photos that other apps share', async () => {
  const page = await open({ serviceWorkers: 'allow' });
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector('link[rel=manifest]');
    const response = await fetch(link?.getAttribute('href') ?? '');
    return response.json();
  });
  expect(manifest).toMatchObject({
    display: 'standalone',
    share_target: { action: 'share', method: 'POST' },
  });
  for (const icon of manifest.icons)
    expect((await page.request.get(new URL(icon.src, page.url()).href)).ok(), icon.src).toBe(true);

  await installed(page);
  const bytes = [...(await readFile(samplePath('demo')))];
  await page.evaluate((jpeg) => {
    const form = Object.assign(document.createElement('form'), {
      method: 'post',
      action: '/share',
      enctype: 'multipart/form-data',
    });
    const input = Object.assign(document.createElement('input'), { type: 'file', name: 'photos' });
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(jpeg)], 'shared.jpg', { type: 'image/jpeg' }));
    input.files = files.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  }, bytes);
  await total(page, 20);
  expect(new URL(page.url()).search).toBe('');
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open('shared')).keys()).length))
    .toBe(0);
});
