/**
 * Entry of the package in Node. Its files are read from the disk; a server that was bundled has
 * them as scripts.
 */
import { readFile } from 'node:fs/promises';
import { fetched, unpacked } from './bytes.js';
import * as engine from './engine.js';
import { InThread } from './in-thread.js';
import { packed, packedModule } from './packed.js';
import { Reader as AnyReader } from './reader.js';

export { Evening, install, Problem, parse, rulesets, score, scores } from './engine.js';

/** The address of this file; bundlers may leave none. */
const here = import.meta.url;

/** Returns a file from the disk, or else as a script. */
async function load(name, fromScript) {
  try {
    return await readFile(new URL(name, here));
  } catch {
    return fromScript(name);
  }
}

const files = {
  base: here,
  load: (name) => load(name, packed),
  fetch: (url) => (new URL(url).protocol === 'file:' ? readFile(new URL(url)) : fetched(url)),
};

export const init = (source) => engine.load(source, async () => unpacked(await load('tilesight.wasm', packedModule)));

export class Reader extends AnyReader {
  static create(options) {
    return Reader.open(files, () => new InThread(), options);
  }
}
