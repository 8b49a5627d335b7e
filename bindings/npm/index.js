/**
 * Scores mahjong hands and reads photos of them, in this browser. `index.d.ts` describes every
 * function.
 */
export * from './engine.js';
export { Reader } from './reader.js';
