import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { finishBurn, isExpected } from './burn.ts';
import type { CrosschainDeps } from './deps.ts';
import { mint } from './mint.ts';
import { listUnfinished } from './queries.ts';
import { postponeMint, type Transfer } from './store.ts';

/** A mint this old is nobody's request any more. */
const MINT_MS = 120_000;
const AT_ONCE = 20;

/**
 * Ends what a crash or a lost answer has left open: burns whose holder is gone, and mints that were
 * begun. What cannot be ended yet is looked at again a minute later.
 */
export const finishSchedule = (deps: CrosschainDeps): Schedule =>
  defineSchedule({
    name: 'crosschain.finish-open',
    cron: '* * * * *',
    async run() {
      const now = deps.clock.now();
      const before = new Date(now.getTime() - MINT_MS);
      const open = await listUnfinished(deps.db, now, before, AT_ONCE);
      await Promise.all(open.map((transfer) => finish(deps, transfer)));
    },
  });

async function finish(deps: CrosschainDeps, transfer: Transfer): Promise<void> {
  try {
    if (transfer.status === 'INITIATED') await finishBurn(deps, transfer);
    else await mint(deps, transfer);
  } catch (error) {
    await postponeMint(deps.db, transfer.log_id, deps.clock.now());
    const fields = { err: error, crosschain_log: transfer.log_id };
    if (isExpected(error)) deps.log.info(fields, 'A cross-chain transfer stays open');
    else deps.log.error(fields, 'A cross-chain transfer could not be ended');
  }
}
