/**
 * Licences of everything that npm brings: what the page ships is permissive without exception, what
 * only builds or tests it may be under the Mozilla or the Python licence, which ask nothing of
 * those who use a tool.
 */
import { readFileSync } from 'node:fs';

const PERMISSIVE =
  /^(MIT|ISC|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|0BSD|CC0-1\.0|MIT OR Apache-2\.0|MIT-0|\(MIT OR CC0-1\.0\))$/;
const TOOLS_ONLY = /^(MPL-2\.0|Python-2\.0)$/;

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
// Our own packages are a folder here and a link to it among the others.
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
const wrong = packages.filter(([, { license = 'none', dev = false }]) => {
  return !PERMISSIVE.test(license) && !(dev && TOOLS_ONLY.test(license));
});
const elsewhere = packages.filter(([, { resolved }]) => resolved !== undefined);

for (const [path, { license }] of wrong) console.error(`${path}: licence ${license} is not allowed`);
for (const [path] of elsewhere) console.error(`${path}: the lock file names where it was fetched from`);
if (wrong.length + elsewhere.length > 0) process.exit(1);
console.log(`${packages.length} npm packages, all with an allowed licence`);
