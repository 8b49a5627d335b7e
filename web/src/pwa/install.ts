/**
 * The page's side of the service worker: registering it, its updates, and photos shared to the app.
 */
import { signal } from '@preact/signals';
import { trusted } from '../browser/trusted';
import { learnPlace, wished } from '../engine/place';

/** A new version waits; calling it takes over. */
export const update = signal<(() => void) | null>(null);

interface InstallPrompt extends Event {
  prompt(): Promise<void>;
}

/** The browser offers to install the page. */
export const installable = signal<InstallPrompt | null>(null);

export async function registerWorker(): Promise<void> {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installable.value = event as InstallPrompt;
  });
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  try {
    const registration = await navigator.serviceWorker.register(trusted('sw.js'));
    if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed' && navigator.serviceWorker.controller) offer(worker);
      });
    });
    await learnPlace();
    if (wished.value === 'device' && !savesData())
      (await navigator.serviceWorker.ready).active?.postMessage('keep the reader');
  } catch {
    // Without a worker the page works, but not offline.
  }
}

/** A person who saves data gets what reads photos with the first photo, and not before. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

function offer(worker: ServiceWorker): void {
  update.value = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
    worker.postMessage('take over');
  };
}

/** Photos that another app shared; each is read once. */
export async function takeShared(): Promise<Blob[]> {
  if (!new URLSearchParams(location.search).has('shared') || !('caches' in window)) return [];
  history.replaceState(null, '', './');
  const cache = await caches.open('shared');
  const photos = await Promise.all(
    (await cache.keys()).map(async (request) => {
      const photo = await (await cache.match(request))?.blob();
      await cache.delete(request);
      return photo;
    }),
  );
  return photos.filter((photo) => photo !== undefined);
}
