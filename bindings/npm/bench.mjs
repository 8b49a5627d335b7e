/**
 * What a hand of the MCR corpus costs: `make bench-npm`.
 *
 *     node bindings/npm/bench.mjs package           by a call of score(), JSON and explanation included
 *     node bindings/npm/bench.mjs module MODULE     the total alone, inside a module with the feature `measure`
 *
 * Output: the mean over the 8,000 hands by the rules of 2006, the best of several rounds, in Node.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const ROUNDS = 15;

function corpus() {
  const lines = execFileSync(join(ROOT, 'target/debug/examples/corpus'), { maxBuffer: 2 ** 30, encoding: 'utf8' });
  const rows = lines.trim().split('\n').map((line) => JSON.parse(line));
  return rows.filter((row) => row.source.startsWith('corpus') && row.request.context.ruleset === 'mcr-wmo');
}

/** The shortest round, in microseconds a hand. */
function best(round, hands) {
  const times = Array.from({ length: ROUNDS }, () => {
    const begin = performance.now();
    round();
    return performance.now() - begin;
  });
  return ((Math.min(...times) * 1000) / hands).toFixed(2);
}

const [what, module] = process.argv.slice(2);
const requests = corpus().map((row) => row.request);
if (what === 'package') {
  const { init, score } = await import(join(ROOT, 'out/npm/package/node.js'));
  await init();
  const round = () => {
    for (const { hand, context } of requests) score(hand, context);
  };
  console.log(`score(): ${best(round, requests.length)} µs a hand`);
} else {
  const { instance } = await WebAssembly.instantiate(readFileSync(module));
  const { memory, tilesight_input: input, tilesight_measure_read: read, tilesight_measure_totals: totals } = instance.exports;
  const text = new TextEncoder().encode(requests.map((request) => JSON.stringify(request)).join('\n'));
  const at = input(text.length);
  new Uint8Array(memory.buffer, at, text.length).set(text);
  if (read() !== requests.length) throw new Error('the module could not read every hand');
  console.log(`inside the module: ${best(totals, requests.length)} µs a hand`);
}
