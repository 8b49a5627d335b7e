/** A slow phone, and how long its page stood still. */
import type { Page } from 'playwright-core';

/** How much slower than this machine a phone's processor is. */
const SLOWER = 4;

/** A longer pause is felt as a freeze, in milliseconds. */
export const FREEZE = 100;

/** Slows the page down from now on; its workers run as fast as before. */
export async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

interface Watched {
  longest(): number;
}

/** Begins to note the longest time between two moments in which the page can do something. */
export const watchPauses = (page: Page): Promise<void> =>
  page.evaluate(() => {
    let [last, longest] = [performance.now(), 0];
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    Object.assign(window, {
      longest: () => {
        clearInterval(timer);
        return longest;
      },
    });
  });

/** That time, in milliseconds, since it was begun. */
export const longestPause = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as Watched).longest());
