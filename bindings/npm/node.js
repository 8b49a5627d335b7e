/** Entry of the package in Node, which loads the module from a file. */
import { readFile } from 'node:fs/promises';
import { init as begin } from './engine.js';

export * from './engine.js';
export { Reader } from './reader.js';

/** Loads the module; without a source the file of this package. */
export const init = async (source) => begin(source ?? (await readFile(new URL('./tilesight.wasm', import.meta.url))));
