/** The API of a series: create, get, change, share, export and import. */
import { call, fetchBlob } from './client';

/** Address of a series: its id for organisers, a token for spectators. */
export type SeriesAddress =
  | { readonly kind: 'series'; readonly id: string }
  | { readonly kind: 'shared'; readonly token: string };

/** The number that decides the places. */
type Order = 'table_points' | 'uma' | 'points';

interface Member {
  readonly number: number;
  readonly name: string;
  readonly active: boolean;
}

export interface Seat {
  readonly name: string;
  readonly player: number | null;
  readonly is_guest: boolean;
  readonly place: number | null;
  readonly points: number | null;
  readonly table_points: number | null;
  readonly result: number | null;
}

export interface SeriesTable {
  readonly number: number;
  readonly seats: readonly Seat[];
  readonly game: string | null;
  readonly has_result: boolean;
}

export interface Round {
  readonly number: number;
  readonly tables: readonly SeriesTable[];
  readonly resting: readonly number[];
  readonly repeated: number;
}

interface SeriesStanding {
  readonly player: number;
  readonly name: string;
  readonly place: number;
  readonly played: number;
  readonly table_points: number;
  readonly points: number;
  readonly result: number;
}

interface LargestHand {
  readonly total: number;
  readonly hand: string | null;
  readonly round: number;
  readonly table: number;
  readonly game: string | null;
  readonly entry: number;
}

export interface PlayerRecord {
  readonly player: number;
  readonly rounds: number;
  readonly average_place: number | null;
  readonly deals: number;
  readonly won: number;
  readonly self_drawn: number;
  readonly fed: number;
  readonly average_hand: number | null;
  readonly largest: LargestHand | null;
}

export interface Series {
  readonly id: string | null;
  readonly revision: number;
  readonly title: string;
  readonly ruleset: string;
  readonly seats: number;
  readonly planned: number;
  readonly ranking: { readonly order: Order };
  readonly state: 'running' | 'finished';
  readonly players: readonly Member[];
  readonly rounds: readonly Round[];
  readonly after: number;
  readonly standings: readonly SeriesStanding[];
  readonly records: readonly PlayerRecord[];
  readonly undo: number | null;
}

/** The actions that the page offers; the service has more. */
export type SeriesAction =
  | { readonly kind: 'add_players'; readonly names: readonly string[] }
  | { readonly kind: 'leave' | 'return'; readonly player: number }
  | {
      readonly kind: 'seat';
      readonly round: number;
      readonly seed: number;
      readonly absent: readonly number[];
      readonly guests: readonly string[];
    }
  | { readonly kind: 'replace'; readonly round: number; readonly player: number; readonly guest: string }
  | { readonly kind: 'open' | 'clear'; readonly round: number; readonly table: number }
  | {
      readonly kind: 'result';
      readonly round: number;
      readonly table: number;
      readonly points: readonly number[];
    }
  | { readonly kind: 'collect'; readonly round: number }
  | {
      readonly kind: 'penalty';
      readonly player: number;
      readonly value: { readonly table_points: number; readonly points: number };
      readonly note: string;
    }
  | { readonly kind: 'finish' }
  | { readonly kind: 'undo'; readonly change: number };

export interface NewSeries {
  readonly title: string;
  readonly players: readonly string[];
  readonly ruleset: string;
  readonly rounds: number;
}

const pathOf = (address: SeriesAddress): string =>
  address.kind === 'series' ? `/v1/series/${address.id}` : `/v1/shared-series/${address.token}`;

/** Sends a body in JSON. */
const send = <T>(path: string, more: Record<string, string>, body: unknown): Promise<T> =>
  call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...more },
    body: JSON.stringify(body),
  });

/** Creates a series; sent again with the same key it is created once. */
export const createSeries = (key: string, series: NewSeries): Promise<Series> =>
  send('/v1/series', { 'Idempotency-Key': key }, series);

/** Returns a series, with the standings after a round or after the last one that has a result. */
export const lookAtSeries = (address: SeriesAddress, round: number | null): Promise<Series> =>
  call(`${pathOf(address)}${round === null ? '' : `?round=${round}`}`, { cache: 'no-store' });

/** Makes a change of a known revision; sent again with the same key it is made once. */
export const changeSeries = (id: string, seen: number, key: string, action: SeriesAction): Promise<Series> =>
  send(`/v1/series/${id}/changes`, { 'If-Match': `"${seen}"`, 'Idempotency-Key': key }, { action });

/** Enters results from a table. */
export const importSeries = (
  id: string,
  seen: number,
  key: string,
  csv: string,
  addPlayers: boolean,
): Promise<Series> =>
  send(
    `/v1/series/${id}/import`,
    { 'If-Match': `"${seen}"`, 'Idempotency-Key': key },
    { csv, add_players: addPlayers },
  );

/** Returns the address of a page for spectators. */
export const shareSeries = (id: string): Promise<{ readonly page: string }> =>
  call(`/v1/series/${id}/share`, { method: 'POST' });

/** Returns the standings or the results as a file. */
export const exportSeries = (address: SeriesAddress, table: 'standings' | 'results'): Promise<Blob> =>
  fetchBlob(`${pathOf(address)}/export?table=${table}`);
