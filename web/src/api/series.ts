/** The API of a series: create, get, change, share, export, import, and listen to changes. */
import { call, fetchBlob } from './client';
import { listenTo } from './events';
import type { NewSeries, Series, SeriesAction, SeriesImport, SeriesLink } from './types';

/** Address of a series: its id for organisers, a token for spectators. */
export type SeriesAddress =
  | { readonly kind: 'series'; readonly id: string }
  | { readonly kind: 'shared'; readonly token: string };

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

/** Calls `seen` with the series whenever it changed, until the stream breaks off. `false` when it is gone. */
export const listenToSeries = (
  address: SeriesAddress,
  seen: (series: Series) => void,
  signal: AbortSignal,
): Promise<boolean> => listenTo(`${pathOf(address)}/events`, 'series', null, seen, signal);

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
  send(`/v1/series/${id}/import`, { 'If-Match': `"${seen}"`, 'Idempotency-Key': key }, {
    csv,
    add_players: addPlayers,
  } satisfies SeriesImport);

/** Returns the address of a page for spectators. */
export const shareSeries = (id: string): Promise<SeriesLink> =>
  call(`/v1/series/${id}/share`, { method: 'POST' });

export type SeriesTable = 'standings' | 'results';
export type SeriesFormat = 'csv' | 'xlsx';

/** Returns the standings or the results as a file. */
export const exportSeries = (
  address: SeriesAddress,
  table: SeriesTable,
  format: SeriesFormat,
): Promise<Blob> => fetchBlob(`${pathOf(address)}/export?table=${table}&format=${format}`);
