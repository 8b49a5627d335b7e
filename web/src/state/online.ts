/**
 * Whether the server can be reached. The browser's word is taken for "offline" only; that it is
 * online says little, so a failed request sets it too, and until the server answers again it is
 * asked from time to time.
 */
import { effect, signal } from '@preact/signals';

export const online = signal(navigator.onLine);

/** Milliseconds between two looks whether the server is back. */
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

/** Keeps `online` true to life. */
export function watch(): void {
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
