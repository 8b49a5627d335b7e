/**
 * The whole test data of every rule set through the package: the totals and fans that the data
 * expects, and every answer as this program's own, which Cargo's tests compare line by line.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { CONSUMER, load, ROOT } from './package.mjs';

const PROGRAM = process.env.TILESIGHT_CORPUS ?? join(ROOT, 'target/debug/examples/corpus');

/** Hands of each rule set. */
const HONG_KONG = { 'hk-old': 371, 'hk-npm': 773, 'hk-tiers': 187, 'hk-pairs': 239 };
const TAIWAN = { 'tw-common': 547, 'tw-shifu': 143, 'tw-star31': 186, 'tw-gamesofa': 190, 'tw-pocket': 149, 'tw-sml': 183 };
const RIICHI = { 'riichi-tenhou': 2115, 'riichi-wrc': 730, 'riichi-mleague': 511, 'riichi-majsoul': 711 };
const ROWS = { 'mcr-wmo': 8637, 'mcr-mil': 8637, mmm: 24, 'classical-dmjl': 1021, ...HONG_KONG, ...TAIWAN, ...RIICHI };

async function* rows(...words) {
  const corpus = spawn(PROGRAM, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve, reject) => corpus.on('error', reject).on('close', resolve));
  for await (const line of createInterface({ input: corpus.stdout })) yield JSON.parse(line);
  assert.equal(await ended, 0, `${PROGRAM} failed`);
}

test('every hand of the test data scores as it should', async () => {
  const tilesight = await load();
  await tilesight.init();
  const numbers = new Map(tilesight.rulesets().rulesets[0].lines.map((line) => [line.code, line.number]));
  const counted = {};
  let ties = 0;
  for await (const { source, request, total, fans, answer } of rows()) {
    const score = tilesight.score(request.hand, request.context);
    const { ruleset } = request.context;
    counted[ruleset] = (counted[ruleset] ?? 0) + 1;
    assert.deepEqual(score, answer, source);
    assert.equal(ruleset === 'mmm' ? score.value : score.total, total, source);
    if (!fans) continue;
    const found = Object.fromEntries(score.awards.map((award) => [numbers.get(award.code), award.count]));
    // Several lists can be worth the same: 342 differ here and natively, and all are among the best.
    if (!isEqual(found, fans)) ties += 1;
  }
  assert.deepEqual(counted, ROWS);
  assert.ok(ties < 400, `${ties} of 16,000 lists of fans differ`);
});

test('hands of sixteen tiles score by the rules of their rows, or are refused', async () => {
  const { Module } = await import(join(CONSUMER, 'node_modules', 'tilesight', 'module.js'));
  const bytes = readFileSync(join(CONSUMER, 'node_modules', 'tilesight', 'tilesight.wasm'));
  const counted = { scored: 0, refused: 0 };
  // The rule sets of all rows are too many for one module.
  for (const part of ['1', '2']) {
    const module = await Module.load(bytes);
    for await (const { profile, source, request, total, answer } of rows('taiwan', part)) {
      if (profile) {
        module.install(profile, 'en');
        continue;
      }
      const found = answerOf(module, request);
      assert.deepEqual(found, answer, source);
      assert.ok(total === null || found.tai === total, source);
      counted[found.status ? 'refused' : 'scored'] += 1;
    }
  }
  // Every tenth hand, or all.
  assert.ok([353, 3053].includes(counted.scored) && counted.refused === 68, JSON.stringify(counted));
});

/** Returns the score of a request, or the problem with it. */
function answerOf(module, request) {
  try {
    return JSON.parse(module.ask('tilesight_score', JSON.stringify(request), 'en'));
  } catch (error) {
    return error.problem;
  }
}

function isEqual(one, other) {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
