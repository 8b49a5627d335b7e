/** Tests that a link which the browser does not let be copied is not said to be copied. */
import { afterEach, expect, it, vi } from 'vitest';
import { copyText } from './file';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['allows it', { writeText: () => Promise.resolve() }, true],
  ['refuses it', { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }, false],
  ['has no clipboard', undefined, false],
])('a browser that %s', async (_, clipboard, isCopied) => {
  vi.stubGlobal('navigator', { clipboard });
  expect(await copyText('link')).toBe(isCopied);
});
