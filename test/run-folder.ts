import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A new folder of this test run: what a test leaves of it is removed when the run ends. */
export const runFolder = (): Promise<string> =>
  mkdtemp(join(tmpdir(), `archipay-test-${inject('testRun')}-`));
