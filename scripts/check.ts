import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** All checks of the sources without running the tests. Names the failed ones. */

const CHECKS: Record<string, readonly string[]> = {
  'lint and format': ['node_modules/@biomejs/biome/bin/biome', 'check', '.'],
  types: ['node_modules/typescript/bin/tsc', '--noEmit'],
  'types of the console': [
    'node_modules/typescript/bin/tsc',
    '--noEmit',
    '-p',
    'tsconfig.console.json',
  ],
  'row types': ['scripts/run.mjs', 'scripts/generate.ts', '--check'],
  'pages of settings': ['scripts/run.mjs', 'scripts/settings-pages.ts', '--check'],
  'SDK of the document': ['scripts/run.mjs', 'scripts/generate-sdk.ts', '--check'],
  'types of the SDK': ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'packages/sdk'],
  'OpenAPI document': ['scripts/run.mjs', 'scripts/lint-document.ts'],
  lockfile: ['scripts/run.mjs', 'scripts/lock.ts', '--check'],
};

const failed: string[] = [];
for (const [name, args] of Object.entries(CHECKS)) {
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  if (code !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`npm run check failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
