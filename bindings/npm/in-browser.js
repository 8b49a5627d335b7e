/**
 * The pipeline in a worker of a browser, so that the page never waits. Where there is no page, as in
 * a worker, it runs in the thread that asks.
 *
 * Invariant: a worker is asked only after it has said that it runs.
 */
import { Problem } from './problem.js';

const ADVICE = 'serve tilesight-worker.js beside the script of the page, allow `blob:` in `worker-src`, or start it with `startWorker`';

/** Starts what reads: a worker, or the pipeline in this thread. */
export async function start(files, startWorker) {
  if (typeof Worker === 'function' && typeof document === 'object') return new InWorker(await startedWorker(files, startWorker));
  const { InThread } = await import('./in-thread.js');
  return new InThread();
}

/**
 * Returns a worker that runs. Some bundlers do not see the script of a worker, and a server for
 * development may have it elsewhere: it is then started from its text.
 */
async function startedWorker(files, startWorker) {
  if (startWorker) return running(startWorker(new URL('./tilesight-worker.js', import.meta.url)));
  try {
    // Bundlers know the worker by these very words.
    return await running(new Worker(new URL('./tilesight-worker.js', import.meta.url), { type: 'module' }));
  } catch (error) {
    if (!files.script) throw error;
  }
  const script = new Blob([await files.script()], { type: 'text/javascript' });
  const address = URL.createObjectURL(script);
  try {
    return await running(new Worker(address));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Returns a worker once it has said that it runs. */
function running(worker) {
  return new Promise((resolve, reject) => {
    worker.onmessage = () => resolve(worker);
    worker.onerror = ({ message }) => {
      worker.terminate();
      reject(new Error(`the worker of tilesight could not be started${message ? ` (${message})` : ''}: ${ADVICE}`));
    };
  });
}

class InWorker {
  #worker;
  #reject = () => {};

  constructor(worker) {
    this.#worker = worker;
  }

  /** The files are this package's own: they are handed over, not copied. */
  start(reader, runtime) {
    const buffers = [reader, runtime].filter((content) => typeof content !== 'string').map(({ buffer }) => buffer);
    return this.#send({ start: { reader, runtime } }, () => {}, buffers);
  }

  ask(what, given, onProgress) {
    return this.#send({ ask: what, given }, onProgress);
  }

  close() {
    this.#worker.terminate();
    this.#reject(new Error('the reader was closed'));
  }

  #send(message, onProgress, buffers = []) {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#worker.onerror = (event) => reject(new Error(`the worker of tilesight failed: ${event.message || 'without a message'}`));
      this.#worker.onmessage = ({ data }) => {
        if (data.progress) onProgress(data.progress);
        else if (data.problem) reject(new Problem(data.problem));
        else if (data.error) reject(new Error(data.error));
        else resolve(data.done ?? undefined);
      };
      this.#worker.postMessage(message, buffers);
    });
  }
}
