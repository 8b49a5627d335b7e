/**
 * The pipeline in a worker of a browser: `in-browser.js` sends it what to do, one thing at a time.
 * The package has it as one script with all that it needs, `tilesight-worker.js`.
 */
import { Pipeline } from './pipeline.js';
import { Problem } from './problem.js';

let pipeline;

async function answer({ start, ask, given }) {
  if (ask) return pipeline[ask](given, (stage) => postMessage({ progress: { stage } }));
  pipeline = await Pipeline.start(start.reader, start.runtime);
  return pipeline.networks();
}

onmessage = async ({ data }) => {
  try {
    postMessage({ done: (await answer(data)) ?? null });
  } catch (error) {
    postMessage(error instanceof Problem ? { problem: error.problem } : { error: String(error?.message ?? error) });
  }
};

postMessage({ runs: true });
