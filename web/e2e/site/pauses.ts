/**
 * Duration of a page's longest pause, as a multiple of a piece of work that its thread does in the
 * same test.
 *
 * Both are measured in the processor time of the page's thread, a moment apart: how fast the machine
 * is and what else it does changes both. A pause of more than 100 ms is felt as a freeze, and the
 * piece of work is what a phone three times slower than two idle cores of 2026 does meanwhile
 * (Lighthouse takes 2 to 4 times: its `docs/throttling.md`).
 */
import type { CDPSession, Page } from 'playwright-core';

/** Number of square roots that take 33 ms on an idle core. */
const WORK = 22e6;

/** Number of times that the piece of work is done; the median counts. */
const TIMES = 5;

/** Names in Chromium's trace of a step in which the page can do nothing else, and of its thread. */
const STEP = 'ThreadControllerImpl::RunTask';
const THREAD = 'CrRendererMain';

/** The fields of a trace's event that are used; times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** The processor time. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Occupies the page's thread with several pieces of work at a stretch. */
export const occupy = (page: Page, pieces: number): Promise<number> =>
  page.evaluate((count) => {
    let sum = 0;
    for (let one = 0; one < count; one += 1) sum += Math.sqrt(one);
    return sum;
  }, pieces * WORK);

/** The longest pause while something is done, in pieces of work: more than one is felt as a freeze. */
export async function longestPause(page: Page, act: () => Promise<unknown>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  const pause = await longestStep(devtools, act);
  const pieces: number[] = [];
  for (let time = 0; time < TIMES; time += 1) pieces.push(await longestStep(devtools, () => occupy(page, 1)));
  await devtools.detach();
  const piece = pieces.sort((one, other) => one - other)[TIMES >> 1] ?? Number.NaN;
  return pause / piece;
}

/**
 * The longest time, in milliseconds, in which the page can do nothing else while something is done.
 *
 * @throws {Error} if Chromium's trace does not say so.
 */
async function longestStep(devtools: CDPSession, act: () => Promise<unknown>): Promise<number> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }): unknown => events.push(...(value as TraceEvent[]));
  devtools.on('Tracing.dataCollected', collect);
  const traceConfig = { includedCategories: ['toplevel'], excludedCategories: ['*'] };
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await act();
  // The page answers within a step, which the trace has only when it has ended: the next one is
  // answered later.
  await devtools.send('Runtime.evaluate', { expression: '0' });
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
