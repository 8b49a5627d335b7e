/** Drawing of pictures to send around: their measures and colours, always light, and lines of text. */

export const WIDTH = 1080;
export const MARGIN = 64;
export const INK = '#1c2420';
export const FAINT = '#5a655f';
export const GREEN = '#0e5a44';
export const RED = '#a3262a';
const PAPER = '#f4f1ea';

export type Pen = CanvasRenderingContext2D;

/**
 * Returns a font of the page in a weight and a size in pixels. The page has other families in each
 * language, since Han characters have other shapes there, and a canvas does not inherit them.
 */
export function fontOf(weight: number, size: number): string {
  const families = getComputedStyle(document.documentElement).getPropertyValue('--font');
  return `${weight} ${size}px ${families}`;
}

/** An empty picture; `height` measures what will be drawn. */
export function blank(height: (pen: Pen) => number): {
  readonly canvas: HTMLCanvasElement;
  readonly pen: Pen;
} {
  const canvas = document.createElement('canvas');
  // For characters that no family of the page has.
  canvas.lang = document.documentElement.lang;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser can draw no canvas');
  canvas.width = WIDTH;
  canvas.height = height(pen);
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, WIDTH, canvas.height);
  return { canvas, pen };
}

export function rule(pen: Pen, y: number): void {
  pen.fillStyle = '#d8d2c4';
  pen.fillRect(MARGIN, y, WIDTH - 2 * MARGIN, 2);
}

/** Draws text condensed where it would not fit. */
export function text(
  pen: Pen,
  what: string,
  x: number,
  y: number,
  font: string,
  colour: string,
  room = WIDTH - 2 * MARGIN - 90,
): void {
  pen.font = font;
  pen.fillStyle = colour;
  pen.fillText(what, x, y, room);
}

export function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, failed) => {
    canvas.toBlob(
      (blob) => (blob ? done(blob) : failed(new Error('this browser can encode no PNG'))),
      'image/png',
    );
  });
}
