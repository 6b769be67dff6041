import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from './clock.ts';

/**
 * Runs some work and hides how long it took: the caller gets the result, also an error, at
 * the next full step from its beginning.
 */
export type SteadyTiming = <T>(work: () => Promise<T>) => Promise<T>;

/** Longer than the slowest usual log-in takes, and no time for a person. */
const STEP_MS = 300;

interface Watch {
  nowMs(): number;
  sleep(ms: number): Promise<unknown>;
}

/** Counted from the beginning: by steps of the machine's clock callers could choose where they fall. */
export function createSteadyTiming(
  { nowMs, sleep: wait }: Watch = { nowMs: monotonicMs, sleep },
): SteadyTiming {
  return async (work) => {
    const began = nowMs();
    try {
      return await work();
    } finally {
      await wait(STEP_MS - ((nowMs() - began) % STEP_MS));
    }
  };
}
