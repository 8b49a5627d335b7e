/**
 * The service worker: the page opens without a network, and takes photos that other apps share.
 *
 * Every file of the page is kept when the worker is installed; the version is a hash of their
 * content, so that a new page gets a new cache and the old one is deleted. What reads photos in a
 * static site is ten times as large: it is kept when it is loaded, or when the page says so. Answers
 * of the service are not cached, except the list of rule sets, which the win context needs.
 */
// The compiler knows the page's and the worker's globals; this file is the worker.
const worker = self as unknown as ServiceWorkerGlobalScope;

// Replaced by the build.
declare const __PRECACHE__: {
  readonly version: string;
  /** The files of the page, relative to it. */
  readonly urls: readonly string[];
  /** The files that read photos, in a folder named by their content. */
  readonly reader: readonly string[];
};

const FILES = __PRECACHE__;
const pathOf = (name: string): string => new URL(name, location.href).pathname;
const URLS = FILES.urls.map(pathOf);
const READER_URLS = FILES.reader.map(pathOf);
const PAGE = `page-${FILES.version}`;
const READER = `reader-${READER_URLS[0] ?? ''}`;
const RULESETS = 'rulesets';
/** Photos that another app shared, until the page takes them. */
const SHARED = 'shared';

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(PAGE).then((cache) => cache.addAll(URLS)));
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(cleanUp().then(() => worker.clients.claim()));
});

async function cleanUp(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => /^(page|reader)-/.test(name) && name !== PAGE && name !== READER);
  await Promise.all(old.map((name) => caches.delete(name)));
}

worker.addEventListener('message', (event) => {
  if (event.data === 'take over') void worker.skipWaiting();
  if (event.data === 'keep the reader') event.waitUntil(Promise.all(READER_URLS.map(keptOnce)));
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === 'POST' && url.pathname === pathOf('share')) {
    event.respondWith(share(request));
  } else if (request.method !== 'GET') {
    return;
  } else if (url.pathname === '/v1/rulesets') {
    event.respondWith(networkFirst(request));
  } else if (URLS.includes(url.pathname)) {
    event.respondWith(kept(url.pathname, request));
  } else if (READER_URLS.includes(url.pathname)) {
    event.respondWith(keptOnce(url.pathname));
  }
});

async function kept(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(PAGE);
  return (await cache.match(path)) ?? fetch(request);
}

/** A file that reads photos: kept with its first use. */
async function keptOnce(path: string): Promise<Response> {
  const cache = await caches.open(READER);
  const found = await cache.match(path);
  if (found) return found;
  const response = await fetch(path);
  if (response.ok) await cache.put(path, response.clone());
  return response;
}

/** Names depend on the language, so each language has its own cache entry. */
async function networkFirst(request: Request): Promise<Response> {
  const cache = await caches.open(RULESETS);
  const key = `/v1/rulesets?${request.headers.get('Accept-Language') ?? ''}`;
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    const last = await cache.match(key);
    if (last) return last;
    throw error;
  }
}

/** Lays shared photos aside and opens the page, which takes them. */
async function share(request: Request): Promise<Response> {
  const form = await request.formData();
  const cache = await caches.open(SHARED);
  const photos = form.getAll('photos').filter((one): one is File => one instanceof File);
  await Promise.all(photos.map((photo, at) => cache.put(pathOf(`shared/${at}`), new Response(photo))));
  return Response.redirect(new URL('./?shared', location.href), 303);
}
