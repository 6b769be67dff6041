import type { Route } from '#kernel/http/route.ts';
import type { Job, Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { actionRoutes, burnRoutes } from './action-routes.ts';
import type { CrosschainDeps, CrosschainPorts } from './deps.ts';
import { feeJob } from './fee.ts';
import { createPassages } from './passage.ts';
import { chainRoutes, historyRoutes } from './read-routes.ts';
import { reconcileSchedule } from './reconcile.ts';
import { finishSchedule } from './recovery.ts';

export interface Crosschain {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly schedules: readonly Schedule[];
}

/** USDC from chain to chain (contract part 2, Cross-chain). */
export function createCrosschain(
  kernel: Pick<Kernel, 'db' | 'clock' | 'config' | 'log' | 'jobs'>,
  ports: CrosschainPorts,
): Crosschain {
  const passages = createPassages(ports.evm, ports.cctp);
  const fees = feeJob({ ...kernel, ...ports, passages });
  const deps: CrosschainDeps = { ...kernel, ...ports, passages, feeJob: fees };
  return {
    routes: [...actionRoutes(deps), ...burnRoutes(deps), ...chainRoutes(deps), ...historyRoutes()],
    jobs: [fees as Job],
    schedules: [finishSchedule(deps), reconcileSchedule(deps)],
  };
}
