import type { ChainKey } from '#chains/evm/port.ts';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Status } from './states.ts';
import type { Transfer } from './store.ts';

/** Whom a look-up is for, by either name or by both, which must belong together then. */
export type TransferSelector =
  | { readonly log_id: string; readonly nonce?: string }
  | { readonly log_id?: never; readonly nonce: string };

/** Nothing when it is not there, or not within reach. */
export async function findTransfer(
  db: Db,
  { log_id, nonce }: TransferSelector,
  scope: TenantScope = {},
): Promise<Transfer | undefined> {
  const row = await db
    .selectFrom('crosschain_transfers as t')
    .selectAll()
    .$if(log_id !== undefined, (q) => q.where('t.log_id', '=', log_id ?? ''))
    .$if(nonce !== undefined, (q) => q.where('t.nonce', '=', nonce ?? ''))
    .where(({ ref }) => inTenantScope(scope, ref('t.user_id'), ref('t.client_id')))
    .executeTakeFirst();
  return row as Transfer | undefined;
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
  filter: HistoryFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ rows: Transfer[]; total: number }> {
  const matching = matchingTransfers(db, filter);
  const [rows, { n }] = await Promise.all([
    matching.selectAll().orderBy('serial', 'desc').limit(limit).offset(offset).execute(),
    matching.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows as object as Transfer[], total: n };
}

const matchingTransfers = (db: Db, { user_id, from_chain, to_chain, status }: HistoryFilter) =>
  db
    .selectFrom('crosschain_transfers')
    .where('user_id', '=', user_id)
    .$if(from_chain !== undefined, (q) => q.where('from_chain', '=', from_chain ?? ''))
    .$if(to_chain !== undefined, (q) => q.where('to_chain', '=', to_chain ?? ''))
    .$if(status !== undefined, (q) => q.where('status', '=', status ?? ''));
