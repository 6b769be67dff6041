import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Changes the code one place at a time and runs the tests beside it: a change that no test notices is a gap. `npm run
 * mutation -- money` takes one part, without a name all of them. Fails where a score is below its bar.
 * docs/design/tests.md has the scores and how to read them.
 */

/** The least score of each part, in percent of all mutants: the last measured one, rounded down; 0 before the first. */
const BARS: Readonly<Record<string, number>> = { money: 79, ledger: 0, effects: 0 };

const require = createRequire(import.meta.url);
const stryker = join(
  dirname(require.resolve('@stryker-mutator/core/package.json')),
  'bin/stryker.js',
);
const named = process.argv.slice(2);
const unknown = named.filter((part) => !(part in BARS));
if (unknown.length > 0) {
  console.error(`No part ${unknown.join(', ')}: ${Object.keys(BARS).join(', ')}`);
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), 'archipay-mutation-'));
const failed: string[] = [];
for (const part of named.length > 0 ? named : Object.keys(BARS)) {
  const config = join(folder, `${part}.json`);
  await writeFile(config, JSON.stringify(configOf(part)));
  const child = spawn(process.execPath, [stryker, 'run', config], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) failed.push(part);
}
await rm(folder, { recursive: true, force: true });
if (failed.length > 0) {
  console.error(`Mutation testing failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

function configOf(part: string) {
  const room = `src/kernel/${part}`;
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    mutate: [`${room}/*.ts`, `!${room}/*.test.ts`],
    testFiles: [`${room}/*.test.ts`, `!${room}/*.long.test.ts`],
    vitest: { configFile: 'vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // Machines are shared: a slow test must not end the run.
    timeoutMS: 60_000,
    concurrency: 2,
    // Stryker reads a tsconfig.json by the classic compiler's API, which TypeScript 7 does not have.
    tsconfigFile: 'absent.json',
    ignorePatterns: ['bench', 'chaos', 'docs', 'demo'],
    reporters: ['clear-text'],
    clearTextReporter: { reportTests: false },
    thresholds: { break: BARS[part] },
    tempDirName: join(folder, 'sandbox'),
  };
}
