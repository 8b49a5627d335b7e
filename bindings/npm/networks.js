/**
 * ONNX Runtime for WebAssembly, called without waiting: the pipeline asks for a network in the
 * middle of a reading, and `session.run` of onnxruntime-web is a promise.
 *
 * Input: the files of onnxruntime-web, pinned, and the bytes of networks. Output: the numbers of
 * the networks. The functions are those that onnxruntime-web itself calls (`wasm-core-impl.ts` in
 * its sources); of its build for processors they return at once.
 */
import create from './ort.js';

const UINT8 = 2;
const FLOAT = 1;
/** Tensors lie in the runtime's own memory. */
const IN_MEMORY = 1;
const ALL_OPTIMISATIONS = 99;
/** Warnings and worse: networks are opened without a word. */
const WARNING = 2;

export class Runtime {
  #wasm;

  constructor(wasm) {
    this.#wasm = wasm;
  }

  /** Starts the runtime with one thread. @param {Uint8Array} bytes its module */
  static async start(bytes) {
    const wasm = await create({ numThreads: 1, wasmBinary: bytes, locateFile: (name) => name });
    const runtime = new Runtime(wasm);
    runtime.#check(wasm._OrtInit(1, WARNING));
    return runtime;
  }

  /**
   * Opens a network.
   *
   * @param {Uint8Array} bytes
   * @param {string} input the name of its input
   * @param {readonly string[]} outputs the names of its outputs that are wanted
   */
  open(bytes, input, outputs) {
    const wasm = this.#wasm;
    const options = wasm._OrtCreateSessionOptions(ALL_OPTIMISATIONS, true, true, 0, false, 0, 0, WARNING, 0, 0);
    this.#check(options ? 0 : 1);
    const data = wasm._malloc(bytes.length);
    wasm.HEAPU8.set(bytes, data);
    const session = wasm._OrtCreateSession(data, bytes.length, options);
    wasm._free(data);
    wasm._OrtReleaseSessionOptions(options);
    this.#check(session ? 0 : 1);
    return { session, input: this.#text(input), outputs: outputs.map((name) => this.#text(name)) };
  }

  /** Ends a network. */
  close({ session, input, outputs }) {
    this.#wasm._OrtReleaseSession(session);
    for (const name of [input, ...outputs]) this.#wasm._free(name);
  }

  /**
   * Runs a network on bytes or floats, given as bytes.
   *
   * @returns {{ shape: number[], data: Uint8Array }[]} its outputs, floats as bytes.
   */
  run({ session, input, outputs }, isFloat, shape, data) {
    const wasm = this.#wasm;
    const stack = wasm.stackSave();
    const given = wasm._malloc(data.length);
    const tensors = [];
    try {
      wasm.HEAPU8.set(data, given);
      const dims = this.#words(shape);
      const type = isFloat ? FLOAT : UINT8;
      tensors.push(wasm._OrtCreateTensor(type, given, data.length, dims, shape.length, IN_MEMORY));
      this.#check(tensors[0] ? 0 : 1);
      const results = this.#words(outputs.map(() => 0));
      const names = [this.#words([input]), this.#words(tensors), this.#words(outputs)];
      this.#check(wasm._OrtRun(session, names[0], names[1], 1, names[2], outputs.length, results, 0));
      tensors.push(...outputs.map((_, at) => wasm.getValue(results + 4 * at, '*')));
      return tensors.slice(1).map((tensor) => this.#read(tensor));
    } finally {
      for (const tensor of tensors) wasm._OrtReleaseTensor(tensor);
      wasm._free(given);
      wasm.stackRestore(stack);
    }
  }

  #read(tensor) {
    const wasm = this.#wasm;
    const at = this.#words([0, 0, 0, 0]);
    this.#check(wasm._OrtGetTensorData(tensor, at, at + 4, at + 8, at + 12));
    const [, data, dims, sides] = [0, 4, 8, 12].map((offset) => wasm.getValue(at + offset, '*'));
    const shape = Array.from({ length: sides }, (_, side) => wasm.getValue(dims + 4 * side, 'i32'));
    wasm._OrtFree(dims);
    const length = shape.reduce((product, side) => product * side, 1);
    return { shape, data: wasm.HEAPU8.slice(data, data + 4 * length) };
  }

  #words(numbers) {
    const at = this.#wasm.stackAlloc(4 * numbers.length);
    numbers.forEach((number, place) => this.#wasm.setValue(at + 4 * place, number, 'i32'));
    return at;
  }

  #text(text) {
    const length = this.#wasm.lengthBytesUTF8(text) + 1;
    const at = this.#wasm._malloc(length);
    this.#wasm.stringToUTF8(text, at, length);
    return at;
  }

  #check(code) {
    if (code === 0) return;
    const at = this.#words([0, 0]);
    this.#wasm._OrtGetLastError(at, at + 4);
    const message = this.#wasm.getValue(at + 4, '*');
    throw new Error(`ONNX Runtime: ${message ? this.#wasm.UTF8ToString(message) : `error ${code}`}`);
  }
}
