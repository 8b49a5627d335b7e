/**
 * Reads photos on this machine: in browsers in a worker, in Node in the thread that asks. The entry
 * of each says where the files are and what starts the pipeline.
 *
 * Invariant: one thing is done after the other, in the order in which it was asked for.
 */
import { checked } from './options.js';

const decoder = new TextDecoder();

const CREATE = ['models', 'onProgress', 'startWorker'];
const READ = ['context', 'rulesets', 'focus', 'region', 'detail', 'set', 'sets', 'lang'];
const ANSWER = ['hand', 'context', 'others', 'rulesets', 'detail', 'lang'];
const WATCH = ['context', 'rulesets', 'set', 'sets', 'lang'];

export class Reader {
  #engine;
  #onProgress;
  #last = Promise.resolve();
  #cameras = 0;

  constructor(engine, onProgress) {
    this.#engine = engine;
    this.#onProgress = onProgress;
  }

  /**
   * Loads the modules and the networks.
   *
   * @param files Loads a file of the package by its name, and an address; `base` is that of the
   *   addresses where there is no page.
   * @param start Starts what reads.
   */
  static async open(files, start, options = {}) {
    const { models, onProgress = () => {}, startWorker } = checked('Reader.create', options, CREATE);
    const engine = await start(files, startWorker);
    const reader = new this(engine, onProgress);
    try {
      await reader.#load(files, models);
    } catch (error) {
      reader.close();
      throw error;
    }
    return reader;
  }

  async #load(files, models) {
    const [module, runtime] = await Promise.all([files.load('reader.wasm'), files.load('ort-wasm-simd-threaded.wasm')]);
    const networks = await this.#engine.start(module, runtime);
    let loaded = 2;
    const count = () => this.#onProgress({ loaded: loaded++, total: networks.length + 2 });
    count();
    const open = async ({ file }, at) => {
      const content = await networkIn(models, file, files);
      await this.#ask('open', { at, content });
      count();
    };
    await Promise.all(networks.map(open));
  }

  async read(photo, options = {}) {
    const { context, rulesets, focus, region, detail, set, sets = [], lang = 'en' } = checked('read', options, READ);
    const texts = await Promise.all(sets.map(setText));
    const request = { context, rulesets, focus, region, detail, set, sets: texts };
    if (!Array.isArray(photo)) {
      const { bytes, pixels } = await onePhoto(photo);
      return this.#ask('read', { photo: bytes, request: { ...request, pixels }, lang });
    }
    const files = await Promise.all(photo.map(bytesIn));
    const photos = files.map(({ length }) => length);
    return this.#ask('read', { photo: joined(files), request: { ...request, photos }, lang });
  }

  async answer({ hand, doubts, tiles, repairs }, answers, options = {}) {
    const { hand: changed, context, others, rulesets, detail, lang = 'en' } = checked('answer', options, ANSWER);
    const request = {
      reading: { hand, doubts, tiles, repairs },
      answers,
      hand: changed,
      context,
      others,
      rulesets,
      detail,
    };
    return this.#ask('answer', { request, lang });
  }

  async install(profile, options = {}) {
    const { lang = 'en' } = checked('install', options, ['lang']);
    await this.#ask('install', { profile, lang });
  }

  watch(options = {}) {
    const { context, rulesets, set, sets = [], lang = 'en' } = checked('watch', options, WATCH);
    this.#cameras += 1;
    const ask = (what, given) => this.#ask(what, given);
    return new Camera(ask, this.#cameras, { context, rulesets, set }, sets, lang);
  }

  async preview(photo, options = {}) {
    const { lang = 'en' } = checked('preview', options, ['lang']);
    const jpeg = await this.#ask('jpeg', { photo: await bytesIn(photo), lang });
    return new Blob([jpeg], { type: 'image/jpeg' });
  }

  async sheet(photo, options = {}) {
    const { lang = 'en' } = checked('sheet', options, ['lang']);
    const { bytes, pixels } = await onePhoto(photo);
    return { rows: await this.#ask('sheet', { photo: bytes, request: { pixels }, lang }) };
  }

  async learnSet(name, sheets, options = {}) {
    const { lang = 'en' } = checked('learnSet', options, ['lang']);
    for (const sheet of sheets) checked('a sheet of learnSet', sheet, ['photo', 'names']);
    const learned = [];
    for (const { photo, names } of sheets) {
      const { bytes, pixels } = await onePhoto(photo);
      const request = { pixels, name, names: names && namesText(names) };
      learned.push(await this.#ask('learn', { photo: bytes, request, lang }));
    }
    return learned.length === 1 ? learned[0] : this.mergeSets(learned, { lang });
  }

  async showSet(file, options = {}) {
    const { lang = 'en' } = checked('showSet', options, ['lang']);
    const bytes = await bytesIn(file);
    const content = await this.#ask('set', { photo: bytes, lang });
    // The module has checked the file. Its thumbnails are a JPEG in base64.
    const { thumbnails } = JSON.parse(decoder.decode(bytes));
    const jpeg = Uint8Array.from(atob(thumbnails), (one) => one.charCodeAt(0));
    return { ...content, picture: new Blob([jpeg], { type: 'image/jpeg' }) };
  }

  async mergeSets(files, options = {}) {
    const { name, lang = 'en' } = checked('mergeSets', options, ['name', 'lang']);
    const all = await Promise.all(files.map(bytesIn));
    const request = { files: all.map(({ length }) => length), name };
    return this.#ask('merge', { photo: joined(all), request, lang });
  }

  /** Asks once everything before is answered; a function gives what depends on that. */
  #ask(what, given) {
    const answer = this.#last.then(async () =>
      this.#engine.ask(what, typeof given === 'function' ? await given() : given, this.#onProgress),
    );
    this.#last = answer.catch(() => {});
    return answer;
  }

  close() {
    this.#engine.close();
  }
}

