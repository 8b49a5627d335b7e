/**
 * Entry of the package for pages without a bundler, which serve its folder as it is. `index.d.ts`
 * describes every function.
 */
import { fetched } from './bytes.js';
import { load } from './engine.js';
import { start } from './in-browser.js';
import { Reader as AnyReader } from './reader.js';

export { Evening, install, Problem, parse, rulesets, score, scores } from './engine.js';

const address = (name) => new URL(name, import.meta.url);

/** The files of this package, which lie beside this one. */
const files = { base: import.meta.url, load: (name) => fetched(address(name)), fetch: fetched };

export const init = (source) => load(source, () => address('tilesight.wasm'));

export class Reader extends AnyReader {
  static create(options) {
    return Reader.open(files, start, options);
  }
}
