import { sql } from 'kysely';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, now, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { readTallies } from '#kernel/tallies/tallies.ts';
import { type ConversionStatus, DISBURSEMENT_PREFIX } from './terms.ts';

/** The conversion of a user's rupiah to USDC. Amounts are units. */
export type ConversionJob = Row<'conversion_jobs'> & { readonly status: ConversionStatus };

export interface NewJob {
  readonly user_id: number;
  readonly client_id: number;
  readonly account_id: number;
  readonly amount: bigint;
  readonly reconciliation_id: number;
  readonly operation: string;
}

/** Its reference contains its number. Undefined when the operation has made one before. */
export async function insertJob(tx: Db, job: NewJob, at: Date): Promise<ConversionJob | undefined> {
  const [row] = await run<ConversionJob>(
    tx,
    `with next as (select nextval(pg_get_serial_sequence('conversion_jobs', 'job_id')) as job_id)
     insert into conversion_jobs (job_id, reference_id, user_id, client_id, account_id, amount,
       status, reconciliation_id, operation)
     select job_id, '${DISBURSEMENT_PREFIX}-' || job_id || '-' || $1::bigint, $2, $3, $4, $5,
       'DISBURSING', $6, $7
     from next on conflict (operation) do nothing returning *`,
    [
      at.getTime(),
      job.user_id,
      job.client_id,
      job.account_id,
      job.amount,
      job.reconciliation_id,
      job.operation,
    ],
  );
  return row;
}

export const jobOfOperation = (db: Db, operation: string): Promise<ConversionJob | undefined> =>
  db
    .selectFrom('conversion_jobs')
    .selectAll()
    .$narrowType<{ status: ConversionStatus }>()
    .where('operation', '=', operation)
    .executeTakeFirst();

export const getJob = (db: Db, job_id: number): Promise<ConversionJob> =>
  db
    .selectFrom('conversion_jobs')
    .selectAll()
    .$narrowType<{ status: ConversionStatus }>()
    .where('job_id', '=', job_id)
    .executeTakeFirstOrThrow();

/** Undefined when there is no such job in scope. */
export const findJob = (
  db: Db,
  scope: TenantScope,
  job_id: number,
): Promise<ConversionJob | undefined> =>
  db
    .selectFrom('conversion_jobs')
    .selectAll()
    .$narrowType<{ status: ConversionStatus }>()
    .where('job_id', '=', job_id)
    .where(({ ref }) => inTenantScope(scope, ref('user_id'), ref('client_id')))
    .executeTakeFirst();

/** By its reference at gateway and exchange. */
export async function jobOfReference(
  db: Db,
  reference: string,
): Promise<ConversionJob | undefined> {
  const text = 'select * from conversion_jobs where reference_id = $1';
  const [job] = await run<ConversionJob>(db, text, [reference]);
  return job;
}

/** The gateway has accepted the pay-out. A job of the daily run waits from then on. */
export const markDisbursed = (
  tx: Db,
  job_id: number,
  disbursement_id: string,
): Promise<ConversionJob | undefined> =>
  tx
    .updateTable('conversion_jobs')
    .set(({ eb, ref }) => ({
      disbursement_id,
      disbursed_at: now,
      status: eb.case().when('day', 'is', null).then(ref('status')).else('WAITING_EXCHANGE').end(),
      waiting_since: eb.case().when('day', 'is', null).then(null).else(now).end(),
      updated_at: now,
    }))
    .where('job_id', '=', job_id)
    .where('status', 'in', ['PENDING', 'DISBURSING'])
    .returningAll()
    .$narrowType<{ status: ConversionStatus }>()
    .executeTakeFirst();

const WAITING_AT_ONCE = 1000;

/** Jobs in scope with an accepted pay-out wait for the exchange from now on; returns how many. */
export async function waitForExchange(
  db: Db,
  scope: TenantScope,
  job_id?: number,
): Promise<number> {
  let all = 0;
  for (let n = WAITING_AT_ONCE; n === WAITING_AT_ONCE; all += n)
    n = await waitForSome(db, scope, job_id);
  return all;
}

async function waitForSome(db: Db, scope: TenantScope, job_id?: number): Promise<number> {
  const moved = await db
    .updateTable('conversion_jobs')
    .set({ status: 'WAITING_EXCHANGE', waiting_since: now, updated_at: now })
    .where('job_id', 'in', (q) =>
      q
        .selectFrom('conversion_jobs')
        .select('job_id')
        .where('status', '=', sql.lit('DISBURSING'))
        .where('disbursed_at', 'is not', null)
        .$if(job_id !== undefined, (one) => one.where('job_id', '=', job_id ?? 0))
        .where(({ ref }) => inTenantScope(scope, ref('user_id'), ref('client_id')))
        .orderBy('job_id')
        .limit(WAITING_AT_ONCE)
        .forNoKeyUpdate(),
    )
    .executeTakeFirst();
  return Number(moved.numUpdatedRows);
}

