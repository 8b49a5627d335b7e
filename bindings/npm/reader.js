/**
 * Reads photos on this machine. In browsers the work is done in a worker, so that the page never
 * waits; in Node in the thread that asks.
 *
 * Invariant: one thing is done after the other, in the order in which it was asked for.
 */
import { Pipeline } from './pipeline.js';
import { Problem } from './problem.js';

const decoder = new TextDecoder();

/** The models of this package. */
const MODELS = new URL('./models/', import.meta.url);

export class Reader {
  #engine;
  #onProgress;
  #last = Promise.resolve();
  #cameras = 0;

  constructor(engine, onProgress) {
    this.#engine = engine;
    this.#onProgress = onProgress;
  }

  static async create({ models = MODELS, onProgress = () => {}, startWorker } = {}) {
    const given = typeof models === 'string' || models instanceof URL ? folder(models) : models;
    const engine = typeof Worker === 'function' && typeof document === 'object' ? new InWorker(startWorker) : new InThread();
    await engine.load(given, onProgress);
    return new Reader(engine, onProgress);
  }

  async read(photo, { context, rulesets, focus, region, detail, set, sets = [], lang = 'en' } = {}) {
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

  async answer({ hand, doubts, tiles, repairs }, answers, { hand: changed, context, others, rulesets, detail, lang = 'en' } = {}) {
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

  watch({ context, rulesets, set, sets = [], lang = 'en' } = {}) {
    this.#cameras += 1;
    const ask = (what, given) => this.#ask(what, given);
    return new Camera(ask, this.#cameras, { context, rulesets, set }, sets, lang);
  }

  async preview(photo, { lang = 'en' } = {}) {
    const jpeg = await this.#ask('jpeg', { photo: await bytesIn(photo), lang });
    return new Blob([jpeg], { type: 'image/jpeg' });
  }

  async sheet(photo, { lang = 'en' } = {}) {
    const { bytes, pixels } = await onePhoto(photo);
    return { rows: await this.#ask('sheet', { photo: bytes, request: { pixels }, lang }) };
  }

  async learnSet(name, sheets, { lang = 'en' } = {}) {
    const learned = [];
    for (const { photo, names } of sheets) {
      const { bytes, pixels } = await onePhoto(photo);
      const request = { pixels, name, names: names && namesText(names) };
      learned.push(await this.#ask('learn', { photo: bytes, request, lang }));
    }
    return learned.length === 1 ? learned[0] : this.mergeSets(learned, { lang });
  }

  async showSet(file, { lang = 'en' } = {}) {
    const bytes = await bytesIn(file);
    const content = await this.#ask('set', { photo: bytes, lang });
    // The module has checked the file. Its thumbnails are a JPEG in base64.
    const { thumbnails } = JSON.parse(decoder.decode(bytes));
    const jpeg = Uint8Array.from(atob(thumbnails), (one) => one.charCodeAt(0));
    return { ...content, picture: new Blob([jpeg], { type: 'image/jpeg' }) };
  }

  async mergeSets(files, { name, lang = 'en' } = {}) {
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

/** The address of a folder, with the slash that makes names lie in it. */
function folder(address) {
  const url = new URL(address, globalThis.document?.baseURI ?? import.meta.url);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url.href;
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

class InThread {
  #pipeline;

  async load(models, onProgress) {
    this.#pipeline = await Pipeline.load(models, (loaded, total) => onProgress({ loaded, total }));
  }

  async ask(what, given, onProgress) {
    return this.#pipeline[what](given, (stage) => onProgress({ stage }));
  }

  close() {
    this.#pipeline = undefined;
  }
}

class InWorker {
  #worker;
  #reject = () => {};

  /** Bundlers know the worker by these very words. */
  constructor(start) {
    this.#worker = start
      ? start(new URL('./worker.js', import.meta.url))
      : new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  }

  load(models, onProgress) {
    return this.#send({ models }, onProgress);
  }

  ask(what, given, onProgress) {
    return this.#send({ ask: what, given }, onProgress);
  }

  close() {
    this.#worker.terminate();
    this.#reject(new Error('the reader was closed'));
  }

  #send(message, onProgress) {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#worker.onerror = (event) => reject(new Error(`the worker of tilesight failed: ${event.message || 'it could not be loaded'}`));
      this.#worker.onmessage = ({ data }) => {
        if (data.progress) onProgress(data.progress);
        else if (data.problem) reject(new Problem(data.problem));
        else if (data.error) reject(new Error(data.error));
        else resolve(data.done ?? undefined);
      };
      this.#worker.postMessage(message);
    });
  }
}
