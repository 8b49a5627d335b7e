/** The page of the README in headless Chromium, served as static files. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { CONSUMER, ROOT } from './package.mjs';

const TYPES = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
/** What the README asks a site to allow, and nothing more but the page's own script. */
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

const { chromium } = createRequire(join(ROOT, 'web', 'package.json'))('playwright-core');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

/** The browser that scripts/setup-browser found or brought. */
function browserPath() {
  const own = [process.env.TILESIGHT_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return [...own, chromium.executablePath()].find((path) => path && existsSync(path));
}

/** A static server of the page, the package and a photo. */
function serve(page) {
  const server = createServer((request, response) => {
    const path = request.url.slice(1);
    if (path === '') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY });
      return response.end(page);
    }
    const file = path === 'demo.jpg' ? join(ROOT, 'datasets/samples/demo.jpg') : join(CONSUMER, 'node_modules', path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    response.end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve({ server, asked: [] })));
}

test('the page of the README reads a photo', async (t) => {
  const page = /```html\n([^]*?)```/.exec(readFileSync(join(CONSUMER, 'node_modules/tilesight/README.md'), 'utf8'))[1];
  const { server, asked } = await serve(page);
  t.after(() => server.close());
  const browser = await chromium.launch({ executablePath: browserPath(), args: FLAGS });
  t.after(() => browser.close());
  const tab = await browser.newPage();
  const errors = [];
  tab.on('pageerror', (error) => errors.push(error.message));
  tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  tab.on('request', (request) => asked.push(new URL(request.url()).origin));
  const { port } = server.address();
  await tab.goto(`http://127.0.0.1:${port}/`);
  const said = (text) => tab.waitForFunction((text) => document.querySelector('#said').value.startsWith(text), text);
  await said('ready');
  await tab.setInputFiles('#photo', join(ROOT, 'datasets/samples/demo.jpg'));
  await said('1123456789m222s1m: ');
  await tab.setInputFiles('#photo', { name: 'x.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('x') });
  await said('this kind of file');

  // Typed hands in the page itself, and pixels as a canvas has them.
  const found = await tab.evaluate(async () => {
    const { init, Reader, score } = await import('./tilesight/index.js');
    await init();
    const photo = await createImageBitmap(await (await fetch('/demo.jpg')).blob());
    const canvas = new OffscreenCanvas(photo.width, photo.height).getContext('2d');
    canvas.drawImage(photo, 0, 0);
    const reader = await Reader.create();
    const { reading } = await reader.read(canvas.getImageData(0, 0, photo.width, photo.height));
    reader.close();
    return { total: score('[EEE,2]123m456p789s5s5s|SE1000').total, hand: reading.hand.notation };
  });
  assert.deepEqual(found, { total: 12, hand: '1123456789m222s1m' });
  assert.deepEqual([...new Set(asked)], [`http://127.0.0.1:${port}`]);
  assert.deepEqual(errors.filter((text) => !text.includes('favicon')), []);
});
