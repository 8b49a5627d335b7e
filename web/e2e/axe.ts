/** Faults of a page that axe finds. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from './browser';

const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Finds the faults of a page that is at rest: while a score is awaited the previous one is pale, and while
 * something fades in its contrast is that of the moment.
 */
export async function findViolations(page: Page): Promise<readonly Result[]> {
  await waitForRest(page);
  await page.evaluate(SCRIPT);
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
  );
  return results.violations;
}

/** Waits until nothing is busy and nothing moves, except what moves without an end. */
async function waitForRest(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"]') === null &&
      document
        .getAnimations()
        .every((one) => one.playState === 'finished' || one.effect?.getComputedTiming().endTime === Infinity),
  );
}
