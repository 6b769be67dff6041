import { afterAll, onTestFinished, type RunnerTestFile, TestRunner } from 'vitest';

type End = (file: RunnerTestFile) => Promise<void>;

/**
 * At the end of the test that asks for it, or else of the file or block of tests. What a running test asks
 * `afterAll` for is never done.
 */
export function atEnd(end: End): void {
  if (TestRunner.getCurrentTest()) onTestFinished(({ task }) => end(task.file));
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are wanted
  else afterAll(({}, { file }) => end(file));
}

/** Something that is being started, and ends then too. */
export function endingThen<T>(started: Promise<{ readonly value: T; end: End }>): Promise<T> {
  // At once: after a wait it may be another test, or none, that runs.
  atEnd((file) =>
    started.then(
      ({ end }) => end(file),
      () => undefined,
    ),
  );
  return started.then(({ value }) => value);
}

/**
 * Takes everything out of something that has ended: modules of test files stay loaded, and what they name
 * would keep a whole service each.
 */
export function empty(ended: object): void {
  for (const key of Object.keys(ended)) Reflect.deleteProperty(ended, key);
}
