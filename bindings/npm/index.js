/**
 * Scores mahjong hands by the rules of Tilesight, in this browser. `index.d.ts` describes every
 * function.
 */
export * from './engine.js';
