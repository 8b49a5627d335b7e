/**
 * The result as a picture to send around: drawn tiles, total, fans and payments, and what they
 * assume; without the photo.
 *
 * Drawn on a canvas of fixed width, as high as its content. Always light, so that it looks the same
 * everywhere.
 */
import type { Score } from '../api/types';
import type { Hand, Piece } from '../model/hand';
import { placeSets } from '../model/sets';
import { redOf, UNNAMED } from '../model/tiles';
import { blank, encode, FAINT, fontOf, GREEN, INK, MARGIN, type Pen, RED, rule, text, WIDTH } from './canvas';
import { drawing } from './Tile';
import { lineText, paymentWords, unitOf, worth } from './words';

const LINE = 62;

/** Sizes of a total: a long range leaves room for the rules beside it. */
const TOTAL_SIZES = [132, 112, 92, 84, 76, 70, 64];

const SMALL_SIZE = 30;
const SMALL_LINE = 44;

/** Tiles keep this width unless a row would not fit. */
const TILE = 84;
const GAP = 22;

type Drawings = ReadonlyMap<string, HTMLImageElement>;

/** The lowest and the highest total that are possible. */
export type Totals = readonly [number, number];

/** Content of a picture. */
interface Shown {
  readonly hand: Hand;
  readonly score: Score;
  /** Assumptions of the score, in words. */
  readonly assumed: string;
  readonly totals: Totals;
  /** Names of the parts that the totals do not count yet; empty for nothing. */
  readonly before: string;
  /** Name of the rule set. */
  readonly rules: string;
}

/** The picture of a score; while several totals are possible, nobody is said to pay. */
export async function picture({ hand, score, assumed, totals, before, rules }: Shown): Promise<Blob> {
  const sets = placeSets(hand, score.sets).map(({ pieces }) => pieces.map((piece) => drawnOf(piece, hand)));
  const flowers = hand.flowers.filter(({ face }) => face !== UNNAMED).map((piece) => drawnOf(piece, hand));
  const drawings = await load([...sets.flat(), ...flowers]);
  const rows = breakRows(sets);
  const isOpen = totals[0] !== totals[1];
  const paid = isOpen ? [] : paymentWords(score).lines;
  const tileHeight = (TILE * 4) / 3;
  const top = 250;
  const height =
    top +
    (rows.length + Number(flowers.length > 0)) * (tileHeight + 28) +
    (score.awards.length + paid.length) * LINE +
    230;
  let assumedLines: readonly string[] = [];
  const { canvas, pen } = blank((measuring) => {
    assumedLines = broken(measuring, assumed);
    return height + assumedLines.length * SMALL_LINE;
  });
  head(pen, score, { totals, before, rules });
  let y = top;
  for (const row of rows) y = tiles(pen, drawings, row, y) + 28;
  if (flowers.length > 0) {
    y = tiles(pen, drawings, [flowers], y) + 28;
  }
  y = fans(pen, score, y + 20);
  if (!isOpen) y = payments(pen, score, y + 24);
  for (const line of assumedLines) {
    y += SMALL_LINE;
    text(pen, line, MARGIN, y, fontOf(400, SMALL_SIZE), FAINT);
  }
  return encode(canvas);
}

function head(
  pen: Pen,
  score: Score,
  { totals: [low, high], before, rules }: Pick<Shown, 'totals' | 'before' | 'rules'>,
): void {
  const isOpen = low !== high;
  const total = isOpen ? `${low}–${high}` : `${score.total}`;
  const size = TOTAL_SIZES[Math.min(TOTAL_SIZES.length - 1, Math.max(0, total.length - 5))] ?? 132;
  text(pen, total, MARGIN, 156, fontOf(700, size), score.legal ? GREEN : RED);
  const width = pen.measureText(total).width;
  text(pen, unitOf(score, high), MARGIN + width + 24, 156, fontOf(400, 52), INK);
  const verdict = isOpen ? (score.range?.text ?? '') : (score.verdict ?? '');
  const line = [before, verdict].filter((part) => part !== '').join(' · ');
  text(pen, line, MARGIN, 214, fontOf(400, 32), FAINT);
  pen.textAlign = 'right';
  text(pen, 'Tilesight', WIDTH - MARGIN, 92, fontOf(600, 34), FAINT);
  text(pen, rules, WIDTH - MARGIN, 140, fontOf(600, 34), INK);
  pen.textAlign = 'left';
}

