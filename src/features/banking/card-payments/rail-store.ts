import { type Db, run } from '#kernel/db/db.ts';
import type { BookWindow } from '#kernel/reconciliation/rail.ts';

/** A settlement or refund as we have booked it, and the place of the page after it. */
export interface CardLine {
  readonly token: string;
  readonly type: 'settlement' | 'refund';
  readonly asset: string;
  readonly amount: bigint;
  readonly client_id: number;
  readonly at: string;
  readonly place: string;
}

/** By the time of the processor. */
export function cardLinesBetween(
  db: Db,
  { from, to }: BookWindow,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<CardLine[]> {
  const [at = '', id = '0'] = after?.split(' ') ?? [from.toISOString()];
  return run(
    db,
    `select e.transaction_token as token, e.type, p.currency as asset, e.amount, p.client_id, e.at,
       to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || ' ' || e.element_id as place
     from card_elements e join card_payments p using (payment_id)
     where e.type in ('settlement', 'refund') and e.at < $1 and (e.at, e.element_id) > ($2::timestamptz, $3::bigint)
     order by e.at, e.element_id limit $4`,
    [to.toISOString(), at, id, limit],
  );
}

export async function hasCardLines(db: Db): Promise<boolean> {
  const text = `select from card_elements where type in ('settlement', 'refund') order by at, element_id limit 1`;
  return (await run(db, text, [])).length > 0;
}
