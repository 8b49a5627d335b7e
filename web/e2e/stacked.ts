/** Photos of tables with several hands, put together from samples. */
import { readFile } from 'node:fs/promises';
import type { Page } from './browser';
import { samplePath } from './server';

/** Samples in one picture, one below the other. */
export async function stacked(page: Page, names: readonly string[]): Promise<Buffer> {
  const jpegs = await Promise.all(names.map(async (name) => [...(await readFile(samplePath(name)))]));
  const bytes = await page.evaluate(async (files: number[][]) => {
    const load = (file: number[]) => createImageBitmap(new Blob([new Uint8Array(file)]));
    const pictures = await Promise.all(files.map(load));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(...pictures.map(({ width }) => width));
    canvas.height = pictures.reduce((sum, { height }) => sum + height, 0);
    let y = 0;
    for (const picture of pictures) {
      canvas.getContext('2d')?.drawImage(picture, 0, y);
      y += picture.height;
    }
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.95));
    return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
  }, jpegs);
  return Buffer.from(bytes);
}
