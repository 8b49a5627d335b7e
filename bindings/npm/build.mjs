/**
 * Packs the npm package: `make npm` runs it.
 *
 *     node bindings/npm/build.mjs MODULE READER
 *
 * Input: the two compiled modules, without and with the pipeline, the files beside this one, ONNX
 * Runtime out of onnxruntime-web, the networks, and the OpenAPI document, whose schemas become the
 * types of the contract. Output: `out/npm/package`, which can be imported as it is, and
 * `out/npm/tilesight-VERSION.tgz`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const OUT = join(ROOT, 'out', 'npm');
const PACKAGE = join(OUT, 'package');

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

/** ONNX Runtime for processors: its module, and what emscripten starts it with. */
function runtime() {
  const from = join(ROOT, 'web/node_modules/onnxruntime-web');
  const { version, license } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  for (const end of ['mjs', 'wasm']) {
    const name = `ort-wasm-simd-threaded.${end}`;
    copyFileSync(join(from, 'dist', name), join(PACKAGE, name));
  }
  const notice = `ort-wasm-simd-threaded.* is ONNX Runtime for WebAssembly, from onnxruntime-web ${version}, under the ${license} licence.`;
  writeFileSync(join(PACKAGE, 'LICENSE-ONNXRUNTIME'), `${notice}\n\n${readFileSync(join(HERE, 'onnxruntime-licence.txt'), 'utf8')}`);
}

/** The networks, which the reader knows by their hashes. */
function models() {
  mkdirSync(join(PACKAGE, 'models'));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'models/manifest.json'), 'utf8'));
  const networks = [manifest.detector, manifest.refiner, manifest.classifier, manifest.large_classifier];
  for (const { file } of networks.filter(Boolean)) {
    copyFileSync(join(ROOT, 'models', file), join(PACKAGE, 'models', file));
  }
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
models();
types();
execFileSync('npm', ['pack', '--silent', '--pack-destination', OUT], { cwd: PACKAGE, stdio: 'inherit' });
