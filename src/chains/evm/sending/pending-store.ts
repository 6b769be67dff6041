import type { Hash, Hex } from 'viem';
import { type Db, run } from '#kernel/db/db.ts';
import type { ChainTransaction } from './journal.ts';

/** A transaction that is not final, with the earlier signatures of its nonce. */
export interface OpenTransaction extends ChainTransaction {
  readonly earlier: readonly {
    readonly hash: Hash;
    readonly raw: Hex;
    readonly gas_price: string;
  }[];
  readonly is_stuck: boolean;
}

/**
 * What may still change, oldest first, after `afterId`. `is_stuck` says that it was last sent more
 * than `stuckAfterMs` ago; both times are the database's, because chains know no other clock.
 */
export async function listPendingEvm(
  db: Db,
  chainId: number,
  options: { stuckAfterMs: number; afterId: number; limit: number },
): Promise<OpenTransaction[]> {
  return run(
    db,
    `select t.*, t.sent_at <= now() - $2 * interval '1 millisecond' as is_stuck,
       coalesce((select json_agg(json_build_object('hash', r.hash) order by r.replaced_at)
         from chain_replacements r where r.transaction_id = t.transaction_id), '[]') as earlier
     from chain_transactions t
     where t.chain_id = $1 and not t.is_final and t.transaction_id > $3
     order by t.transaction_id limit $4`,
    [chainId, options.stuckAfterMs, options.afterId, options.limit],
  );
}

/** What a node at block `head` cannot have yet, in the order of signing, a page after `afterId`. */
export async function listAbove(
  db: Db,
  chainId: number,
  head: number,
  page: { afterId: number; limit: number },
): Promise<Pick<ChainTransaction, 'transaction_id' | 'hash' | 'raw' | 'purpose'>[]> {
  return run(
    db,
    `select transaction_id, hash, raw, purpose from chain_transactions
     where chain_id = $1 and (status <> 'LOST' or is_filler)
       and (block_number is null or block_number > $2)
       and transaction_id > $3
     order by transaction_id limit $4`,
    [chainId, head, page.afterId, page.limit],
  );
}

/** An earlier signature was mined instead of the current one: they change places. */
export async function chooseEarlier(tx: Db, row: ChainTransaction, hash: Hash): Promise<void> {
  await run(
    tx,
    `with chosen as (
       delete from chain_replacements where chain_id = $1 and hash = $2
       returning hash, raw, gas_price, is_filler
     ), kept as (
       insert into chain_replacements (chain_id, hash, transaction_id, raw, gas_price, is_filler)
       select chain_id, hash, transaction_id, raw, gas_price, is_filler from chain_transactions
       where transaction_id = $3 and exists (select from chosen)
     )
     update chain_transactions t
     set hash = c.hash, raw = c.raw, gas_price = c.gas_price, is_filler = c.is_filler
     from chosen c where t.transaction_id = $3`,
    [row.chain_id, hash, row.transaction_id],
  );
}

/** A reorganisation took its block away: it waits again. */
export async function markPending(db: Db, ids: readonly number[]): Promise<void> {
  await run(
    db,
    `update chain_transactions
     set status = 'PENDING', block_number = null, block_hash = null, gas_used = null,
         gas_fee = null, mined_at = null
     where transaction_id = any($1::bigint[]) and not is_final`,
    [ids],
  );
}

/** Another transaction has its nonce for good: this one can never happen. Answers whether it moved. */
export async function markLost(db: Db, id: number): Promise<boolean> {
  const rows = await run(
    db,
    `update chain_transactions set status = 'LOST', is_filler = false, is_final = true
     where transaction_id = $1 and status = 'PENDING' returning 1`,
    [id],
  );
  return rows.length === 1;
}

/** Before it is sent again. Answers false where it was taken back or replaced: then it must not be. */
export async function markSent(
  db: Db,
  { transaction_id, hash }: Pick<ChainTransaction, 'transaction_id' | 'hash'>,
): Promise<boolean> {
  const rows = await run(
    db,
    'update chain_transactions set sent_at = now() where transaction_id = $1 and hash = $2 returning 1',
    [transaction_id, hash],
  );
  return rows.length === 1;
}
