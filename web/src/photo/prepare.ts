/**
 * A photo on its way out of the phone: upright, shrunk, turned, and encoded anew, so that neither
 * place nor time nor a serial number leaves with it.
 *
 * The browser's decoder applies the EXIF orientation. A HEIC or AVIF that it can't decode is wiped of
 * metadata here, and the service makes a JPEG of it. Whatever else it can't decode never leaves the
 * phone: its metadata could not be taken off.
 */
import { type Failure, failure } from '../api/failure';
import { breath } from '../browser/breath';
import { engine } from '../engine';
import { type Grey, MEASURED_SIDE, measure, type Quality } from './quality';
import { isStill, wiped } from './still';

/** Long side of what is sent: larger photos gain nothing, tiles are still over 100 pixels high. */
const LONG_SIDE = 2000;
/** JPEG quality of what is sent: no loss that the networks notice, a fifth of the bytes of 0.95. */
const QUALITY = 0.85;

/** Quarter turns clockwise. */
export type Turns = 0 | 1 | 2 | 3;

export interface Photo {
  readonly blob: Blob;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly quality: Quality;
}

/** The size that fits the long side, never enlarged. */
export function fitted(width: number, height: number, side: number): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * First bytes of JPEG, PNG and WebP files; a file that begins so and can't be decoded is damaged.
 */
const BEGINNINGS: readonly RegExp[] = [/^\xff\xd8\xff/, /^\x89PNG/, /^RIFF....WEBP/s];

const show = (file: Blob): Promise<ImageBitmap | null> =>
  createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);

/** JPEGs of files that this browser can't show: a photo is prepared anew each time it is turned. */
const previews = new WeakMap<Blob, Blob>();

/** The picture of a file, from the service where this browser can't show it. */
async function bitmapOf(file: Blob): Promise<ImageBitmap> {
  const own = await show(file);
  if (own) return own;
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 64).arrayBuffer()));
  if (!isStill(start)) throw noPhoto(start);
  let jpeg = previews.get(file);
  if (!jpeg) {
    const left = wiped(new Uint8Array(await file.arrayBuffer()));
    if (!left) throw failure('unreadable-image');
    jpeg = await engine.preview(new Blob([left as Uint8Array<ArrayBuffer>], { type: 'image/heic' }));
    previews.set(file, jpeg);
  }
  const shown = await show(jpeg);
  if (!shown) throw failure('unreadable-image');
  return shown;
}

function noPhoto(start: string): Failure {
  const known = BEGINNINGS.some((beginning) => beginning.test(start));
  return failure(known ? 'unreadable-image' : 'unsupported-media');
}

/**
 * Prepares a photo.
 *
 * @throws {Failure} if the file can't be decoded, or the service is asked and refuses it.
 */
export async function prepare(file: Blob, turns: Turns = 0): Promise<Photo> {
  const bitmap = await bitmapOf(file);
  try {
    // Between the steps the page can do something else: on a slow phone each takes some 50 ms.
    const canvas = draw(bitmap, turns, LONG_SIDE);
    await breath();
    const small = draw(bitmap, turns, MEASURED_SIDE);
    await breath();
    const measured = grey(small);
    await breath();
    const quality = await measure(measured);
    await breath();
    const blob = await encode(canvas);
    const { width, height } = canvas;
    return { blob, url: URL.createObjectURL(blob), width, height, quality };
  } finally {
    bitmap.close();
  }
}

/** A prepared photo as a smaller one. */
export async function shrunk(photo: Blob, side: number): Promise<Blob> {
  const bitmap = await createImageBitmap(photo);
  try {
    return await encode(draw(bitmap, 0, side));
  } finally {
    bitmap.close();
  }
}

function draw(bitmap: ImageBitmap, turns: Turns, side: number): HTMLCanvasElement {
  const { width, height } = fitted(bitmap.width, bitmap.height, side);
  const canvas = document.createElement('canvas');
  const lying = turns % 2 === 1;
  canvas.width = lying ? height : width;
  canvas.height = lying ? width : height;
  const pen = canvas.getContext('2d', { willReadFrequently: side === MEASURED_SIDE });
  if (!pen) throw new Error('this browser can draw no canvas');
  pen.imageSmoothingQuality = 'high';
  pen.translate(canvas.width / 2, canvas.height / 2);
  pen.rotate((turns * Math.PI) / 2);
  pen.drawImage(bitmap, -width / 2, -height / 2, width, height);
  return canvas;
}

function grey(canvas: HTMLCanvasElement): Grey {
  const { width, height } = canvas;
  const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
  const pixels = new Uint8ClampedArray(width * height);
  for (let at = 0, from = 0; data && at < pixels.length; at += 1, from += 4) {
    pixels[at] = 0.299 * (data[from] ?? 0) + 0.587 * (data[from + 1] ?? 0) + 0.114 * (data[from + 2] ?? 0);
  }
  return { width, height, pixels };
}

function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, failed) => {
    const take = (blob: Blob | null): void =>
      blob ? done(blob) : failed(new Error('this browser can encode no JPEG'));
    canvas.toBlob(take, 'image/jpeg', QUALITY);
  });
}
