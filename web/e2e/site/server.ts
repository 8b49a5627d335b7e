/**
 * The static site as somebody hosts it: a plain file server with no headers of its own, in a folder
 * of some host. A missing site or browser is a failure that says what to run, never a skipped test.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { browserPath, FLAGS, PATIENCE } from '../server';

const SITE = resolve(import.meta.dirname, '../../../out/site');

/** Folder of the site on its host. */
const FOLDER = '/club/tiles/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

interface Host {
  /** The address of the folder, without a slash at its end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the site on a free port. */
export async function host(): Promise<Host> {
  if (!existsSync(join(SITE, 'index.html'))) throw new Error(`${SITE} is missing: run \`make site\``);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.startsWith(FOLDER) ? pathname.slice(FOLDER.length) || 'index.html' : '';
    const file = resolve(SITE, name);
    if (!name || !file.startsWith(SITE) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    response.end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}${FOLDER.slice(0, -1)}`, stop: () => stopped(server) };
}

function stopped(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}

/** Starts one host and one browser before all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await chromium.launchServer({
    executablePath: browserPath(),
    args: FLAGS,
    timeout: PATIENCE,
  });
  const site = await host();
  project.provide('url', site.url);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await Promise.all([site.stop(), browser.close()]);
  };
}
