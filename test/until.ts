import type { Harness } from './harness.ts';

const TRIES = 5;

/**
 * Lets the jobs work until it is so. A call that a chain's busy node has left unanswered is made again only
 * after its pause; what is expected of it then is the test's to say.
 */
export async function until(h: Harness, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    await h.drain();
    if (await isSo()) return;
    await h.advance(60 * 2 ** tries);
  }
}
