import type { ChainKey } from '#chains/evm/port.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Status } from './states.ts';
import { COLUMNS, type Transfer } from './store.ts';

/** Whom a look-up is for: by `log_id` or `nonce`, within the caller's reach. */
export interface TransferSelector {
  readonly log_id?: string;
  readonly nonce?: string;
}

/** Nothing when it is not there, or not within reach. */
export async function findTransfer(
  db: Db,
  { log_id, nonce }: TransferSelector,
  { user_id, client_id }: TenantScope = {},
): Promise<Transfer | undefined> {
  const [row] = await run<Transfer>(
    db,
    `select ${COLUMNS} from crosschain_transfers
     where ($1::uuid is null or log_id = $1) and ($2::text is null or nonce = $2)
       and ($3::integer is null or user_id = $3) and ($4::integer is null or client_id = $4)
       and coalesce($1::text, $2::text) is not null`,
    [log_id ?? null, nonce ?? null, user_id ?? null, client_id ?? null],
  );
  return row;
}

export interface HistoryFilter {
  readonly user_id: number;
  readonly from_chain?: ChainKey | undefined;
  readonly to_chain?: ChainKey | undefined;
  readonly status?: Status | undefined;
}

/** Newest first, with the number of all that match. */
export async function listTransfers(
  db: Db,
  { user_id, from_chain, to_chain, status }: HistoryFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: Transfer[]; total: number }> {
  const where = `user_id = $1 and ($2::text is null or from_chain = $2)
    and ($3::text is null or to_chain = $3) and ($4::text is null or status = $4)`;
  const filter = [user_id, from_chain ?? null, to_chain ?? null, status ?? null];
  const [rows, [counted]] = await Promise.all([
    run<Transfer>(
      db,
      `select ${COLUMNS} from crosschain_transfers where ${where}
       order by serial desc limit $5 offset $6`,
      [...filter, page.limit, page.offset],
    ),
    run<{ n: number }>(db, `select count(*) as n from crosschain_transfers where ${where}`, filter),
  ]);
  return { rows, total: counted?.n ?? 0 };
}

/** Burns whose holder is gone, and mints that were begun and not finished. */
export const listUnfinished = (
  db: Db,
  now: Date,
  mintsBefore: Date,
  limit: number,
): Promise<Transfer[]> =>
  run(
    db,
    `(select ${COLUMNS} from crosschain_transfers
      where lease is not null and lease_until <= $1 order by lease_until limit $3)
     union all
     (select ${COLUMNS} from crosschain_transfers
      where status = 'BURNED' and mint_started_at is not null and mint_started_at <= $2
      order by mint_started_at limit $3)`,
    [now.toISOString(), mintsBefore.toISOString(), limit],
  );

/** Minted, and neither end looked at yet; those that did not match before are looked at last. */
export const listUnreconciled = (db: Db, limit: number): Promise<Transfer[]> =>
  run(
    db,
    `select ${COLUMNS} from crosschain_transfers t
     where status = 'MINTED' and reconciled_at is null
     order by (select max(last_at) from crosschain_breaks b
               where b.subject = t.log_id::text and b.settled_at is null) nulls first, serial
     limit $1`,
    [limit],
  );

/** Burnt that long ago, not minted, and not reported yet. */
export const listStuck = (db: Db, before: Date, limit: number): Promise<Transfer[]> =>
  run(
    db,
    `select ${COLUMNS} from crosschain_transfers t
     where status = 'BURNED' and updated_at < $1
       and not exists (
         select from crosschain_breaks b
         where b.kind = 'STUCK' and b.subject = t.log_id::text and b.settled_at is null)
     order by serial limit $2`,
    [before.toISOString(), limit],
  );
