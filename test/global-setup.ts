import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/kernel/db/embedded.ts';
import { killServer, sweep } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run, as the application's role. */
    testServer: string;
  }
}

/** One PostgreSQL per test run: any number of runs may go on at once. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweep();
  const dir = await mkdtemp(join(tmpdir(), 'archipay-test-'));
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