/** A camera whose frames are read as one hand. */
class Camera {
  #ask;
  #number;
  #options;
  #sets;
  #lang;
  /** Whether the module has the sets, which go with the first frame alone. */
  #hasSets = false;

  constructor(ask, number, options, sets, lang) {
    this.#ask = ask;
    this.#number = number;
    this.#options = options;
    this.#sets = sets;
    this.#lang = lang;
  }

  async see({ width, height, data }) {
    const photo = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const seen = await this.#ask('frame', async () => {
      const sets = this.#hasSets ? undefined : await Promise.all(this.#sets.map(setText));
      const request = { ...this.#options, sets, camera: this.#number, pixels: [width, height] };
      return { photo, request, lang: this.#lang };
    });
    this.#hasSets = true;
    return seen;
  }

  async end() {
    await this.#ask('end', { camera: this.#number });
    this.#hasSets = false;
  }
}

/** A network of the package, of a folder by its address, or of what was given by name. */
async function networkIn(models, file, files) {
  if (models === undefined) return files.load(`models/${file}`);
  if (typeof models === 'string' || models instanceof URL) return files.fetch(new URL(file, folder(models, files.base)));
  if (!models[file]) throw new Error(`the models have no ${file}`);
  return models[file];
}

/** The address of a folder, with the slash that makes names lie in it. */
function folder(address, base) {
  const url = new URL(address, globalThis.document?.baseURI ?? base);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** A photo as bytes of a file, or as pixels with their size. */
async function onePhoto(photo) {
  const isPixels = typeof ImageData === 'function' && photo instanceof ImageData;
  const pixels = isPixels ? [photo.width, photo.height] : undefined;
  return { bytes: await bytesIn(isPixels ? photo.data : photo), pixels };
}

/** The file of a set as text; the module says what is wrong with one that is no text. */
const setText = async (file) => decoder.decode(await bytesIn(file));

/** Names as lines, one for each row; a tile without a name is left out. */
const namesText = (rows) => rows.map((row) => row.map((name) => name ?? '-').join(' ')).join('\n');

async function bytesIn(photo) {
  if (photo instanceof Blob) return new Uint8Array(await photo.arrayBuffer());
  if (photo instanceof ArrayBuffer) return new Uint8Array(photo);
  if (ArrayBuffer.isView(photo)) return new Uint8Array(photo.buffer, photo.byteOffset, photo.byteLength);
  throw new TypeError('a photo is a File, a Blob, ImageData, or bytes; a set a File, a Blob, or bytes');
}

function joined(files) {
  const whole = new Uint8Array(files.reduce((sum, { length }) => sum + length, 0));
  files.reduce((at, file) => {
    whole.set(file, at);
    return at + file.length;
  }, 0);
  return whole;
}
