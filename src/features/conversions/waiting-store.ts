import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Job } from './store.ts';

/** A job whose rupiah the exchange is to get, and whether the caller reaches it. */
export type Waiting = Job & { readonly is_mine: boolean };

/** Those that wait, and those that are late, oldest first: everybody's, since they share a balance. */
export const listWaiting = (
  db: Db,
  scope: TenantScope,
  { lateMs, limit, job_id }: { lateMs: number; limit: number; job_id?: number },
): Promise<Waiting[]> =>
  run<Waiting>(
    db,
    `select j.*, ($1::int is null or j.client_id = $1) and ($2::int is null or j.user_id = $2)
       and ($5::int is null or j.job_id = $5) as is_mine
     from conversion_jobs j
     where j.status in ('WAITING_EXCHANGE', 'TIMEOUT')
       and j.waiting_since > service_now() - make_interval(secs => $3 / 1000.0)
     order by j.waiting_since, j.job_id limit $4`,
    [scope.client_id ?? null, scope.user_id ?? null, lateMs, limit, job_id ?? null],
  );

/** Units of those references that are ours and do not wait yet: their money may be there already. */
export async function notYetWaiting(db: Db, references: readonly string[]): Promise<bigint> {
  const [row] = await run<{ total: bigint }>(
    db,
    `select coalesce(sum(amount), 0) as total from conversion_jobs
     where reference_id = any($1) and status in ('PENDING', 'DISBURSING')`,
    [references],
  );
  return row?.total ?? 0n;
}

/** How often something was confirmed so far. */
export async function countConfirmed(db: Db): Promise<number> {
  const [row] = await run<{ counted: number }>(
    db,
    'select counted as counted from conversion_confirmations',
    [],
  );
  return row?.counted ?? 0;
}

/** Whether nobody has confirmed anything since; nobody else can until the transaction has ended. */
export async function lockConfirmations(tx: Db, since: number, more: number): Promise<boolean> {
  const rows = await run(
    tx,
    `update conversion_confirmations set counted = counted + $2 where counted = $1
     returning only_one`,
    [since, more],
  );
  return rows.length === 1;
}

export interface Confirmation {
  readonly job_id: number;
  /** The exchange's name of the deposit; nothing where only its balance tells of it. */
  readonly deposit_id: string | null;
}

/** Moves those that still wait; answers them. What is there has been paid out. */
export const confirmJobs = (tx: Db, all: readonly Confirmation[]): Promise<Job[]> =>
  run<Job>(
    tx,
    `update conversion_jobs j
     set status = 'TRADING', confirmed_at = service_now(), deposit_id = c.deposit_id,
       paid_out_at = coalesce(j.paid_out_at, service_now()),
       reason = null, reason_message = null, try_at = null, tries = 0, updated_at = service_now()
     from unnest($1::int[], $2::text[]) as c(job_id, deposit_id)
     where j.job_id = c.job_id and j.status in ('WAITING_EXCHANGE', 'TIMEOUT') returning j.*`,
    [all.map(({ job_id }) => job_id), all.map(({ deposit_id }) => deposit_id)],
  );

/** Those in scope that have waited too long; answers how many there are now. */
export async function markTimeouts(
  db: Db,
  scope: TenantScope,
  { waitMs, job_id }: { waitMs: number; job_id?: number },
): Promise<number> {
  const rows = await run(
    db,
    `update conversion_jobs
     set status = 'TIMEOUT', reason = 'TIMEOUT', updated_at = service_now(),
       reason_message = 'The exchange has not got the money in time'
     where status = 'WAITING_EXCHANGE'
       and waiting_since <= service_now() - make_interval(secs => $3 / 1000.0)
       and ($1::int is null or client_id = $1) and ($2::int is null or user_id = $2)
       and ($4::int is null or job_id = $4)
     returning job_id`,
    [scope.client_id ?? null, scope.user_id ?? null, waitMs, job_id ?? null],
  );
  return rows.length;
}

/** What of the exchange's balance belongs to the caller's jobs, in units. */
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
