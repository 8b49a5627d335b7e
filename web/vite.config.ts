/**
 * How the page is built: one HTML file, hashed assets, and the service worker at the root with the
 * list of everything it keeps for offline use. Beside each text file lie its `.br` and `.gz` twins,
 * so that the server never compresses.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/**

 * Where the server listens during development (`npm run dev`); requests keep the page's host name.

 */
const SERVER = { target: 'http://127.0.0.1:8080', changeOrigin: false };
const TEXT = /\.(html|js|css|svg|webmanifest)$/;

/**

 * What the service worker fills its `__PRECACHE__` with: every file, and a version by their

 * content.

 */
function precache(): Plugin {
  return {
    name: 'tilesight:precache',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir = 'dist' }) {
      const files = listed(dir).filter((name) => name !== 'sw.js' && !/\.(br|gz)$/.test(name));
      const hash = createHash('sha256');
      for (const name of files.sort()) hash.update(name).update(readFileSync(join(dir, name)));
      const urls = files.map((name) => (name === 'index.html' ? '/' : `/${name}`));
      const filled = { version: hash.digest('hex').slice(0, 12), urls };
      const worker = join(dir, 'sw.js');
      const text = readFileSync(worker, 'utf8');
      if (!text.includes('__PRECACHE__')) throw new Error('sw.js has no place for its list of files');
      writeFileSync(worker, text.replace('__PRECACHE__', JSON.stringify(filled)));
    },
  };
}

/** Smaller twins of all text files. */
function compress(): Plugin {
  return {
    name: 'tilesight:compress',
    apply: 'build',
    enforce: 'post',
    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir = 'dist' }) {
        for (const name of listed(dir).filter((one) => TEXT.test(one))) {
          const bytes = readFileSync(join(dir, name));
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
          writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, quality));
          writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        }
      },
    },
  };
}

const listed = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dir).length + 1));

export default defineConfig({
  plugins: [precache(), compress()],
  // The drawn tiles and the sample photo are outside of web/.
  server: { proxy: { '/v1': SERVER, '/livez': SERVER }, fs: { allow: ['..'] } },
  build: {
    target: 'es2022',
    // Inlined files would be `data:` addresses, which the page's policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: 'index.html', sw: 'src/pwa/sw.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  test: { include: ['src/**/*.test.ts'] },
});
