/**
 * Attacks by another site's page on a service that asks for no key. `evil.test` is the attacker's
 * name: it resolves to the attacker's server on 127.0.0.2 and later, rebound, to the service.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { open, total, useBrowser } from './browser';
import { browserPath, FLAGS, PATIENCE, type Running, samplePath, start } from './server';

const ATTACKER = '127.0.0.2';
const EVIL = 'evil.test';

useBrowser();

let service: Running;
let job: string;
let browser: Browser;
const servers: Server[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tilesight-e2e-'));
  // A job without workers: it can be cancelled at any time.
  service = await start(['--data', folder, '--job-workers', '0']);
  const form = new FormData();
  form.set('photo', new Blob([readFileSync(samplePath('demo'))]), 'photo.jpg');
  const created = await fetch(`${service.url}/v1/jobs`, { method: 'POST', body: form });
  expect(created.status).toBe(202);
  job = created.headers.get('location') ?? '';
  const args = [...FLAGS, `--host-resolver-rules=MAP ${EVIL} ${ATTACKER}`];
  browser = await chromium.launch({ executablePath: browserPath(), args, timeout: PATIENCE });
});
afterEach(() => Promise.all(servers.splice(0).map(closed)));
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const closed = (server: Server): Promise<void> => new Promise((done) => server.close(() => done()));

function listening(server: Server, address: string, port = 0): Promise<number> {
  servers.push(server);
  return new Promise((done, failed) => {
    server.on('error', failed);
    server.listen(port, address, () => done((server.address() as AddressInfo).port));
  });
}

/** The attacker's page, and how the attacker's name comes to lead to the service. */
interface Lured {
  readonly page: Page;
  rebind(): void;
}

/** The attacker's page, on the service's port at the attacker's address. */
async function lured(): Promise<Lured> {
  const port = Number(new URL(service.url).port);
  const evil = createHttpServer((_, answer) => {
    answer.setHeader('connection', 'close');
    answer.end('<!doctype html><title>evil</title>');
  });
  let at = ATTACKER;
  let to = await listening(evil, ATTACKER);
  const front = createServer((from) => {
    const end = connect(to, at);
    from.pipe(end).pipe(from);
    for (const one of [from, end]) one.on('error', () => one.destroy());
  });
  await listening(front, ATTACKER, port);
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(`http://${EVIL}:${port}/`);
  return {
    page,
    rebind() {
      at = '127.0.0.1';
      to = port;
    },
  };
}

/** The jobs of the service, and the state of the one. */
async function state(): Promise<{ jobs: number; status: string }> {
  const jobs = (await (await fetch(`${service.url}/v1/jobs`)).json()).jobs.length;
  return { jobs, status: (await (await fetch(service.url + job)).json()).status };
}

it('rejects a foreign host name that resolves to the service', async () => {
  const { page, rebind } = await lured();
  // From now on the attacker's name resolves to the service; for the browser it is the same site.
  rebind();
  const before = await state();
  const ask = (method: string, path: string) =>
    page.evaluate(
      async ([method, path]) => {
        const answer = await fetch(path as string, { method: method as string });
        return { status: answer.status, text: await answer.text() };
      },
      [method, path],
    );
  for (const [method, path] of [
    ['GET', '/v1/jobs'],
    ['GET', job],
    ['POST', `${job}/cancel`],
    ['DELETE', job],
    ['GET', '/metrics'],
    ['GET', '/'],
  ] as const) {
    const { status, text } = await ask(method, path);
    expect(status, `${method} ${path}`).toBe(421);
    expect(text).not.toContain(job.split('/').pop());
  }
  expect(await state()).toEqual(before);
  await page.context().close();
});

it('rejects requests of another site, readable answer or not', async () => {
  const { page } = await lured();
  const before = await state();
  const read = await page.evaluate(
    async ([url, job]) => {
      const form = new FormData();
      form.set('photo', new Blob(['x'], { type: 'image/jpeg' }), 'photo.jpg');
      const plain = { 'content-type': 'text/plain' };
      // Requests that a browser sends without a CORS preflight: a form, plain text, an empty body.
      await fetch(`${url}/v1/jobs`, { method: 'POST', mode: 'no-cors', body: form });
      await fetch(`${url}${job}/cancel`, { method: 'POST', mode: 'no-cors', headers: plain, body: '{}' });
      await fetch(`${url}${job}/cancel`, { method: 'POST', mode: 'no-cors' });
      const removed = await fetch(url + job, { method: 'DELETE' }).catch(() => null);
      const listed = await fetch(`${url}/v1/jobs`).catch(() => null);
      return [removed, listed].map((answer) => answer?.status);
    },
    [service.url, job] as const,
  );
  expect(read).toEqual([undefined, undefined]);
  expect(await state()).toEqual(before);
  await page.context().close();
});

it('serves its own page, also through a link from another site', async () => {
  const page = await open({ url: service.url, path: '/#hand=123456789m11pFFF' });
  await total(page, 21);
  const { page: evil } = await lured();
  await evil.setContent(`<a href="${service.url}/">Mahjong</a>`);
  await evil.getByRole('link').click();
  await evil.waitForURL(`${service.url}/`);
  await evil.getByRole('main').waitFor();
  await evil.context().close();
});
