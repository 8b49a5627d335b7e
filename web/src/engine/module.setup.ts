/**
 * Loads the module for the tests, in Node, from the package that `make npm` packs. Where there is no
 * browser, there is a network: the page's state begins with that.
 */
import { existsSync } from 'node:fs';
import { type Module, module } from './module';

globalThis.navigator ??= { onLine: true } as Navigator;

const packed = new URL('../../../out/npm/package/node.js', import.meta.url);
if (!existsSync(packed)) throw new Error('there is no package of the module: run `make npm`');
const loaded = (await import(/* @vite-ignore */ packed.href)) as Module;
await loaded.init();
module.value = loaded;
