/**
 * The program as people run it, with the page inside and the real models: TILESIGHT_PROGRAM, or the
 * release build. A missing program or browser is a failure that says what to run, never a skipped
 * test.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

/** The limit of every wait, in milliseconds: only what hangs exceeds it, however busy the machine is. */
export const PATIENCE = 180_000;

export const ROOT = resolve(import.meta.dirname, '../..');
export const PROGRAM = process.env.TILESIGHT_PROGRAM ?? resolve(ROOT, 'target/release/tilesight');
const BROWSERS = [
  process.env.TILESIGHT_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Parts of the browser that are off: those that playwright turns off, whose list this one replaces,
 * and the popups of the address bar. They are pages of their own, each with a process for every
 * window, and took as long as the page that is tested.
 */
const OFF = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

/** Arguments with which every browser of these tests is started. */
export const FLAGS = [
  `--disable-features=${OFF.join()}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

export const samplePath = (name: string): string => resolve(ROOT, 'datasets/samples', `${name}.jpg`);
export const gamePath = (name: string): string => resolve(ROOT, 'datasets/games', `${name}.jpg`);

/** A program behind an address that stays the same while the program stops and starts again. */
export interface Restartable extends Running {
  /** Ends the program; nobody answers at the address until it is started again. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/**
 * Starts the program on a free port and waits until it is ready. Most tests are about what the server
 * reads; `device.test.ts` is about the device.
 */
export async function start(
  more: readonly string[] = [],
  reads: 'server' | 'device' = 'server',
): Promise<Running> {
  if (!existsSync(PROGRAM)) {
    throw new Error(`${PROGRAM} is missing: run \`make build-web\``);
  }
  const child = spawn(PROGRAM, ['serve', '--listen', '127.0.0.1:0', '--page-reads', reads, ...more], {
    cwd: ROOT,
  });
  const url = await announced(child);
  await ready(url);
  return { url, stop: () => stopped(child) };
}

/**
 * Starts the program like `start`, with an address of this process before it. Each program gets a port
 * of its own from the kernel: the one that is given up could be taken before the next program has it.
 */
export async function startBehind(more: readonly string[] = []): Promise<Restartable> {
  let behind: Running | undefined = await start(more);
  const front = createServer((from) => {
    if (!behind) {
      from.destroy();
      return;
    }
    const to = connect(Number(new URL(behind.url).port), '127.0.0.1');
    from.pipe(to).pipe(from);
    for (const [end, other] of [
      [from, to],
      [to, from],
    ] as const) {
      end.on('error', () => end.destroy());
      end.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
  const { port } = front.address() as AddressInfo;
  const down = async (): Promise<void> => {
    const program = behind;
    behind = undefined;
    await program?.stop();
  };
  const up = async (): Promise<void> => {
    behind = await start(more);
  };
  const stop = async (): Promise<void> => {
    await down();
    front.close();
  };
  return { url: `http://127.0.0.1:${port}`, down, up, stop };
}

function announced(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let log = '';
    child.stderr?.on('data', (text) => {
      log += text;
    });
    child.stdout?.on('data', (text: Buffer) => {
      const found = /listens on (http:\S+)/.exec(String(text));
      if (found?.[1]) done(found[1]);
    });
    child.on('exit', (code) => failed(new Error(`the program ended with ${code}:\n${log}`)));
  });
}

async function ready(url: string): Promise<void> {
  const patience = Date.now() + PATIENCE;
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (Date.now() > patience) throw new Error('the program does not become ready: run `make setup`');
    await new Promise((done) => setTimeout(done, 50));
  }
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.on('exit', () => done());
    child.kill('SIGTERM');
  });
}

/** The browser that is installed, or the one that playwright brought. */
export function browserPath(): string {
  const found = [...BROWSERS, chromium.executablePath()].find((path) => path && existsSync(path));
  if (!found) throw new Error('no Chromium is installed: run `scripts/setup-browser`');
  return found;
}

/** Starts one server and one browser before all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await chromium.launchServer({
    executablePath: browserPath(),
    args: FLAGS,
    timeout: PATIENCE,
  });
  const server = await start();
  project.provide('url', server.url);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await Promise.all([server.stop(), browser.close()]);
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of all tests that need no other. */
    url: string;
    /** WebSocket address of the browser of all tests. */
    browser: string;
  }
}
