/** Headless Chromium, as scripts/setup-browser found or brought it. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { ROOT } from './package.mjs';

const { chromium } = createRequire(join(ROOT, 'web', 'package.json'))('playwright-core');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/** Starts it. */
export function launch() {
  const own = [process.env.TILESIGHT_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = [...own, chromium.executablePath()].find((path) => path && existsSync(path));
  return chromium.launch({ executablePath, args: FLAGS, timeout: 180_000 });
}

/**
 * A plain static server on this machine.
 *
 * @param {(path: string) => Buffer | string | undefined} find what lies at a path, without its first slash
 * @param {Record<string, string>} headers of every answer
 */
export async function serve(find, headers = {}) {
  const server = createServer((request, response) => {
    const path = decodeURI(new URL(request.url, 'http://localhost').pathname.slice(1));
    const found = find(path);
    if (found === undefined) return response.writeHead(404).end();
    const type = TYPES[extname(path) || (/^$|\/$/.test(path) ? '.html' : '')];
    response.writeHead(200, { ...headers, 'content-type': type ?? 'application/octet-stream' });
    response.end(found);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
