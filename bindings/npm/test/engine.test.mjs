/** The package in Node: what each function answers, and what is wrong as a typed problem. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONSUMER, load } from './package.mjs';

const tilesight = await load();
const HAND = '[EEE,2]123m456p789s5s5s|SE1000';

test('calls fail before the module is loaded', async () => {
  assert.throws(() => tilesight.score(HAND), /await init\(\) first/);
  await tilesight.init();
  await tilesight.init();
  assert.equal(tilesight.score(HAND).total, 12);
});

test('a hand may be text or an object, with its context', () => {
  const { hand, context, notation } = tilesight.parse(HAND);
  assert.deepEqual(tilesight.score(hand, context), tilesight.score(HAND));
  assert.equal(tilesight.parse(hand, context).notation, notation);
  const unseated = tilesight.score('123456789m11pFFF', { win: 'self_drawn' });
  assert.ok(unseated.assumed.includes('seat'), unseated.assumed.join());
  assert.equal(tilesight.parse('11m').hand.concealed.length, 2);
  const { possible } = tilesight.parse('[CCC,1]2223334455s+4s', { seat: 'S' });
  assert.deepEqual(possible.completes, ['234s', '345s', '444s']);
  assert.deepEqual(possible.win, ['self_drawn', 'discard', 'robbed_kong']);
  assert.deepEqual(possible.declared, ['original_call', 'dangerous_game', 'ready']);
  assert.deepEqual([possible.feeder, tilesight.parse('11m').possible.completes], [[], []]);
});

test('rule sets are scored side by side', () => {
  const ids = tilesight.rulesets().rulesets.map((one) => one.id);
  assert.deepEqual(ids.slice(0, 2), ['mcr-wmo', 'mcr-mil']);
  const scores = tilesight.scores('1133557799m22p5s5s', ids, { win: 'self_drawn' });
  assert.deepEqual(scores.map((one) => one.ruleset), ids);
  assert.ok(scores[0].score.total > scores[1].score.total);
  const heaven = tilesight.scores(HAND, ['mcr-wmo', 'classical-dmjl'], { declared: ['heaven'] });
  assert.equal(heaven[0].problem, null);
  assert.equal(heaven[1].problem.errors[0].field, 'context.declared');
});

test('a rule set of one’s own is scored by, and refused where it can not be', () => {
  const profile = 'id = "thursdays"\nextends = "hk-old"\ntitle = "Thursdays"\n[options]\nminimum = 1\n';
  const few = '[222m,2]123m456p789s1p1p';
  const legal = (ruleset) => tilesight.score(few, { ruleset }).legal;
  assert.throws(() => legal('thursdays'), ({ type }) => /problem/.test(type));
  tilesight.install(profile);
  assert.deepEqual([legal('hk-old'), legal('thursdays')], [false, true]);
  assert.equal(tilesight.rulesets().rulesets.at(-1).name, 'Thursdays');
  assert.throws(() => tilesight.install(profile), /thursdays/);
  assert.throws(() => tilesight.install('id = "club"\nextends = "hk-old"\n[options]\nminimum = 99\n'), /line 4: .*13 faan/);
  const evening = tilesight.Evening.begin({ players: ['A', 'B', 'C', 'D'], ruleset: 'thursdays' });
  assert.equal(evening.view().ruleset, 'thursdays');
});

test('the hands of a whole table are settled', () => {
  const others = [{ seat: 'S', hand: '[FFF,1]11m' }];
  const context = { ruleset: 'classical-dmjl', declared: ['dangerous_game'], from: 'across' };
  const score = tilesight.score('[CCC,1][234m][567p]67s99p+8s', context, { others });
  assert.deepEqual(score.payments, { E: 288, S: 0, W: -288, N: 0 });
});

test('riichi has han, fu with their parts, and a table of values', () => {
  const context = { ruleset: 'riichi-tenhou', win: 'self_drawn', riichi: 'riichi', dora_indicators: ['4m'], honba: 1 };
  const score = tilesight.score('123m406p789s55m34s5s', { ...context, riichi_sticks: 2 });
  assert.deepEqual([score.han, score.fu, score.limit, score.total, score.sticks], [6, 20, 'haneman', 18300, 2000]);
  assert.equal(score.fu_parts.reduce((sum, { fu }) => sum + fu, 0), score.fu);
  assert.deepEqual(score.payments, { E: 18300, S: -6100, W: -6100, N: -6100 });
  assert.equal(tilesight.score('[123m,1]456p789s55m34s5s', { ruleset: 'riichi-tenhou' }).legal, false);
  const { rulesets } = tilesight.rulesets();
  const table = rulesets.find(({ id }) => id === 'riichi-tenhou').value_table;
  assert.equal(table.find(({ han, fu }) => han === 3 && fu === 30).discard, 3900);
  assert.equal(rulesets[0].value_table, undefined);
});

test('an evening of riichi has sticks, counters and ready players', () => {
  const evening = tilesight.Evening.begin({ players: ['Ada', 'Ben', 'Cy', 'Di'], ruleset: 'riichi-tenhou' });
  evening.change({ kind: 'add', play: { kind: 'riichi', player: 1 } });
  const { totals, next } = evening.change({ kind: 'add', play: { kind: 'exhaustive_draw', tenpai: [0, 1] } });
  assert.deepEqual(totals, [1500, 500, -1500, -1500]);
  assert.deepEqual([next.honba, next.riichi_sticks, next.seats[0]], [1, 1, 0]);
  const faan = tilesight.Evening.begin({ players: ['Ada', 'Ben', 'Cy', 'Di'], ruleset: 'hk-old' });
  const won = faan.change({ kind: 'add', play: { kind: 'points', winner: 0, discarder: 3, points: 4 } });
  assert.deepEqual(won.totals, [64, -16, -16, -32]);
});

test('an evening of riichi fills in the riichi of a stick and refuses what can not follow it', () => {
  const evening = tilesight.Evening.begin({ players: ['Ada', 'Ben', 'Cy', 'Di'], ruleset: 'riichi-tenhou' });
  const add = (play) => evening.change({ kind: 'add', play });
  const { next } = add({ kind: 'riichi', player: 1 });
  assert.deepEqual([next.declared, next.may_declare], [[1], [0, 2, 3]]);
  const hand = '234m456p789s55m34s+5s';
  const refused = [
    [{ kind: 'riichi', player: 1 }, 'player', /Ben laid a stick/],
    [{ kind: 'exhaustive_draw', tenpai: [0] }, 'tenpai', /has to be ready/],
    [{ kind: 'win', winner: 1, discarder: 0, hand: '[222s,1]456p777s55m34s+5s' }, 'hand', /called sets/],
    [{ kind: 'win', winner: 1, discarder: 0, hand, context: { riichi: 'no' } }, 'context.riichi', /leave riichi out/],
    [{ kind: 'points', winner: 1, discarder: 0, points: 8001 }, 'points', /8000, 12000/],
  ];
  for (const [play, field, reason] of refused) {
    assert.throws(() => add(play), (error) => error.errors[0].field === field && reason.test(error.message), field);
  }
  const { rows, totals } = add({ kind: 'win', winner: 1, discarder: 0, hand });
  assert.equal(rows[1].riichi_by_stick, true);
  assert.deepEqual([rows[1].score.han, rows[1].score.fu, rows[1].score.sticks], [2, 30, 1000]);
  assert.deepEqual(totals, [-2000, 2000, 0, 0]);
  evening.change({ kind: 'finish' });
  assert.throws(() => add({ kind: 'riichi', player: 0 }), { type: 'urn:tilesight:problem:game-over' });
  const faan = tilesight.Evening.begin({ players: ['Ada', 'Ben', 'Cy', 'Di'], ruleset: 'hk-old' });
  const stick = () => faan.change({ kind: 'add', play: { kind: 'riichi', player: 1 } }, { lang: 'de' });
  assert.throws(stick, /diese Regeln haben kein Riichi/);
});

test('names come in every language', () => {
  const names = ['en', 'de', 'da', 'sv', 'zh', 'zh-Hant', 'ja'].map((lang) => tilesight.score(HAND, {}, { lang }).awards[0].name);
  assert.equal(new Set(names).size, 6, names.join());
  assert.throws(() => tilesight.score(HAND, {}, { lang: 'fr' }), /unknown: expected one of en, de/);
});

test('an unusable hand is a typed problem', () => {
  const problem = (ask) => {
    try {
      return assert.fail(JSON.stringify(ask()));
    } catch (error) {
      assert.ok(error instanceof tilesight.Problem && error instanceof Error, error);
      assert.equal(error.message, error.problem.detail);
      return error;
    }
  };
  const cases = [
    [() => tilesight.score('11m22x'), 'unreadable-notation', 422, 'hand'],
    [() => tilesight.score(HAND, { sheat: 'S' }), 'malformed-request', 400, 'context.sheat'],
    [() => tilesight.score(HAND, { seat: 'W' }), 'invalid-context', 422, 'context.seat'],
    [() => tilesight.score({ concealed: Array(13).fill('5s') }), 'invalid-hand', 422, 'hand.concealed'],
    [() => tilesight.score('123m456p789s1122z3z'), 'not-a-win', 422, undefined],
    [() => tilesight.score(undefined), 'malformed-request', 400, undefined],
    [() => tilesight.score('1'.repeat(70_000)), 'too-large', 413, undefined],
    [() => tilesight.scores(HAND, []), 'malformed-request', 400, 'rulesets'],
  ];
  for (const [ask, type, status, field] of cases) {
    const error = problem(ask);
    assert.deepEqual([error.type, error.status], [`urn:tilesight:problem:${type}`, status]);
    assert.ok(field === undefined || error.errors.some((one) => one.field === field), JSON.stringify(error));
  }
  const german = problem(() => tilesight.score(HAND, { seat: 'W' }, { lang: 'de' }));
  assert.notEqual(german.title, problem(() => tilesight.score(HAND, { seat: 'W' })).title);
});

test('an option that a function does not have is refused by its name', () => {
  const evening = tilesight.Evening.begin({ players: ['Ada', 'Ben', 'Cy', 'Di'], ruleset: 'mcr-wmo' });
  const game = { players: ['Ada', 'Ben', 'Cy', 'Di'], ruleset: 'mcr-wmo' };
  for (const ask of [
    (options) => tilesight.score(HAND, {}, options),
    (options) => tilesight.scores(HAND, ['mcr-wmo'], {}, options),
    (options) => tilesight.rulesets(options),
    (options) => tilesight.parse(HAND, {}, options),
    (options) => tilesight.Evening.begin(game, options),
    (options) => tilesight.Evening.open(evening.toJSON(), options),
    (options) => evening.change({ kind: 'finish' }, options),
    (options) => evening.view(options),
    (options) => evening.csv(options),
  ]) {
    assert.throws(() => ask({ seat: 'S' }), { name: 'TypeError', message: /"seat" is unknown: expected one of .*lang$/ });
    assert.throws(() => ask({ lnag: 'de' }), { name: 'TypeError', message: /"lnag" is unknown: .*; did you mean lang\?$/ });
    assert.throws(() => ask('de'), { name: 'TypeError', message: /have to be an object/ });
  }
  assert.equal(evening.view().state, 'running');
});

test('an evening is played, corrected, stored and opened again', () => {
  const evening = tilesight.Evening.begin({ players: ['Ada', 'Ben', 'Cy', 'Di'], ruleset: 'mcr-wmo' });
  const win = { kind: 'win', winner: 1, discarder: 0, hand: '123456789m11pFFF', context: {} };
  const at = new Date(Date.UTC(2026, 0, 2));
  const first = evening.change({ kind: 'add', play: win }, { by: 'Ada', at });
  assert.equal(first.history[0].at, at.getTime());
  assert.ok(first.totals[1] > 0 && first.totals.reduce((sum, one) => sum + one) === 0);
  const again = tilesight.Evening.open(JSON.parse(JSON.stringify(evening)));
  assert.deepEqual(again.view(), evening.view());
  assert.match(again.csv(), /Ada/);
  assert.deepEqual(again.change({ kind: 'undo', change: 1 }).totals, [0, 0, 0, 0]);
  again.change({ kind: 'finish' });
  const over = () => again.change({ kind: 'add', play: { kind: 'draw' } });
  assert.throws(over, { type: 'urn:tilesight:problem:game-over', status: 409 });
  assert.equal(again.view().state, 'finished');
  assert.throws(() => tilesight.Evening.open({ players: [] }), { type: 'urn:tilesight:problem:malformed-request' });
});

test('names that people can’t tell apart are refused, at the start and in a new name', () => {
  const evening = tilesight.Evening.begin({ players: ['Ada', 'Ben', 'Cy', 'Di'], ruleset: 'mcr-wmo' });
  for (const players of [
    ['a', 'A', 'C', 'D'],
    ['Åse', 'Ben', 'A\u030aSE', 'Di'],
    ['Ada', 'Ben', 'Ada\u200d', 'Di'],
    ['Ada', '\u3164', 'Cy', 'Di'],
  ]) {
    const refused = { type: 'urn:tilesight:problem:invalid-entry', status: 422 };
    assert.throws(() => tilesight.Evening.begin({ players, ruleset: 'mcr-wmo' }), refused);
    assert.throws(() => evening.change({ kind: 'rename', title: '', players }), refused);
    // One that was stored before still opens.
    const old = tilesight.Evening.open({ ...evening.toJSON(), players });
    assert.deepEqual(old.view().players, players);
  }
});

/** A module whose one function ends in a trap when it is called for the first time. */
const TRAP = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 10, 2, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 0, 1, 0x7f], // types: (i32) -> i32, () -> i32
  ...[3, 4, 3, 0, 1, 0], // three functions
  ...[5, 3, 1, 0, 1], // a page of memory
  ...[7, 59, 4, 6, ...Buffer.from('memory'), 2, 0, 15, ...Buffer.from('tilesight_input'), 0, 0],
  ...[16, ...Buffer.from('tilesight_output'), 0, 1, 9, ...Buffer.from('tilesight'), 0, 2],
  ...[10, 15, 3, 4, 0, 0x41, 8, 0x0b, 4, 0, 0x41, 8, 0x0b, 3, 0, 0, 0x0b],
]);