/** False where it was recorded before, or the job has gone on. */
export async function markPaidOut(tx: Db, job_id: number): Promise<boolean> {
  const marked = await tx
    .updateTable('conversion_jobs')
    .set({ paid_out_at: now, updated_at: now })
    .where('job_id', '=', job_id)
    .where('paid_out_at', 'is', null)
    .where('status', 'in', ['PENDING', 'DISBURSING', 'WAITING_EXCHANGE', 'TIMEOUT'])
    .returning('job_id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** The pay-out has failed. Undefined when the exchange has the money, or the job has failed before. */
export const markConversionFailed = (
  tx: Db,
  job_id: number,
  why: { readonly code: string; readonly message: string },
): Promise<ConversionJob | undefined> =>
  tx
    .updateTable('conversion_jobs')
    .set({ status: 'FAILED', ...reasonOf(why), updated_at: now })
    .where('job_id', '=', job_id)
    .where('status', 'in', ['PENDING', 'DISBURSING', 'WAITING_EXCHANGE', 'TIMEOUT'])
    .returningAll()
    .$narrowType<{ status: ConversionStatus }>()
    .executeTakeFirst();

const reasonOf = ({ code, message }: { readonly code: string; readonly message: string }) => ({
  reason: code.slice(0, 60),
  reason_message: message.slice(0, 300),
});

/** The job keeps its status, with that reason, and is not retried before that time. */
export async function deferJob(
  tx: Db,
  job_id: number,
  why: { readonly code: string; readonly message: string; readonly tryAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('conversion_jobs')
    .set(({ eb }) => ({
      ...reasonOf(why),
      try_at: why.tryAt?.toISOString() ?? null,
      tries: eb('tries', '+', 1),
      updated_at: now,
    }))
    .where('job_id', '=', job_id)
    .execute();
}

/** Adds the amounts of a filled order, and returns the job. */
export const addTrade = (
  tx: Db,
  job_id: number,
  {
    spent,
    bought,
    feeIdr,
    feeUsdc,
  }: { spent: bigint; bought: bigint; feeIdr: bigint; feeUsdc: bigint },
): Promise<ConversionJob> =>
  tx
    .updateTable('conversion_jobs')
    .set(({ eb }) => ({
      spent: eb('spent', '+', spent),
      bought: eb('bought', '+', bought),
      fee_idr: eb('fee_idr', '+', feeIdr),
      fee_usdc: eb('fee_usdc', '+', feeUsdc),
      reason: null,
      reason_message: null,
      try_at: null,
      tries: 0,
      updated_at: now,
    }))
    .where('job_id', '=', job_id)
    .where('status', '=', 'TRADING')
    .returningAll()
    .$narrowType<{ status: ConversionStatus }>()
    .executeTakeFirstOrThrow();

/** The job is traded but for the rest, which goes back to the wallet. */
export async function markTraded(tx: Db, job_id: number, rest: bigint): Promise<void> {
  await tx
    .updateTable('conversion_jobs')
    .set({ status: 'WITHDRAWING', returned: rest, updated_at: now })
    .where('job_id', '=', job_id)
    .where('status', '=', 'TRADING')
    .returning('job_id')
    .executeTakeFirstOrThrow();
}

export async function markCompleted(tx: Db, job_id: number): Promise<void> {
  await tx
    .updateTable('conversion_jobs')
    .set({
      status: 'COMPLETED',
      reason: null,
      reason_message: null,
      try_at: null,
      updated_at: now,
    })
    .where('job_id', '=', job_id)
    .where('status', '=', 'WITHDRAWING')
    .returning('job_id')
    .executeTakeFirstOrThrow();
}

/** Counts by status of a day's run in the caller's scope; kept for a month (migration 0056). */
export async function countOfDay(
  db: Db,
  { client_id, user_id }: TenantScope,
  day: string,
): Promise<ReadonlyMap<string, number>> {
  if (user_id === undefined)
    return readTallies(
      db,
      `conversions of ${day}${client_id === undefined ? '' : ` at ${client_id}`}`,
    );
  const own = await db
    .selectFrom('conversion_jobs')
    .select('status')
    .where('user_id', '=', user_id)
    .where('day', '=', day)
    .executeTakeFirst();
  return new Map(own && [[own.status, 1]]);
}
