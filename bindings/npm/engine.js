/**
 * Scoring, rule sets, notation and evenings. Everything is the JSON of the contract, as the service
 * answers it over HTTP.
 */
import { Module } from './module.js';
import { checked } from './options.js';
import { Problem } from './problem.js';

export { Problem };

/** @type {Module | undefined} */
let module;

/** Loads the module, once: from a source that `index.d.ts` describes, or else from `ownSource`. */
export async function load(source, ownSource) {
  module ??= await Module.load(source ?? (await ownSource()));
}

function started() {
  if (!module) throw new Error('tilesight is not loaded: await init() first');
  return module;
}

const text = (name, request, lang = 'en', ...more) => started().ask(name, request, lang, ...more);

const json = (...args) => JSON.parse(text(...args));

export function install(profile, options = {}) {
  const { lang = 'en' } = checked('install', options, ['lang']);
  started().install(profile, lang);
}

export function score(hand, context, options = {}) {
  const { others, lang } = checked('score', options, ['others', 'lang']);
  return json('tilesight_score', JSON.stringify({ hand, context, others }), lang);
}

export function scores(hand, rulesets, context, options = {}) {
  const { others, lang } = checked('scores', options, ['others', 'lang']);
  return json('tilesight_score', JSON.stringify({ hand, context, others, rulesets }), lang);
}

/** Returns the language among the options of a function that has no other. */
const langOf = (name, options) => checked(name, options, ['lang']).lang;

export function rulesets(options = {}) {
  const lang = langOf('rulesets', options);
  return json('tilesight_rulesets', '', lang);
}

export function parse(hand, context, options = {}) {
  const lang = langOf('parse', options);
  return json('tilesight_hand', JSON.stringify({ hand, context }), lang);
}

export class Evening {
  /** The journal as JSON. */
  #record;

  constructor(record) {
    this.#record = record;
  }

  static begin(game, options = {}) {
    const lang = langOf('Evening.begin', options);
    return new Evening(text('tilesight_game_begin', JSON.stringify(game), lang));
  }

  static open(record, options = {}) {
    const lang = langOf('Evening.open', options);
    const evening = new Evening(JSON.stringify(record));
    evening.view({ lang });
    return evening;
  }

  change(action, options = {}) {
    const { by, at = Date.now(), lang } = checked('change', options, ['by', 'at', 'lang']);
    // A line of JSON has no line break in it.
    const request = `${this.#record}\n${JSON.stringify({ action, by })}`;
    this.#record = text('tilesight_game_change', request, lang, Number(at));
    return this.view({ lang });
  }

  view(options = {}) {
    const lang = langOf('view', options);
    return json('tilesight_game_view', this.#record, lang);
  }

  csv(options = {}) {
    const lang = langOf('csv', options);
    return text('tilesight_game_table', this.#record, lang);
  }

  toJSON() {
    return JSON.parse(this.#record);
  }
}
