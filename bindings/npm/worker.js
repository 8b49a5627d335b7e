/** The pipeline in a worker of a browser: `reader.js` sends it what to do, one thing at a time. */
import { Pipeline } from './pipeline.js';
import { Problem } from './problem.js';

let pipeline;

async function answer({ models, ask, given }) {
  if (ask) return pipeline[ask](given, (stage) => postMessage({ progress: { stage } }));
  pipeline = await Pipeline.load(models, (loaded, total) => postMessage({ progress: { loaded, total } }));
}

onmessage = async ({ data }) => {
  try {
    postMessage({ done: (await answer(data)) ?? null });
  } catch (error) {
    postMessage(error instanceof Problem ? { problem: error.problem } : { error: String(error?.message ?? error) });
  }
};
