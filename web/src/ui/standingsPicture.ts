/** The standings as a picture to send around. */
import { blank, encode, FAINT, fontOf, GREEN, INK, MARGIN, rule, text, WIDTH } from './canvas';

interface Line {
  readonly place: number;
  readonly name: string;
  readonly points: string;
  /** The result with the bonus of the place; empty where there is none. */
  readonly beside: string;
}

interface Shown {
  readonly title: string;
  /** The rules, and how much was played. */
  readonly about: string;
  /** The players, the first at the top. */
  readonly lines: readonly Line[];
}

const HEAD = 240;
const LINE = 130;

export function picture({ title, about, lines }: Shown): Promise<Blob> {
  const { canvas, pen } = blank(() => HEAD + lines.length * LINE + 40);
  text(pen, title, MARGIN, 120, fontOf(700, 68), INK, WIDTH - 2 * MARGIN - 220);
  text(pen, about, MARGIN, 186, fontOf(400, 34), FAINT, WIDTH - 2 * MARGIN);
  pen.textAlign = 'right';
  text(pen, 'Tilesight', WIDTH - MARGIN, 92, fontOf(600, 34), FAINT);
  lines.forEach(({ place, name, points, beside }, at) => {
    const y = HEAD + at * LINE;
    const isFirst = place === 1;
    rule(pen, y - 20);
    pen.textAlign = 'left';
    text(pen, `${place}`, MARGIN, y + 66, fontOf(700, 56), isFirst ? GREEN : FAINT);
    text(pen, name, MARGIN + 80, y + 66, fontOf(600, 50), INK, 480);
    pen.textAlign = 'right';
    text(pen, points, WIDTH - MARGIN, y + (beside ? 52 : 66), fontOf(700, 54), isFirst ? GREEN : INK, 340);
    if (beside) text(pen, beside, WIDTH - MARGIN, y + 94, fontOf(400, 32), FAINT, 340);
  });
  return encode(canvas);
}
