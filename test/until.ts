import type { Harness } from './harness.ts';

const TRIES = 5;

/**
 * Runs the jobs until the condition holds. A call without an answer from a chain's busy node is repeated only after
 * its pause; the test sets the expectation then.
 */
export async function until(h: Harness, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    await h.drain();
    if (await isSo()) return;
    await h.advance(60 * 2 ** tries);
  }
}
