/**
 * Photos of a sample's hand as other cameras show it: something lies on some of its tiles, and the
 * camera stands elsewhere.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from './browser';
import { samplePath } from './server';

export interface View {
  /** The tiles of the hand that are covered, in the order of the sample's ground truth. */
  readonly covered?: readonly number[];
  /** Colour of the cover: that of a finger, or of a highlight. */
  readonly colour?: 'finger' | 'glare';
  /** Movement of the camera: a matrix of six numbers, as canvases take it. */
  readonly moved?: readonly [number, number, number, number, number, number];
}

const COLOURS = { finger: 'rgb(196, 142, 112)', glare: 'rgb(252, 252, 250)' };

/** A view from the side and from further off. */
export const ASIDE = [0.9, 0.04, -0.06, 0.88, 90, 60] as const;

interface TrueTile {
  readonly role: string | null;
  readonly polygon: readonly (readonly [number, number])[];
}

const isOfHand = ({ role }: TrueTile): boolean => role !== null && role !== 'ignored' && role !== 'other';

/** The sample as this view shows it, as a file to choose. */
export async function view(page: Page, name: string, { covered = [], colour = 'finger', moved }: View) {
  const truth = JSON.parse(await readFile(samplePath(name).replace('.jpg', '.json'), 'utf8')) as {
    readonly tiles: readonly TrueTile[];
  };
  const tiles = truth.tiles.filter(isOfHand);
  const outlines = covered.map((at) => tiles[at]?.polygon ?? []);
  const jpeg = await readFile(samplePath(name), 'base64');
  const drawn = await page.evaluate(draw, { jpeg, outlines, colour: COLOURS[colour], moved });
  return { name: `${name}.jpg`, mimeType: 'image/jpeg', buffer: Buffer.from(drawn, 'base64') };
}

interface Drawing {
  readonly jpeg: string;
  readonly outlines: readonly (readonly (readonly [number, number])[])[];
  readonly colour: string;
  readonly moved: View['moved'];
}

/** Runs in the page. As text, because lists of bytes take seconds on their way there and back. */
async function draw({ jpeg, outlines, colour, moved }: Drawing): Promise<string> {
  const bytes = Uint8Array.from(atob(jpeg), (one) => one.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  pen.fillStyle = 'rgb(60, 70, 60)';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  if (moved) pen.setTransform(...(moved as [number, number, number, number, number, number]));
  pen.drawImage(picture, 0, 0);
  pen.fillStyle = colour;
  for (const outline of outlines) {
    pen.beginPath();
    for (const [x, y] of outline) pen.lineTo(x, y);
    pen.fill();
  }
  const url = canvas.toDataURL('image/jpeg', 0.95);
  return url.slice(url.indexOf(',') + 1);
}
