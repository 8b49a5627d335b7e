/** Takes the pictures of the page in the docs anew: `npm run pictures`. */
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '..'),
    include: ['pictures/*.test.ts'],
    maxWorkers: 1,
    cache: false,
    globalSetup: './server.ts',
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
  },
});
