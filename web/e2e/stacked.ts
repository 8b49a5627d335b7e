/** Photos of tables with several hands, put together from samples. */
import { readFile } from 'node:fs/promises';
import type { Page } from './browser';
import { samplePath } from './server';

/** Samples in one picture, one below or beside the other. */
export async function stacked(
  page: Page,
  names: readonly string[],
  place: 'below' | 'beside' = 'below',
): Promise<Buffer> {
  const jpegs = await Promise.all(names.map((name) => readFile(samplePath(name), 'base64')));
  // As text, because lists of bytes take seconds on their way to the page and back.
  const draw = async ({ files, below }: { files: string[]; below: boolean }) => {
    const bytes = (file: string) => Uint8Array.from(atob(file), (one) => one.charCodeAt(0));
    const pictures = await Promise.all(files.map((file) => createImageBitmap(new Blob([bytes(file)]))));
    const canvas = document.createElement('canvas');
    const widths = pictures.map(({ width }) => width);
    const heights = pictures.map(({ height }) => height);
    const sum = (sizes: number[]) => sizes.reduce((one, other) => one + other, 0);
    canvas.width = below ? Math.max(...widths) : sum(widths);
    canvas.height = below ? sum(heights) : Math.max(...heights);
    pictures.forEach((picture, at) => {
      const before = sum((below ? heights : widths).slice(0, at));
      canvas.getContext('2d')?.drawImage(picture, below ? 0 : before, below ? before : 0);
    });
    return canvas.toDataURL('image/jpeg', 0.95);
  };
  const url = await page.evaluate(draw, { files: jpegs, below: place === 'below' });
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
