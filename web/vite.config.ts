/**
 * Build of the page: one HTML file, hashed assets, the npm package that reads photos and scores
 * hands on the device, and the service worker at the root with the list of everything it keeps for
 * offline use.
 *
 * The page that the program serves has `.br` and `.gz` twins beside each text, so that the server
 * never compresses, and modules and networks as `.gz` alone. The static site has plain files and its
 * policy in the page.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Address of the server during development (`npm run dev`); requests keep the page's host name. */
const SERVER = { target: 'http://127.0.0.1:8080', changeOrigin: false };
const TEXT = /\.(html|js|mjs|css|svg|webmanifest)$/;
/** Modules and networks, the greater part of all bytes. */
const LARGE = /\.(wasm|onnx)$/;

/** The packed npm package, which lies beside the page: `make npm`. */
const PACKAGE = '../out/npm/package';
/** Files of the package that typed hands need; the rest reads photos. */
const ENGINE = [
  'bytes.js',
  'engine.js',
  'in-browser.js',
  'index.js',
  'module.js',
  'options.js',
  'problem.js',
  'reader.js',
  'tilesight.wasm',
];
/** Files of the package that this page does not load: those of bundlers, and of Node. */
const NOT_SERVED =
  /\.d\.ts$|^packed\/|^(bundle|in-thread|networks|node|ort|packed|pipeline)\.js$|^(package\.json|README\.md)$/;

/**
 * Content security policy of a static site: nothing but its own files, no inline script or style.
 * The page contains the policy, so a host need not send it; `frame-ancestors` is missing, since
 * browsers ignore it in a page.
 */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; " +
  "require-trusted-types-for 'script'; trusted-types tilesight";

/** The files of the package that a browser may load, and the folder that they lie in, by content. */
function packaged(): { readonly folder: string; readonly names: readonly string[] } {
  const names = listed(PACKAGE).filter((name) => !NOT_SERVED.test(name));
  if (!names.includes('reader.wasm')) throw new Error(`${PACKAGE} has no package: run \`make npm\``);
  const hash = createHash('sha256');
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(PACKAGE, name)));
  return { folder: `assets/tilesight-${hash.digest('hex').slice(0, 12)}`, names };
}

/** The policy in the page of the static site; the program sends it as a header. */
function policy(): Plugin {
  return {
    name: 'tilesight:policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
        injectTo: 'head-prepend',
      },
    ],
  };
}

/** The package beside the page. */
function device(): Plugin {
  const { folder, names } = packaged();
  return {
    name: 'tilesight:device',
    apply: 'build',
    config: () => ({ define: { __PACKAGE__: JSON.stringify(`${folder}/`) } }),
    writeBundle({ dir = 'dist' }) {
      for (const name of names) {
        const to = join(dir, folder, name);
        mkdirSync(dirname(to), { recursive: true });
        copyFileSync(join(PACKAGE, name), to);
      }
    },
  };
}

/**
 * Replaces `__PRECACHE__` in the service worker by the list of all files, with a version by their
 * content. The files that read photos are a list of their own.
 */
function precache(): Plugin {
  return {
    name: 'tilesight:precache',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir = 'dist' }) {
      const files = listed(dir).filter((name) => name !== 'sw.js' && !/\.(br|gz)$|LICENSE/.test(name));
      const hash = createHash('sha256');
      for (const name of files.sort()) hash.update(name).update(readFileSync(join(dir, name)));
      const reads = (name: string): boolean =>
        name.startsWith('assets/tilesight-') && !ENGINE.some((one) => name.endsWith(`/${one}`));
      const [reader, page] = [files.filter(reads), files.filter((name) => !reads(name))];
      const urls = page.map((name) => (name === 'index.html' ? './' : name));
      const filled = { version: hash.digest('hex').slice(0, 12), urls, reader };
      const worker = join(dir, 'sw.js');
      const text = readFileSync(worker, 'utf8');
      if (!text.includes('__PRECACHE__')) throw new Error('sw.js has no place for its list of files');
      writeFileSync(worker, text.replace('__PRECACHE__', JSON.stringify(filled)));
    },
  };
}

/** Smaller twins of all text files; large files are there compressed alone. */
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
        for (const name of listed(dir).filter((one) => LARGE.test(one))) {
          writeFileSync(join(dir, `${name}.gz`), gzipSync(readFileSync(join(dir, name)), { level: 9 }));
          rmSync(join(dir, name));
        }
      },
    },
  };
}

const listed = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dir).length + 1));

export default defineConfig(({ mode, command }) => ({
  base: mode === 'site' ? './' : '/',
  // The list of all files is made when they are there, and before they are compressed.
  plugins:
    command === 'build'
      ? [device(), ...(mode === 'site' ? [policy(), precache()] : [precache(), compress()])]
      : [],
  // The drawn tiles and the sample photo are outside of web/.
  server: { proxy: { '/v1': SERVER, '/livez': SERVER, '/page.json': SERVER }, fs: { allow: ['..'] } },
  ...(command === 'serve' && { define: { __PACKAGE__: JSON.stringify(`/@fs/${resolve(PACKAGE)}/`) } }),
  build: {
    target: 'es2022',
    ...(mode === 'site' && { outDir: '../out/site', emptyOutDir: true }),
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
  test: { include: ['src/**/*.test.ts'], setupFiles: ['src/engine/module.setup.ts'], testTimeout: 180_000 },
}));
