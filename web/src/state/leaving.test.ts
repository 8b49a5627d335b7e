/**
 * Tests that what finishes after a person went elsewhere does not pull them back. Each test holds an answer back,
 * goes elsewhere, and lets the answer come.
 */
import { beforeEach, expect, it, vi } from 'vitest';
import { failure } from '../api/failure';
import type { Address } from '../api/games';
import type { Game, Series } from '../api/types';

vi.mock('./rowPhotos', () => ({ copyRowPhoto: vi.fn(), removeRowPhotos: vi.fn() }));

const gameOf = (id: string, revision = 0): Game => ({
  id,
  title: id,
  players: ['Anna', 'Bo', 'Clara', 'Dorte'],
  ruleset: 'mcr-wmo',
  state: 'running',
  revision,
  next: { number: 1, round: 'E', seats: [0, 1, 2, 3], repeats: 0 },
  rows: [],
  standings: [],
  totals: [0, 0, 0, 0],
  history: [],
});

const seriesOf = (id: string): Series => ({ id, title: id, revision: 0 }) as Series;

const THURSDAY: Address = { kind: 'game', id: 'Thursday' };
const FRIDAY: Address = { kind: 'game', id: 'Friday' };

/** An answer that comes when the test says so. */
function held<T>() {
  let come: (value: T) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const answer = new Promise<T>((resolve, reject) => {
    come = resolve;
    fail = reject;
  });
  return { answer, come, fail };
}

/** Lets everything run that an answer sets off; no timer is among it. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

async function page() {
  vi.resetModules();
  const { online } = await import('../browser/online');
  online.value = true;
  const { serverGames } = await import('../api/games');
  const never = () => new Promise<never>(() => {});
  const games = {
    lookAt: vi.spyOn(serverGames, 'lookAt').mockImplementation(never),
    listen: vi.spyOn(serverGames, 'listen').mockImplementation(never),
    create: vi.spyOn(serverGames, 'create').mockImplementation(never),
    change: vi.spyOn(serverGames, 'change').mockImplementation(never),
  };
  const evening = await import('./evening');
  return { games, evening, listed: (await import('./evenings')).evenings };
}

beforeEach(() => {
  const values = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    get length() {
      return values.size;
    },
    key: (at: number) => [...values.keys()][at] ?? null,
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => values.set(name, value),
    removeItem: (name: string) => values.delete(name),
  });
  return () => vi.unstubAllGlobals();
});

it('the list of evenings stays while a reloaded evening still loads', async () => {
  const { games, evening } = await page();
  evening.follow();
  evening.open(THURSDAY);
  const [, , seen] = games.listen.mock.calls[0] ?? [];
  evening.close();
  seen?.(gameOf('Thursday'));
  expect([evening.address.value, evening.game.value]).toEqual([null, null]);
});

it('another evening stays while the one before still loads', async () => {
  const { games, evening } = await page();
  const first = held<Game>();
  games.lookAt.mockReturnValueOnce(first.answer);
  evening.open(THURSDAY);
  games.lookAt.mockResolvedValueOnce(gameOf('Friday'));
  evening.open(FRIDAY);
  await settled();
  first.come(gameOf('Thursday', 7));
  await settled();
  expect(evening.game.value?.title).toBe('Friday');
});

it('an evening that can not be loaded says nothing on another one', async () => {
  const { games, evening } = await page();
  const first = held<Game>();
  games.lookAt.mockReturnValueOnce(first.answer);
  evening.open(THURSDAY);
  games.lookAt.mockResolvedValueOnce(gameOf('Friday'));
  evening.open(FRIDAY);
  await settled();
  first.fail(failure('game-not-found', 404));
  await settled();
  expect(evening.trouble.value).toBeNull();
});

it('an evening that was begun is listed, and not shown to a person who went elsewhere', async () => {
  const { games, evening, listed } = await page();
  const created = held<Game>();
  games.create.mockReturnValueOnce(created.answer);
  evening.showing.value = true;
  const begun = evening.begin('Thursday', [], 'mcr-wmo');
  evening.showing.value = false;
  created.come(gameOf('Thursday'));
  expect(await begun).toBe(true);
  expect([evening.showing.value, evening.address.value]).toEqual([false, null]);
  expect(listed.value.map(({ known }) => known?.title)).toEqual(['Thursday']);
});

it('an evening that was begun is shown to a person who waits for it, once for two taps', async () => {
  const { games, evening } = await page();
  const created = held<Game>();
  games.create.mockReturnValueOnce(created.answer);
  evening.showing.value = true;
  const begun = evening.begin('Thursday', [], 'mcr-wmo');
  expect(await evening.begin('Thursday', [], 'mcr-wmo')).toBe(false);
  created.come(gameOf('Thursday'));
  await begun;
  expect(evening.game.value?.title).toBe('Thursday');
  expect(games.create).toHaveBeenCalledTimes(1);
});

it('a change of another evening is sent once that of the one before arrived', async () => {
  const { games, evening } = await page();
  games.lookAt.mockImplementation(async (where) => gameOf(where.kind === 'game' ? where.id : ''));
  evening.open(THURSDAY);
  await settled();
  const first = held<Game>();
  games.change.mockReturnValueOnce(first.answer);
  evening.enter({ kind: 'add', play: { kind: 'draw' } });
  evening.open(FRIDAY);
  await settled();
  evening.enter({ kind: 'add', play: { kind: 'draw' } });
  expect(games.change.mock.calls.map(([id]) => id)).toEqual(['Thursday']);
  first.come(gameOf('Thursday', 1));
  await settled();
  expect(games.change.mock.calls.map(([id]) => id)).toEqual(['Thursday', 'Friday']);
  expect(evening.game.value?.title).toBe('Friday');
});

it('a series that was begun is listed, and not shown to a person who went elsewhere', async () => {
  vi.resetModules();
  const created = held<Series>();
  vi.doMock('../api/series', () => ({ createSeries: () => created.answer }));
  const series = await import('./series');
  series.showingSeries.value = true;
  const begun = series.beginSeries({ title: 'League', players: [], ruleset: 'mcr-wmo', rounds: [] } as never);
  series.showingSeries.value = false;
  created.come(seriesOf('League'));
  await begun;
  expect([series.showingSeries.value, series.seriesAddress.value]).toEqual([false, null]);
  expect(series.knownSeries.value.map(({ title }) => title)).toEqual(['League']);
  vi.doUnmock('../api/series');
});

it('a change of a series that can not be made says nothing on another one', async () => {
  vi.resetModules();
  const changed = held<Series>();
  vi.doMock('../api/series', () => ({
    lookAtSeries: async ({ id }: { id: string }) => seriesOf(id),
    changeSeries: () => changed.answer,
  }));
  const series = await import('./series');
  series.openSeries({ kind: 'series', id: 'League' });
  await settled();
  const made = series.actOnSeries({} as never);
  series.openSeries({ kind: 'series', id: 'Cup' });
  await settled();
  changed.fail(failure('offline'));
  expect(await made).toBe(false);
  expect([series.series.value?.title, series.seriesTrouble.value]).toEqual(['Cup', null]);
  vi.doUnmock('../api/series');
});

it('a view that changed meanwhile is told from the one that is left as it was', async () => {
  vi.resetModules();
  const { staying } = await import('./here');
  const { showing } = await import('./evening');
  const isHere = staying();
  expect(isHere()).toBe(true);
  showing.value = true;
  expect(isHere()).toBe(false);
});
