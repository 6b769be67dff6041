import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { ConversionJob } from './store.ts';

/** A job whose rupiah are on the way to the exchange, and whether it is in the caller's scope. */
export type Waiting = ConversionJob & { readonly is_mine: boolean };

interface Limits {
  readonly lateMs: number;
  readonly limit: number;
  readonly job_id?: number;
}

/**
 * Waiting and late jobs of all tenants, oldest first, since they share a balance. Where there are too many the late
 * ones are left out: some of them may never arrive, and would keep all others from being read.
 */
export async function listWaiting(db: Db, scope: TenantScope, limits: Limits): Promise<Waiting[]> {
  const waiting = await listIn(db, 'WAITING_EXCHANGE', scope, limits);
  const limit = limits.limit - waiting.length;
  if (limit === 0) return waiting;
  const late = await listIn(db, 'TIMEOUT', scope, { ...limits, limit });
  return [...late, ...waiting].sort(byAge);
}

const sinceOf = ({ waiting_since }: Waiting): number => Date.parse(waiting_since ?? '');
const byAge = (a: Waiting, b: Waiting): number => sinceOf(a) - sinceOf(b) || a.job_id - b.job_id;

const listIn = (
  db: Db,
  status: 'WAITING_EXCHANGE' | 'TIMEOUT',
  scope: TenantScope,
  { lateMs, limit, job_id }: Limits,
): Promise<Waiting[]> =>
  run<Waiting>(
    db,
    `select j.*, ($1::int is null or j.client_id = $1) and ($2::int is null or j.user_id = $2)
       and ($5::int is null or j.job_id = $5) as is_mine
     from conversion_jobs j
     where j.status = '${status}'
       and j.waiting_since > service_now() - make_interval(secs => $3 / 1000.0)
     order by j.waiting_since, j.job_id limit $4`,
    [scope.client_id ?? null, scope.user_id ?? null, lateMs, limit, job_id ?? null],
  );

/** Units of those references that do not wait yet: their money may be there already. */
export async function notYetWaiting(db: Db, references: readonly string[]): Promise<bigint> {
  const [row] = await run<{ total: bigint }>(
    db,
    `select coalesce(sum(amount), 0) as total from conversion_jobs
     where reference_id = any($1) and status in ('PENDING', 'DISBURSING')`,
    [references],
  );
  return row?.total ?? 0n;
}

/** The number of confirmations so far. */
export async function countConfirmed(db: Db): Promise<number> {
  const text = 'select counted from conversion_confirmations';
  const [row] = await run<Row<'conversion_confirmations', 'counted'>>(db, text, []);
  return row?.counted ?? 0;
}

/** Whether there was no confirmation since; locks out others until the transaction ends. */
export async function lockConfirmations(tx: Db, since: number, more: number): Promise<boolean> {
  const rows = await run(
    tx,
    `update conversion_confirmations set counted = counted + $2 where counted = $1
     returning only_one`,
    [since, more],
  );
  return rows.length === 1;
}

export interface ConversionConfirmation {
  readonly job_id: number;
  /** The exchange's id of the deposit; null where only its balance proves it. */
  readonly deposit_id: string | null;
}

/** Moves those that still wait, and returns them. An arrived pay-out counts as paid. */
export function confirmJobs(
  tx: Db,
  all: readonly ConversionConfirmation[],
): Promise<ConversionJob[]> {
  const jobs = all.map(({ job_id }) => job_id);
  const deposits = all.map(({ deposit_id }) => deposit_id);
  return run<ConversionJob>(tx, CONFIRM, [jobs, deposits]);
}

const CONFIRM = `
  update conversion_jobs j
  set status = 'TRADING', confirmed_at = service_now(), deposit_id = c.deposit_id,
    paid_out_at = coalesce(j.paid_out_at, service_now()),
    reason = null, reason_message = null, try_at = null, tries = 0, updated_at = service_now()
  from unnest($1::int[], $2::text[]) as c(job_id, deposit_id)
  where j.job_id = c.job_id and j.status in ('WAITING_EXCHANGE', 'TIMEOUT') returning j.*`;

/** Times out jobs in scope that have waited too long. */
export async function markTimeouts(
  db: Db,
  scope: TenantScope,
  { waitMs, job_id }: { waitMs: number; job_id?: number },
): Promise<void> {
  await run(
    db,
    `update conversion_jobs
     set status = 'TIMEOUT', reason = 'TIMEOUT', updated_at = service_now(),
       reason_message = 'The exchange has not got the money in time'
     where status = 'WAITING_EXCHANGE'
       and waiting_since <= service_now() - make_interval(secs => $3 / 1000.0)
       and ($1::int is null or client_id = $1) and ($2::int is null or user_id = $2)
       and ($4::int is null or job_id = $4)`,
    [scope.client_id ?? null, scope.user_id ?? null, waitMs, job_id ?? null],
  );
}

/** The share of the caller's jobs in the exchange's balance, in units. */
export async function shareOf(db: Db, scope: TenantScope): Promise<{ idr: bigint; usdc: bigint }> {
  const [row] = await run<{ idr: bigint; usdc: bigint }>(
    db,
    `select
       coalesce(sum(amount - spent) filter (where status = 'TRADING'), 0) as idr,
       coalesce(sum(bought - fee_usdc), 0) as usdc
     from conversion_jobs where status in ('TRADING', 'WITHDRAWING')
       and ($1::int is null or client_id = $1) and ($2::int is null or user_id = $2)`,
    [scope.client_id ?? null, scope.user_id ?? null],
  );
  return row ?? { idr: 0n, usdc: 0n };
}
