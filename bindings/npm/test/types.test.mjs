/** The types: a program that uses the package compiles, and a misspelt field does not. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONSUMER, ROOT } from './package.mjs';

test('a program in TypeScript compiles', () => {
  copyFileSync(join(ROOT, 'bindings/npm/test/types.ts'), join(CONSUMER, 'types.ts'));
  const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], types: [] };
  writeFileSync(join(CONSUMER, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['types.ts'] }));
  execFileSync(join(ROOT, 'web/node_modules/.bin/tsc'), ['--project', CONSUMER], { stdio: 'inherit' });
});
