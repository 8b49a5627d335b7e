/**
 * A WebAssembly module behind the functions of the package: requests and answers as JSON through
 * its memory.
 *
 * Invariant: a module that ended in a trap is not used again; the next call starts another one.
 */
import { Problem } from './problem.js';

/** The languages of names and texts, in the order of the module. */
const LANGUAGES = ['en', 'de', 'da', 'sv', 'zh', 'zh-Hant', 'ja'];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Module {
  #compiled;
  #host;
  #instance;
  /** Rule sets that were added, as the texts of their files. */
  #profiles = [];

  /**
   * @param {WebAssembly.Module} compiled
   * @param {Record<string, Function>} host what the module may call
   */
  constructor(compiled, host = {}) {
    this.#compiled = compiled;
    this.#host = host;
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

  /** The module's memory; it moves when it grows. */
  get memory() {
    return this.#instance.exports.memory.buffer;
  }

  /** Returns the text that the module's function `name` answers to a text, or to bytes. */
  ask(name, request, lang, ...more) {
    return decoder.decode(this.bytes(name, request, lang, ...more));
  }

  /** Adds a rule set by the text of its file; a module that is started anew has it too. */
  install(profile, lang) {
    this.ask('tilesight_install', profile, lang);
    this.#profiles.push(profile);
  }

  /** Returns the bytes that the module's function `name` answers; the next call overwrites them. */
  bytes(name, request, lang, ...more) {
    const number = LANGUAGES.indexOf(lang);
    if (number < 0) throw new RangeError(`the language ${JSON.stringify(lang)} is unknown: expected one of ${LANGUAGES.join(', ')}`);
    try {
      const bytes = typeof request === 'string' ? encoder.encode(request) : request;
      return this.#call(name, bytes, number, more);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      const reason = this.#reason();
      this.#instance = undefined;
      throw Problem.internal(error, reason);
    }
  }

  /** The reason why the module ended, as far as it could say it: a trap itself says nothing. */
  #reason() {
    try {
      const { memory, tilesight_failure: failure, tilesight_failure_size: size } = this.#instance.exports;
      return decoder.decode(new Uint8Array(memory.buffer, failure() >>> 0, size() >>> 0));
    } catch {
      return '';
    }
  }

  #call(name, request, ...args) {
    if (!this.#instance) {
      this.#instance = new WebAssembly.Instance(this.#compiled, this.#imports());
      for (const profile of this.#profiles) this.#call('tilesight_install', encoder.encode(profile), 0);
    }
    const { memory, tilesight_input: input, tilesight_output: output, [name]: ask } = this.#instance.exports;
    const at = input(request.length) >>> 0;
    new Uint8Array(memory.buffer, at, request.length).set(request);
    const length = ask(...args.flat());
    const answer = new Uint8Array(memory.buffer, output() >>> 0, Math.abs(length));
    if (length < 0) throw new Problem(JSON.parse(decoder.decode(answer)));
    return answer;
  }

  /** A library names functions of another glue that it never calls: they throw. */
  #imports() {
    const imports = { host: this.#host };
    for (const { module, name } of WebAssembly.Module.imports(this.#compiled)) {
      imports[module] ??= {};
      imports[module][name] ??= () => {
        throw new WebAssembly.RuntimeError(`${module}.${name} is missing`);
      };
    }
    return imports;
  }
}
