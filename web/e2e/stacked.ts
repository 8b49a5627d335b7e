/** Photos of tables with several hands, put together from samples. */
import { readFile } from 'node:fs/promises';
import type { Page } from './browser';
import { samplePath } from './server';

/** Samples in one picture, one below the other. */
export async function stacked(page: Page, names: readonly string[]): Promise<Buffer> {
  const jpegs = await Promise.all(names.map((name) => readFile(samplePath(name), 'base64')));
  // As text, because lists of bytes take seconds on their way to the page and back.
  const url = await page.evaluate(async (files: string[]) => {
    const bytes = (file: string) => Uint8Array.from(atob(file), (one) => one.charCodeAt(0));
    const pictures = await Promise.all(files.map((file) => createImageBitmap(new Blob([bytes(file)]))));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(...pictures.map(({ width }) => width));
    canvas.height = pictures.reduce((sum, { height }) => sum + height, 0);
    let y = 0;
    for (const picture of pictures) {
      canvas.getContext('2d')?.drawImage(picture, 0, y);
      y += picture.height;
    }
    return canvas.toDataURL('image/jpeg', 0.95);
  }, jpegs);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
