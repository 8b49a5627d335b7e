/** The tests in a real browser against the real server: one after the other, for two cores. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    fileParallelism: false,
    cache: false,
    globalSetup: './server.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
