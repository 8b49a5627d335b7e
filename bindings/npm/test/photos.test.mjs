/**
 * Photos read by the package in Node. Every committed scene is read by the program too: hands,
 * scores and doubts are equal, probabilities nearly so.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load, ROOT } from './package.mjs';
import { CLOSE, compare, program, scenes } from './scenes.mjs';

const { Reader } = await load();
const progress = [];
const reader = await Reader.create({ onProgress: (step) => progress.push(step) });
after(() => reader.close());

test('every scene is read as by the program', async () => {
  const expected = program(scenes);
  const differing = [];
  for (const [at, path] of scenes.entries()) {
    const answer = await reader.read(readFileSync(path));
    assert.deepEqual(answer.models, expected[at].models);
    const { hand, doubts, apart } = compare(answer, expected[at]);
    if (!hand) differing.push(`${path}: another hand or score`);
    if (!doubts) differing.push(`${path}: other doubts`);
    if (apart > CLOSE) differing.push(`${path}: probabilities are ${apart.toFixed(4)} apart`);
  }
  assert.deepEqual(differing, []);
});

test('progress names the files that are loaded and the stages of a reading', async () => {
  assert.deepEqual(progress.slice(0, 2), [{ loaded: 2, total: 6 }, { loaded: 3, total: 6 }]);
  progress.length = 0;
  await reader.read(new Blob([readFileSync(scenes[0])]));
  const stages = progress.map((step) => step.stage);
  assert.deepEqual(stages.filter((stage) => ['decode', 'detect', 'classify', 'score'].includes(stage)), [
    'decode',
    'detect',
    'classify',
    'score',
  ]);
});

test('a reading takes what a request over HTTP takes', async () => {
  const photo = readFileSync(join(ROOT, 'datasets/samples/demo.jpg'));
  const context = { seat: 'S', win: 'self_drawn' };
  const [full, compact] = await Promise.all([
    reader.read(photo, { context, rulesets: ['mcr-mil', 'mcr-wmo'], lang: 'de' }),
    reader.read(photo, { context, detail: 'compact' }),
  ]);
  assert.deepEqual(full.scores.map((one) => one.ruleset), ['mcr-mil', 'mcr-wmo']);
  const { reading } = await reader.read(photo, { context });
  assert.notEqual(full.reading.score.awards[0].name, reading.score.awards[0].name);
  assert.equal(JSON.stringify(compact.hand).includes('1123456789m222s1m'), true, JSON.stringify(compact.hand));
  assert.ok(JSON.stringify(compact).length < JSON.stringify(full).length / 2);
});

test('answers to doubts change the hand and leave the other doubts', async () => {
  let doubtful;
  for (const path of scenes) {
    const { reading } = await reader.read(readFileSync(path));
    doubtful = reading.doubts.length > 0 ? reading : doubtful;
    if (doubtful) break;
  }
  const [doubt] = doubtful.doubts;
  const given = (answer) => [{ doubt: doubt.id, answer }];
  const rulesets = ['mcr-wmo', 'mcr-mil'];
  const left = await reader.answer(doubtful, given(doubt.alternatives[0].answer), { rulesets });
  assert.deepEqual(left.doubts.filter(({ id }) => id === doubt.id), []);
  assert.deepEqual(left.scores.map(({ ruleset }) => ruleset), rulesets);
  const kept = await reader.answer(doubtful, given(undefined));
  assert.equal(kept.hand.notation, doubtful.hand.notation);
  await assert.rejects(reader.answer(doubtful, given('no answer')), { name: 'Problem', status: 400 });
});

test('several photos of a hand are read as one', async () => {
  const photo = readFileSync(join(ROOT, 'datasets/samples/demo.jpg'));
  const alone = await reader.read(photo);
  const { reading } = await reader.read([photo, new Blob([photo])]);
  assert.equal(reading.photos.length, 2);
  assert.equal(reading.hand.notation, alone.reading.hand.notation);
  const wrong = reader.read([photo, new Uint8Array([1, 2, 3])], { lang: 'de' });
  await assert.rejects(wrong, ({ type, errors }) => /unsupported-media$/.test(type) && errors[0].field === 'photo[1]');
  await assert.rejects(reader.read([]), { type: 'urn:tilesight:problem:malformed-request' });
  await assert.rejects(reader.read(Array(9).fill(photo)), { type: 'urn:tilesight:problem:malformed-request' });
});

test('a photo of each format is read as by the program', async () => {
  const photos = ['datasets/samples/demo.jpg', 'tests/data/stills/source.png', 'crates/tilesight-service/src/openapi/samples/hand.webp', 'datasets/samples/demo.heic', 'datasets/samples/demo.avif'];
  const expected = program(photos.map((path) => join(ROOT, path)));
  for (const [at, path] of photos.entries()) {
    const answer = await reader.read(readFileSync(join(ROOT, path)));
    const { hand, doubts } = compare(answer, expected[at]);
    assert.deepEqual([path, hand, doubts], [path, true, true]);
  }
});

test('every HEIC and AVIF of the test data is decoded', async () => {
  const folder = join(ROOT, 'tests/data/stills');
  const stills = readdirSync(folder).filter((name) => /\.(heic|avif)$/.test(name));
  assert.ok(stills.some((name) => name.endsWith('.avif')));
  for (const name of stills) {
    const jpeg = await reader.preview(readFileSync(join(folder, name)));
    assert.ok(jpeg.size > 1_000, `${name}: ${jpeg.size} bytes`);
  }
});

test('a photo that browsers cannot show becomes a JPEG', async () => {
  const jpeg = await reader.preview(readFileSync(join(ROOT, 'tests/data/stills/turned.heic')));
  assert.equal(jpeg.type, 'image/jpeg');
  assert.deepEqual([...new Uint8Array(await jpeg.slice(0, 3).arrayBuffer())], [0xff, 0xd8, 0xff]);
  await assert.rejects(reader.preview(new Uint8Array([1, 2, 3])), { type: 'urn:tilesight:problem:unsupported-media' });
});

test('an unusable photo or request is a typed problem', async () => {
  const photo = readFileSync(scenes[0]);
  const cases = [
    [new Uint8Array(), {}, 'unsupported-media'],
    [new Blob(['not a picture']), {}, 'unsupported-media'],
    [photo.subarray(0, 500), {}, 'unreadable-image'],
    [photo, { context: { sheat: 'S' } }, 'malformed-request'],
    [photo, { context: { win: 'self_drawn', from: 'left' } }, 'invalid-context'],
    [photo, { rulesets: [] }, 'malformed-request'],
    [photo, { focus: { x: 90_000, y: 1 } }, 'invalid-context'],
  ];
  for (const [given, options, type] of cases) {
    await assert.rejects(reader.read(given, options), { name: 'Problem', type: `urn:tilesight:problem:${type}` });
  }
  await assert.rejects(reader.read('photo.jpg'), TypeError);
  const { reading } = await reader.read(photo);
  assert.ok(reading.hand, 'the reader goes on');
});

test('a reader scores by a rule set of one’s own', async () => {
  await reader.install('id = "club"\nextends = "mcr-wmo"\ntitle = "Club"\n');
  const photo = readFileSync(join(ROOT, 'datasets/samples/demo.jpg'));
  const { reading } = await reader.read(photo, { context: { ruleset: 'club' } });
  assert.deepEqual([reading.score.ruleset, reading.score.total], ['club', 20]);
  await assert.rejects(reader.install('id = "club"\nextends = "mcr-wmo"\n'), /club/);
});

test('an option that a function does not have is refused by its name', async () => {
  const photo = readFileSync(scenes[0]);
  const refused = (name) => ({ name: 'TypeError', message: new RegExp(`"${name}" is unknown: expected one of .*lang`) });
  for (const ask of [
    (options) => reader.read(photo, options),
    (options) => reader.answer({ hand: {}, doubts: [] }, [], options),
    (options) => reader.preview(photo, options),
    (options) => reader.sheet(photo, options),
    (options) => reader.learnSet('Home', [{ photo }], options),
    (options) => reader.showSet(photo, options),
    (options) => reader.mergeSets([photo], options),
    async (options) => reader.watch(options),
  ]) {
    await assert.rejects(ask({ seat: 'S' }), refused('seat'));
    await assert.rejects(ask('de'), { name: 'TypeError', message: /have to be an object/ });
  }
  await assert.rejects(reader.read(photo, { pixels: [1, 1] }), refused('pixels'));
  await assert.rejects(reader.read(photo, { ruleset: ['mmm'] }), /did you mean rulesets\?$/);
  await assert.rejects(reader.read(photo, { seat: 'S' }), /what is known of the win goes into `context`/);
  await assert.rejects(reader.learnSet('Home', [{ photo, name: [] }]), /"name" is unknown: expected one of photo, names/);
  await assert.rejects(Reader.create({ model: '.' }), /"model" is unknown: expected one of models, onProgress, startWorker; did you mean models\?/);
});

test('networks of another version are refused', async () => {
  const networks = ['detector.onnx', 'refiner.onnx', 'classifier.onnx', 'large-classifier.onnx'];
  const models = Object.fromEntries(networks.map((name) => [name, readFileSync(join(ROOT, 'models', name))]));
  const given = await Reader.create({ models });
  assert.ok((await given.read(readFileSync(scenes[0]))).reading.hand);
  const wrong = { ...models, 'refiner.onnx': models['detector.onnx'] };
  await assert.rejects(Reader.create({ models: wrong }), /refiner\.onnx is not the file that the manifest/);
  await assert.rejects(Reader.create({ models: {} }), /the models have no detector\.onnx/);
});
