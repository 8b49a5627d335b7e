/**
 * The viewfinder: the camera's picture is read frame by frame on this device while it is open, and
 * the frame that shows most of the hand becomes its photo.
 *
 * Input: a video element. Output: signals of what is seen. Invariants: the camera is on only while
 * the viewfinder is open and on the screen; one frame is read at a time; a frame that shows nothing
 * new is not read, so that a phone that lies still uses no battery.
 */
import { batch, signal } from '@preact/signals';
import type { Camera, SeenFrame } from '../../../bindings/npm/index.js';
import type { Failure } from '../api/failure';
import { asFailure } from '../api/failure';
import type { Reading, WinKind } from '../api/types';
import { breath } from '../browser/breath';
import { watchHand } from '../engine/watch';
import { toSend } from '../model/context';
import { EMPTY } from '../model/hand';
import { ofOnePhoto } from '../model/together';
import { type Held, hold, sureness } from '../model/watching';
import {
  closeCamera,
  Frames,
  fileOf,
  hasLight,
  isChanged,
  light,
  type NoCamera,
  openCamera,
} from '../photo/camera';
import { addPhotoOf, addPhotos, addRead } from './hand/open';
import type { WonBy } from './hand/table';
import { take as takePhotos } from './incoming';
import { setsLoaded, setsToUse } from './ownSets';
import { rulesets, usualContext } from './prefs';

/** Whether the viewfinder is on the screen. */
export const viewing = signal(false);

/** Winner of the hand that is looked for, and how it was won. */
export interface Known {
  readonly won: WonBy;
  readonly win: WinKind;
}

/** Winner and way to win, in an evening; `null` otherwise. */
let known: Known | null = null;

/** Opens the viewfinder. */
export function view(of: Known | null = null): void {
  known = of;
  viewing.value = true;
}

/** Opens photos that were taken or chosen instead; of several it is asked what they show. */
export function takeInstead(files: readonly Blob[]): void {
  const [file] = files;
  viewing.value = false;
  if (known && file && files.length === 1) addPhotoOf(file, known.won, known.win);
  else takePhotos(files);
}

/**
 * Reason why the viewfinder shows nothing: there is no camera, or the reader of its frames could
 * not be loaded.
 */
type Trouble = { readonly camera: NoCamera } | { readonly failure: Failure };

export const trouble = signal<Trouble | null>(null);

/** Contents of the last frame that was read; `null` before the first. */
export const seen = signal<SeenFrame | null>(null);

/** The last reading that was steady, while its hand is in the picture. */
export const held = signal<Held | null>(null);

/** The size of the frames, in which outlines are given. */
export const frameSize = signal({ width: 4, height: 3 });

/** Number of frames that were read, and of those that were left out since nothing had changed. */
export const counted = signal({ read: 0, left: 0 });

/** Whether the light of the camera is on; `null` where there is none. */
export const lamp = signal<boolean | null>(null);

/** Camera whose picture is shown. */
let shown: MediaStream | null = null;

/** Turns the light of the camera on, or off again. */
export async function toggleLamp(): Promise<void> {
  const wanted = !lamp.peek();
  if (shown && (await light(shown, wanted))) lamp.value = wanted;
}

/** Interval between two comparisons of the picture while nothing changes, in milliseconds. */
const IDLE = 150;

/**
 * A still picture is read so many times: often enough to be steady, and in vain after that. The
 * package needs three frames.
 */
const ENOUGH = 3;

let stopLast: (() => void) | null = null;
/** The frames that may become the photo, by their numbers. */
const kept = new Map<number, ImageData>();

/** Shows the camera's picture in a video element and reads it, until `stop`. */
export async function start(video: HTMLVideoElement): Promise<void> {
  stop();
  let stopped = false;
  let stream: MediaStream | null = null;
  stopLast = () => {
    stopped = true;
    if (stream) closeCamera(stream);
    video.srcObject = null;
    kept.clear();
  };
  trouble.value = null;
  try {
    stream = await openCamera();
  } catch (camera) {
    if (!stopped) trouble.value = { camera: camera as NoCamera };
    return;
  }
  if (stopped) {
    closeCamera(stream);
    return;
  }
  video.srcObject = stream;
  shown = stream;
  lamp.value = hasLight(stream) ? false : null;
  const isStopped = (): boolean => stopped;
  try {
    await video.play();
    await watch(video, isStopped);
  } catch (error) {
    if (stopped) return;
    stop();
    trouble.value = { failure: asFailure(error) };
  }
}

/** Turns the camera off and forgets what was seen. */
export function stop(): void {
  stopLast?.();
  stopLast = null;
  batch(() => {
    seen.value = null;
    held.value = null;
    lamp.value = null;
    counted.value = { read: 0, left: 0 };
  });
}

async function watch(video: HTMLVideoElement, isStopped: () => boolean): Promise<void> {
  const context = toSend(usualContext(), EMPTY);
  await setsLoaded();
  const camera = await watchHand(context, rulesets.peek()[0], setsToUse.peek());
  const frames = new Frames(video);
  let number = 0;
  let alike = 0;
  let last: Uint8Array | null = null;
  while (!isStopped()) {
    await nextFrame(video);
    if (isStopped() || !frames.ready) continue;
    const glance = frames.glance();
    alike = last && !isChanged(last, glance) ? alike + 1 : 0;
    last = alike === 0 ? glance : last;
    if (alike >= ENOUGH) {
      counted.value = { ...counted.peek(), left: counted.peek().left + 1 };
      await pause(IDLE);
      continue;
    }
    // On a slow phone, comparing, taking and sending a frame take some 10, 50 and 20 ms. Between them
    // the page can do something else.
    await breath();
    const frame = frames.take();
    kept.set(number, frame);
    await breath();
    await look(camera, frame, isStopped);
    number += 1;
  }
  await camera.end();
}

/** Reads one frame and shows what it says. */
async function look(camera: Camera, frame: ImageData, isStopped: () => boolean): Promise<void> {
  const found = await camera.see(frame);
  if (isStopped()) return;
  const holding = hold(held.peek(), found);
  const used = new Set([...found.frames, holding?.found.base]);
  for (const number of kept.keys()) if (!used.has(number)) kept.delete(number);
  const { width, height } = frame;
  batch(() => {
    frameSize.value = { width, height };
    counted.value = { ...counted.peek(), read: counted.peek().read + 1 };
    seen.value = found;
    held.value = holding;
  });
}

/** The next frame that the camera delivers; without new ones for a while, the picture as it is. */
function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, 500);
    const done = (): void => {
      clearTimeout(late);
      resolve();
    };
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(done);
    else requestAnimationFrame(done);
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Opens what was read as a hand, with the best frame as its photo. While there is no hand, the
 * picture is taken as it is and read like any photo.
 */
export async function take(video: HTMLVideoElement): Promise<void> {
  const found = held.peek()?.found ?? seen.peek();
  const frame = found && sureness(found) !== 'nothing' ? kept.get(found.base) : undefined;
  const file = await fileOf(frame ?? new Frames(video).take());
  // It may have been closed while the picture was made.
  if (!viewing.peek()) return;
  viewing.value = false;
  // With a set of the service the photo is read again, there.
  const isOfServer = setsToUse.peek()?.files === null;
  const reading = found && frame && !isOfServer ? ofOnePhoto(found.answer.reading as Reading) : null;
  if (reading) await addRead(file, reading, known?.won, known?.win);
  else if (known) addPhotoOf(file, known.won, known.win);
  else addPhotos([[file]]);
}
