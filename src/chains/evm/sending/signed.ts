import { type Db, run } from '#kernel/db/db.ts';
import type { SignedTransaction } from '../../port.ts';

/** What is not final yet, oldest first: the person who restores a database has to know their outcome. */
export const signedEvm = (db: Db, limit: number): Promise<SignedTransaction[]> =>
  run(
    db,
    `select coalesce(c.chain_id, t.chain_id::text) as chain, hash, reference, status, signed_at
     from chain_transactions t left join chains c on c.evm_chain_id = t.chain_id
     where not is_final order by transaction_id limit $1`,
    [limit],
  );

/** Who has signed, where none of them is one of the platform's `own` addresses: people sign, too. */
export async function strangeSigners(db: Db, own: readonly string[]): Promise<string[]> {
  const rows = await run<{ address: string }>(
    db,
    `select distinct address from chain_nonces
     where not exists (select from chain_nonces o where lower(o.address) = any($1::text[]))`,
    [own.map((address) => address.toLowerCase())],
  );
  return rows.map(({ address }) => address);
}
