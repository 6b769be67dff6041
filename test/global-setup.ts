import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/kernel/db/embedded.ts';
import { killServer, sweep, testFolder } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run, as the application's role. */
    testServer: string;
  }
}

/** One PostgreSQL per test run: any number of runs may go on at once. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweep();
  const dir = await testFolder(false);
  const discard = () => {
    killServer(dir);
    rmSync(dir, { recursive: true, force: true });
  };
  // The teardown below is skipped when the run is cut short.
  process.once('exit', discard);
  const { url, stop } = await startEmbedded({ dir, durable: false });
  project.provide('testServer', url);
  return async () => {
    await stop();
    process.off('exit', discard);
    discard();
  };
}
