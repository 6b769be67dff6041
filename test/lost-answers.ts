import { run } from '#kernel/db/db.ts';
import type { Harness } from './harness.ts';

/**
 * As if the processes had died before they could store their answers: a repetition with the same
 * `Idempotency-Key` takes each attempt over.
 */
export const loseAnswers = (h: Harness): Promise<unknown> =>
  run(
    h.db,
    `update idempotency_keys
     set status = null, answer = null, holder = null, lease_until = 'epoch'`,
    [],
  );
