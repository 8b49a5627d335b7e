/** A service that is full is asked again when it says so, and not forever. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { server } from './client';
import type { Failure } from './failure';

const BUSY = { type: 'urn:tilesight:problem:unavailable', title: 'Busy', status: 503 };
const refused = (retryAfter?: string): Response =>
  Response.json(BUSY, { status: 503, headers: retryAfter ? { 'Retry-After': retryAfter } : {} });

const ask = () =>
  server.readHand([new Blob(['photo'])], {} as never, undefined, new AbortController().signal);

describe('a photo that finds the service full', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** The kind of the failure, or what was answered, and how often was asked. */
  async function outcome(answers: (nth: number) => Response): Promise<[unknown, number]> {
    const fetch = vi.fn(async () => answers(fetch.mock.calls.length));
    vi.stubGlobal('fetch', fetch);
    const outcome = ask().catch((failure: Failure) => failure.kind);
    await vi.runAllTimersAsync();
    return [await outcome, fetch.mock.calls.length];
  }

  it('is sent again after the pause', async () => {
    const answer = { reading: 'a hand' };
    expect(await outcome((nth) => (nth < 3 ? refused('1') : Response.json(answer)))).toEqual([answer, 3]);
  });

  it('fails after some retries', async () => {
    expect(await outcome(() => refused('1'))).toEqual(['unavailable', 9]);
  });

  it('is not sent again without a pause or with a long one', async () => {
    expect(await outcome(() => refused())).toEqual(['unavailable', 1]);
    expect(await outcome(() => refused('3600'))).toEqual(['unavailable', 1]);
  });
});
