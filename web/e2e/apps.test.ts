/**
 * An app in a browser, on a site of its own: the service has keys, and `--cors` names the site. What
 * the app may send and read is for the browser to say, so it is asked here.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { PATIENCE, PROGRAM, type Running, samplePath, start } from './server';

let browser: Browser;
let service: Running;
let key: string;
let slow: string;
const sites: Server[] = [];

/** A page of a site, and its origin. */
function site(): Promise<string> {
  const server = createServer((_, answer) => answer.end('<!doctype html><title>an app</title>'));
  sites.push(server);
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

let named: string;
let other: string;

beforeAll(async () => {
  named = await site();
  other = await site();
  const folder = await mkdtemp(join(tmpdir(), 'tilesight-apps-'));
  const keys = join(folder, 'keys.txt');
  const made = (name: string, rate: number) => {
    const flags = ['--file', keys, '--rate', String(rate)];
    return execFileSync(PROGRAM, ['keys', 'new', name, ...flags])
      .toString()
      .trim();
  };
  key = made('app', 600);
  slow = made('slow', 1);
  const jobs = ['--data', join(folder, 'jobs')];
  service = await start(['--keys', keys, '--cors', named, ...jobs]);
  browser = await chromium.connect(inject('browser'));
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  for (const server of sites) server.close();
});

const HEADERS = ['location', 'retry-after', 'ratelimit', 'ratelimit-policy', 'x-request-id', 'server-timing'];

/** Returns an app's answer: status, headers that it can read, JSON; or the browser's refusal. */
async function asked(origin: string, path: string, photo: Buffer, authorization: string) {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(origin);
  return page.evaluate(
    async ({ address, bytes, authorization, names }) => {
      const body = new FormData();
      body.set('photo', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'photo.jpg');
      try {
        const headers = { authorization };
        const answer = await fetch(address, { method: 'POST', body, headers });
        const read = names.filter((name) => answer.headers.has(name));
        return { status: answer.status, read, json: await answer.json() };
      } catch (error) {
        return { refused: String(error) };
      }
    },
    { address: service.url + path, bytes: [...photo], authorization, names: HEADERS },
  );
}

const demo = readFileSync(samplePath('demo'));

it('reads a photo and the headers that it needs', async () => {
  const answer = await asked(named, '/v1/hands?detail=compact', demo, `Bearer ${key}`);
  expect(answer).toMatchObject({ status: 200, json: { score: { total: expect.any(Number) } } });
  expect(answer.read).toEqual(['ratelimit', 'ratelimit-policy', 'x-request-id', 'server-timing']);
  const job = await asked(named, '/v1/jobs', demo, `Bearer ${key}`);
  expect(job.status).toBe(202);
  expect(job.read).toContain('location');
});

it('learns why it is refused', async () => {
  const unknown = await asked(named, '/v1/hands', demo, 'Bearer tilesight_none');
  expect(unknown).toMatchObject({ status: 401, json: { status: 401 } });
  // One request a minute: one of two at the same time is too many.
  const both = await Promise.all([1, 2].map(() => asked(named, '/v1/hands', demo, `Bearer ${slow}`)));
  const [over, ...others] = both.filter(({ status }) => status === 429);
  expect(others).toEqual([]);
  expect(over).toMatchObject({ status: 429, json: { status: 429 } });
  expect(over?.read).toEqual(expect.arrayContaining(['retry-after', 'ratelimit']));
});

it('is on a site that was named', async () => {
  const answer = await asked(other, '/v1/rulesets', demo, `Bearer ${key}`);
  expect(answer.refused).toContain('Failed to fetch');
});
