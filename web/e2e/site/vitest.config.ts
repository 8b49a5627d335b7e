/** The tests of the static site, with a plain file server and no program, and a journey of the page. */
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: resolve(import.meta.dirname, '..'),
    include: ['site/*.test.ts', 'journey.test.ts', 'own-sets.test.ts'],
    setupFiles: [resolve(import.meta.dirname, '../../src/engine/module.setup.ts')],
    maxWorkers: 2,
    cache: false,
    globalSetup: './site/server.ts',
    // As for the served page, on a machine that does other things meanwhile.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
  },
});
