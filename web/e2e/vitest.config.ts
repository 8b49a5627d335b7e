/** The tests in a real browser against the real server: two files at a time, for two cores. */
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    setupFiles: [resolve(import.meta.dirname, '../src/engine/module.setup.ts')],
    // A test waits for the page for longer than it computes.
    maxWorkers: 2,
    cache: false,
    globalSetup: './server.ts',
    // Far longer than on two idle cores, since the program under test may be unoptimised and its
    // machine slow.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    // A page whose stream of events broke off comes back after two seconds.
    expect: { poll: { timeout: 180_000 } },
  },
});
