/**
 * Scoring, rule sets, notation and evenings. Everything is the JSON of the contract, as the service
 * answers it over HTTP.
 */
import { Module } from './module.js';
import { Problem } from './problem.js';

export { Problem };

/** @type {Module | undefined} */
let module;

/** Loads the module, once; `index.d.ts` says from what. */
export async function init(source) {
  module ??= await Module.load(source ?? new URL('./tilesight.wasm', import.meta.url));
}

function text(name, request, lang = 'en', ...more) {
  if (!module) throw new Error('tilesight is not loaded: await init() first');
  return module.ask(name, request, lang, ...more);
}

const json = (...args) => JSON.parse(text(...args));

export function score(hand, context, { others, lang } = {}) {
  return json('tilesight_score', JSON.stringify({ hand, context, others }), lang);
}

export function scores(hand, rulesets, context, { others, lang } = {}) {
  return json('tilesight_score', JSON.stringify({ hand, context, others, rulesets }), lang);
}

export function rulesets({ lang } = {}) {
  return json('tilesight_rulesets', '', lang);
}

export function parse(hand, context, { lang } = {}) {
  return json('tilesight_hand', JSON.stringify({ hand, context }), lang);
}

export class Evening {
  /** The journal as JSON. */
  #record;

  constructor(record) {
    this.#record = record;
  }

  static begin(game, { lang } = {}) {
    return new Evening(text('tilesight_game_begin', JSON.stringify(game), lang));
  }

  static open(record, { lang } = {}) {
    const evening = new Evening(JSON.stringify(record));
    evening.view({ lang });
    return evening;
  }

  change(action, { by, at = Date.now(), lang } = {}) {
    // A line of JSON has no line break in it.
    const request = `${this.#record}\n${JSON.stringify({ action, by })}`;
    this.#record = text('tilesight_game_change', request, lang, Number(at));
    return this.view({ lang });
  }

  view({ lang } = {}) {
    return json('tilesight_game_view', this.#record, lang);
  }

  csv({ lang } = {}) {
    return text('tilesight_game_table', this.#record, lang);
  }

  toJSON() {
    return JSON.parse(this.#record);
  }
}
