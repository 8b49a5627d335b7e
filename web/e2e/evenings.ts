/** Several evenings on one device, of a service or of a static site: leaving one loses nothing. */
import { expect } from 'vitest';
import { en } from '../src/i18n/en';
import type { Page } from './browser';
import { begin, dealIs, enterPoints, NAMES, totals } from './table';

const words = en.evening;

const listed = (page: Page) => page.locator('.evenings li button');

/** Begins another evening from the list of those that are kept. */
async function beginAnother(page: Page, title: string): Promise<void> {
  await page.getByLabel(words.name).fill(title);
  for (const [at, name] of [...NAMES].reverse().entries()) {
    await page.locator('.new-game fieldset input').nth(at).fill(name);
  }
  await page.getByRole('button', { name: words.begin, exact: true }).click();
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  await dealIs(page, 1, 'E');
}

/** Leaves an evening for another one, and finds both again. */
export async function leaveAndFind(page: Page): Promise<void> {
  await begin(page);
  await enterPoints(page, { winner: 1, discarder: 2 }, 20);
  await expect.poll(() => totals(page)).toEqual([-8, 44, -28, -8]);
  await page.getByRole('button', { name: words.all }).click();
  await expect.poll(() => listed(page).count()).toBe(1);
  const text = (await listed(page).textContent()) ?? '';
  for (const part of [
    'Thursday',
    NAMES.join(', '),
    words.deal(2, en.winds.E),
    String(new Date().getFullYear()),
  ])
    expect(text).toContain(part);

  await beginAnother(page, 'Friday');
  expect(await totals(page)).toEqual([0, 0, 0, 0]);
  // Neither the button of the browser nor a reload loses one of them.
  await page.goBack();
  await expect.poll(() => listed(page).count()).toBe(2);
  await page.goBack();
  await expect.poll(() => totals(page)).toEqual([-8, 44, -28, -8]);
  await page.reload();
  await expect.poll(() => totals(page)).toEqual([-8, 44, -28, -8]);
  await page.getByRole('button', { name: words.all }).click();
  await listed(page).filter({ hasText: 'Friday' }).click();
  await page.getByRole('heading', { name: 'Friday', exact: true }).waitFor();
  await page.getByRole('button', { name: words.all }).click();
  await listed(page).filter({ hasText: 'Thursday' }).click();
  await expect.poll(() => totals(page)).toEqual([-8, 44, -28, -8]);
  await dealIs(page, 2);
}
