import { type Db, run } from '../db/db.ts';

/** The payment that a posting is of, as its owner knows it. */
export interface PostedPayment {
  readonly payment_id: string;
  readonly counterparty_name: string | null;
  readonly counterparty_detail: string | null;
  /** The caller's own name of it. */
  readonly reference: string | null;
}

/** Parts of a posting's key that may name a thing: words and short numbers name none alone. */
const namesIn = (key: string): string[] => [
  key,
  ...key.split(':').filter((part) => part.length >= 6 && /\d/.test(part) && /\D/.test(part)),
];

/**
 * The payments of a user that these postings are of, by the keys of the postings: a key contains the id of its thing, or our reference of it. Of
 * several the one of that wallet.
 */
export async function paymentsOfPostings(
  db: Db,
  { user_id, wallet_id }: { readonly user_id: number; readonly wallet_id: number },
  keys: readonly string[],
): Promise<ReadonlyMap<string, PostedPayment>> {
  const named = keys.flatMap((key) => namesIn(key).map((name) => [key, name] as const));
  const rows = await run<PostedPayment & { key: string }>(
    db,
    `with named as (select * from unnest($1::text[], $2::text[]) k (key, name)),
     found as (
       select k.key, p.payment_id from named k join payments p on p.object_id = k.name where p.user_id = $3
       union
       select k.key, p.payment_id from named k join payments p
         on p.our_reference = k.name and p.our_reference <> p.object_id where p.user_id = $3)
     select distinct on (f.key) f.key, p.payment_id, p.counterparty_name, p.counterparty_detail, n.reference
     from found f join payments p using (payment_id)
     left join caller_names n on n.object_type = p.object_type and n.object_id = p.object_id and n.client_id = p.client_id
     order by f.key, (p.wallet_id = $4) desc nulls last, p.payment_id`,
    [named.map(([key]) => key), named.map(([, name]) => name), user_id, wallet_id],
  );
  return new Map(rows.map(({ key, ...payment }) => [key, payment]));
}
