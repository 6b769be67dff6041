import { type Address, type Hash, type Hex, parseTransaction, type TransactionReceipt } from 'viem';
import { type Db, run } from '#kernel/db/db.ts';

export type ChainTransactionStatus = 'PENDING' | 'CONFIRMED' | 'REVERTED' | 'LOST';

/** A row of the journal: one transaction that we signed, in any state. */
export interface ChainTransaction {
  readonly transaction_id: number;
  readonly chain_id: number;
  readonly from_address: Address;
  readonly nonce: number;
  readonly hash: Hash;
  readonly raw: Hex;
  readonly gas_price: bigint;
  readonly purpose: string;
  readonly reference: string;
  /** A cancel transaction: it only uses up the nonce, and what was meant did not happen. */
  readonly is_filler: boolean;
  readonly status: ChainTransactionStatus;
  readonly block_number: number | null;
  readonly block_hash: Hash | null;
  readonly gas_used: number | null;
  /** Wei. */
  readonly gas_fee: bigint | null;
  readonly is_final: boolean;
  readonly mined_at: string | null;
}

export interface NewChainTransaction {
  readonly nonce: number;
  readonly hash: Hash;
  readonly raw: Hex;
  readonly gas_price: bigint;
  readonly purpose: string;
  readonly reference: string;
}

const COLUMNS = `transaction_id, chain_id, from_address, nonce, hash, raw, gas_price, purpose,
  reference, is_filler, status, block_number, block_hash, gas_used, gas_fee, is_final, mined_at`;

export async function findByReference(
  db: Db,
  references: readonly string[],
): Promise<ChainTransaction[]> {
  return run(db, `select ${COLUMNS} from chain_transactions where reference = any($1::text[])`, [
    references,
  ]);
}

export async function findById(db: Db, ids: readonly number[]): Promise<ChainTransaction[]> {
  return run(
    db,
    `select ${COLUMNS} from chain_transactions where transaction_id = any($1::bigint[])`,
    [ids],
  );
}

/** The transaction of ours that has that hash now; nothing when it is none of ours. */
export async function findByHash(
  db: Db,
  chainId: number,
  hash: Hash,
): Promise<ChainTransaction | undefined> {
  const [row] = await run<ChainTransaction>(
    db,
    `select ${COLUMNS} from chain_transactions where chain_id = $1 and hash = $2`,
    [chainId, hash],
  );
  return row;
}

/** What the transactions of ours of that hash are called, on any chain. */
export async function referencesOf(db: Db, hash: string): Promise<string[]> {
  const rows = await run<{ reference: string }>(
    db,
    `select reference from chain_transactions
      where chain_id = any (array(select evm_chain_id from chains where evm_chain_id is not null))
        and hash = lower($1)`,
    [hash],
  );
  return rows.map(({ reference }) => reference);
}

/** The row of a reference, locked until the transaction ends. */
export async function lockByReference(
  tx: Db,
  reference: string,
): Promise<ChainTransaction | undefined> {
  const [row] = await run<ChainTransaction>(
    tx,
    `select ${COLUMNS} from chain_transactions where reference = $1 for share`,
    [reference],
  );
  return row;
}

/**
 * SQL that says whether the journal saw a reference's transaction mined before that time; both are
 * expressions. For statements that must look at the journal and at their own table at one moment.
 */
export const minedBefore = (reference: string, time: string): string =>
  `exists (select from chain_transactions t
     where t.reference = ${reference} and t.status <> 'PENDING' and t.mined_at < ${time})`;

/** The hash that a transaction of ours has since it was replaced; nothing when it was not. */
export async function replacementHash(
  db: Db,
  chainIds: readonly number[],
  hash: Hash,
): Promise<Hash | undefined> {
  const [row] = await run<{ hash: Hash }>(
    db,
    `select t.hash from chain_replacements r join chain_transactions t using (transaction_id)
     where r.chain_id = any($1::integer[]) and r.hash = $2`,
    [[...chainIds], hash],
  );
  return row?.hash;
}

/** Locks the queue until the transaction ends. Answers its next nonce, never below `floor`. */
export async function lockQueue(
  tx: Db,
  chainId: number,
  address: Address,
  floor: number,
): Promise<number> {
  const [row] = await run<{ next_nonce: number }>(
    tx,
    `insert into chain_nonces as lane (chain_id, address, next_nonce) values ($1, $2, $3)
     on conflict (chain_id, address) do update
       set next_nonce = greatest(lane.next_nonce, excluded.next_nonce)
     returning next_nonce`,
    [chainId, address, floor],
  );
  if (row === undefined) throw new Error('A signing queue was neither made nor found');
  return row.next_nonce;
}

/** Wei that the address's transactions from that nonce on may still cost. Under the queue's lock. */
export async function committedWei(
  tx: Db,
  chainId: number,
  address: Address,
  nonce: number,
): Promise<bigint> {
  const rows = await run<{ raw: Hex }>(
    tx,
    `select raw from chain_transactions
     where chain_id = $1 and from_address = $2 and status = 'PENDING' and nonce >= $3`,
    [chainId, address, nonce],
  );
  return rows.reduce((sum, { raw }) => {
    const { value = 0n, gas = 0n, gasPrice = 0n } = parseTransaction(raw);
    return sum + value + gas * gasPrice;
  }, 0n);
}

