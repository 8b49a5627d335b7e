/**
 * The series on the screen: a league or a tournament of the service.
 *
 * A change names the revision that was seen. If another organiser was faster, the page shows the
 * series as it is now, and the change is made again by a person. Each change has a key, so that one
 * that is sent again after a lost answer is made once.
 */
import { batch, effect, signal } from '@preact/signals';
import { asFailure, type Failure } from '../api/failure';
import {
  changeSeries,
  createSeries,
  importSeries,
  listenToSeries,
  lookAtSeries,
  type SeriesAddress,
  shareSeries,
} from '../api/series';
import type { NewSeries, Series, SeriesAction } from '../api/types';
import { online } from '../browser/online';
import { read, write } from '../browser/storage';
import { showing } from './evening';

/** Delay until a broken stream of events is opened again, in milliseconds. */
const AGAIN = 2_000;

/** A series that this device knows. */
export interface KnownSeries {
  readonly address: SeriesAddress;
  readonly title: string;
}

/** Whether the view of series is open. */
export const showingSeries = signal(false);
export const seriesAddress = signal<SeriesAddress | null>(null);
export const series = signal<Series | null>(null);
/** Reason why the last request failed. */
export const seriesTrouble = signal<Failure | null>(null);
/** Whether another organiser changed the series before the last change arrived. */
export const wasFaster = signal(false);
/** Round after which the standings are shown; `null` for the last one that has a result. */
export const afterRound = signal<number | null>(null);
/** The series that this device opened, the latest first. */
export const knownSeries = signal<readonly KnownSeries[]>([]);

const isSame = (one: SeriesAddress, other: SeriesAddress): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Reads the series that this device opened. */
export function listSeries(): void {
  const kept = read('series');
  knownSeries.value = Array.isArray(kept) ? (kept as KnownSeries[]) : [];
}

function keep(address: SeriesAddress, title: string): void {
  const others = knownSeries.value.filter((one) => !isSame(one.address, address));
  knownSeries.value = [{ address, title }, ...others];
  write('series', knownSeries.value);
}

/** Removes a series from the list of this device. */
export function forgetSeries(address: SeriesAddress): void {
  knownSeries.value = knownSeries.value.filter((one) => !isSame(one.address, address));
  write('series', knownSeries.value);
}

/** Opens a series, for example from a link. */
export function openSeries(address: SeriesAddress): void {
  batch(() => {
    seriesAddress.value = address;
    series.value = null;
    seriesTrouble.value = null;
    wasFaster.value = false;
    afterRound.value = null;
    showing.value = false;
    showingSeries.value = true;
  });
  void refreshSeries();
}

/** Returns to the list. */
export function closeSeries(): void {
  batch(() => {
    seriesAddress.value = null;
    series.value = null;
    seriesTrouble.value = null;
  });
}

/** Returns the series that the fragment of a link names. */
export function seriesIn(fragment: string): SeriesAddress | null {
  const shared = /^#shared-series=([0-9a-f]+)$/.exec(fragment)?.[1];
  if (shared) return { kind: 'shared', token: shared };
  const id = /^#series=([0-9a-f]+)$/.exec(fragment)?.[1];
  return id ? { kind: 'series', id } : null;
}

/** Loads the series on the screen again. */
export async function refreshSeries(): Promise<void> {
  const address = seriesAddress.value;
  const round = afterRound.value;
  if (!address) return;
  try {
    const seen = await lookAtSeries(address, round);
    // The standings after another round that was chosen meanwhile come by themselves.
    if (afterRound.peek() === round) take(address, seen);
  } catch (error) {
    if (seriesAddress.value === address) seriesTrouble.value = asFailure(error);
  }
}

function take(address: SeriesAddress, seen: Series): void {
  if (seriesAddress.value !== address) return;
  const known = series.peek();
  if (known && known.revision > seen.revision) return;
  batch(() => {
    series.value = seen;
    seriesTrouble.value = null;
  });
  keep(address, seen.title);
}

/** Keeps the series on the screen in step with the service, until it is called off. */
export function watchSeries(): () => void {
  return effect(() => {
    const address = seriesAddress.value;
    if (!address || !online.value) return undefined;
    const abort = new AbortController();
    void stayTuned(address, abort.signal);
    return () => abort.abort();
  });
}

async function stayTuned(address: SeriesAddress, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!(await listenToSeries(address, (seen) => see(address, seen), signal))) {
        await refreshSeries();
        return;
      }
    } catch {
      if (signal.aborted) return;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

/** Shows a series as an event has it: with the standings after the last round. */
function see(address: SeriesAddress, seen: Series): void {
  if (afterRound.peek() === null) take(address, seen);
  else void refreshSeries();
}

/** The series that is being created, and its key: after a lost answer a second tap finds the same one. */
let creation = { request: '', key: '' };

/** Begins a series, and shows it to a person who still waits for it. */
export async function beginSeries(wanted: NewSeries): Promise<void> {
  const request = JSON.stringify(wanted);
  if (creation.request !== request) creation = { request, key: crypto.randomUUID() };
  const isAwaited = (): boolean => showingSeries.peek() && seriesAddress.peek() === null;
  try {
    const created = await createSeries(creation.key, wanted);
    creation = { request: '', key: '' };
    const address: SeriesAddress = { kind: 'series', id: created.id ?? '' };
    if (isAwaited()) openSeries(address);
    else keep(address, created.title);
  } catch (error) {
    if (isAwaited()) seriesTrouble.value = asFailure(error);
  }
}

/** The last change that failed, and its key. */
let attempt = { request: '', key: '' };

/** Changes the series; whether that was possible. */
export const actOnSeries = (action: SeriesAction): Promise<boolean> =>
  perform(JSON.stringify(action), (id, seen, key) => changeSeries(id, seen, key, action));

/** Enters results from a table; whether that was possible. */
export const readResults = (csv: string, addPlayers: boolean): Promise<boolean> =>
  perform(csv, (id, seen, key) => importSeries(id, seen, key, csv, addPlayers));

async function perform(
  request: string,
  make: (id: string, seen: number, key: string) => Promise<Series>,
): Promise<boolean> {
  const address = seriesAddress.value;
  const known = series.value;
  if (address?.kind !== 'series' || !known) return false;
  if (attempt.request !== request) attempt = { request, key: crypto.randomUUID() };
  wasFaster.value = false;
  try {
    take(address, await make(address.id, known.revision, attempt.key));
    attempt = { request: '', key: '' };
    if (seriesAddress.peek() === address) afterRound.value = null;
    return true;
  } catch (error) {
    await explain(address, asFailure(error));
    return false;
  }
}

/** Shows why a change was not made, unless its series was left. */
async function explain(address: SeriesAddress, failure: Failure): Promise<void> {
  if (seriesAddress.peek() !== address) return;
  if (failure.kind !== 'series-changed') {
    seriesTrouble.value = failure;
    return;
  }
  await refreshSeries();
  if (seriesAddress.peek() === address) wasFaster.value = true;
}

/** Returns the link by which everyone may look on. */
export async function linkToSeries(): Promise<string | null> {
  const address = seriesAddress.value;
  if (address?.kind !== 'series') return null;
  const { page } = await shareSeries(address.id);
  return new URL(page, location.href).href;
}
