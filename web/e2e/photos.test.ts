/** Handling of photos before they leave the phone, and of files that are not photos. */
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { chooser, open, total, useBrowser } from './browser';
import { samplePath } from './server';
import { stacked } from './stacked';

useBrowser();

it.each(
  [320, 390, 768].flatMap((width) => [
    { width, place: 'below' as const, copies: 4, name: 'a narrow photo' },
    { width, place: 'below' as const, copies: 1, name: 'a usual photo' },
    { width, place: 'beside' as const, copies: 3, name: 'a wide photo' },
  ]),
)('$name has its buttons beside it on $width pixels', async ({ width, place, copies }) => {
  const page = await open({ viewport: { width, height: 844 } });
  const buffer = await stacked(
    page,
    Array.from({ length: copies }, () => 'demo'),
    place,
  );
  await chooser(page).setInputFiles({ name: 'x.jpg', mimeType: 'image/jpeg', buffer });
  await page.locator('.photo-tools').getByRole('button', { name: en.pointing.hand }).waitFor();
  const [photo, ...buttons] = await page.locator('.photo-frame, .photo-tools > *').evaluateAll((all) =>
    all.map((one) => {
      const { top, right, bottom, left } = one.getBoundingClientRect();
      return { top, right, bottom, left };
    }),
  );
  if (!photo) throw new Error('there is no photo');
  expect(buttons.length).toBeGreaterThanOrEqual(3);
  for (const { top, right, bottom, left } of buttons) {
    const apart = left >= photo.right || right <= photo.left || top >= photo.bottom || bottom <= photo.top;
    expect(apart, JSON.stringify({ photo, left, top })).toBe(true);
    expect(left >= 0 && right <= width, `${left} to ${right}`).toBe(true);
  }
});

/** EXIF with an orientation and a GPS block, as phones write it. */
function exif(orientation: number): Buffer {
  const entries = [
    [0x0112, 3, 1, orientation << 16],
    [0x8825, 4, 1, 38],
  ];
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16BE(entries.length, 0);
  entries.forEach(([tag = 0, type = 0, count = 0, value = 0], at) => {
    directory.writeUInt16BE(tag, 2 + at * 12);
    directory.writeUInt16BE(type, 4 + at * 12);
    directory.writeUInt32BE(count, 6 + at * 12);
    directory.writeUInt32BE(value, 10 + at * 12);
  });
  const body = Buffer.concat([
    Buffer.from('Exif\0\0'),
    Buffer.from('MM\0*\0\0\0\b', 'latin1'),
    directory,
    Buffer.from('GPS 48.2082N 16.3738E SERIAL-4711'),
  ]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

async function withExif(name: string, orientation: number): Promise<string> {
  const jpeg = await readFile(samplePath(name));
  const path = join(tmpdir(), `tilesight-exif-${orientation}.jpg`);
  await writeFile(path, Buffer.concat([jpeg.subarray(0, 2), exif(orientation), jpeg.subarray(2)]));
  return path;
}

it('sends an upright photo without place, serial number or any metadata', async () => {
  const page = await open();
  await page.evaluate(listen);
  await chooser(page).setInputFiles(await withExif('demo', 6));
  await total(page, 20);
  const body = Buffer.from(await page.evaluate(() => (globalThis as unknown as { sent: number[] }).sent));
  expect(body.length).toBeGreaterThan(20_000);
  for (const secret of ['Exif', 'GPS', 'SERIAL']) expect(body.includes(secret), secret).toBe(false);
  const photo = page.locator('.photo img');
  expect([await photo.getAttribute('width'), await photo.getAttribute('height')]).toEqual(['960', '1280']);
});

/** Keeps the bytes of the photo that the page sends; the browser tells tests no file bodies. */
function listen(): void {
  const send = globalThis.fetch;
  globalThis.fetch = async (path, init) => {
    const photo = init?.body instanceof FormData ? init.body.get('photo') : null;
    if (photo instanceof Blob) {
      Object.assign(globalThis, { sent: [...new Uint8Array(await photo.arrayBuffer())] });
    }
    return send(path, init);
  };
}

it('reads a HEIC, which this browser cannot show, and wipes its metadata before it leaves', async () => {
  const page = await open();
  const asked = page.waitForRequest((request) => request.url().endsWith('/v1/preview'));
  await page.evaluate(() => {
    const send = globalThis.fetch;
    globalThis.fetch = async (path, init) => {
      if (path === '/v1/preview' && init?.body instanceof Blob) {
        Object.assign(globalThis, { sent: [...new Uint8Array(await init.body.arrayBuffer())] });
      }
      return send(path, init);
    };
  });
  const heic = await readFile(samplePath('demo').replace(/jpg$/, 'heic'));
  expect(heic.includes('SERIAL')).toBe(true);
  await chooser(page).setInputFiles({ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: heic });
  await asked;
  await total(page, 20);
  const sent = Buffer.from(await page.evaluate(() => (globalThis as unknown as { sent: number[] }).sent));
  expect(sent.length).toBe(heic.length);
  expect(sent.includes('SERIAL')).toBe(false);
  const photo = page.locator('.photo img');
  expect([await photo.getAttribute('width'), await photo.getAttribute('height')]).toEqual(['1280', '960']);
  let previews = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/preview')) previews += 1;
  });
  await page.getByRole('button', { name: en.turn }).click();
  await page.locator('.photo img[width="960"]').waitFor();
  await total(page, 20);
  expect(previews, 'the preview is kept for the next turn').toBe(0);
});

