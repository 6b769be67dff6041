import { PRIMARY_WALLETS } from '#features/ramps/exchange-wallets/exchange-wallets.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { rupiahToConvert } from '#kernel/ledger/accounts.ts';
import type { ConversionJob } from './store.ts';
import { DISBURSEMENT_PREFIX, MAX_AMOUNT } from './terms.ts';

/** A user whose balance in rupiah may be converted, up to the limit of one job. */
export type Eligible = Row<'conversion_jobs', 'user_id' | 'client_id' | 'account_id' | 'amount'>;

/** The day in Jakarta, where the banks are. */
export async function dayInJakarta(db: Db): Promise<string> {
  const [row] = await run<{ today: string }>(
    db,
    `select to_char(service_now() at time zone 'Asia/Jakarta', 'YYYY-MM-DD') as today`,
    [],
  );
  return row?.today ?? '';
}

/** A suspended user or client starts no job; jobs in flight go on. */
const IS_OPEN = `u.user_status = 'ACTIVE'
  and (select client_is_open(c.client_status) from clients c where c.client_id = u.client_id)`;

/** In the order of the users, from the one after `after`, without those who have a job of that day. */
export const listEligible = (
  db: Db,
  scope: TenantScope,
  { day, after, least, limit }: { day: string; after: number; least: bigint; limit: number },
): Promise<Eligible[]> =>
  run<Eligible>(
    db,
    `select a.user_id, u.client_id, a.account_id,
       least(a.available - mod(a.available, 100), ${MAX_AMOUNT}) as amount
     from (${rupiahToConvert(true)}) a
     join (${PRIMARY_WALLETS}) p on p.user_id = a.user_id
     join users u on u.user_id = a.user_id
     where a.user_id > $1 and a.available >= $2
       and ($3::int is null or u.client_id = $3) and ($4::int is null or u.user_id = $4)
       and ${IS_OPEN}
       and not exists (select from conversion_jobs j where j.user_id = a.user_id and j.day = $5)
     order by a.user_id limit $6`,
    [after, least, scope.client_id ?? null, scope.user_id ?? null, day, limit],
  );

/** One for each user who has none of that day; returns the new ones. */
export function insertDailyJobs(
  tx: Db,
  all: readonly Eligible[],
  { day, reconciliation_id, at }: { day: string; reconciliation_id: number; at: Date },
): Promise<ConversionJob[]> {
  const column = <C extends keyof Eligible>(name: C) => all.map((one) => one[name]);
  const owners = [column('user_id'), column('client_id'), column('account_id'), column('amount')];
  return run<ConversionJob>(tx, INSERT_DAILY, [...owners, at.getTime(), day, reconciliation_id]);
}

const INSERT_DAILY = `
  with wanted as (
    select nextval(pg_get_serial_sequence('conversion_jobs', 'job_id')) as job_id, e.*
    from unnest($1::int[], $2::int[], $3::bigint[], $4::numeric[])
      as e(user_id, client_id, account_id, amount))
  insert into conversion_jobs (job_id, reference_id, user_id, client_id, account_id, amount,
    day, reconciliation_id)
  select job_id, '${DISBURSEMENT_PREFIX}-' || job_id || '-' || $5::bigint, user_id, client_id,
    account_id, amount, $6, $7
  from wanted
  on conflict (user_id, day) where day is not null do nothing returning *`;

/** A user with rupiah, and where their USDC would go. */
export type ConversionCandidate = Row<'users', 'user_id' | 'email'> & {
  readonly units: bigint;
  readonly to_network: string | null;
  readonly is_let_in: boolean;
};

/** Users with rupiah that may be spent, newest first; the next page is before the last one's id. */
export const listCandidates = (
  db: Db,
  scope: TenantScope,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ConversionCandidate[]> =>
  run<ConversionCandidate>(
    db,
    `select u.user_id, u.email, a.available as units, p.network as to_network,
       ${IS_OPEN} as is_let_in
     from (${rupiahToConvert(false)}) a
     join users u on u.user_id = a.user_id
     left join (${PRIMARY_WALLETS}) p on p.user_id = a.user_id
     where a.user_id < $1
       and ($2::int is null or u.client_id = $2) and ($3::int is null or u.user_id = $3)
     order by a.user_id desc limit $4`,
    [before ?? 2 ** 31 - 1, scope.client_id ?? null, scope.user_id ?? null, limit],
  );
