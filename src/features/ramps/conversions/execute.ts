import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import type { ConversionDeps } from './deps.ts';
import type { PayoutEffect } from './payout.ts';
import { reconcile, requireMatch } from './reconcile.ts';
import { type ConversionJob, findJob, getJob, waitForExchange } from './store.ts';

type Deps = ConversionDeps & { readonly payoutEffect: PayoutEffect };

/** Throws JOB_NOT_FOUND for a job out of scope. */
export async function requireJob(
  { db }: Pick<ConversionDeps, 'db'>,
  scope: TenantScope,
  job_id: number,
): Promise<ConversionJob> {
  const job = await findJob(db, scope, job_id);
  if (!job) throw fail('JOB_NOT_FOUND', 'Job not found');
  return job;
}

/**
 * Sends a job's rupiah to the exchange, for which the job waits afterwards. A repetition returns the same. Throws
 * RECONCILIATION_FAILED, which leaves the job as it is, and JOB_EXECUTION_FAILED.
 */
export async function executeJob(
  deps: Deps,
  scope: TenantScope,
  job_id: number,
): Promise<ConversionJob> {
  const { db, effects, payoutEffect } = deps;
  const { status } = await requireJob(deps, scope, job_id);
  if (status === 'WAITING_EXCHANGE') return getJob(db, job_id);
  if (status !== 'PENDING' && status !== 'DISBURSING')
    throw failed(`The job is ${status}`, 409, { status });
  requireMatch(await reconcile(deps), 400);
  const ending = await effects.drive(payoutEffect, String(job_id));
  if (ending.state === 'refused')
    throw failed('The gateway will not pay out', 500, { code: ending.why.code });
  await waitForExchange(db, scope, job_id);
  const job = await getJob(db, job_id);
  if (job.status !== 'PENDING' && job.status !== 'DISBURSING') return job;
  throw failed('The gateway has not answered; the job goes on by itself', 500, {
    status: job.status,
  });
}

const failed = (message: string, status: number, details: object) =>
  fail('JOB_EXECUTION_FAILED', message, { status, details });
