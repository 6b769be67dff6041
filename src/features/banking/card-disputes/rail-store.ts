import { type Db, run } from '#kernel/db/db.ts';
import type { BookWindow } from '#kernel/reconciliation/rail.ts';
import type { CardDispute } from './store.ts';

/** A dispute that was won, and the place of the page after it. */
export type WonDispute = Pick<
  CardDispute,
  'object_id' | 'transaction_token' | 'currency' | 'amount' | 'client_id'
> & { readonly won_at: string; readonly place: string };

/** By the time of the network. */
export function wonBetween(
  db: Db,
  { from, to }: BookWindow,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<WonDispute[]> {
  const [at = '', serial = '0'] = after?.split(' ') ?? [from.toISOString()];
  return run(
    db,
    `select object_id, transaction_token, currency, amount, client_id, won_at,
       to_char(won_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' ' || serial as place
     from card_disputes
     where won_at is not null and won_at < $1 and (won_at, serial) > ($2::timestamptz, $3::bigint)
     order by won_at, serial limit $4`,
    [to.toISOString(), at, serial, limit],
  );
}

/** Whether any dispute is at the network, or was. */
export async function hasDisputeLines(db: Db): Promise<boolean> {
  return (await run(db, 'select from card_disputes order by serial limit 1', [])).length > 0;
}
