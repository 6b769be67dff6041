import { afterAll, onTestFinished, type RunnerTestFile, TestRunner } from 'vitest';

type End = (file: RunnerTestFile) => Promise<void>;

/**
 * Runs it at the end of the calling test, or else of the file or block of tests. An `afterAll` that a running test
 * registers never runs.
 */
export function atEnd(end: End): void {
  if (TestRunner.getCurrentTest()) onTestFinished(({ task }) => end(task.file));
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are wanted
  else afterAll(({}, { file }) => end(file));
}

/** The same for a resource that is still starting. */
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
 * Empties an object that has ended: modules of test files stay loaded, and their references would keep a whole
 * service each.
 */
export function empty(ended: object): void {
  for (const key of Object.keys(ended)) Reflect.deleteProperty(ended, key);
}
