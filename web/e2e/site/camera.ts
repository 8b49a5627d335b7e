/**
 * A browser whose camera shows a video that is drawn here: a sample photo in a hand that is not quite
 * still, with glare that moves across the tiles.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserPath, FLAGS, PATIENCE, samplePath } from '../server';

/** Frames of a video in which glare moves; the browser plays it again and again, thirty a second. */
const FRAMES = 120;
/** The glare covers so many widths of a tile: some tile is hidden in every frame. */
const WIDE = 2.2;

/** Scene before the camera. */
export type Shot =
  /** The hand of the phone sways, and glare moves across the tiles. */
  | 'glare'
  /** A picture that does not move, without glare. */
  | 'still';

interface Scene {
  readonly photo: string;
  /** Corners of the tiles, in the pixels of the photo. */
  readonly tiles: readonly (readonly (readonly [number, number])[])[];
  readonly frames: number;
  readonly wide: number;
}

/** Draws the frames of the video and returns each as a JPEG in base64. Runs in a page. */
async function draw({ photo, tiles, frames, wide }: Scene): Promise<string[]> {
  const picture = await createImageBitmap(await (await fetch(photo)).blob());
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  const middles = tiles.map((corners) => {
    const mean = (axis: 0 | 1): number =>
      corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
    return { x: mean(0), y: mean(1) };
  });
  const first = middles[0];
  const second = middles[1];
  if (!first || !second) throw new Error('the sample has no tiles');
  const radius = (wide / 2) * Math.hypot(second.x - first.x, second.y - first.y);
  const encoded = async (): Promise<string> => {
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
    const bytes = new Uint8Array(await jpeg.arrayBuffer());
    let text = '';
    for (let start = 0; start < bytes.length; start += 0x8000) {
      text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
    }
    return btoa(text);
  };
  const drawn: string[] = [];
  for (let at = 0; at < frames; at += 1) {
    // Forwards and back again, so that the video has no jump where it begins anew.
    const way = (1 - Math.abs(1 - (2 * at) / frames)) * (middles.length - 1);
    const from = middles[Math.floor(way)];
    const to = middles[Math.ceil(way)];
    if (!from || !to) continue;
    const x = from.x + (to.x - from.x) * (way % 1);
    const y = from.y + (to.y - from.y) * (way % 1);
    const sway = (2 * Math.PI * at) / frames;
    pen.setTransform(1, 0, 0, 1, 6 * Math.sin(sway), 5 * Math.cos(3 * sway));
    pen.drawImage(picture, 0, 0);
    if (radius === 0) {
      drawn.push(await encoded());
      continue;
    }
    const light = pen.createRadialGradient(x, y, 0, x, y, radius);
    light.addColorStop(0, 'rgb(255 255 250 / 1)');
    light.addColorStop(0.7, 'rgb(255 255 250 / 0.97)');
    light.addColorStop(1, 'rgb(255 255 250 / 0)');
    pen.fillStyle = light;
    pen.fillRect(0, 0, width, height);
    drawn.push(await encoded());
  }
  return drawn;
}

/** Draws the video into a file. */
async function film(page: Page, sample: string, shot: Shot, file: string): Promise<void> {
  const truth = JSON.parse(await readFile(samplePath(sample).replace(/jpg$/, 'json'), 'utf8'));
  const photo = `data:image/jpeg;base64,${(await readFile(samplePath(sample))).toString('base64')}`;
  const tiles = truth.tiles.map(({ polygon }: { polygon: [number, number][] }) => polygon);
  const frames = await page.evaluate(draw, {
    photo,
    tiles,
    ...(shot === 'still' ? { frames: 1, wide: 0 } : { frames: FRAMES, wide: WIDE }),
  });
  await writeFile(file, Buffer.concat(frames.map((frame) => Buffer.from(frame, 'base64'))));
}

/** A browser with a camera that is pointed at a sample, and may be used without asking. */
export async function withCamera(sample: string, shot: Shot): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'tilesight-camera-'));
  const video = join(folder, 'hand.mjpeg');
  const start = (more: readonly string[]): Promise<Browser> =>
    chromium.launch({ executablePath: browserPath(), args: [...FLAGS, ...more], timeout: PATIENCE });
  const studio = await start([]);
  await film(await studio.newPage(), sample, shot, video);
  await studio.close();
  const browser = await start([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  ]);
  browser.on('disconnected', () => void rm(folder, { recursive: true, force: true }));
  return browser;
}

/** Keeps the tracks of every camera that the page opens. */
export const noteCameras = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const tracks: MediaStreamTrack[] = [];
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (asked) => {
      const stream = await open(asked);
      tracks.push(...stream.getTracks());
      return stream;
    };
    Object.assign(window, { tracks });
  });

/** Tells for each camera that was opened whether it is on. */
export const cameras = (page: Page): Promise<boolean[]> =>
  page.evaluate(() =>
    (window as unknown as { tracks: MediaStreamTrack[] }).tracks.map((one) => one.readyState === 'live'),
  );
