/**
 * All committed scenes as the program reads them, and how far another reading is from that.
 *
 * Output: the photos' paths; the program's answers; what differs in a reading. Tests and
 * `make bench-browser` share it.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ROOT } from './package.mjs';

export const PROGRAM = process.env.TILESIGHT_PROGRAM ?? join(ROOT, 'target/debug/tilesight');

/** Maximum difference between two probabilities that count as equal. Measured: 0.0001. */
export const CLOSE = 0.01;

const PROBABILITIES = ['probability', 'tiles_probability', 'score_probability'];

/** Samples, forms and games. */
export const scenes = ['samples', 'forms', 'games'].flatMap((folder) => {
  const path = join(ROOT, 'datasets', folder);
  return readdirSync(path)
    .filter((name) => name.endsWith('.jpg'))
    .map((name) => join(path, name));
});

/** Returns the program's answers to photos, one for each. */
export function program(photos) {
  const lines = execFileSync(PROGRAM, ['read', '--json', ...photos], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const answers = lines.trim().split('\n').map((line) => JSON.parse(line));
  if (answers.length !== photos.length) throw new Error(`the program read ${answers.length} of ${photos.length} photos`);
  return answers;
}

/** Returns the parts of an answer that are about the hand, without the other tiles of the photo. */
const said = ({ reading: { status, hand, score, no_score }, image }) => ({ status, hand, score, no_score, image });

/** The doubts of an answer, with what each of their answers would score. */
const doubtsOf = ({ reading }) => reading.doubts.map(({ kind, alternatives }) => [kind, alternatives.map(({ answer, total }) => [answer, total])]);

/** Compares two answers to a photo: the parts that are equal, the distance of the probabilities. */
export function compare(one, other) {
  const apart = PROBABILITIES.map((name) => Math.abs(one.reading[name] - other.reading[name]));
  return {
    hand: isDeepStrictEqual(said(one), said(other)),
    doubts: isDeepStrictEqual(doubtsOf(one), doubtsOf(other)),
    apart: Math.max(...apart),
  };
}
