/** The page of the README in headless Chromium, served as static files. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { launch, serve } from './chromium.mjs';
import { CONSUMER, ROOT } from './package.mjs';

/** Policy that allows what the README asks for and the page's own script, and nothing more. */
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

/** The page, a photo, or a file of the package. */
function found(path, page) {
  if (path === '') return page;
  const file = /^demo\.(jpg|heic|avif)$/.test(path) ? join(ROOT, 'datasets/samples', path) : join(CONSUMER, 'node_modules', path);
  return existsSync(file) ? readFileSync(file) : undefined;
}

test('the page of the README reads a photo', async (t) => {
  const page = /```html\n([^]*?)```/.exec(readFileSync(join(CONSUMER, 'node_modules/tilesight/README.md'), 'utf8'))[1];
  const { url, close } = await serve((path) => found(path, page), { 'content-security-policy': POLICY });
  t.after(close);
  const browser = await launch();
  t.after(() => browser.close());
  const tab = await browser.newPage();
  tab.setDefaultTimeout(180_000);
  const [asked, errors] = [[], []];
  tab.on('pageerror', (error) => errors.push(error.message));
  tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  tab.on('request', (request) => asked.push(new URL(request.url()).origin));
  await tab.goto(url);
  const said = (text) => tab.waitForFunction((text) => document.querySelector('#said').value.startsWith(text), text);
  await said('ready');
  await tab.setInputFiles('#photo', join(ROOT, 'datasets/samples/demo.jpg'));
  await said('1123456789m222s1m: ');
  await tab.setInputFiles('#photo', { name: 'x.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('x') });
  await said('this kind of file');

  // Typed hands in the page itself, and pixels as a canvas has them.
  const seen = await tab.evaluate(async () => {
    const { init, Reader, score } = await import('./tilesight/index.js');
    await init();
    const photo = await createImageBitmap(await (await fetch('/demo.jpg')).blob());
    const canvas = new OffscreenCanvas(photo.width, photo.height).getContext('2d');
    canvas.drawImage(photo, 0, 0);
    const reader = await Reader.create();
    const frame = canvas.getImageData(0, 0, photo.width, photo.height);
    const { reading } = await reader.read(frame);
    const formats = {};
    for (const kind of ['png', 'webp']) formats[kind] = await canvas.canvas.convertToBlob({ type: `image/${kind}`, quality: 0.95 });
    for (const kind of ['jpg', 'heic', 'avif']) formats[kind] = await (await fetch(`/demo.${kind}`)).blob();
    for (const [kind, file] of Object.entries(formats)) formats[kind] = (await reader.read(file)).reading.hand.notation;
    // A camera that stands still, and a second one, which knows nothing of the first.
    const camera = reader.watch({ rulesets: ['mcr-wmo', 'mcr-mil'] });
    const frames = [];
    for (let at = 0; at < 3; at += 1) frames.push(await camera.see(frame));
    const other = await reader.watch().see(frame);
    await camera.end();
    const again = await camera.see(frame);
    const wrong = await camera.see({ width: 3, height: 1, data: new Uint8Array(4) }).catch(({ type }) => type);
    reader.close();
    await Reader.create({ models: {} }).catch(() => {});
    return {
      total: score('[EEE,2]123m456p789s5s5s|SE1000').total,
      hand: reading.hand.notation,
      formats,
      steady: frames.map(({ steady }) => steady),
      last: [frames[2].frames, frames[2].same, frames[2].answer.reading.hand.notation, frames[2].answer.scores.length],
      others: [other.same, again.same],
      wrong,
    };
  });
  assert.deepEqual(seen, {
    total: 12,
    hand: '1123456789m222s1m',
    formats: Object.fromEntries(['png', 'webp', 'jpg', 'heic', 'avif'].map((kind) => [kind, '1123456789m222s1m'])),
    steady: [false, false, true],
    last: [[0, 1, 2], 3, '1123456789m222s1m', 2],
    others: [1, 1],
    wrong: 'urn:tilesight:problem:unreadable-image',
  });
  // That of the page itself; readers that were closed, or could not be created, have none.
  const deadline = Date.now() + 180_000;
  while (tab.workers().length > 1 && Date.now() < deadline) await tab.waitForTimeout(50);
  assert.equal(tab.workers().length, 1);
  assert.deepEqual([...new Set(asked)], [url]);
  assert.deepEqual(errors.filter((text) => !text.includes('favicon')), []);
});
