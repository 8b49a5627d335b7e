/**
 * The total on a button is the total of the hand after the tap: the page carries an answer out by
 * itself, and the total beside it is the service's. Every sample, every doubt, orders of answering.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, inject, it } from 'vitest';
import type { AnsweredReading, Doubt, Reading } from '../src/api/types';
import { countFlowers, idOf, leftBy, questions, repaired } from '../src/model/doubts';
import { type Hand, kindOf, toDoubtfulDto } from '../src/model/hand';
import { fromReading, suppose } from '../src/model/reading';
import { samplePath } from './server';

/** A photo with flowers that may be another player's. */
const WITH_FLOWERS = '../forms/910038';

async function post<T>(path: string, type: string, body: BodyInit): Promise<T> {
  const url = new URL(path, inject('url'));
  const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json() as Promise<T>;
}

async function read(name: string): Promise<Reading> {
  const photo = readFileSync(samplePath(name));
  return (await post<{ reading: Reading }>('/v1/hands', 'image/jpeg', photo)).reading;
}

interface State {
  readonly hand: Hand;
  readonly answered: AnsweredReading;
}

/** The hand with its score; `null` for tiles that can be no hand, such as a set with a wrong tile. */
async function tried(reading: Reading, hand: Hand): Promise<State | null> {
  return hand.melds.every((meld) => kindOf(meld) !== null) ? scored(reading, hand) : null;
}

async function scored(reading: Reading, hand: Hand): Promise<State> {
  const answers = hand.answered.map(({ doubt, answer }) => ({ doubt, ...(answer && { answer }) }));
  const body = JSON.stringify({ reading, answers, hand: toDoubtfulDto(hand) });
  const answered = await post<AnsweredReading>('/v1/readings/answers', 'application/json', body);
  return { hand: suppose(hand, answered.supposed_winning_tile), answered };
}

/** The totals that are left, as the page shows them above. */
function shown({ answered }: State): readonly [number, number] | null {
  const { score, possible } = answered;
  return score ? [possible?.min ?? score.total, possible?.max ?? score.total] : null;
}

/** Taps every answer of every question after those before; returns how many were tapped. */
async function tapAll(reading: Reading, state: State, depth: number): Promise<number> {
  let taps = 0;
  for (const { doubt, choices } of questions(state.hand, reading, state.answered.doubts)) {
    for (const { reply, hand, left } of choices) {
      if (!hand) continue;
      const after = await tried(reading, hand);
      const what = JSON.stringify([state.hand.answered, idOf(doubt), reply]);
      if (!after) {
        expect(left, what).toBeNull();
        continue;
      }
      expect(shown(after), what).toEqual(left);
      const ids = after.answered.doubts.map(idOf);
      expect(ids, what).not.toContain(idOf(doubt));
      taps += 1 + (depth > 1 ? await tapAll(reading, after, depth - 1) : 0);
    }
  }
  return taps;
}

const samples = readdirSync(dirname(samplePath('demo')))
  .filter((name) => name.endsWith('.jpg'))
  .map((name) => name.replace('.jpg', ''));

it('keeps what every button promises, in any order', async () => {
  let taps = 0;
  for (const name of samples) {
    const reading = await read(name);
    const depth = reading.doubts.length > 3 ? 2 : 3;
    taps += await tapAll(reading, await scored(reading, fromReading(reading)), depth);
  }
  expect(taps).toBeGreaterThan(60);
}, 6_000_000); // Ten times as long as any other test.

const flowerDoubts = (doubts: readonly Doubt[]): Doubt[] => doubts.filter(({ kind }) => kind === 'flower');

it('asks nothing about flowers that a person counted', async () => {
  let found = 0;
  for (const name of [...samples, WITH_FLOWERS]) {
    const reading = await read(name);
    const { hand, answered } = await scored(reading, fromReading(reading));
    found += flowerDoubts(answered.doubts).length;
    for (const by of [-1, 1]) {
      const counted = countFlowers(hand, hand.flowers.length + by, answered.doubts);
      if (counted === hand) continue;
      const after = await scored(reading, counted);
      expect(flowerDoubts(after.answered.doubts), name).toEqual([]);
    }
  }
  expect(found).toBeGreaterThan(0);
});

it('keeps what every repair promises', async () => {
  let taps = 0;
  for (const name of ['900001', '900003', '900012', 'demo']) {
    const reading = await read(name);
    const first = fromReading(reading);
    const [gone, renamed] = first.concealed;
    if (!gone || !renamed) throw new Error(`${name} has no tiles`);
    const face = renamed.face === '9p' ? '1s' : '9p';
    const other = first.concealed.map((piece) => (piece === renamed ? ({ ...piece, face } as const) : piece));
    const fewer = first.concealed.filter((piece) => piece !== gone);
    for (const concealed of [other, fewer]) {
      const hand = { ...first, concealed };
      const { answered } = await scored(reading, hand);
      for (const repair of answered.repairs ?? []) {
        const corrected = repaired(hand, repair);
        expect(corrected, repair.text).not.toBeNull();
        if (!corrected) continue;
        expect(shown(await scored(reading, corrected)), `${name}: ${repair.text}`).toEqual(leftBy(repair));
        taps += 1;
      }
    }
  }
  expect(taps).toBeGreaterThan(4);
});
