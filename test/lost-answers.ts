import { run } from '#kernel/db/db.ts';
import type { Harness } from './harness.ts';

/**
 * As though the processes had died before they could keep what they answered: a repetition with the same
 * `Idempotency-Key` takes each attempt over.
 */
export const loseAnswers = (h: Harness): Promise<unknown> =>
  run(
    h.db,
    `update idempotency_keys
     set status = null, answer = null, holder = null, lease_until = 'epoch'`,
    [],
  );
