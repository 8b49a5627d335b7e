/**
 * The service's endpoints, as functions. Every error is a `Failure` with a problem to show; an
 * unreachable server is the problem `offline`.
 */
import { lang } from '../browser/lang';
import { read } from '../browser/storage';
import { answersOf, doubtful, type Engine } from './engine';
import { Failure, failure } from './failure';
import type { Context, HandDto, OwnSets, Problem, Reading, Scored } from './types';

export function headers(): Record<string, string> {
  const key = read('key');
  return {
    'Accept-Language': lang.value,
    ...(typeof key === 'string' && { Authorization: `Bearer ${key}` }),
  };
}

/**
 * Maximum number of retries of a rejected request, and the longest pause that the service may ask
 * for, in seconds.
 */
const MAX_REFUSALS = 8;
const MAX_PAUSE_S = 10;

/**
 * Retries when the service is full and says when to come back: only few photos may wait there, and
 * nobody should have to press a button again. Part of the pause is random, so that phones that were
 * rejected together don't retry together.
 */
async function patiently(path: string, init: RequestInit): Promise<Response> {
  for (let refusals = 0; ; refusals++) {
    const response = await fetch(path, init);
    const pause = response.status === 503 ? Number(response.headers.get('Retry-After')) : 0;
    if (!(pause > 0 && pause <= MAX_PAUSE_S) || refusals === MAX_REFUSALS) return response;
    await new Promise((resolve) => setTimeout(resolve, pause * 1000 * (1 + Math.random() / 2)));
  }
}

/** The answer to a request, with this device's key; every other one is a `Failure`. */
async function answered(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await patiently(path, { ...init, headers: { ...headers(), ...init.headers } });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw failure('offline');
  }
  if (response.status === 401) throw failure('unauthorized', 401);
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  throw isProblem(body) ? new Failure(body) : failure('other', response.status);
}

export async function call<T>(path: string, init: RequestInit): Promise<T> {
  const response = await answered(path, init);
  return (await response.json().catch(() => null)) as T;
}

/** A picture or a table. */
export const fetchBlob = async (path: string, init: RequestInit = {}): Promise<Blob> =>
  (await answered(path, init)).blob();

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'type' in body && 'status' in body;

export const post = <T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> =>
  call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

const readHand: Engine['readHand'] = (photos, context, ruleset, signal, { focus, region } = {}, sets) => {
  const form = new FormData();
  for (const photo of photos) form.append('photo', photo, 'hand.jpg');
  form.set('context', JSON.stringify({ ...context, ...(ruleset && { ruleset }) }));
  if (focus) form.set('focus', `${focus.x},${focus.y}`);
  if (region) form.set('region', region.map((corner) => corner.map(Math.round).join()).join(' '));
  if (sets && !sets.files) form.set('set', sets.choice);
  return call('/v1/hands', { method: 'POST', body: form, signal });
};

const answerReading: Engine['answerReading'] = (reading, answered, request, signal) =>
  post(
    '/v1/readings/answers',
    { reading: doubtful(reading), answers: answersOf(answered), ...request },
    signal,
  );

/** The service as what reads and scores. */
export const server: Engine = {
  readHand,
  answerReading,
  scoreHand: async (request, signal) =>
    (await post<{ scores?: Scored[] }>('/v1/score', request, signal)).scores ?? [],
  preview: (photo) => fetchBlob('/v1/preview', { method: 'POST', body: photo }),
  rulesets: () => call('/v1/rulesets', {}),
};

/** The own sets that the service has. */
export const fetchOwnSets = (): Promise<OwnSets> => call('/v1/sets', {});

export interface Kept {
  readonly id: string;
  readonly stored: { readonly reading: boolean; readonly photo: boolean };
  readonly expires: string;
  readonly delete: string;
  readonly token: string;
}

/** Sends a correction, and the photo only with consent. */
export function sendFeedback(
  reading: Reading,
  hand: HandDto,
  context: Context,
  photo: Blob | null,
): Promise<Kept> {
  const form = new FormData();
  form.set('reading', JSON.stringify(reading));
  form.set('hand', JSON.stringify(hand));
  form.set('context', JSON.stringify(context));
  form.set('consent', JSON.stringify({ photo: photo !== null }));
  if (photo) form.set('photo', photo, 'hand.jpg');
  return call('/v1/feedback', { method: 'POST', body: form });
}

export async function takeBack(kept: Kept): Promise<void> {
  const proof = { ...headers(), 'Feedback-Token': kept.token };
  const response = await fetch(kept.delete, { method: 'DELETE', headers: proof });
  if (!response.ok) throw failure('other', response.status);
}
