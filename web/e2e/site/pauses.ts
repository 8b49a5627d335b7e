/**
 * A slow phone, and how long its page stood still.
 *
 * Measured is the processor time of the page's thread, and not the clock: what else this machine
 * does makes little difference (three programs on two cores: 70 to 101 ms instead of 79).
 */
import type { CDPSession, Page } from 'playwright-core';

/**
 * How much slower than this machine a phone's processor is: Lighthouse takes 2 on a slow desktop for a
 * phone of the middle class, and 4 on a fast one (its `docs/throttling.md`).
 */
const SLOWER = 3;

/** A longer pause is felt as a freeze, in milliseconds. */
export const FREEZE = 100;

/** What Chromium's trace calls a step in which the page can do nothing else, and its thread. */
const STEP = 'ThreadControllerImpl::RunTask';
const THREAD = 'CrRendererMain';

/** What of an event in a trace is used; times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** The processor time. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Slows the page down from now on; its workers run as fast as before. */
export async function slowDown(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return devtools;
}

/**
 * The longest time, in milliseconds, in which the page can do nothing else while something is done.
 *
 * @throws {Error} if Chromium's trace does not say so.
 */
export async function longestPause(devtools: CDPSession, act: () => Promise<unknown>): Promise<number> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }): unknown => events.push(...(value as TraceEvent[]));
  devtools.on('Tracing.dataCollected', collect);
  const traceConfig = { includedCategories: ['toplevel'], excludedCategories: ['*'] };
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await act();
  const complete = new Promise((done) => devtools.once('Tracing.tracingComplete', done));
  await devtools.send('Tracing.end');
  await complete;
  devtools.off('Tracing.dataCollected', collect);

  const thread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const threads = new Set(
    events.filter((event) => event.name === 'thread_name' && event.args.name === THREAD).map(thread),
  );
  const steps = events.filter((event) => event.name === STEP && threads.has(thread(event)));
  const times = steps.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]));
  if (times.length === 0) throw new Error(`Chromium's trace has no ${STEP} of ${THREAD}`);
  return Math.max(...times);
}
