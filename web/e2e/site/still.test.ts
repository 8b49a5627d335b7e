/** The viewfinder of a phone that lies still, and of a device without a camera that may be used. */
import { expect, it } from 'vitest';
import { en } from '../../src/i18n/en';
import { open, total, useBrowser } from '../browser';
import { samplePath } from '../server';
import { cameras, noteCameras, withCamera } from './camera';

useBrowser(() => withCamera('demo', 'still'));

it('reads a picture that does not change a few times, and then no more', async () => {
  const page = await open();
  await page.getByRole('button', { name: en.live.title }).click();
  await page.locator('[data-live-total]').waitFor();
  const counted = async (what: 'read' | 'left'): Promise<number> =>
    Number(await page.locator('main').getAttribute(`data-${what}`));
  await expect.poll(() => counted('left')).toBeGreaterThan(3);
  const read = await counted('read');
  expect(read).toBeLessThan(8);
  const left = await counted('left');
  await expect.poll(() => counted('left')).toBeGreaterThan(left + 5);
  expect(await counted('read')).toBe(read);
});

it.each([
  'NotAllowedError',
  'NotFoundError',
  'NotReadableError',
] as const)('takes a photo instead where the camera fails with %s', async (name) => {
  const page = await open();
  await page.evaluate((name) => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', name));
  }, name);
  await page.getByRole('button', { name: en.live.title }).click();
  const said = { NotAllowedError: 'denied', NotFoundError: 'missing', NotReadableError: 'busy' } as const;
  await page.getByText(en.live.noCamera[said[name]]).waitFor();
  await page.locator('main input[capture]').setInputFiles(samplePath('demo'));
  await total(page, 20);
});

it('says what could not be loaded, and takes a photo instead', async () => {
  const page = await open();
  await page.route('**/detector.onnx', (route) => route.abort());
  await noteCameras(page);
  await page.getByRole('button', { name: en.live.title }).click();
  await page.getByText(en.problems['not-loaded']).waitFor();
  await expect.poll(() => cameras(page)).toEqual([false]);
  await page.unroute('**/detector.onnx');
  await page.locator('main input[capture]').setInputFiles(samplePath('demo'));
  await total(page, 20);
});

it('has no viewfinder where a page may not use cameras', async () => {
  const page = await open();
  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'mediaDevices'));
  await page.getByRole('button', { name: en.type }).click();
  await page.getByRole('button', { name: en.home }).click();
  await page.locator('main input[capture]').waitFor({ state: 'attached' });
  expect(await page.getByRole('button', { name: en.live.title }).count()).toBe(0);
});
