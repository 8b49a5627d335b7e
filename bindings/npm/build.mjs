/**
 * Packs the npm package: `make npm` runs it.
 *
 *     node bindings/npm/build.mjs MODULE READER
 *
 * Input: the two compiled modules, without and with the pipeline, the files beside this one, ONNX
 * Runtime out of onnxruntime-web, the networks, and the OpenAPI document, whose schemas become the
 * types of the contract. Output: `out/npm/package`, which can be imported as it is, and
 * `out/npm/tilesight-VERSION.tgz`.
 * Invariant: modules, networks and the worker's script are there twice with the same bytes, as files
 * and, for bundlers, as scripts in `packed`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const OUT = join(ROOT, 'out', 'npm');
const PACKAGE = join(OUT, 'package');

const RUNTIME = 'ort-wasm-simd-threaded.wasm';
const WORKER = 'tilesight-worker.js';

/** The schemas of the contract, as types; the paths of the service are not part of the package. */
function types() {
  const { openapi, info, components } = JSON.parse(readFileSync(join(ROOT, 'tests/golden/openapi.json'), 'utf8'));
  const schemas = join(OUT, 'contract.json');
  writeFileSync(schemas, JSON.stringify({ openapi, info, paths: {}, components: { schemas: components.schemas } }));
  const flags = ['--immutable', '--root-types', '--root-types-no-schema-prefix'];
  const command = ['exec', '--workspace', 'types', '--', 'openapi-typescript', schemas, ...flags];
  execFileSync('npm', [...command, '--output', join(PACKAGE, 'contract.d.ts')], {
    cwd: join(ROOT, 'web'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The script of ONNX Runtime as it comes, and what becomes of each part that no bundler takes. */
const STARTER = 'ort-wasm-simd-threaded.mjs';
const NOT_BUNDLED = [
  // It runs the same in Node as in browsers, since it is given its module.
  [/\bm=globalThis\.process\?\.versions\?\.node&&"renderer"!=globalThis\.process\?\.type/, 1, 'm=!1'],
  [/if\(m\)\{const \{createRequire:a\}=await import\("module"\);.*?"em-pthread"==ba\.workerData\}/, 1, 'var ba;'],
  [/\brequire\("(fs|path|url|util)"\)/g, 4, '{}'],
  [/\bm\?require\("os"\)\.cpus\(\)\.length:navigator\.hardwareConcurrency\b/, 1, '1'],
  // Parcel installs a package for a bare `process`, and removes others that its lockfile lacks.
  [/(?<![.\w])process\./g, 6, 'globalThis.process.'],
  // There is one thread, so nothing starts from the script's own address.
  [/\bimport\.meta\.url\b/g, 3, '""'],
  [/(?<=export default ortWasmThreaded;).*ortWasmThreaded\(\);\s*$/s, 1, '\n'],
];

/** ONNX Runtime for processors: its module, and what emscripten starts it with. */
function runtime() {
  const from = join(ROOT, 'web/node_modules/onnxruntime-web');
  const { version, license } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  copyFileSync(join(from, 'dist', RUNTIME), join(PACKAGE, RUNTIME));
  let starter = readFileSync(join(from, 'dist', STARTER), 'utf8');
  for (const [part, times, other] of NOT_BUNDLED) {
    const found = starter.match(part);
    const count = part.global ? (found?.length ?? 0) : Number(Boolean(found));
    if (count !== times) throw new Error(`${STARTER} of onnxruntime-web ${version} has ${part} ${count} times instead of ${times}: correct NOT_BUNDLED`);
    starter = starter.replace(part, other);
  }
  writeFileSync(join(PACKAGE, 'ort.js'), starter);
  const notice = `${RUNTIME} and ort.js are ONNX Runtime for WebAssembly, from onnxruntime-web ${version}, under the ${license} licence; ort.js is its ${STARTER} without what starts it in Node and in threads.`;
  writeFileSync(join(PACKAGE, 'LICENSE-ONNXRUNTIME'), `${notice}\n\n${readFileSync(join(HERE, 'onnxruntime-licence.txt'), 'utf8')}`);
}

/** The script of the worker with all that it needs, for the classic and the module kind of worker. */
async function worker() {
  const vite = createRequire(join(ROOT, 'web', 'package.json')).resolve('vite');
  const { build } = await import(pathToFileURL(vite).href);
  const [{ output }] = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      lib: { entry: join(PACKAGE, 'worker.js'), formats: ['iife'], name: 'tilesight', fileName: () => WORKER },
    },
  });
  if (output.length !== 1) throw new Error('the worker is not one script');
  writeFileSync(join(PACKAGE, WORKER), output[0].code);
  rmSync(join(PACKAGE, 'worker.js'));
}

/** Packs a file as a script, and returns the expression that loads the script. */
function packed(name) {
  const script = `packed/${name.replaceAll('/', '-')}.js`;
  const text = gzipSync(readFileSync(join(PACKAGE, name)), { level: 9 }).toString('base64');
  writeFileSync(join(PACKAGE, script), `export default '${text}';\n`);
  return `import('./${script}')`;
}

/**
 * Packs what bundlers carry along: each file as a script. The module that scores is apart, so that an app
 * that reads no photos carries nothing else.
 */
function packAll(forReading) {
  mkdirSync(join(PACKAGE, 'packed'));
  const script = `/** The files of this package as base64 of gzip, each loaded when it is asked for. \`build.mjs\` made it. */

/** The module that scores. */
export const packedModule = async () => (await ${packed('tilesight.wasm')}).default;

const FILES = {
${forReading.map((name) => `  '${name}': () => ${packed(name)},`).join('\n')}
};

/** A file that reading needs. */
export const packed = async (name) => (await FILES[name]()).default;
`;
  writeFileSync(join(PACKAGE, 'packed.js'), script);
}

/** The networks, which the reader knows by their hashes. Returns their names. */
function models() {
  mkdirSync(join(PACKAGE, 'models'));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'models/manifest.json'), 'utf8'));
  const networks = [manifest.detector, manifest.refiner, manifest.classifier, manifest.large_classifier];
  return networks.filter(Boolean).map(({ file }) => {
    copyFileSync(join(ROOT, 'models', file), join(PACKAGE, 'models', file));
    return `models/${file}`;
  });
}

const [module, reader] = process.argv.slice(2);
if (!reader) throw new Error('usage: build.mjs MODULE READER');
rmSync(OUT, { recursive: true, force: true });
mkdirSync(PACKAGE, { recursive: true });
for (const name of readdirSync(HERE)) {
  if (/\.(js|d\.ts|json|md)$/.test(name)) copyFileSync(join(HERE, name), join(PACKAGE, name));
}
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(join(ROOT, licence), join(PACKAGE, licence));
copyFileSync(module, join(PACKAGE, 'tilesight.wasm'));
copyFileSync(reader, join(PACKAGE, 'reader.wasm'));
runtime();
await worker();
packAll(['reader.wasm', RUNTIME, WORKER, ...models()]);
types();
execFileSync('npm', ['pack', '--silent', '--pack-destination', OUT], { cwd: PACKAGE, stdio: 'inherit' });
