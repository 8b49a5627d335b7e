/**
 * The WebAssembly module behind the functions of the package: requests and answers as JSON through
 * its memory.
 *
 * Invariant: a module that ended in a trap is not used again; the next call starts another one.
 */
import { Problem } from './problem.js';

/** The languages of names and texts, in the order of the module. */
const LANGUAGES = ['en', 'de', 'da', 'sv', 'zh'];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Module {
  #compiled;
  #instance;

  /** @param {WebAssembly.Module} compiled */
  constructor(compiled) {
    this.#compiled = compiled;
  }

  /** The module from bytes, from what was fetched, or from an address. */
  static async load(source) {
    if (source instanceof WebAssembly.Module) return new Module(source);
    if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return new Module(await WebAssembly.compile(source));
    const response = await (source instanceof Response ? source : fetch(source));
    if (!response.ok) throw new Error(`${response.url}: status ${response.status}: the module of tilesight could not be loaded`);
    // A server that names another type keeps browsers from compiling while they load.
    const streams = response.headers.get('content-type')?.startsWith('application/wasm');
    const compiled = streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
    return new Module(await compiled);
  }

  /** The text that the function `name` answers to a text. */
  ask(name, request, lang, ...more) {
    const number = LANGUAGES.indexOf(lang);
    if (number < 0) throw new RangeError(`the language ${JSON.stringify(lang)} is unknown: expected one of ${LANGUAGES.join(', ')}`);
    try {
      return this.#call(name, encoder.encode(request), number, more);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.#instance = undefined;
      throw Problem.internal(error);
    }
  }

  #call(name, request, ...args) {
    this.#instance ??= new WebAssembly.Instance(this.#compiled);
    const { memory, tilesight_input: input, tilesight_output: output, [name]: ask } = this.#instance.exports;
    const at = input(request.length) >>> 0;
    new Uint8Array(memory.buffer, at, request.length).set(request);
    const length = ask(...args.flat());
    const answer = decoder.decode(new Uint8Array(memory.buffer, output() >>> 0, Math.abs(length)));
    if (length < 0) throw new Problem(JSON.parse(answer));
    return answer;
  }
}
