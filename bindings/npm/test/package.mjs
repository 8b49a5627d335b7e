/**
 * The package as a user has it: the packed file, installed into an empty folder. `make check-npm`
 * runs this file before the tests, which run side by side.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
export const CONSUMER = join(ROOT, 'out', 'npm', 'consumer');

/** Installs the packed file; it has no dependencies, so nothing is fetched. */
function install() {
  const packed = readdirSync(join(ROOT, 'out', 'npm')).find((name) => name.endsWith('.tgz'));
  if (!packed) throw new Error('out/npm has no package: run `make npm`');
  rmSync(CONSUMER, { recursive: true, force: true });
  mkdirSync(CONSUMER);
  writeFileSync(join(CONSUMER, 'package.json'), '{ "private": true, "type": "module" }\n');
  const flags = ['install', '--offline', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', [...flags, join('..', packed)], { cwd: CONSUMER, stdio: 'inherit' });
}

/** Returns the installed package as `import 'tilesight'` finds it in Node. */
export async function load() {
  const resolved = createRequire(join(CONSUMER, 'index.js')).resolve('tilesight');
  return import(pathToFileURL(resolved).href);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) install();
