/**
 * Place where photos are read and hands scored: on this device or by the server of the page.
 *
 * The device is the usual place, so that photos stay on it. The operator of a server may want it
 * there, and the person has the last word. A device without SIMD asks the server, and without a network the
 * device reads, whatever was chosen. A static site has no server.
 */
import { computed, effect, signal } from '@preact/signals';
import { online } from '../browser/online';
import { ON_DEVICE } from '../browser/site';
import { read, write } from '../browser/storage';

export type Place = 'device' | 'server';

/** Features that a browser can be without. */
export type Missing = 'no-webassembly' | 'no-simd';

/** A module with one instruction of SIMD; browsers without it find it invalid. */
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98,
  11,
]);

/** Returns the feature for reading photos that this browser is without; `null` if it has all. */
export function findMissing(): Missing | null {
  if (typeof WebAssembly === 'undefined') return 'no-webassembly';
  return WebAssembly.validate(SIMD) ? null : 'no-simd';
}

/** Result of `findMissing` at the start of the page. */
export const missing = signal<Missing | null>(findMissing());

/** Whether a file that this device needs could not be loaded; it is tried again. */
export const isIncomplete = signal(false);

const placeIn = (value: unknown): Place | null => (value === 'device' || value === 'server' ? value : null);

/** Place that the person chose; `null` for the operator's. */
const preferred = signal<Place | null>(placeIn(read('reads')));

/** Place that the operator wants, as the server answered last; `null` if it never did. */
const operated = signal<Place | null>(placeIn(read('operator')));

/** The place as it is wished for. */
export const wished = computed(
  (): Place => (ON_DEVICE ? 'device' : (preferred.value ?? operated.value ?? 'device')),
);

/** The place that is asked first. */
export const place = computed((): Place => {
  if (ON_DEVICE) return 'device';
  if (missing.value) return 'server';
  return online.value ? wished.value : 'device';
});

/** Whether photos can be read now, somewhere. */
export const canRead = computed(
  () => ON_DEVICE || online.value || (missing.value === null && !isIncomplete.value),
);

/** Whether hands can be scored now, somewhere: that takes no SIMD. */
export const canScore = computed(() => canRead.value || missing.value === 'no-simd');

/** Chooses the place where photos are read, and stores the choice on this device. */
export function choosePlace(chosen: Place): void {
  preferred.value = chosen;
  write('reads', chosen);
}

/** Maximum time for which a photo waits until the server says which place the operator wants, in milliseconds. */
const PATIENCE = 3_000;

let learnt: Promise<void> | null = null;

/**
 * Waits until it is known which place the operator wants, or that the server does not say soon. A
 * later answer counts from then on.
 */
export function learnPlace(): Promise<void> {
  learnt ??= ask();
  return learnt;
}

async function ask(): Promise<void> {
  if (ON_DEVICE || preferred.peek()) return;
  if (!navigator.onLine || !online.peek()) {
    learnt = null;
    return;
  }
  await Promise.race([askServer(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
}

async function askServer(): Promise<void> {
  try {
    const answer = await fetch('page.json');
    const { reads } = (await answer.json()) as { reads?: unknown };
    operated.value = placeIn(reads);
    write('operator', operated.value);
  } catch {
    // Without a network; it is asked again with the next photo.
    learnt = null;
  }
}

// What could not be loaded may be there when the network is back.
effect(() => {
  if (online.value) isIncomplete.value = false;
});
