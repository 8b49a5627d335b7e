/** Tests that the way in which hands are entered stays after a reload. */
import { beforeEach, expect, it, vi } from 'vitest';

const stored = vi.hoisted(() => new Map<string, unknown>());
vi.mock('../browser/storage', () => ({
  read: (name: string) => stored.get(name) ?? null,
  write: (name: string, value: unknown) => stored.set(name, value),
}));

async function loaded() {
  vi.resetModules();
  return (await import('./way')).wayToEnter;
}

beforeEach(() => stored.clear());

it('hands are entered by photo until another way is chosen, which stays', async () => {
  const way = await loaded();
  expect(way.value).toBe('photo');
  way.value = 'points';
  expect((await loaded()).value).toBe('points');
});

it('a way that this build does not know is not taken', async () => {
  stored.set('way', 'by pigeon');
  expect((await loaded()).value).toBe('photo');
});