test('a module that fails is a problem, and another one is started', async () => {
  const { Module } = await import(join(CONSUMER, 'node_modules', 'tilesight', 'module.js'));
  const trap = await Module.load(TRAP);
  const internal = { name: 'Problem', type: 'urn:tilesight:problem:internal', status: 500 };
  assert.throws(() => trap.ask('tilesight', 'x', 'en'), internal);
  assert.throws(() => trap.ask('tilesight', 'x', 'en'), internal);
});

test('a module says why it failed', async () => {
  const { Module } = await import(join(CONSUMER, 'node_modules', 'tilesight', 'module.js'));
  const bytes = readFileSync(join(CONSUMER, 'node_modules', 'tilesight', 'tilesight.wasm'));
  const module = await Module.load(bytes);
  module.install('id = "club"\nextends = "mcr-wmo"\n', 'en');
  // No request has a negative size.
  const impossible = { length: -1 };
  assert.throws(() => module.bytes('tilesight_hand', impossible, 'en'), { name: 'Problem', message: /^the program failed: capacity overflow \(/ });
  // The one that takes its place has the rule sets that were added.
  const request = { hand: HAND, context: { ruleset: 'club' } };
  assert.equal(JSON.parse(module.ask('tilesight_score', JSON.stringify(request), 'en')).total, 12);
});

test('the module is loaded from bytes and from a compiled module too', async () => {
  const { Module } = await import(join(CONSUMER, 'node_modules', 'tilesight', 'module.js'));
  const bytes = readFileSync(join(CONSUMER, 'node_modules', 'tilesight', 'tilesight.wasm'));
  for (const source of [bytes, new WebAssembly.Module(bytes), new Response(bytes)]) {
    const module = await Module.load(source);
    assert.equal(JSON.parse(module.ask('tilesight_score', JSON.stringify({ hand: HAND }), 'en')).total, 12);
  }
  await assert.rejects(Module.load(new Response('', { status: 404 })), /status 404/);
});
