import { randomUUID } from 'node:crypto';
import { AppError } from '#kernel/http/error.ts';
import { type Again, defineJob, type Job } from '#kernel/jobs/job.ts';
import type { CrosschainBase } from './deps.ts';
import { findTransfer } from './read-store.ts';
import { acceptReportedBurn, findBurn } from './reported-burn.ts';
import type { Transfer } from './store.ts';

const MINUTE_MS = 60_000;
/**
 * How long after it was called failed a transfer's burn is looked for: a transaction may wait that long
 * for its block. One that comes later still counts when somebody tells of it.
 */
const LOOKS_MS = [10, 60, 6 * 60, 24 * 60].map((minutes) => minutes * MINUTE_MS);

/** Looks on chain for the burns of transfers that somebody has called failed, and takes them up again. */
export const lookForBurnJob = (base: CrosschainBase): Job<{ log_id: string }> =>
  defineJob({
    name: 'crosschain.look-for-burn',
    async run({ log_id }) {
      const transfer = await findTransfer(base.db, { log_id });
      if (transfer?.status !== 'FAILED') return undefined;
      const hash = await findBurn(base, transfer);
      if (hash === undefined) return nextLook(base, transfer);
      try {
        const operation = randomUUID();
        await acceptReportedBurn(base, transfer, { hash, mode: 'confirm', operation });
      } catch (error) {
        // Not deep enough yet, or somebody else has told of it meanwhile.
        if (error instanceof AppError && error.code !== 'INTERNAL')
          return { again: new Date(base.clock.now().getTime() + MINUTE_MS) };
        throw error;
      }
      base.log.warn({ crosschain_log: log_id }, 'A transfer that was called failed has been burnt');
      return undefined;
    },
  });

/** Nothing after the last time. */
function nextLook({ clock }: CrosschainBase, { updated_at }: Transfer): Again | undefined {
  const failedAt = Date.parse(updated_at);
  const at = LOOKS_MS.map((ms) => failedAt + ms).find((ms) => ms > clock.now().getTime());
  return at === undefined ? undefined : { again: new Date(at) };
}
