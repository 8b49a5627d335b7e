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

/** How far probabilities may be apart. Measured: 0.0001. */
export const CLOSE = 0.01;

const PROBABILITIES = ['probability', 'tiles_probability', 'score_probability'];

/** Samples, forms and games. */
export const scenes = ['samples', 'forms', 'games'].flatMap((folder) => {
  const path = join(ROOT, 'datasets', folder);
  return readdirSync(path)
    .filter((name) => name.endsWith('.jpg'))
    .map((name) => join(path, name));
});

/** What the program says of photos. */
export function program(photos) {
  const lines = execFileSync(PROGRAM, ['read', '--json', ...photos], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const answers = lines.trim().split('\n').map((line) => JSON.parse(line));
  if (answers.length !== photos.length) throw new Error(`the program read ${answers.length} of ${photos.length} photos`);
  return answers;
}

/** What an answer says of the hand, without what was only seen. */
const said = ({ reading: { status, hand, score, no_score }, image }) => ({ status, hand, score, no_score, image });

/** The doubts of an answer, with what each of their answers would score. */
const doubtsOf = ({ reading }) => reading.doubts.map(({ kind, alternatives }) => [kind, alternatives.map(({ answer, total }) => [answer, total])]);

/** Which parts of two answers to a photo are equal, and how far their probabilities are apart. */
export function compare(one, other) {
  const apart = PROBABILITIES.map((name) => Math.abs(one.reading[name] - other.reading[name]));
  return {
    hand: isDeepStrictEqual(said(one), said(other)),
    doubts: isDeepStrictEqual(doubtsOf(one), doubtsOf(other)),
    apart: Math.max(...apart),
  };
}
