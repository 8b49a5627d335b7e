/** Tests that an evening stays on the device when another one begins, with the changes that wait. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Address } from '../api/games';
import type { Game } from '../api/types';

const copied = vi.hoisted(() => vi.fn());
const removed = vi.hoisted(() => vi.fn());
vi.mock('./rowPhotos', () => ({ copyRowPhoto: copied, removeRowPhotos: removed }));

class Storage {
  readonly #values = new Map<string, string>();
  /** Number of characters that a value may have. */
  room = Number.POSITIVE_INFINITY;
  get length(): number {
    return this.#values.size;
  }
  key = (at: number): string | null => [...this.#values.keys()][at] ?? null;
  getItem = (name: string): string | null => this.#values.get(name) ?? null;
  removeItem = (name: string): boolean => this.#values.delete(name);
  setItem(name: string, value: string): void {
    if (value.length > this.room) throw new Error('full');
    this.#values.set(name, value);
  }
}

const gameOf = (id: string, title: string, at: number, changes = 1): Game => ({
  id,
  title,
  players: ['Anna', 'Bo', 'Clara', 'Dorte'],
  ruleset: 'mcr-wmo',
  state: 'running',
  revision: changes,
  next: { number: changes + 1, round: 'E', seats: [0, 1, 2, 3], repeats: 0 },
  rows: [],
  standings: [],
  totals: [0, 0, 0, 0],
  history: Array.from({ length: changes }, (_, number) => ({
    number,
    at,
    key: `${id}-${number}`,
    undone: false,
    action: { kind: 'add', play: { kind: 'draw' } },
  })),
});

const FIRST: Address = { kind: 'game', id: 'first' };
const SECOND: Address = { kind: 'game', id: 'second' };

let storage: Storage;
/** The games of the service, by id. */
const served = new Map<string, Game>();

/** Opens a game of the service and waits until it is there. */
async function openServed(page: Awaited<ReturnType<typeof loaded>>, game: Game): Promise<void> {
  served.set(game.id ?? '', game);
  page.open({ kind: 'game', id: game.id ?? '' });
  await vi.waitFor(() => expect(page.game.value).toEqual(game));
}

/** The page as it is after a reload. */
async function loaded() {
  vi.resetModules();
  const { online } = await import('../browser/online');
  online.value = false;
  const { serverGames } = await import('../api/games');
  vi.spyOn(serverGames, 'lookAt').mockImplementation(async (address) => {
    const game = address.kind === 'game' && served.get(address.id);
    return game || new Promise(() => {});
  });
  const evening = await import('./evening');
  evening.remember();
  evening.follow();
  return { ...evening, ...(await import('./evenings')) };
}

beforeEach(() => {
  storage = new Storage();
  served.clear();
  vi.stubGlobal('localStorage', storage);
  return () => vi.unstubAllGlobals();
});

describe('an evening that is left', () => {
  it('stays listed with its date, players and state, also after a reload', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000, 4));
    page.close();
    await openServed(page, gameOf('second', 'Friday', 2_000));
    const listed = (await loaded()).evenings.value.map(({ at, known }) => [
      known?.title,
      at,
      known?.players[1],
      known?.next?.number,
    ]);
    expect(listed).toEqual([
      ['Friday', 2_000, 'Bo', 2],
      ['Thursday', 1_000, 'Bo', 5],
    ]);
  });

  it('is shown again as it was, with the changes that wait for the server', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000));
    page.enter({ kind: 'add', play: { kind: 'draw' } });
    page.open(SECOND);
    expect([page.game.value, page.pending.value]).toEqual([null, []]);
    const again = await loaded();
    expect(again.address.value).toEqual(SECOND);
    again.open(FIRST);
    expect(again.game.value?.title).toBe('Thursday');
    expect(again.pending.value.map(({ action }) => action.kind)).toEqual(['add']);
  });

  it('is listed where there is no room for the whole game', async () => {
    const page = await loaded();
    storage.room = 500;
    await openServed(page, gameOf('first', 'Thursday', 1_000, 30));
    expect(page.evenings.value.map(({ known, game }) => [known?.title, game])).toEqual([['Thursday', null]]);
  });

  it('is found where an earlier build kept it', async () => {
    const kept = { address: FIRST, game: gameOf('first', 'Thursday', 1_000), pending: [] };
    storage.setItem('tilesight.evening', JSON.stringify(kept));
    const page = await loaded();
    expect(page.game.value?.title).toBe('Thursday');
    page.close();
    expect((await loaded()).evenings.value.map(({ known }) => known?.title)).toEqual(['Thursday']);
  });

  it('goes only once its game no longer exists and a person removes it', async () => {
    const page = await loaded();
    page.open(FIRST);
    page.close();
    expect(page.evenings.value).toHaveLength(1);
    page.removeEvening(FIRST);
    expect((await loaded()).evenings.value).toEqual([]);
    expect(removed).toHaveBeenCalledWith('first');
  });
});

