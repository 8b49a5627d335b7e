/**
 * Sources of a queue, which also store its answers: the folder of `tilesight review`, or a job of
 * the service. A job is asked with the key of this device and the name of who reviews.
 */
import { call, fetchBlob, post } from '../api/client';
import { read } from '../browser/storage';
import type { Queue, QueuedPhoto, Reply, ReviewPhoto } from '../model/review';

export interface ReviewSource {
  /** Prefix of the address of a place in the queue. */
  readonly home: string;
  /** The tables that have the answers at once; a folder is written by its command. */
  readonly tables: {
    readonly results: string;
    readonly workbook: string;
    readonly corrections: string;
  } | null;
  list(): Promise<Queue>;
  photo(index: number): Promise<ReviewPhoto>;
  /** An address that an image can show. */
  picture(index: number): Promise<string>;
  tryAnswer(index: number, reply: Reply): Promise<ReviewPhoto>;
  answer(index: number, reply: Reply): Promise<ReviewPhoto>;
  takeBack(index: number): Promise<ReviewPhoto>;
}

/** Number of photos of a page of the queue: the most that the service sends at once. */
const PAGE = 1000;

/** A part of a queue. */
interface QueuePage extends Queue {
  /** Index after which the next page begins; `null` on the last page. */
  readonly next: number | null;
}

/** The whole queue below an address: its groups are counted here. */
async function wholeQueue(base: string, query: string): Promise<Queue> {
  const first = `${base}${query}${query ? '&' : '?'}limit=${PAGE}`;
  let page: QueuePage = await call(first, {});
  const photos: QueuedPhoto[] = [...page.photos];
  while (page.next !== null) {
    page = await call(`${first}&after=${page.next}`, {});
    photos.push(...page.photos);
  }
  const { next: _, ...queue } = page;
  return { ...queue, photos };
}

/** The routes below an address, which are the same for a folder and a job. */
function routes(base: string, query: () => string) {
  const at = (index: number, part = ''): string => `${base}/${index}${part}${query()}`;
  return {
    list: (): Promise<Queue> => wholeQueue(base, query()),
    photo: (index: number): Promise<ReviewPhoto> => call(at(index), {}),
    tryAnswer: (index: number, reply: Reply): Promise<ReviewPhoto> => post(at(index, '/answers'), reply),
    answer: (index: number, reply: Reply): Promise<ReviewPhoto> =>
      call(at(index), {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(reply),
      }),
    takeBack: (index: number): Promise<ReviewPhoto> => call(at(index), { method: 'DELETE' }),
  };
}

/** The folder that `tilesight review` was opened with. */
export const folder: ReviewSource = {
  home: '#review',
  tables: null,
  ...routes('/v1/review', () => ''),
  picture: (index) => Promise.resolve(`/v1/review/${index}/photo`),
};

/** The name of who reviews, as it is written beside each correction of a job. */
export const reviewerName = (): string => {
  const name = read('reviewer');
  return typeof name === 'string' ? name : '';
};

const reviewer = (): string => {
  const name = reviewerName();
  return name ? `?reviewer=${encodeURIComponent(name)}` : '';
};

/** A job of the service. Its photos come with the key, which an image can't send. */
const jobOf = (id: string): ReviewSource => ({
  home: `#job=${id}`,
  tables: {
    results: `/v1/jobs/${id}/results?format=csv`,
    workbook: `/v1/jobs/${id}/results?format=xlsx`,
    corrections: `/v1/jobs/${id}/corrections`,
  },
  ...routes(`/v1/jobs/${id}/review`, reviewer),
  picture: async (index) => URL.createObjectURL(await fetchBlob(`/v1/jobs/${id}/review/${index}/photo`)),
});

/** The queue that an address names. */
export function sourceIn(hash: string): ReviewSource | null {
  const [, id] = /^#job=([0-9a-f]{32})(?:\/|$)/.exec(hash) ?? [];
  if (id) return jobOf(id);
  return /^#review(?:\/|$)/.test(hash) ? folder : null;
}
