import type { Route } from '#kernel/http/route.ts';
import type { Job, Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { actionRoutes, burnRoutes } from './action-routes.ts';
import { createBridgeRoutes } from './bridge-route.ts';
import type { CrosschainDeps, CrosschainPorts } from './deps.ts';
import { feeJob } from './fee.ts';
import { lookForBurnJob } from './look-for-burn.ts';
import { chainRoutes, historyRoutes } from './read-routes.ts';
import { reconcileSchedule } from './reconcile.ts';
import { finishSchedule } from './recovery.ts';

export interface Crosschain {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly schedules: readonly Schedule[];
}

type Base = Pick<Kernel, 'db' | 'clock' | 'config' | 'log' | 'jobs' | 'budgets'>;

/** What every step of a transfer stands on. */
export function crosschainDeps(base: Base, ports: CrosschainPorts): CrosschainDeps {
  const bridgeRoutes = createBridgeRoutes(ports.evm, ports.cctp);
  const { db, clock, config, log, jobs, budgets } = base;
  const fees = feeJob({ db, log, clock, ...ports, bridgeRoutes });
  return { db, clock, config, log, jobs, budgets, ...ports, bridgeRoutes, feeJob: fees };
}

/** USDC from chain to chain (contract part 2, Cross-chain). */
export function createCrosschain(base: Base, ports: CrosschainPorts): Crosschain {
  const deps = crosschainDeps(base, ports);
  const lookForBurn = lookForBurnJob(deps);
  return {
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
