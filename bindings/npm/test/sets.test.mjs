/** Own sets: the sheet of this program's drawn tiles is learned, shown, merged and read with. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load, ROOT } from './package.mjs';

const { Reader } = await load();
const reader = await Reader.create();
after(() => reader.close());

const SHEET = readFileSync(join(ROOT, 'docs/tiles.png'));
const DEMO = readFileSync(join(ROOT, 'datasets/samples/demo.jpg'));

/** Names in the rows of the sheet. The red five at the end of each suit is left out. */
const NAMES = [
  ...['m', 'p', 's'].map((suit) => [...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => `${rank}${suit}`), null]),
  ['E', 'S', 'W', 'N', 'C', 'F', 'P', 'back'],
  ['f1', 'f2', 'f3', 'f4', 's1', 's2', 's3', 's4'],
];
const NAMED = NAMES.flat().filter(Boolean);
const home = await reader.learnSet('Home', [{ photo: SHEET, names: NAMES }]);
const malformed = { name: 'Problem', type: 'urn:tilesight:problem:malformed-request' };

test('the tiles of a sheet are found row by row, with names and outlines', async () => {
  const { rows } = await reader.sheet(new Blob([SHEET]));
  assert.deepEqual(
    rows.map((row) => row.length),
    NAMES.map((row) => row.length),
  );
  const [first] = rows[0];
  assert.deepEqual([first.name, first.seen, first.sure, first.polygon.length], ['1m', '1m', true, 4]);
  const proposed = rows.map((row) => row.map(({ name }) => name));
  const wrong = rows.flatMap((row, at) => row.filter(({ name, sure }, place) => sure && NAMES[at][place] && name !== NAMES[at][place]));
  assert.deepEqual(wrong, [], JSON.stringify(proposed));
  await assert.rejects(reader.sheet(new Uint8Array([1])), {
    type: 'urn:tilesight:problem:unsupported-media',
  });
});

test('a set knows the faces that were named', async () => {
  assert.ok(home.length < 150_000, `${home.length} bytes`);
  const content = await reader.showSet(home);
  assert.deepEqual(content.faces.map(({ face }) => face).sort(), [...NAMED].sort());
  assert.deepEqual([content.name, content.missing, content.faces[0].tiles], ['Home', [], 1]);
  assert.equal(content.picture.type, 'image/jpeg');
  assert.deepEqual([...new Uint8Array(await content.picture.slice(0, 3).arrayBuffer())], [0xff, 0xd8, 0xff]);
});

test('a photo is read with the set that explains it, and with none where none does', async () => {
  const own = await reader.read(SHEET, { sets: [home], set: 'auto' });
  const { id } = await reader.showSet(home);
  const { asked, used, id: usedId, fit } = own.reading.set;
  assert.deepEqual([asked, used, usedId], ['auto', 'Home', id]);
  assert.ok(fit > 0.9 && fit <= 1, String(fit));
  const other = await reader.read(DEMO, { sets: [new Blob([home])], set: 'Home' });
  assert.equal(other.reading.set.asked, 'Home');
  assert.equal(other.reading.hand.notation, '1123456789m222s1m');
  assert.equal((await reader.read(DEMO, { sets: [home] })).reading.set, undefined);
  await assert.rejects(
    reader.read(DEMO, { sets: [home], set: 'Club' }),
    ({ name, detail }) => name === 'Problem' && /`Club`.*`Home`/.test(detail),
  );
});

test('a camera names the tiles of each frame with the set that it began with', async () => {
  const pixels = { width: 40, height: 30, data: new Uint8Array(40 * 30 * 4) };
  const camera = reader.watch({ sets: [home], set: 'Home' });
  for (let at = 0; at < 2; at += 1) {
    const { answer } = await camera.see(pixels);
    assert.equal(answer.reading.set.asked, 'Home');
  }
  await camera.end();
  assert.equal((await camera.see(pixels)).answer.reading.set.asked, 'Home');
  assert.equal((await reader.watch().see(pixels)).answer.reading.set, undefined);
  await assert.rejects(
    reader.watch({ sets: [home], set: 'Club' }).see(pixels),
    ({ name, detail }) => name === 'Problem' && /`Club`.*`Home`/.test(detail),
  );
  await assert.rejects(reader.watch({ sets: [Buffer.from('a diary')], set: 'auto' }).see(pixels), malformed);
});

test('sets are merged, and several sheets are learned as one', async () => {
  const club = await reader.showSet(await reader.mergeSets([home, home], { name: 'Club' }));
  assert.deepEqual([club.name, club.faces.length, club.faces[0].tiles], ['Club', NAMED.length, 2]);
  const copy = await reader.mergeSets([new Blob([home])]);
  assert.deepEqual(copy, home);
  const one = NAMES.map((row, at) => row.map((name) => (at === 0 ? name : null)));
  const other = NAMES.map((row, at) => row.map((name) => (at === 3 ? name : null)));
  const both = await reader.learnSet('Both', [
    { photo: SHEET, names: one },
    { photo: SHEET, names: other },
  ]);
  const { faces, missing } = await reader.showSet(both);
  assert.equal(faces.length, 9 + 8);
  assert.deepEqual(missing.slice(0, 2), ['1p', '2p']);
  await assert.rejects(reader.mergeSets([home], { name: 'auto' }), { ...malformed, message: /auto/ });
  await assert.rejects(reader.mergeSets([]), malformed);
});

test('names that are not those of the sheet, and files that are no set, are refused with the reason', async () => {
  const named = (names) => reader.learnSet('Home', [{ photo: SHEET, names }]);
  await assert.rejects(named([['1m']]), { ...malformed, message: /1 row.* 5/ });
  await assert.rejects(named(NAMES.map((row) => row.map(() => '0x'))), { ...malformed, message: /0x/ });
  await assert.rejects(reader.learnSet(' Home', [{ photo: SHEET }]), malformed);
  const text = new TextDecoder().decode(home);
  const hostile = [
    [new Uint8Array(), /./],
    [SHEET, /./],
    [new TextEncoder().encode(text.slice(0, 9_000)), /./],
    [new TextEncoder().encode(text.replace('"version":1', '"version":7')), /7/],
    [new TextEncoder().encode(text.replace('"spread":', '"spread":1e999,"x":')), /./],
    [new TextEncoder().encode(text.replace(/"classifier":"./, '"classifier":"/')), /classifier/],
    [new Uint8Array(200_000).fill(0x20), /200.?000/],
  ];
  for (const [file, reason] of hostile) {
    for (const ask of [
      () => reader.showSet(file),
      () => reader.mergeSets([home, file]),
      () => reader.read(DEMO, { sets: [file], set: 'auto' }),
    ]) {
      await assert.rejects(ask(), { ...malformed, message: reason });
    }
  }
  await assert.rejects(reader.showSet('home.set'), TypeError);
});
