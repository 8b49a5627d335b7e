/**
 * The package in apps of every usual bundler, each built without a configuration and opened in
 * headless Chromium: it scores a typed hand and reads a photo.
 *
 * `make check-bundlers` runs it. Input: the packed package; `app` and `next` beside this file; the
 * bundlers that `package-lock.json` pins, installed into out/bundlers. `sharp`, by which Next.js
 * resizes pictures, is replaced by a small package there, since it brings libraries that no test
 * needs.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { launch, serve } from '../chromium.mjs';
import { ROOT } from '../package.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const PLACE = join(ROOT, 'out', 'bundlers');
const PHOTO = join(ROOT, 'datasets/samples/demo.avif');
const EXPECTED = { total: 12, hand: '1123456789m222s1m', refused: 'urn:tilesight:problem:unsupported-media' };

/** A policy that allows what docs/browser.md asks for, and nothing more. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";

/** Maximum of what an app downloads that scores typed hands alone, in bytes: the module has 1.1 MB as text. */
const MAX_SCORING = 1_500_000;

/** Maximum time that a page takes on a busy machine, in milliseconds. */
const MAX_WAIT_MS = 180_000;

const run = promisify(execFile);
const browser = await launch();
after(() => browser.close());

/** Puts the packed package beside the bundlers, as npm would. */
async function install() {
  const folder = join(PLACE, 'node_modules', 'tilesight');
  const packed = readdirSync(join(ROOT, 'out', 'npm')).find((name) => name.endsWith('.tgz'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await run('tar', ['-xzf', join(ROOT, 'out', 'npm', packed), '--strip-components=1', '-C', folder]);
}
await install();

/** An app in an empty folder whose page begins with a script. */
function app(name, script) {
  const folder = join(PLACE, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(HERE, 'app'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(folder, 'index.html'), page(script));
  return folder;
}

const page = (script) => `<!doctype html><html lang="en"><title>app</title><output></output>${script}</html>\n`;
const module = (address) => page(`<script type="module" src="${address}"></script>`);

/** Runs a program of the bundlers in a folder. */
const bin = (name, args, cwd) =>
  run(process.execPath, [join(PLACE, 'node_modules', name), ...args], { cwd, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } });

/** Serves a built app with the photo. */
const serveApp = (folder, policy) =>
  serve(
    (path) => {
      if (path === 'demo.avif') return readFileSync(PHOTO);
      const file = join(folder, path || 'index.html');
      return existsSync(file) && statSync(file).isFile() ? readFileSync(file) : undefined;
    },
    { 'content-security-policy': policy },
  );

/** Returns the text of a page, and the paths that it asked for in vain. */
async function opened(url) {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(MAX_WAIT_MS);
  const missing = [];
  const errors = [];
  tab.on('response', (response) => response.status() >= 400 && missing.push(new URL(response.url()).pathname));
  tab.on('pageerror', (error) => errors.push(error.message));
  tab.on('console', (message) => message.type() === 'error' && !/Failed to load resource/.test(message.text()) && errors.push(message.text()));
  try {
    await tab.goto(url);
    // A server for development may load the page again meanwhile, which ends what is asked of it.
    const says = () => tab.evaluate(() => document.querySelector('output')?.textContent).catch(() => undefined);
    const deadline = Date.now() + MAX_WAIT_MS;
    while (!(await says()) && errors.length === 0 && Date.now() < deadline) await tab.waitForTimeout(100);
    assert.deepEqual(errors, []);
    const said = await tab.evaluate(() => document.querySelector('output').textContent);
    return { said: said.startsWith('{') ? JSON.parse(said) : said, missing: missing.filter((path) => path !== '/favicon.ico') };
  } finally {
    await tab.close();
  }
}

/** A built app says what it should, under a policy; `missing` is what it asks for in vain. */
async function check(folder, { expected = EXPECTED, missing = [], policy = POLICY } = {}) {
  const { url, close } = await serveApp(folder, policy);
  try {
    assert.deepEqual(await opened(url), { said: expected, missing });
  } finally {
    close();
  }
}

/** Bytes of all scripts that an app loads at once. */
const sizeOf = (folder, names) => names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

test('Vite builds an app', async () => {
  const folder = app('vite', '<script type="module" src="/main.js"></script>');
  await bin('vite/bin/vite.js', ['build'], folder);
  await check(join(folder, 'dist'));
});

test('Vite serves an app that is being developed', async () => {
  const folder = app('vite-dev', '<script type="module" src="/main.js"></script>');
  mkdirSync(join(folder, 'public'));
  copyFileSync(PHOTO, join(folder, 'public', 'demo.avif'));
  const server = spawn(process.execPath, [join(PLACE, 'node_modules/vite/bin/vite.js'), '--port', '0', '--host', '127.0.0.1'], { cwd: folder });
  try {
    const { said } = await opened(await address(server));
    assert.deepEqual(said, EXPECTED);
  } finally {
    server.kill();
  }
});

test('webpack builds an app', async () => {
  const folder = app('webpack', '');
  const script = `
    import webpack from 'webpack';
    const compiler = webpack({ mode: 'production', entry: './main.js' });
    compiler.run((error, stats) => {
      if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
    });`;
  writeFileSync(join(folder, 'build.mjs'), script);
  await run(process.execPath, ['build.mjs'], { cwd: folder });
  writeFileSync(join(folder, 'dist', 'index.html'), page('<script src="main.js"></script>'));
  await check(join(folder, 'dist'));
});

// esbuild does not know scripts of workers, so the worker starts from its text.
const FROM_TEXT = { missing: ['/tilesight-worker.js'], policy: `${POLICY} blob:` };

test('esbuild builds an app, as one script and as modules', async () => {
  const folder = app('esbuild', '');
  await bin('esbuild/bin/esbuild', ['main.js', '--bundle', '--outdir=one'], folder);
  writeFileSync(join(folder, 'one', 'index.html'), page('<script src="main.js"></script>'));
  await check(join(folder, 'one'), { ...FROM_TEXT, missing: [] });
  await bin('esbuild/bin/esbuild', ['main.js', '--bundle', '--minify', '--format=esm', '--splitting', '--outdir=modules'], folder);
  writeFileSync(join(folder, 'modules', 'index.html'), module('main.js'));
  await check(join(folder, 'modules'), FROM_TEXT);
});

test('the script of the worker may lie beside that of esbuild, for a policy without blob:', async () => {
  const folder = app('esbuild-beside', '');
  await bin('esbuild/bin/esbuild', ['main.js', '--bundle', '--format=esm', '--splitting', '--outdir=dist'], folder);
  writeFileSync(join(folder, 'dist', 'index.html'), module('main.js'));
  copyFileSync(join(PLACE, 'node_modules/tilesight/tilesight-worker.js'), join(folder, 'dist/tilesight-worker.js'));
  await check(join(folder, 'dist'));
});

test('an app that scores typed hands alone carries nothing that reads photos', async () => {
  const folder = app('scoring', '');
  await bin('esbuild/bin/esbuild', ['score.js', '--bundle', '--outdir=dist'], folder);
  writeFileSync(join(folder, 'dist', 'index.html'), page('<script src="score.js"></script>'));
  await check(join(folder, 'dist'), { expected: { total: EXPECTED.total } });
  assert.ok(sizeOf(join(folder, 'dist'), ['score.js']) < MAX_SCORING);
});

test('Parcel builds an app', async () => {
  const folder = app('parcel', '<script type="module" src="./main.js"></script>');
  await bin('parcel/lib/bin.js', ['build', 'index.html', '--no-source-maps', '--no-cache', '--no-autoinstall'], folder);
  // The page has a list of its scripts in it.
  await check(join(folder, 'dist'), { policy: POLICY.replace("'self'", "'self' 'unsafe-inline'") });
});

test('Next.js builds an app whose page and server read photos', async () => {
  const folder = app('next', '');
  rmSync(join(folder, 'main.js'));
  cpSync(join(HERE, 'next'), folder, { recursive: true });
  mkdirSync(join(folder, 'public'));
  copyFileSync(PHOTO, join(folder, 'public', 'demo.avif'));
  await bin('next/dist/bin/next', ['build'], folder);
  const server = spawn(process.execPath, [join(PLACE, 'node_modules/next/dist/bin/next'), 'start', '-p', '0'], { cwd: folder });
  try {
    const url = await address(server);
    assert.deepEqual(await opened(url), { said: EXPECTED, missing: [] });
    assert.deepEqual(await (await fetch(new URL('/score', url))).json(), EXPECTED);
  } finally {
    server.kill();
  }
});

/** The address that a server prints when it is ready. */
async function address(server) {
  const printed = [];
  server.stderr.on('data', (text) => printed.push(String(text)));
  for await (const line of createInterface({ input: server.stdout })) {
    printed.push(line);
    // Colours stand between the parts of the address.
    const found = /http:\/\/(localhost|127\.0\.0\.1):\d+/.exec(line.replace(/\u001b\[\d+m/g, ''));
    if (found) return found[0];
  }
  throw new Error(`the server ended: ${printed.join('\n')}`);
}
