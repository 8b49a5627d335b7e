/**
 * Entry of the package for bundlers. Its files are scripts that are loaded when they are needed,
 * which every bundler carries along without being told.
 */
import { fetched, unpacked } from './bytes.js';
import { load } from './engine.js';
import { start } from './in-browser.js';
import { packed, packedModule } from './packed.js';
import { Reader as AnyReader } from './reader.js';

export { Evening, install, Problem, parse, rulesets, score, scores } from './engine.js';

const files = {
  get base() {
    return globalThis.location?.href;
  },
  load: packed,
  fetch: fetched,
  script: async () => unpacked(await packed('tilesight-worker.js')),
};

export const init = (source) => load(source, async () => unpacked(await packedModule()));

export class Reader extends AnyReader {
  static create(options) {
    return Reader.open(files, start, options);
  }
}
