/** Photos of this project's drawn tiles, laid out in rows on green felt. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from './browser';

const TILES = resolve(import.meta.dirname, '../../assets/tiles');

/** Rows of codes, separated by spaces, as a file to choose. Faces are drawn by the page. */
export async function drawn(page: Page, rows: readonly string[], name = 'sheet.jpg') {
  const codes = rows.map((row) => row.split(' '));
  const faces = [...new Set(codes.flat())];
  const read = async (face: string) => [face, await readFile(resolve(TILES, `${face}.svg`), 'utf8')] as const;
  const pictures = Object.fromEntries(await Promise.all(faces.map(read)));
  const jpeg = await page.evaluate(draw, { codes, pictures });
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from(jpeg, 'base64') };
}

interface Drawing {
  readonly codes: readonly (readonly string[])[];
  readonly pictures: Readonly<Record<string, string>>;
}

/** Runs in the page. As text, because lists of bytes take seconds on their way there and back. */
async function draw({ codes, pictures }: Drawing): Promise<string> {
  const width = 84;
  const height = 112;
  const pitch = 90;
  const line = 130;
  const canvas = document.createElement('canvas');
  canvas.width = 140 + pitch * Math.max(...codes.map((row) => row.length));
  canvas.height = 140 + line * codes.length;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  pen.fillStyle = 'rgb(30, 92, 62)';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  for (const [row, faces] of codes.entries()) {
    for (const [column, face] of faces.entries()) {
      const image = new Image(width, height);
      image.src = URL.createObjectURL(new Blob([pictures[face] ?? ''], { type: 'image/svg+xml' }));
      await image.decode();
      pen.drawImage(image, 70 + column * pitch, 60 + row * line, width, height);
      URL.revokeObjectURL(image.src);
    }
  }
  const url = canvas.toDataURL('image/jpeg', 0.95);
  return url.slice(url.indexOf(',') + 1);
}
