import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { failedTests } from './failed-tests.ts';

/**
 * Runs the tests and ends with the names of the failed ones and one plain line that counts them: a cut log keeps its
 * end. The long ones (`*.long.test.ts`, see CONTRIBUTING) run with `--all`, or if a file or folder is named; other arguments go to vitest.
 */

const require = createRequire(import.meta.url);
const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');
const folder = await mkdtemp(join(tmpdir(), 'archipay-report-'));
const report = join(folder, 'report.json');

// Ctrl-C reaches vitest too, which then stops what the tests have started; we wait for it.
process.on('SIGINT', () => {});
// Vitest takes `test` for a part of every test's name: a folder is named with its slash.
const given = process.argv
  .slice(2)
  .map((name) => (isFolder(name) ? `${name.replace(/\/$/, '')}/` : name));
const isAll = given.includes('--all') || given.some((argument) => !argument.startsWith('-'));
const args = [
  ...['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  ...(isAll ? [] : ['--exclude=**/*.long.test.ts']),
  ...given.filter((argument) => argument !== '--all'),
];
const child = spawn(process.execPath, [vitest, ...args], {
  stdio: 'inherit',
  // Programs of long tests load the whole service a hundred times. Workers only fill the cache, at their end.
  env: { ...process.env, ...(isAll && { NODE_COMPILE_CACHE: join(folder, 'compiled') }) },
});
process.on('SIGTERM', () => child.kill('SIGINT'));
const [code] = await once(child, 'exit');

const counted = await readFile(report, 'utf8').then(JSON.parse, () => undefined);
await rm(folder, { recursive: true, force: true });
for (const line of failedTests(counted?.testResults ?? [])) console.log(line);
const passed = counted?.numPassedTests ?? 0;
// A file that cannot be loaded or an error outside of a test fails the run but no test.
const failed = Math.max(counted?.numFailedTests ?? 0, code === 0 ? 0 : 1);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
}
