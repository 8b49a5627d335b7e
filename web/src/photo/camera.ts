/**
 * The camera of this device: its picture as it moves, single frames of it, and whether it changed.
 *
 * Nothing of it is stored or sent. Invariant: a camera that was opened is closed again, whatever
 * happens in between, so that its light goes out.
 */
import { fitted } from './prepare';

/** Reason why there is no picture. */
export type NoCamera = 'denied' | 'missing' | 'busy';

/** The long side of the picture that the camera is asked for, and of a frame that is read. */
const FRAME_SIDE = 1280;

/** The long side in which frames are compared: a tile of a whole hand has some twelve pixels. */
const GLANCE = 64;

/**
 * Minimum difference of a grey pixel that counts, of 255. Not tuned: more than noise in a dim room.
 */
const DIFFERENT = 16;

/** The share of pixels that must differ for a frame to show something else: half a tile. */
const CHANGED = 0.002;

/**
 * Tells whether this browser can show the camera's picture: pages of a plain `http:` address can't.
 */
export const hasCamera = (): boolean =>
  typeof navigator.mediaDevices?.getUserMedia === 'function' && 'srcObject' in HTMLVideoElement.prototype;

const KINDS: Readonly<Record<string, NoCamera>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/**
 * Opens the camera that looks away from the person, or the one that there is.
 *
 * @throws a {@link NoCamera}.
 */
export async function openCamera(): Promise<MediaStream> {
  const ideal = {
    width: { ideal: FRAME_SIDE },
    height: { ideal: FRAME_SIDE },
    facingMode: { ideal: 'environment' },
  };
  try {
    return await navigator.mediaDevices.getUserMedia({ video: ideal, audio: false });
  } catch (error) {
    throw (error instanceof DOMException && KINDS[error.name]) || 'missing';
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** The light of a camera, which the types of the browser do not know. */
interface Lit {
  readonly torch?: boolean;
}

/** Tells whether a camera has a light that the page can turn on. */
export const hasLight = (stream: MediaStream): boolean =>
  stream.getVideoTracks().some((track) => (track.getCapabilities?.() as Lit | undefined)?.torch === true);

/** Turns the light of a camera on or off; one that refuses stays as it is. */
export async function light(stream: MediaStream, torch: boolean): Promise<boolean> {
  const wanted = { advanced: [{ torch } as MediaTrackConstraintSet & Lit] };
  const [track] = stream.getVideoTracks();
  return (
    track?.applyConstraints(wanted).then(
      () => true,
      () => false,
    ) ?? false
  );
}

/** A drawing surface that is read from again and again. */
function surface(): CanvasRenderingContext2D {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!pen) throw new Error('this browser can draw no canvas');
  return pen;
}

/** Takes frames of a video, without a new surface for each. */
export class Frames {
  readonly #whole = surface();
  readonly #small = surface();

  constructor(readonly video: HTMLVideoElement) {}

  /** Whether there is a picture yet. */
  get ready(): boolean {
    return this.video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && this.video.videoWidth > 0;
  }

  /** The picture as it is now, upright. */
  take(): ImageData {
    return this.#drawn(this.#whole, FRAME_SIDE);
  }

  /** Returns the picture in a few grey pixels, to be compared with {@link isChanged}. */
  glance(): Uint8Array {
    const { data } = this.#drawn(this.#small, GLANCE);
    return Uint8Array.from({ length: data.length / 4 }, (_, at) => grey(data, 4 * at));
  }

  #drawn(pen: CanvasRenderingContext2D, side: number): ImageData {
    const { width, height } = fitted(this.video.videoWidth, this.video.videoHeight, side);
    if (pen.canvas.width !== width || pen.canvas.height !== height) {
      pen.canvas.width = width;
      pen.canvas.height = height;
    }
    pen.drawImage(this.video, 0, 0, width, height);
    return pen.getImageData(0, 0, width, height);
  }
}

const grey = (data: Uint8ClampedArray, at: number): number =>
  0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);

/** Tells whether two glances show different things. */
export function isChanged(before: Uint8Array, now: Uint8Array): boolean {
  if (before.length !== now.length) return true;
  const differs = (pixel: number, at: number): boolean => Math.abs(pixel - (before[at] ?? 0)) > DIFFERENT;
  return now.filter(differs).length > CHANGED * now.length;
}

/** A frame as a file, in the quality of a phone's own photos. */
export function fileOf(frame: ImageData): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = frame.width;
  canvas.height = frame.height;
  canvas.getContext('2d')?.putImageData(frame, 0, 0);
  return new Promise((done, failed) => {
    const take = (blob: Blob | null): void =>
      blob ? done(blob) : failed(new Error('this browser can encode no JPEG'));
    canvas.toBlob(take, 'image/jpeg', 0.92);
  });
}
