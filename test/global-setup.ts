import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/kernel/db/embedded.ts';
import { discard, testFolder } from './folders.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run, as the application's role. */
    testServer: string;
    /** The same as superuser, who alone makes databases. */
    testAdmin: string;
    /** The process id of this test run. */
    testRun: number;
  }
}

/** One PostgreSQL per test run: any number of runs may go on at once. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = process.pid;
  discard(run);
  // The teardown below is skipped when the run is cut short.
  process.once('exit', () => discard(run));
  const { url, adminUrl, stop } = await startEmbedded({
    dir: await testFolder(run),
    durable: false,
  });
  project.provide('testServer', url);
  project.provide('testAdmin', adminUrl);
  project.provide('testRun', run);
  return async () => {
    await stop();
    discard(run);
  };
}
