/**
 * The service's endpoints, as functions. Every error is a `Failure` with a problem to show; an
 * unreachable server is the problem `offline`.
 */
import { lang } from '../i18n';
import type { Told } from '../model/hand';
import { read } from '../state/storage';
import type {
  Answer,
  AnsweredReading,
  Context,
  Corner,
  Focus,
  HandDto,
  Other,
  Problem,
  Reading,
  Ruleset,
  Scored,
} from './types';

const PROBLEM = 'urn:tilesight:problem:';

export class Failure extends Error {
  constructor(readonly problem: Problem) {
    super(problem.title);
  }

  /** The stable end of the problem's type, such as `no-hand`. */
  get kind(): string {
    return this.problem.type.startsWith(PROBLEM) ? this.problem.type.slice(PROBLEM.length) : 'other';
  }
}

const failure = (kind: string, status: number): Failure =>
  new Failure({ type: PROBLEM + kind, title: kind, status });

export function headers(): Record<string, string> {
  const key = read('key');
  return {
    'Accept-Language': lang.value,
    ...(typeof key === 'string' && { Authorization: `Bearer ${key}` }),
  };
}

/** How often a rejected request is retried, and the longest pause that the service may request. */
const MOST_REFUSALS = 8;
const LONGEST_PAUSE_S = 10;

/**
 * Retries when the service is full and says when to come back: only few photos may wait there, and
 * nobody should have to press a button again. Part of the pause is random, so that phones that were
 * rejected together don't retry together.
 */
async function patiently(path: string, init: RequestInit): Promise<Response> {
  for (let refusals = 0; ; refusals++) {
    const response = await fetch(path, init);
    const pause = response.status === 503 ? Number(response.headers.get('Retry-After')) : 0;
    if (!(pause > 0 && pause <= LONGEST_PAUSE_S) || refusals === MOST_REFUSALS) return response;
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
    throw failure('offline', 0);
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

/** Where in a photo the hand is: at a point of it, or within a region. */
export interface Aim {
  readonly focus?: Focus;
  readonly region?: readonly Corner[];
}

/**
 * The photos of a hand to its reading; of several hands in the first photo to that of the one that
 * is aimed at there.
 */
export function readHand(
  photos: readonly Blob[],
  context: Context,
  ruleset: string | undefined,
  signal: AbortSignal,
  { focus, region }: Aim = {},
): Promise<Answer> {
  const form = new FormData();
  for (const photo of photos) form.append('photo', photo, 'hand.jpg');
  form.set('context', JSON.stringify({ ...context, ...(ruleset && { ruleset }) }));
  if (focus) form.set('focus', `${focus.x},${focus.y}`);
  if (region) form.set('region', region.map((corner) => corner.map(Math.round).join()).join(' '));
  return call('/v1/hands', { method: 'POST', body: form, signal });
}

/** A photo as an upright JPEG, where the browser can't show it. */
export const preview = (photo: Blob): Promise<Blob> =>
  fetchBlob('/v1/preview', { method: 'POST', body: photo });

export interface ToScore {
  readonly hand: HandDto;
  readonly context: Context;
  readonly rulesets: readonly string[];
  readonly others?: readonly Other[];
}

/** Scores a typed hand by every rule set, or a table of hands. */
export async function scoreHand(asked: ToScore, signal?: AbortSignal): Promise<readonly Scored[]> {
  return (await post<{ scores?: Scored[] }>('/v1/score', asked, signal)).scores ?? [];
}

/**
 * A hand that was read and then answered or corrected: its scores, and the doubts that are left,
 * both computed anew.
 */
export function answerReading(
  { hand, doubts }: Reading,
  answered: readonly Told[],
  asked: ToScore,
  signal?: AbortSignal,
): Promise<AnsweredReading> {
  const answers = answered.map(({ doubt, answer }) => ({ doubt, ...(answer !== null && { answer }) }));
  return post('/v1/readings/answers', { reading: { hand, doubts }, answers, ...asked }, signal);
}

export const rulesets = (signal?: AbortSignal): Promise<{ rulesets: Ruleset[] }> =>
  call('/v1/rulesets', signal ? { signal } : {});

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
