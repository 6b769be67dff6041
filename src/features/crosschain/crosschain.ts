import type { Feature } from '#kernel/feature.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { actionRoutes, burnRoutes } from './action-routes.ts';
import { createBridgeRoutes } from './bridge-route.ts';
import type { CrosschainDeps, CrosschainPorts } from './deps.ts';
import { feeJob } from './fee.ts';
import { lookForBurnJob } from './look-for-burn.ts';
import { chainRoutes, historyRoutes } from './read-routes.ts';
import { reconcileSchedule } from './reconcile.ts';
import { finishSchedule } from './recovery.ts';

type Deps = Pick<Kernel, 'db' | 'clock' | 'config' | 'log' | 'jobs' | 'budgets'> & CrosschainPorts;

/**
 * SQL of a user's transfers as rows of the history of everything: those of user $1 up to the time $2.
 * Only what has not been burnt yet can still be called off.
 */
export const TRANSFER_MOVEMENTS = `
  select log_id::text as transaction_id, nonce, 'CROSSCHAIN_TRANSFER' as transaction_type, amount,
    token, from_chain, to_chain, recipient_address, status, burn_tx_hash as tx_hash, mint_tx_hash,
    created_at, updated_at, true as is_crosschain, status = 'INITIATED' as is_cancellable,
    serial as place
  from crosschain_transfers where user_id = $1 and created_at <= $2`;

/** What every step of a transfer stands on. */
export function crosschainDeps(given: Deps): CrosschainDeps {
  const bridgeRoutes = createBridgeRoutes(given.evm, given.cctp);
  return { ...given, bridgeRoutes, feeJob: feeJob({ ...given, bridgeRoutes }) };
}

/** USDC from chain to chain (contract part 2, Cross-chain). */
export function createCrosschain(given: Deps): Feature {
  const deps = crosschainDeps(given);
  const lookForBurn = lookForBurnJob(deps);
  return {
    name: 'crosschain',
    routes: [
      ...actionRoutes({ ...deps, lookForBurn }),
      ...burnRoutes(deps),
      ...chainRoutes(deps),
      ...historyRoutes(),
    ],
    jobs: [deps.feeJob as Job, lookForBurn as Job],
    schedules: [finishSchedule(deps), reconcileSchedule(deps)],
  };
}
