import { describe, expect, it } from 'vitest';
import { hasLight, isChanged, light } from './camera';

/** A picture of 64 by 48 pixels in which some have another brightness. */
const glance = (pixels: number, value: number): Uint8Array =>
  new Uint8Array(64 * 48).fill(100).fill(value, 0, pixels);

it.each([
  ['the same picture', 0, 100, false],
  ['noise in every pixel', 64 * 48, 110, false],
  ['a few pixels', 6, 200, false],
  ['a tile', 12, 200, true],
  ['a light that is switched off', 64 * 48, 40, true],
])('%s', (_, pixels, value, changed) => {
  expect(isChanged(glance(0, 0), glance(pixels, value))).toBe(changed);
});

it('is changed when the phone was turned', () => {
  expect(isChanged(glance(0, 0), new Uint8Array(48 * 36))).toBe(true);
});

describe('the light of a camera', () => {
  const camera = (capabilities: object | undefined, apply: () => Promise<void>) =>
    ({
      getVideoTracks: () => [
        { ...(capabilities && { getCapabilities: () => capabilities }), applyConstraints: apply },
      ],
    }) as unknown as MediaStream;

  it('is there only where the browser says so', () => {
    const fine = async () => {};
    expect(hasLight(camera({ torch: true }, fine))).toBe(true);
    expect(hasLight(camera({}, fine))).toBe(false);
    expect(hasLight(camera(undefined, fine))).toBe(false);
  });

  it('stays as it is where the camera refuses', async () => {
    expect(
      await light(
        camera({ torch: true }, async () => {}),
        true,
      ),
    ).toBe(true);
    expect(
      await light(
        camera({ torch: true }, () => Promise.reject(new Error('busy'))),
        true,
      ),
    ).toBe(false);
  });
});
