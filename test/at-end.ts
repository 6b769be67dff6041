import { afterAll, onTestFinished, type RunnerTestFile, TestRunner } from 'vitest';

/**
 * At the end of the test that asks for it, or else of the file or block of tests. What a running test asks
 * `afterAll` for is never done.
 */
export function atEnd(work: (file: RunnerTestFile) => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(({ task }) => work(task.file));
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are wanted
  else afterAll(({}, { file }) => work(file));
}
