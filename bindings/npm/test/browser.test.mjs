/** The page of the README in headless Chromium, served as static files. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { CONSUMER, ROOT } from './package.mjs';

const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
/** What the README asks a site to allow, and nothing more but the page's own script. */
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'";

const { chromium } = createRequire(join(ROOT, 'web', 'package.json'))('playwright-core');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

/** The browser that scripts/setup-browser found or brought. */
function browserPath() {
  const own = [process.env.TILESIGHT_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return [...own, chromium.executablePath()].find((path) => path && existsSync(path));
}

function serve(page) {
  const server = createServer((request, response) => {
    const [, folder, file] = request.url.split('/');
    if (folder !== 'tilesight') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY });
      return response.end(page);
    }
    response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain');
    response.end(readFileSync(join(CONSUMER, 'node_modules', 'tilesight', file)));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

test('the page of the README scores what is typed', async (t) => {
  const page = /```html\n([^]*?)```/.exec(readFileSync(join(CONSUMER, 'node_modules/tilesight/README.md'), 'utf8'))[1];
  const server = await serve(page);
  t.after(() => server.close());
  const browser = await chromium.launch({ executablePath: browserPath(), args: FLAGS });
  t.after(() => browser.close());
  const tab = await browser.newPage();
  const errors = [];
  tab.on('pageerror', (error) => errors.push(error.message));
  tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction(() => document.querySelector('#score').value.startsWith('12: Mixed Straight'));
  await tab.fill('#hand', '11m22x');
  await tab.waitForFunction(() => document.querySelector('#score').value.includes('character 6'));
  assert.deepEqual(errors.filter((text) => !text.includes('favicon')), []);
});
