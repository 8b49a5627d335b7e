/**
 * Measures the package and the static site in headless Chromium: `make bench-browser`, whose script
 * scripts/bench_browser.py writes the table.
 *
 *     node bindings/npm/bench.mjs MEASURE LARGE PHOTO...
 *
 * Input: the module with the feature `measure`, a large photo, photos of usual size, out/site and
 * out/npm/package. Output: the figures as JSON. Whoever starts it chooses the cores.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { launch, serve } from './test/chromium.mjs';
import { ROOT } from './test/package.mjs';
import { CLOSE, compare, program, scenes } from './test/scenes.mjs';

/** Rounds over the photos; the first is not counted, since the browser still optimises. */
const ROUNDS = 6;
/** Rounds over the hands of the corpus, of which the shortest counts. */
const HAND_ROUNDS = 15;
/** Hands are scored so many times in a round: browsers' clocks tick in tenths of a millisecond. */
const REPEATS = 20;
/** Viewfinder: long side of a frame, frames of each sample, and width of the glare in tiles. */
const FRAME_SIDE = 1280;
const FRAMES = 14;
const GLARE = 2.2;
/** Interval between two samples of the memory, in milliseconds. */
const LOOK = 20;

const [measure, large, ...photos] = process.argv.slice(2);
if (photos.length === 0) throw new Error('usage: bench.mjs MEASURE LARGE PHOTO...');

/** The hands of the MCR corpus by the rules of 2006, as requests. */
function corpus() {
  const lines = execFileSync(join(ROOT, 'target/debug/examples/corpus'), { maxBuffer: 2 ** 30, encoding: 'utf8' });
  const rows = lines.trim().split('\n').map((line) => JSON.parse(line));
  return rows.filter((row) => row.source.startsWith('corpus') && row.request.context.ruleset === 'mcr-wmo').map((row) => row.request);
}

/** The files that pages here ask for, by folder. */
function files() {
  const folders = { site: join(ROOT, 'out/site'), package: join(ROOT, 'out/npm/package') };
  const single = new Map([...photos, large, ...scenes].map((path) => [`photos/${basename(path)}`, path]));
  single.set('measure.wasm', measure);
  return (path) => {
    if (path === '') return '<!doctype html><title>bench</title>';
    const [folder, ...rest] = path.split('/');
    const file = single.get(path) ?? (folders[folder] && join(folders[folder], rest.join('/') || 'index.html'));
    return file && existsSync(file) && statSync(file).isFile() ? readFileSync(file) : undefined;
  };
}

/** Returns the result of `work` in a new browser with one tab: no measurement disturbs another. */
async function inTab(url, work) {
  const browser = await launch();
  try {
    const tab = await browser.newPage();
    await tab.goto(url);
    return await work(tab, browser);
  } finally {
    await browser.close();
  }
}

const names = (paths) => paths.map((path) => basename(path));

/** Milliseconds from a photo to its score, of each reading after the first round, and of loading. */
function reading(tab) {
  return tab.evaluate(
    async ({ names, rounds }) => {
      const { Reader } = await import('/package/index.js');
      const begin = performance.now();
      const reader = await Reader.create();
      const loading = performance.now() - begin;
      const blobs = await Promise.all(names.map(async (name) => (await fetch(`/photos/${name}`)).blob()));
      const [took, stages] = [[], []];
      for (let round = 0; round < rounds; round++) {
        for (const blob of blobs) {
          const start = performance.now();
          const { timings_ms } = await reader.read(blob);
          took.push(performance.now() - start);
          stages.push(timings_ms);
        }
      }
      return { loading, first: took[0], took: took.slice(names.length), stages: stages.slice(names.length) };
    },
    { names: names(photos), rounds: ROUNDS },
  );
}

/** Megabytes that the kernel counts for the largest process of pages, shared memory in proportion. */
async function renderer(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => {
    const [, kib] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'));
    return kib * 1024 / 1e6;
  });
  return Math.max(...sizes);
}

