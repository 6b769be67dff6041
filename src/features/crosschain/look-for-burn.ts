import { randomUUID } from 'node:crypto';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import { isExpected } from './burn.ts';
import type { CrosschainDeps } from './deps.ts';
import { nextLook, soon } from './given-up.ts';
import { findTransfer } from './queries.ts';
import { acceptReportedBurn, findBurn } from './reported-burn.ts';

/** Looks on chain for the burns of transfers that somebody has called failed, and takes them up again. */
export const lookForBurnJob = (deps: CrosschainDeps): Job<{ log_id: string }> =>
  defineJob({
    name: 'crosschain.look-for-burn',
    async run({ log_id }) {
      const transfer = await findTransfer(deps.db, { log_id });
      if (transfer?.status !== 'FAILED') return undefined;
      const hash = await findBurn(deps, transfer);
      if (hash === undefined) return nextLook(deps, transfer);
      try {
        await acceptReportedBurn(deps, transfer, {
          hash,
          mode: 'confirm',
          operation: randomUUID(),
        });
      } catch (error) {
        // Not deep enough yet, or somebody else has told of it meanwhile.
        if (isExpected(error)) return soon(deps);
        throw error;
      }
      deps.log.warn({ crosschain_log: log_id }, 'A transfer that was called failed has been burnt');
      return undefined;
    },
  });
