/**
 * State of the connection: whether the server can be reached. The browser is only trusted when it
 * reports "offline"; a failed request counts as offline too, and then the server is polled until it
 * answers.
 */
import { effect, signal } from '@preact/signals';
import { ON_DEVICE } from './site';

/** Whether the server can be reached; always true on a static site, which needs no server. */
export const online = signal(ON_DEVICE || navigator.onLine);

/** Milliseconds between two polls while the server is unreachable. */
const EVERY = 4_000;

async function reachable(): Promise<boolean> {
  try {
    return (await fetch('/livez', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

async function look(): Promise<void> {
  if (navigator.onLine && (await reachable())) online.value = true;
}

/** Keeps `online` up to date. */
export function watch(): void {
  if (ON_DEVICE) return;
  window.addEventListener('offline', () => {
    online.value = false;
  });
  window.addEventListener('online', () => void look());
  effect(() => {
    if (online.value) return undefined;
    const timer = setInterval(() => void look(), EVERY);
    return () => clearInterval(timer);
  });
}
