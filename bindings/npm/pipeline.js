/**
 * The pipeline from a photo to a reading, in the thread that calls it: the module reads, and asks
 * for the networks in between.
 *
 * Output: JSON of the contract. Invariant: the networks are those that the module was built with,
 * by their hashes.
 */
import { unpacked } from './bytes.js';
import { Module } from './module.js';
import { Runtime } from './networks.js';

/** Sides of a network's input. */
const SIDES = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A request of options and bytes. A line of JSON has no line break in it. */
function withHead(request, bytes) {
  const head = encoder.encode(`${JSON.stringify(request)}\n`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return whole;
}

export class Pipeline {
  #module;
  #runtime;
  #networks = [];
  #outputs = new Uint32Array();
  #stage = '';
  #onStage = () => {};

  constructor(compiled, runtime) {
    this.#runtime = runtime;
    this.#module = new Module(compiled, {
      run: (network, kind, shape, data) => this.#run(network, kind, shape, data),
      take: (at) => new Uint32Array(this.#module.memory, at, this.#outputs.length).set(this.#outputs),
      stage: (at, length) => this.#time(at, length),
    });
  }

  /** Starts the module and ONNX Runtime from their files. Nothing is read before the networks are open. */
  static async start(reader, runtime) {
    const [bytes, runtimeBytes] = await Promise.all([unpacked(reader), unpacked(runtime)]);
    const [compiled, started] = await Promise.all([WebAssembly.compile(bytes), Runtime.start(runtimeBytes)]);
    return new Pipeline(compiled, started);
  }

  /** The networks that the module was built with, in the order in which it names them. */
  networks() {
    return JSON.parse(this.#module.ask('tilesight_networks', '', 'en'));
  }

  /** Opens a network of that list. */
  async open({ at, content }) {
    const bytes = await unpacked(content);
    this.#module.ask('tilesight_network', bytes, 'en', at);
    const { input, outputs } = this.networks()[at];
    this.#networks[at] = this.#runtime.open(bytes, input, outputs);
  }

  /**
   * Reads a photo, or several of one hand.
   *
   * @param {Uint8Array} photo the bytes of a file, of several with `request.photos`, or pixels with
   *   `request.pixels`
   */
  read(given, onStage) {
    return this.#look('tilesight_read', given, onStage);
  }

  /** Reads the next frame of a camera, by its pixels, with those before it. */
  frame(given, onStage) {
    return this.#look('tilesight_frame', given, onStage);
  }

  /** Forgets the frames of a camera. */
  end({ camera }) {
    this.#module.ask('tilesight_frames_end', JSON.stringify({ camera }), 'en');
  }

  /** Names the tiles of a sheet, row by row. */
  sheet(given, onStage) {
    return this.#look('tilesight_sheet', given, onStage);
  }

  /** Learns a set from a sheet. Returns the bytes of its file. */
  learn({ photo, request, lang }, onStage) {
    this.#begin(onStage);
    return this.#module.bytes('tilesight_learn', withHead(request, photo), lang).slice();
  }

  /** Merges sets, whose files follow one after the other. Returns the bytes of the merged file. */
  merge({ photo, request, lang }) {
    return this.#module.bytes('tilesight_merge', withHead(request, photo), lang).slice();
  }

  /** Checks the file of a set, and says what it knows. */
  set({ photo, lang }) {
    return JSON.parse(this.#module.ask('tilesight_set', photo, lang));
  }

  #look(name, { photo, request, lang }, onStage) {
    this.#begin(onStage);
    return JSON.parse(this.#module.ask(name, withHead(request, photo), lang));
  }

  #begin(onStage) {
    this.#onStage = onStage;
    this.#stage = '';
  }

  /** Adds a rule set by the text of its file. */
  install({ profile, lang }) {
    this.#module.install(profile, lang);
  }

  /** Applies answers to a reading. */
  answer({ request, lang }) {
    return JSON.parse(this.#module.ask('tilesight_answers', JSON.stringify(request), lang));
  }

  /** A photo as a JPEG. */
  jpeg({ photo, lang }) {
    return this.#module.bytes('tilesight_jpeg', photo, lang).slice();
  }

  #run(network, kind, shapeAt, dataAt) {
    const { memory } = this.#module;
    const shape = [...new Uint32Array(memory, shapeAt, SIDES)];
    const isFloat = kind === 1;
    const length = shape.reduce((product, side) => product * side, isFloat ? 4 : 1);
    const outputs = this.#runtime.run(this.#networks[network], isFloat, shape, new Uint8Array(memory, dataAt >>> 0, length));
    const words = outputs.map(({ shape, data }) => [
      Uint32Array.of(shape.length, ...shape),
      new Uint32Array(data.buffer, data.byteOffset, data.length / 4),
    ]);
    const parts = words.flat();
    this.#outputs = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
    parts.reduce((at, part) => {
      this.#outputs.set(part, at);
      return at + part.length;
    }, 0);
    return this.#outputs.length;
  }

  /** Each stage is announced when it begins, and measured until it is named again. */
  #time(at, length) {
    const stage = decoder.decode(new Uint8Array(this.#module.memory, at >>> 0, length));
    const begins = stage !== this.#stage;
    this.#stage = begins ? stage : '';
    if (begins) this.#onStage(stage);
    return performance.now();
  }
}
