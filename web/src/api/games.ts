/** The API of an evening's game: create, get, change, share, and listen to changes. */
import { call, fetchBlob } from './client';
import { listenTo } from './events';
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
  listen: (address, ...more) => listenTo(`${pathOf(address)}/events`, 'game', ...more),
};

/** A game as a file, without its id and the token of its link: a person who has the id may change the game. */
async function fetchGameFile(address: Address): Promise<Blob> {
  const game = await call<Game>(pathOf(address), { cache: 'no-store' });
  return new Blob([JSON.stringify({ ...game, id: null, share: null }, null, 2)], {
    type: 'application/json',
  });
}