/** The peak memory of a tab while it reads photos, a large one among them, twice each. */
async function memory(tab, browser) {
  const session = await browser.newBrowserCDPSession();
  const before = await renderer(session);
  let [done, peak] = [false, before];
  const work = tab
    .evaluate(async (names) => {
      const { Reader } = await import('/package/index.js');
      const reader = await Reader.create();
      for (const name of names) await reader.read(await (await fetch(`/photos/${name}`)).blob());
    }, names([...photos, large, ...photos, large]))
    .finally(() => {
      done = true;
    });
  while (!done) {
    peak = Math.max(peak, await renderer(session));
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
  await work;
  return { before, peak };
}

/** Returns the sizes of what the first visit stores for offline use: the page and the reader. */
async function loaded(tab, find) {
  const stored = await tab.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const last = ['reader.wasm', 'ort-wasm-simd-threaded.wasm', 'detector.onnx', 'refiner.onnx', 'classifier.onnx', 'large-classifier.onnx', 'tilesight-worker.js'];
    for (;;) {
      const found = { page: [], reader: [] };
      for (const name of await caches.keys()) {
        const kept = await (await caches.open(name)).keys();
        found[name.split('-')[0]]?.push(...kept.map(({ url }) => new URL(url).pathname.slice(1)));
      }
      if (last.every((name) => found.reader.some((path) => path.endsWith(name)))) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  const sum = (paths) => {
    const contents = paths.map(find);
    const total = (size) => contents.reduce((bytes, content) => bytes + size(content), 0);
    return { bytes: total(({ length }) => length), gzip: total((all) => gzipSync(all).length), brotli: total((all) => brotliCompressSync(all).length) };
  };
  return { page: sum(stored.page), reader: sum(stored.reader) };
}

/** Microseconds of a hand: the total alone inside the module, and a call of `score()` with its JSON. */
function hands(tab, requests) {
  return tab.evaluate(
    async ({ requests, rounds, repeats }) => {
      const best = (round, hands) => {
        const times = Array.from({ length: rounds }, () => {
          const begin = performance.now();
          round();
          return performance.now() - begin;
        });
        return (Math.min(...times) * 1000) / hands;
      };
      const bytes = await (await fetch('/measure.wasm')).arrayBuffer();
      const { instance } = await WebAssembly.instantiate(bytes);
      const { memory, tilesight_input: input, tilesight_measure_read: read, tilesight_measure_totals: totals } = instance.exports;
      const text = new TextEncoder().encode(requests.map((request) => JSON.stringify(request)).join('\n'));
      const at = input(text.length);
      new Uint8Array(memory.buffer, at, text.length).set(text);
      if (read() !== requests.length) throw new Error('the module could not read every hand');
      const inside = best(() => {
        for (let time = 0; time < repeats; time++) totals();
      }, requests.length * repeats);
      const { init, score } = await import('/package/index.js');
      await init();
      const call = best(() => {
        for (const { hand, context } of requests) score(hand, context);
      }, requests.length);
      return { inside, call, count: requests.length };
    },
    { requests, rounds: HAND_ROUNDS, repeats: REPEATS },
  );
}

/** Counts the committed scenes that are read as by the program; `apart` compares probabilities. */
async function parity(tab) {
  const expected = program(scenes);
  const answers = await tab.evaluate(async (names) => {
    const { Reader } = await import('/package/index.js');
    const reader = await Reader.create();
    const answers = [];
    for (const name of names) answers.push(await reader.read(await (await fetch(`/photos/${name}`)).blob()));
    return answers;
  }, names(scenes));
  const found = answers.map((answer, at) => compare(answer, expected[at]));
  const count = (is) => found.filter(is).length;
  return {
    scenes: scenes.length,
    hands: count(({ hand }) => hand),
    doubts: count(({ doubts }) => doubts),
    close: count(({ apart }) => apart <= CLOSE),
    apart: Math.max(...found.map(({ apart }) => apart)),
  };
}

/** Each sample with its ground truth. */
const samples = scenes
  .filter((path) => path.includes('/samples/'))
  .map((path) => ({ name: basename(path), truth: JSON.parse(readFileSync(path.replace(/jpg$/, 'json'), 'utf8')) }));

/**
 * Frames of a swaying camera as the viewfinder takes them, with glare over two tiles in each: how
 * many are read a second, and what becomes of the samples' hands.
 */
function viewfinder(tab) {
  return tab.evaluate(
    async ({ samples, side, frames, wide }) => {
      const { init, parse, Reader } = await import('/package/index.js');
      await init();
      const reader = await Reader.create();
      // Which flowers a set has is not what is asked here.
      const plain = ({ concealed, winning_tile, melds, flowers = [] }) => JSON.stringify([concealed, winning_tile, melds, flowers.length]);
      const found = { frames: 0, ms: 0, right: 0, wrong: 0, samples: samples.length };
      for (const { name, truth } of samples) {
        const photo = await createImageBitmap(await (await fetch(`/photos/${name}`)).blob());
        const scale = side / Math.max(photo.width, photo.height);
        const [width, height] = [Math.round(photo.width * scale), Math.round(photo.height * scale)];
        const pen = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
        const tiles = truth.tiles.filter(({ role }) => role && role !== 'ignored' && role !== 'other').map(({ polygon }) => polygon);
        const [a, b, c] = tiles[0];
        const tile = Math.min(Math.hypot(a[0] - b[0], a[1] - b[1]), Math.hypot(b[0] - c[0], b[1] - c[1]));
        const camera = reader.watch({ context: truth.context });
        const steady = [];
        for (let at = 0; at < frames; at++) {
          const begin = performance.now();
          const sway = (2 * Math.PI * at) / frames;
          pen.setTransform(scale * (1 + 0.02 * Math.sin(sway)), 0.01 * Math.cos(sway), -0.01 * Math.sin(sway), scale * (1 + 0.02 * Math.cos(2 * sway)), 6 * Math.sin(sway), 5 * Math.cos(3 * sway));
          pen.drawImage(photo, 0, 0);
          const [x, y] = tiles[Math.floor((at / frames) * tiles.length)].reduce(([x, y], corner) => [x + corner[0] / 4, y + corner[1] / 4], [0, 0]);
          const light = pen.createRadialGradient(x, y, 0, x, y, (wide / 2) * tile);
          light.addColorStop(0, 'rgb(255 255 250)');
          light.addColorStop(0.7, 'rgb(255 255 250 / 0.97)');
          light.addColorStop(1, 'rgb(255 255 250 / 0)');
          pen.fillStyle = light;
          pen.fillRect(0, 0, photo.width, photo.height);
          pen.resetTransform();
          const seen = await camera.see(pen.getImageData(0, 0, width, height));
          found.ms += performance.now() - begin;
          found.frames += 1;
          if (seen.steady) steady.push(plain(seen.answer.reading.hand) === plain(parse(truth.hand).hand));
        }
        await camera.end();
        if (steady.includes(false)) found.wrong += 1;
        else if (steady.length > 0) found.right += 1;
      }
      return found;
    },
    { samples, side: FRAME_SIDE, frames: FRAMES, wide: GLARE },
  );
}

const find = files();
const { url, close } = await serve(find);
const requests = corpus();
const figures = {
  reading: await inTab(url, reading),
  memory: await inTab(url, memory),
  loaded: await inTab(`${url}/site/`, (tab) => loaded(tab, find)),
  hands: await inTab(url, (tab) => hands(tab, requests)),
  parity: await inTab(url, parity),
  viewfinder: await inTab(url, viewfinder),
  browser: await inTab(url, (_, browser) => `Chromium ${browser.version()}`),
};
close();
console.log(JSON.stringify(figures));
