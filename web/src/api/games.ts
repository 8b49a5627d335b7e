/**
 * The API of an evening's game: create, get, change, share, and listen to changes.
 *
 * Events are read from a `fetch` and not by `EventSource`, which can send neither a key nor a
 * language.
 */
import { call, fetchBlob, headers } from './client';
import type { Game, GameAction } from './types';

/** Address of a game: its id for players, a token for spectators. */
export type Address =
  | { readonly kind: 'game'; readonly id: string }
  | { readonly kind: 'shared'; readonly token: string };

const pathOf = (address: Address): string =>
  address.kind === 'game' ? `/v1/games/${address.id}` : `/v1/shared-games/${address.token}`;

/** Format of a game as a file; this device writes no workbooks. */
export type ExportFormat = 'csv' | 'json' | 'xlsx';

/** A store of games: the service or this device. Every error is a `Failure`. */
export interface Games {
  /** A new game; sent again with the same key it is created once. */
  create(key: string, title: string, players: readonly string[], ruleset: string): Promise<Game>;
  lookAt(address: Address): Promise<Game>;
  /** A change of a known revision; sent again with the same key it is made once. */
  change(id: string, seen: number, key: string, action: GameAction): Promise<Game>;
  /** The address of a page for spectators. */
  share(id: string): Promise<{ readonly page: string }>;
  /** The sheet as a file. */
  exported(address: Address, format: ExportFormat): Promise<Blob>;
  /**
   * Calls `seen` with the game whenever it changed, until the stream breaks off. `false` when it is
   * gone.
   */
  listen(
    address: Address,
    known: number | null,
    seen: (game: Game) => void,
    signal: AbortSignal,
  ): Promise<boolean>;
}

/** The service as where games are stored. */
export const serverGames: Games = {
  create: (key, title, players, ruleset) =>
    call('/v1/games', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ title, players, ruleset }),
    }),
  lookAt: (address) => call(pathOf(address), { cache: 'no-store' }),
  change: (id, seen, key, action) =>
    call(`/v1/games/${id}/changes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'If-Match': `"${seen}"`, 'Idempotency-Key': key },
      body: JSON.stringify({ action }),
    }),
  share: (id) => call(`/v1/games/${id}/share`, { method: 'POST' }),
  exported: (address, format) =>
    format === 'json' ? fetchGameFile(address) : fetchBlob(`${pathOf(address)}/export?format=${format}`),
  listen,
};

/** A game as a file, without its id and the token of its link: a person who has the id may change the game. */
async function fetchGameFile(address: Address): Promise<Blob> {
  const game = await call<Game>(pathOf(address), { cache: 'no-store' });
  return new Blob([JSON.stringify({ ...game, id: null, share: null }, null, 2)], {
    type: 'application/json',
  });
}

async function listen(
  address: Address,
  known: number | null,
  seen: (game: Game) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const last = known === null ? {} : { 'Last-Event-ID': String(known) };
  const init = { headers: { ...headers(), ...last }, signal, cache: 'no-store' as const };
  const response = await fetch(`${pathOf(address)}/events`, init);
  if (response.status === 404) return false;
  if (!response.ok || !response.body) throw new Error(`${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return true;
    const events = (rest + value).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events.map(parseEvent)) {
      if (event.name === 'gone') return false;
      if (event.name === 'game') seen(JSON.parse(event.data) as Game);
    }
  }
}

/** The name and the data of an event, as the standard has its lines. */
export function parseEvent(text: string): { readonly name: string; readonly data: string } {
  const fields = text.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
  });
  const all = (name: string): string[] =>
    fields.filter(([one]) => one === name).map(([, value]) => value ?? '');
  return { name: all('event').at(-1) ?? 'message', data: all('data').join('\n') };
}
