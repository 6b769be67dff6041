import { PRIMARY_WALLETS } from '#features/ramps/exchange-wallets/exchange-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { ConversionJob } from './store.ts';

/** A job that may take its next step at the exchange, and the destination of its USDC. */
export type Ready = ConversionJob & {
  readonly to_network: string | null;
  readonly to_address: string | null;
};

interface Selector {
  readonly scope: TenantScope;
  readonly limit: number;
  /** Only this one, and also before its time. */
  readonly job_id?: number;
}

/**
 * Locks jobs that trade or withdraw and have no open call at the exchange, for the caller to begin the next step;
 * jobs that another transaction has locked are skipped.
 */
export const lockReady = (tx: Db, { scope, limit, job_id }: Selector): Promise<Ready[]> =>
  run<Ready>(
    tx,
    `select j.*, w.network as to_network, w.wallet_address as to_address
     from conversion_jobs j left join (${PRIMARY_WALLETS}) w on w.user_id = j.user_id
     where j.status in ('TRADING', 'WITHDRAWING')
       and ($1::int is null or j.client_id = $1) and ($2::int is null or j.user_id = $2)
       and ($4::int is null or j.job_id = $4)
       -- Deferred jobs are left out before other tables are read for them.
       and ($4::int is not null or j.reason = 'NO_PRIMARY_WALLET' or coalesce(j.try_at <= service_now(), true))
       and ($4::int is not null or case when j.reason = 'NO_PRIMARY_WALLET'
         then w.user_id is not null else coalesce(j.try_at <= service_now(), true) end)
       and not exists (select from conversion_orders o
         where o.job_id = j.job_id and o.state = 'OPEN')
       and not exists (select from conversion_withdrawals d
         where d.job_id = j.job_id and d.state <> 'REFUSED')
     order by j.job_id limit $3 for no key update of j skip locked`,
    [scope.client_id ?? null, scope.user_id ?? null, limit, job_id ?? null],
  );

/** The same of a job that the caller has locked. */
export async function readyOf(tx: Db, job: ConversionJob): Promise<Ready> {
  const [to] = await run<Pick<Ready, 'to_network' | 'to_address'>>(
    tx,
    `select network as to_network, wallet_address as to_address
     from (${PRIMARY_WALLETS}) w where user_id = $1`,
    [job.user_id],
  );
  return { ...job, to_network: to?.to_network ?? null, to_address: to?.to_address ?? null };
}
