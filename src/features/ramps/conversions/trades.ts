import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { transact } from '#kernel/transact.ts';
import type { ConversionDeps } from './deps.ts';
import { requireJob } from './execute.ts';
import type { Steps } from './next-step.ts';
import type { OrderEffect } from './order.ts';
import { openReferences } from './order-store.ts';
import { lockReady } from './step-store.ts';
import { type ConversionJob, getJob } from './store.ts';
import type { WithdrawalEffect } from './withdrawal.ts';

export interface TradeDeps extends ConversionDeps {
  readonly orders: OrderEffect;
  readonly withdrawals: WithdrawalEffect;
  readonly steps: Steps;
}

const BATCH = 500;
/** The most that one call by hand begins; the schedule goes on for as long as there are any. */
const BY_HAND = 1000;

/** Begins the next step at the exchange for all ready jobs in scope; workers drive it. Returns their numbers. */
export async function runTrades(
  deps: TradeDeps,
  scope: TenantScope,
  signal?: AbortSignal,
): Promise<number[]> {
  const begun: number[] = [];
  while (!signal?.aborted && (signal || begun.length < BY_HAND)) {
    const some = await transact(deps.db, async (tx) => {
      const ready = await lockReady(tx, { scope, limit: BATCH });
      await deps.steps.begin(tx, ready);
      return ready.map(({ job_id }) => job_id);
    });
    begun.push(...some);
    if (some.length < BATCH) break;
  }
  return begun;
}

/** A trade, perhaps another one, a withdrawal. */
const STEPS_MAX = 5;

/**
 * Takes one job as far as it comes here and now, also before its time: the trade, and the withdrawal
 * after it. Throws JOB_EXECUTION_FAILED where it is not at the exchange.
 */
export async function executeTrade(
  deps: TradeDeps,
  scope: TenantScope,
  job_id: number,
): Promise<ConversionJob> {
  const { db } = deps;
  const { status } = await requireJob(deps, scope, job_id);
  if (status === 'COMPLETED') return getJob(db, job_id);
  if (status !== 'TRADING' && status !== 'WITHDRAWING')
    throw fail('JOB_EXECUTION_FAILED', `The job is ${status}`, {
      status: 409,
      details: { status },
    });
  await transact(db, async (tx) => {
    await deps.steps.begin(tx, await lockReady(tx, { scope, limit: 1, job_id }));
  });
  for (let step = 0; step < STEPS_MAX; step += 1) if (!(await driveOpen(deps, job_id))) break;
  return getJob(db, job_id);
}

/** Drives the job's open call at the exchange; returns whether it has settled. */
async function driveOpen(deps: TradeDeps, job_id: number): Promise<boolean> {
  const { db, effects, orders, withdrawals } = deps;
  const open = await openReferences(db, job_id);
  const ending = open.order
    ? await effects.drive(orders, open.order)
    : open.withdrawal && (await effects.drive(withdrawals, open.withdrawal));
  return ending ? ending.state === 'settled' : false;
}