describe('a deal that waits for the server', () => {
  it('leaves no next deal to enter where this device can not derive it', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000));
    expect([page.isBehind.value, page.turn.value, page.isEntering({ entry: null })]).toEqual([
      false,
      2,
      true,
    ]);
    page.enter({ kind: 'add', play: { kind: 'draw' } });
    expect([page.isBehind.value, page.turn.value, page.isEntering({ entry: null })]).toEqual([
      true,
      3,
      false,
    ]);
    expect(page.game.value?.next).toBeNull();
  });

  it('is made again after it was taken back, in the order in which it was', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000));
    const kinds = () =>
      page.pending.value.map(({ action }) => (action.kind === 'add' ? action.play.kind : action.kind));
    page.enter({ kind: 'add', play: { kind: 'draw' } });
    page.enter({ kind: 'add', play: { kind: 'exhaustive_draw', tenpai: [] } });
    page.takeBack();
    page.takeBack();
    expect(kinds()).toEqual([]);
    page.redoLast();
    page.redoLast();
    expect([kinds(), page.redo.value]).toEqual([['draw', 'exhaustive_draw'], null]);
  });

  it('is no longer made again once another one is entered', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000));
    page.enter({ kind: 'add', play: { kind: 'draw' } });
    page.takeBack();
    page.enter({ kind: 'add', play: { kind: 'exhaustive_draw', tenpai: [] } });
    expect(page.redo.value).toBeNull();
  });

  it('is no longer made again once another phone changed the game', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000));
    page.enter({ kind: 'add', play: { kind: 'draw' } });
    page.takeBack();
    expect(page.redo.value?.action.kind).toBe('add');
    await openServed(page, gameOf('first', 'Thursday', 1_000, 2));
    expect([page.redo.value, page.mayTakeBack.value]).toEqual([null, true]);
  });

  it('has its photo again once it is made again', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000));
    const play = { kind: 'win', winner: 1, discarder: null, hand: '123456789m11pEEE' } as const;
    const before = page.enter({ kind: 'add', play });
    page.takeBack();
    page.redoLast();
    expect(copied).toHaveBeenLastCalledWith(before, page.pending.value[0]?.key);
  });

  it('has its photo again where the game knows that it was taken back', async () => {
    const page = await loaded();
    const [added] = gameOf('first', 'Thursday', 1_000).history;
    const undo = { number: 1, at: 1_000, key: 'undo', undone: false, action: { kind: 'undo', change: 0 } };
    const history = [{ ...added, undone: true }, undo] as Game['history'];
    await openServed(page, { ...gameOf('first', 'Thursday', 1_000, 2), history });
    page.redoLast();
    expect(copied).toHaveBeenLastCalledWith('first-0', page.pending.value[0]?.key);
  });

  it('takes no further winner where this device does not know by whose discard', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000));
    const further = { entry: null, beside: true };
    expect(page.isEntering(further)).toBe(true);
    page.enter({ kind: 'add', play: { kind: 'points', winner: 1, discarder: 2, points: 8 } });
    expect([page.isBehind.value, page.isEntering(further)]).toEqual([true, false]);
  });

  it('leaves an undo that waits, and takes back what is before it', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000, 2));
    page.takeBack();
    page.takeBack();
    expect(page.pending.value.map(({ action }) => action)).toEqual([
      { kind: 'undo', change: 1 },
      { kind: 'undo', change: 0 },
    ]);
    expect(page.mayTakeBack.value).toBe(false);
    page.takeBack();
    expect(page.pending.value).toHaveLength(2);
  });

  it('is not sent once it is taken back', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000));
    page.enter({ kind: 'add', play: { kind: 'draw' } });
    page.takeBack();
    expect([page.pending.value, page.turn.value]).toEqual([[], 2]);
    page.takeBack();
    expect(page.pending.value.map(({ action }) => action)).toEqual([{ kind: 'undo', change: 0 }]);
  });

  it('takes a riichi stick out of the queue that was laid there', async () => {
    const page = await loaded();
    await openServed(page, gameOf('first', 'Thursday', 1_000));
    page.enter({ kind: 'add', play: { kind: 'riichi', player: 2 } });
    page.takeStick(2, 9);
    expect(page.pending.value).toEqual([]);
  });
});
