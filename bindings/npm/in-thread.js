/** The pipeline in the thread that asks. */
import { Pipeline } from './pipeline.js';

export class InThread {
  #pipeline;

  async start(reader, runtime) {
    this.#pipeline = await Pipeline.start(reader, runtime);
    return this.#pipeline.networks();
  }

  async ask(what, given, onProgress) {
    return this.#pipeline[what](given, (stage) => onProgress({ stage }));
  }

  close() {
    this.#pipeline = undefined;
  }
}