/** A tile as it is drawn. */
interface Drawn {
  readonly code: string;
  /** Whether it won, which a frame around it says. */
  readonly isWinning: boolean;
}

const drawnOf = ({ id, face, red = false }: Piece, { winning }: Hand): Drawn => ({
  code: red ? redOf(face) : face,
  isWinning: id === winning,
});

const widthOf = (set: readonly Drawn[]): number => set.length * TILE;

/**
 * Puts as many sets into each row as fit beside each other. A set is never split across rows, but a
 * hand of singles is.
 */
function breakRows(sets: readonly (readonly Drawn[])[]): (readonly Drawn[])[][] {
  const perRow = Math.floor((WIDTH - 2 * MARGIN) / TILE);
  const short = sets.flatMap((set) =>
    Array.from({ length: Math.ceil(set.length / perRow) }, (_, at) =>
      set.slice(at * perRow, (at + 1) * perRow),
    ),
  );
  const rows: (readonly Drawn[])[][] = [[]];
  let used = 0;
  for (const set of short) {
    const row = rows.at(-1);
    if (row && (row.length === 0 || used + GAP + widthOf(set) <= WIDTH - 2 * MARGIN)) {
      used += (row.length === 0 ? 0 : GAP) + widthOf(set);
      row.push(set);
    } else {
      rows.push([set]);
      used = widthOf(set);
    }
  }
  return rows;
}

function tiles(pen: Pen, drawings: Drawings, row: readonly (readonly Drawn[])[], y: number): number {
  const width = TILE - 4;
  const height = (width * 4) / 3;
  let x = MARGIN;
  for (const set of row) {
    for (const { code, isWinning } of set) {
      const image = drawings.get(code);
      if (image) pen.drawImage(image, x, y, width, height);
      if (isWinning) {
        pen.strokeStyle = GREEN;
        pen.lineWidth = 6;
        pen.strokeRect(x - 3, y - 3, width + 6, height + 6);
      }
      x += TILE;
    }
    x += GAP;
  }
  return y + (TILE * 4) / 3;
}

function fans(pen: Pen, score: Score, from: number): number {
  let y = from;
  rule(pen, y);
  for (const award of score.awards) {
    y += LINE;
    text(pen, lineText(award), MARGIN, y, fontOf(400, 38), INK);
    pen.textAlign = 'right';
    text(pen, worth(award, score), WIDTH - MARGIN, y, fontOf(600, 38), INK);
    pen.textAlign = 'left';
  }
  return y + 24;
}

function payments(pen: Pen, score: Score, from: number): number {
  const { lines, sum } = paymentWords(score);
  if (lines.length === 0) return from;
  let y = from;
  rule(pen, y);
  for (const line of lines) {
    y += LINE;
    text(pen, line, MARGIN, y, fontOf(400, 34), FAINT);
  }
  if (sum) text(pen, sum, MARGIN, y + LINE, fontOf(600, 38), GREEN);
  return y + LINE;
}

/** A sentence in lines that fit; words are not broken, but lists are, after a semicolon. */
function broken(pen: Pen, sentence: string): string[] {
  pen.font = fontOf(400, SMALL_SIZE);
  const parts = sentence.split(/(?<=[;；])/);
  const lines: string[] = [];
  for (const part of parts.filter((one) => one !== '')) {
    const longer = `${lines.at(-1) ?? ''}${part}`.trim();
    const fits = pen.measureText(longer).width <= WIDTH - 2 * MARGIN - 90;
    if (lines.length > 0 && fits) lines[lines.length - 1] = longer;
    else lines.push(part.trim());
  }
  return lines;
}

async function load(shown: readonly Drawn[]): Promise<Drawings> {
  const wanted = [...new Set(shown.map(({ code }) => code))];
  const loaded = wanted.map(async (code) => {
    const image = new Image();
    image.src = drawing(code) ?? '';
    await image.decode();
    return [code, image] as const;
  });
  return new Map(await Promise.all(loaded));
}