it('reads an AVIF', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('demo').replace(/jpg$/, 'avif'));
  await total(page, 20);
});

it('turns a photo, and the hand stays the same', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('demo'));
  await total(page, 20);
  await page.getByRole('button', { name: en.turn }).click();
  await page.locator('.photo img[width="960"]').waitFor();
  await total(page, 20);
});

it('shrinks a large photo to 2000 pixels', async () => {
  const page = await open();
  const large = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 4032;
    canvas.height = 3024;
    const pen = canvas.getContext('2d');
    for (let at = 0; at < 4000; at += 1) pen?.fillRect((at * 97) % 4032, (at * 61) % 3024, 20, 20);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg'));
    return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
  });
  await chooser(page).setInputFiles({
    name: 'large.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from(large),
  });
  await page.getByRole('button', { name: en.sendAnyway }).click();
  await page.getByText(en.problems['no-hand']).waitFor();
  await expect.poll(() => page.locator('.photo img').getAttribute('width')).toBe('2000');
});

it.each([
  { count: 14, offered: 1 },
  { count: 3, offered: 0 },
])('offers $offered times to teach a set for $count tiles without a hand', async ({ count, offered }) => {
  const page = await open({ viewport: { width: 320, height: 700 } });
  await page.route('**/v1/hands', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      json: {
        type: 'urn:tilesight:problem:no-hand',
        title: 'No hand was found in the photo',
        status: 422,
        detail: 'no hand',
        seen: { width: 400, height: 300, count, tiles: [] },
      },
    }),
  );
  await chooser(page).setInputFiles(samplePath('demo'));
  await page.getByText(en.problems['no-hand']).waitFor();
  const teach = page.getByRole('button', { name: en.ownSets.teach });
  expect(await teach.count()).toBe(offered);
  if (offered === 0) return;
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await teach.click();
  await page.getByText(en.ownSets.order).first().waitFor();
});

it.each([
  ['broken.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]), en.problems['unreadable-image']],
  ['broken.heic', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), en.problems['unreadable-image']],
  ['notes.txt', Buffer.from('not a photo at all'), en.problems['unsupported-media']],
])('says kindly what is wrong with %s', async (name, buffer, expected) => {
  const page = await open();
  await chooser(page).setInputFiles({ name, mimeType: 'image/jpeg', buffer });
  const alert = page.getByRole('alert').filter({ hasText: expected });
  await alert.waitFor();
  await expect.poll(() => alert.textContent()).not.toMatch(/error|undefined|exception/i);
  await alert.getByRole('button', { name: en.tryAgain }).waitFor();
});

it('warns of blur and of darkness before anything is sent', async () => {
  const page = await open();
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/hands')) sent += 1;
  });
  const jpeg = [...(await readFile(samplePath('demo')))];
  for (const [filter, warning] of [
    ['blur(3px)', en.blurred],
    ['brightness(0.1)', en.dark],
  ] as const) {
    const bytes = await page.evaluate(spoil, { jpeg, filter });
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'spoilt.jpg',
        mimeType: 'image/jpeg',
        buffer: Buffer.from(bytes),
      });
    await page.getByText(warning).waitFor();
  }
  expect(sent).toBe(0);
  await page.getByRole('button', { name: en.sendAnyway }).click();
  await expect.poll(() => sent).toBe(1);
});

async function spoil({ jpeg, filter }: { jpeg: number[]; filter: string }): Promise<number[]> {
  const bitmap = await createImageBitmap(new Blob([new Uint8Array(jpeg)]));
  const canvas = document.createElement('canvas');
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  const pen = canvas.getContext('2d');
  if (pen) pen.filter = filter;
  pen?.drawImage(bitmap, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.9));
  return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
}

it('adds a tile that was left out to the hand', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('900083'));
  await total(page, 19);
  await page.getByRole('button', { name: en.pointing.zoomOut }).click();
  await page.locator('.seen.left-out polygon').first().click({ force: true });
  await page.getByRole('dialog').getByRole('group', { name: en.likely }).getByRole('button').first().click();
  await page.getByText(en.surplus(1)).first().waitFor();
});
