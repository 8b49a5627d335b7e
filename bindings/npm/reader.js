/**
 * Reads photos on this machine. In browsers the work is done in a worker, so that the page never
 * waits; in Node in the thread that asks.
 *
 * Invariant: photos are read one after the other, in the order in which they were given.
 */
import { Pipeline } from './pipeline.js';
import { Problem } from './problem.js';

/** The models of this package. */
const MODELS = new URL('./models/', import.meta.url);

export class Reader {
  #engine;
  #onProgress;
  #last = Promise.resolve();

  constructor(engine, onProgress) {
    this.#engine = engine;
    this.#onProgress = onProgress;
  }

  static async create({ models = MODELS, onProgress = () => {} } = {}) {
    const given = typeof models === 'string' || models instanceof URL ? folder(models) : models;
    const engine = typeof Worker === 'function' && typeof document === 'object' ? new InWorker() : new InThread();
    await engine.load(given, onProgress);
    return new Reader(engine, onProgress);
  }

  async read(photo, { context, rulesets, focus, region, detail, lang = 'en' } = {}) {
    const isPixels = typeof ImageData === 'function' && photo instanceof ImageData;
    const pixels = isPixels ? [photo.width, photo.height] : undefined;
    const bytes = await bytesIn(isPixels ? photo.data : photo);
    const request = { context, rulesets, focus, region, detail, pixels };
    const reading = this.#last.then(() => this.#engine.read(bytes, request, lang, this.#onProgress));
    this.#last = reading.catch(() => {});
    return reading;
  }

  close() {
    this.#engine.close();
  }
}

/** The address of a folder, with the slash that makes names lie in it. */
function folder(address) {
  const url = new URL(address, globalThis.document?.baseURI ?? import.meta.url);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url.href;
}

async function bytesIn(photo) {
  if (photo instanceof Blob) return new Uint8Array(await photo.arrayBuffer());
  if (photo instanceof ArrayBuffer) return new Uint8Array(photo);
  if (ArrayBuffer.isView(photo)) return new Uint8Array(photo.buffer, photo.byteOffset, photo.byteLength);
  throw new TypeError('a photo is a File, a Blob, ImageData, or bytes');
}

class InThread {
  #pipeline;

  async load(models, onProgress) {
    this.#pipeline = await Pipeline.load(models, (loaded, total) => onProgress({ loaded, total }));
  }

  async read(photo, request, lang, onProgress) {
    return this.#pipeline.read(photo, request, lang, (stage) => onProgress({ stage }));
  }

  close() {
    this.#pipeline = undefined;
  }
}

class InWorker {
  #worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  #reject = () => {};

  load(models, onProgress) {
    return this.#ask({ models }, onProgress);
  }

  read(photo, request, lang, onProgress) {
    return this.#ask({ photo, request, lang }, onProgress);
  }

  close() {
    this.#worker.terminate();
    this.#reject(new Error('the reader was closed'));
  }

  #ask(message, onProgress) {
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
