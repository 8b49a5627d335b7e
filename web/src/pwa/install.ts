/**
 * The page's side of the service worker: registering it, its updates, and photos shared to the app.
 */
import { signal } from '@preact/signals';

/** A new version waits; calling it takes over. */
export const update = signal<(() => void) | null>(null);

interface InstallPrompt extends Event {
  prompt(): Promise<void>;
}

/** The browser offers to install the page. */
export const installable = signal<InstallPrompt | null>(null);

/** The page's policy allows only this address for a worker's script (trusted types). */
function workerAddress(): string {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  const policy = types?.createPolicy('tilesight', { createScriptURL: (url: string) => url });
  return (policy?.createScriptURL('/sw.js') ?? '/sw.js') as string;
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): unknown };
}

export async function registerWorker(): Promise<void> {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installable.value = event as InstallPrompt;
  });
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  try {
    const registration = await navigator.serviceWorker.register(workerAddress());
    if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed' && navigator.serviceWorker.controller) offer(worker);
      });
    });
  } catch {
    // Without a worker the page works, but not offline.
  }
}

function offer(worker: ServiceWorker): void {
  update.value = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
    worker.postMessage('take over');
  };
}

/** Photos that another app shared; each is read once. */
export async function takeShared(): Promise<Blob[]> {
  if (!new URLSearchParams(location.search).has('shared') || !('caches' in window)) return [];
  history.replaceState(null, '', '/');
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
