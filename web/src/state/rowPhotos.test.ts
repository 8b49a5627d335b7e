/** Tests that the photo of a row is found by its key, copied, removed with its game, and that old ones make room. */
import { beforeEach, describe, expect, it, vi } from 'vitest';

/** The store of the browser: what an action is done with, by its key. */
const stored = vi.hoisted(() => new Map<string, unknown>());
vi.mock('../browser/database', () => ({
  Store: class {
    act(_mode: string, act: (store: unknown) => unknown): Promise<unknown> {
      return Promise.resolve(
        act({
          get: (key: string) => stored.get(key),
          getAll: () => [...stored.values()],
          delete: (key: string) => void stored.delete(key),
          put: (value: unknown, key: string) => void stored.set(key, value),
        }),
      );
    }
  },
}));
vi.mock('../photo/prepare', () => ({ shrunk: async (photo: Blob) => photo }));

import { copyRowPhoto, keepRowPhoto, photoOfRow, removeRowPhotos } from './rowPhotos';

const textOf = async (...keys: string[]): Promise<string | undefined> => (await photoOfRow(keys))?.text();

const keep = (key: string, of = 'thursday'): void => keepRowPhoto(key, new Blob([`photo ${key}`]), of);

beforeEach(() => stored.clear());

describe('the photo of a row', () => {
  it('is that of the first key that has one', async () => {
    keep('entry');
    expect([await textOf('correction', 'entry'), await textOf('other')]).toEqual(['photo entry', undefined]);
  });

  it('is found by the key of the change that enters its hand again', async () => {
    keep('entry');
    copyRowPhoto('entry', 'again');
    copyRowPhoto('no photo', 'neither');
    expect([await textOf('again'), await textOf('neither')]).toEqual(['photo entry', undefined]);
  });

  it('goes with its game, and others stay', async () => {
    keep('one');
    copyRowPhoto('one', 'again');
    keep('two', 'friday');
    removeRowPhotos('thursday');
    expect([await textOf('one', 'again'), await textOf('two')]).toEqual([undefined, 'photo two']);
  });

  it('makes room for new ones once there are many', async () => {
    vi.useFakeTimers();
    for (let at = 0; at < 70; at += 1) {
      keep(`${at}`);
      await photoOfRow([]);
      vi.advanceTimersByTime(1000);
    }
    vi.useRealTimers();
    expect(stored.size).toBe(64);
    expect([await textOf('5'), await textOf('6')]).toEqual([undefined, 'photo 6']);
  });
});
