import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import type { CountedList } from '#kernel/db/counted-list.ts';
import type { Db } from '#kernel/db/db.ts';
import type { CrosschainTransfer } from './store.ts';

/** Whom a look-up is for, by either name or by both, which must belong together then. */
export type TransferSelector =
  | { readonly log_id: string; readonly nonce?: string }
  | { readonly log_id?: never; readonly nonce: string };

/** Nothing when it is not there, or not within reach. The leg of a bridge transfer is in no scope. */
export async function findCrosschainTransfer(
  db: Db,
  { log_id, nonce }: TransferSelector,
  scope?: TenantScope,
): Promise<CrosschainTransfer | undefined> {
  const row = await db
    .selectFrom('crosschain_transfers as t')
    .selectAll()
    .$if(log_id !== undefined, (q) => q.where('t.log_id', '=', log_id ?? ''))
    .$if(nonce !== undefined, (q) => q.where('t.nonce', '=', nonce ?? ''))
    .$if(scope !== undefined, (q) =>
      q
        .where('t.bridge_transfer', 'is', null)
        .where(({ ref }) => inTenantScope(scope ?? {}, ref('t.user_id'), ref('t.client_id'))),
    )
    .executeTakeFirst();
  return row as CrosschainTransfer | undefined;
}

/** A user's transfers. */
export const TRANSFERS: CountedList = {
  name: 'crosschain',
  table: 'crosschain_transfers',
  facets: ['from_chain', 'to_chain', 'status'],
  references: ['nonce', 'burn_tx_hash'],
};
