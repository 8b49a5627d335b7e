/**
 * A phone in a browser: a fresh profile for each test, and no test passes while the console shows
 * an error or the page's policy refuses something. The service worker, which would load every file
 * of the page again for each profile, is there only for the tests that are about it.
 */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { PATIENCE } from './server';

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

export type { Page };

let browser: Browser;
const contexts: BrowserContext[] = [];
let complaints: string[] = [];

const shared = (): Promise<Browser> => chromium.connect(inject('browser'));

/** Call once in every file; the browser is the one that all share, unless a file needs its own. */
export function useBrowser(start: () => Promise<Browser> = shared): void {
  beforeAll(async () => {
    browser = await start();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    const said = complaints;
    complaints = [];
    expect(said).toEqual([]);
  });
  afterAll(() => browser.close());
}

export async function open(
  options: BrowserContextOptions & { path?: string; url?: string } = {},
): Promise<Page> {
  const { path = '/', url = inject('url'), ...rest } = options;
  const context = await browser.newContext({
    locale: 'en-GB',
    serviceWorkers: 'block',
    ...PHONE,
    ...rest,
  });
  contexts.push(context);
  context.setDefaultTimeout(PATIENCE);
  // Animations would only make the tests wait.
  const page = await context.newPage();
  await page.emulateMedia({
    reducedMotion: 'reduce',
    ...(rest.colorScheme && { colorScheme: rest.colorScheme }),
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The page shows a rejected photo as a problem, and tests stop the server on purpose.
    const expected = /Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !expected) complaints.push(message.text());
  });
  await page.goto(url + path);
  await page.getByRole('main').waitFor();
  return page;
}

/** The input behind the start's second button, which takes several photos. */
export const chooser = (page: Page): Locator => page.locator('main input[type=file][multiple]');

/** Until the service worker has everything and answers for the page. */
export async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done));
  });
}

/** Until the service worker has what reads photos. */
export async function readerKept(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  const files = () =>
    page.evaluate(async () => {
      const name = (await caches.keys()).find((one) => one.startsWith('reader-'));
      const stored = name ? await (await caches.open(name)).keys() : [];
      return stored.map(({ url }) => url.slice(url.lastIndexOf('/') + 1));
    });
  const names = [
    'reader.wasm',
    'ort-wasm-simd-threaded.wasm',
    'detector.onnx',
    'refiner.onnx',
    'classifier.onnx',
    'large-classifier.onnx',
    'tilesight-worker.js',
  ];
  for (const name of names) {
    await expect.poll(files).toContain(name);
  }
}

/** The total, once it is `expected`. */
export async function total(page: Page, expected: number): Promise<void> {
  await page.locator(`[data-total="${expected}"]`).waitFor();
}

/** Opens every folded part of a hand's page. */
export async function unfold(page: Page): Promise<void> {
  const folded = page.locator('details.fold:not([open]) > summary');
  await page.locator('details.fold').first().waitFor();
  while ((await folded.count()) > 0) await folded.first().click();
}

/** Selector of the elements on the page that can be tapped. */
export const TARGETS =
  'button, a.button, label.file, label.segment, label.check, summary, select, input[type=text]';