/** Under the queue's lock: writes the signed transactions down and moves the nonce past them. */
export async function insertSignedEvm(
  tx: Db,
  chainId: number,
  from: Address,
  rows: readonly NewChainTransaction[],
): Promise<ChainTransaction[]> {
  return run(
    tx,
    `with lane as (
       update chain_nonces set next_nonce = $3, updated_at = now()
       where chain_id = $1 and address = $2
     )
     insert into chain_transactions
       (chain_id, from_address, nonce, hash, raw, gas_price, purpose, reference)
     select $1, $2, * from unnest(
       $4::bigint[], $5::text[], $6::text[], $7::numeric[], $8::text[], $9::text[])
     returning ${COLUMNS}`,
    [
      chainId,
      from,
      Math.max(...rows.map(({ nonce }) => nonce)) + 1,
      rows.map(({ nonce }) => nonce),
      rows.map(({ hash }) => hash),
      rows.map(({ raw }) => raw),
      rows.map(({ gas_price }) => gas_price.toString()),
      rows.map(({ purpose }) => purpose),
      rows.map(({ reference }) => reference),
    ],
  );
}

export interface Mined {
  readonly transaction_id: number;
  readonly receipt: TransactionReceipt;
}

/**
 * Writes down what the receipts say, also when a reorganisation moved a transaction. A receipt of a
 * signature that was replaced meanwhile says nothing of the one in its place. What is final stays what it is,
 * also for a process that has looked before it was. Answers the rows.
 */
export async function recordMined(
  db: Db,
  mined: readonly Mined[],
  isFinal: boolean,
): Promise<ChainTransaction[]> {
  return run(
    db,
    `update chain_transactions t
     set status = case when t.is_filler then 'LOST' else m.status end, block_number = m.block_number, block_hash = m.block_hash,
         gas_used = m.gas_used, gas_fee = m.gas_fee, mined_at = coalesce(t.mined_at, now()),
         is_final = t.is_final or $8
     from unnest(
       $1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::numeric[], $7::text[])
       as m (id, status, block_number, block_hash, gas_used, gas_fee, hash)
     where t.transaction_id = m.id and t.hash = m.hash
       and (not t.is_final or t.status = case when t.is_filler then 'LOST' else m.status end)
     returning ${COLUMNS.replaceAll(/\w+/g, 't.$&')}`,
    [
      mined.map(({ transaction_id }) => transaction_id),
      mined.map(({ receipt }) => (receipt.status === 'success' ? 'CONFIRMED' : 'REVERTED')),
      mined.map(({ receipt }) => Number(receipt.blockNumber)),
      mined.map(({ receipt }) => receipt.blockHash),
      mined.map(({ receipt }) => receipt.gasUsed.toString()),
      mined.map(({ receipt }) => (receipt.gasUsed * receipt.effectiveGasPrice).toString()),
      mined.map(({ receipt }) => receipt.transactionHash),
      isFinal,
    ],
  );
}

/**
 * Whether only its signer has sent it, which is so until the transaction ends: one that waits for long is sent
 * again by the monitor, and what a node has refused to the one it may have taken from the other.
 */
export async function lockUnsent(tx: Db, row: ChainTransaction): Promise<boolean> {
  const rows = await run(
    tx,
    `select from chain_transactions
     where transaction_id = $1 and hash = $2 and status = 'PENDING' and sent_at = signed_at for update`,
    [row.transaction_id, row.hash],
  );
  return rows.length === 1;
}

/**
 * Takes back a signed transaction that the node refused for good, and that is locked as unsent. The nonce is
 * free again when no later one was handed out; otherwise answers false and the caller must cancel it.
 */
export async function withdraw(tx: Db, row: ChainTransaction, nextNonce: number): Promise<boolean> {
  if (nextNonce !== row.nonce + 1) return false;
  await run(tx, 'delete from chain_transactions where transaction_id = $1', [row.transaction_id]);
  await run(
    tx,
    `update chain_nonces set next_nonce = $3, updated_at = now()
     where chain_id = $1 and address = $2`,
    [row.chain_id, row.from_address, row.nonce],
  );
  return true;
}

/**
 * Puts another signature in the place of the row's, which is kept, because the network may still
 * choose it. Nothing when another process replaced it first or it is no longer pending.
 */
export async function replaceSigned(
  tx: Db,
  row: ChainTransaction,
  next: Omit<NewChainTransaction, 'nonce'> & { readonly is_filler: boolean },
): Promise<ChainTransaction | undefined> {
  const [replaced] = await run<ChainTransaction>(
    tx,
    `with old as (
       select * from chain_transactions
       where transaction_id = $1 and hash = $2 and status = 'PENDING' for update
     ), kept as (
       insert into chain_replacements (chain_id, hash, transaction_id, raw, gas_price, is_filler)
       select chain_id, hash, transaction_id, raw, gas_price, is_filler from old
     )
     update chain_transactions t
     set hash = $3, raw = $4, gas_price = $5, purpose = $6, reference = $7,
         is_filler = $8, sent_at = now()
     from old where t.transaction_id = old.transaction_id
     returning ${COLUMNS.replaceAll(/\w+/g, 't.$&')}`,
    [
      row.transaction_id,
      row.hash,
      next.hash,
      next.raw,
      next.gas_price.toString(),
      next.purpose,
      next.reference,
      next.is_filler,
    ],
  );
  return replaced;
}
