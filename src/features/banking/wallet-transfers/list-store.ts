import type { Db } from '#kernel/db/db.ts';
import { type LookedRows, lookedPage } from '#kernel/db/looked-page.ts';
import { referenceRule } from '#kernel/object-names/reference-rule.ts';
import { type TransferRow, type WalletTransfer, withParts } from './store.ts';

export interface TransferFilters {
  readonly side?: 'sent' | 'received' | undefined;
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

const SENT = 'select t.* from wallet_transfers t where t.user_id = $2 and t.serial < $1';
const RECEIVED = `select t.* from (
    select transfer_id from wallet_transfer_parts
     where to_user_id = $2 and arrived and to_user_id <> sender_id and serial < $1 order by serial desc limit 1000) p
  join wallet_transfers t using (transfer_id)`;
const SIDES = { sent: [SENT], received: [RECEIVED], both: [SENT, RECEIVED] } as const;

/** What a user has sent or received, newest first. */
export async function listTransfers(
  db: Db,
  user_id: number,
  { side, status, reference, created_from, created_to }: TransferFilters,
  place: { readonly limit: number; readonly before: number | undefined },
): Promise<LookedRows<WalletTransfer>> {
  const { rows, looked } = await lookedPage<TransferRow>(db, {
    ...place,
    sides: SIDES[side ?? 'both'],
    values: [user_id],
    filters: [
      [status, (given) => `t.status = ${given}`],
      [reference, referenceRule('wallet_transfer')],
      [created_from, (given) => `t.created_at >= ${given}::timestamptz`],
      [created_to, (given) => `t.created_at < ${given}::timestamptz + interval '1 millisecond'`],
    ],
  });
  return { rows: await withParts(db, rows), looked };
}
