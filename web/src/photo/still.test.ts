/** Files as phones write them, from the tests of the program: nothing but pictures leaves the phone. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isStill, wiped } from './still';

const FOLDER = new URL('../../../tests/data/stills/', import.meta.url);
const SECRET = 'GPS 52.5200 N SERIAL 4711';
const files = readdirSync(FOLDER).filter((name) => !name.endsWith('.png'));
const read = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, FOLDER)));
const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const start = (name: string): string => latin(read(name).subarray(0, 64));

describe('a HEIC or AVIF', () => {
  it('is known by its first bytes', () => {
    for (const name of files) expect(isStill(start(name)), name).toBe(true);
    for (const other of ['\x89PNG\r\n', '\0\0\0\x18ftypisom\0\0\0\0mp42', 'ftypheic', '']) {
      expect(isStill(other), other).toBe(false);
    }
  });

  it('keeps its pictures and loses everything else', () => {
    const secret = files.filter((name) => latin(read(name)).includes(SECRET));
    expect(secret.length).toBeGreaterThan(4);
    for (const name of files) {
      const before = read(name);
      const after = wiped(read(name));
      expect(after?.length, name).toBe(before.length);
      expect(latin(after ?? before), name).not.toContain(SECRET);
      const changed = before.filter((byte, at) => byte !== after?.[at]).length;
      // An Exif block, or a film's times.
      expect(changed, name).toBeLessThan(200);
      if (secret.includes(name)) expect(changed, name).toBeGreaterThanOrEqual(SECRET.length - 1);
    }
  });

  it('is not sent where it is not understood', () => {
    const whole = read('grid.heic');
    for (const length of [whole.length - 1, whole.length >> 1, 40]) {
      expect(wiped(whole.subarray(0, length)), `${length}`).toBeNull();
    }
    const longer = new Uint8Array([...whole, 0, 0, 1, 0, 117, 117, 105, 100]);
    expect(wiped(longer)).toBeNull();
  });
});
