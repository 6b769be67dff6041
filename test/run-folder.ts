import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A new folder of this test run: the end of the run removes its remains. */
export const runFolder = (): Promise<string> =>
  mkdtemp(join(tmpdir(), `archipay-test-${inject('testRun')}-`));
