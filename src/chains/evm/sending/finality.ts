import type { Hash } from 'viem';
import type { Db } from '#kernel/db/db.ts';
import { CHAINS, type ChainKey } from '../chains.ts';
import { type ChainAccess, receiptOf } from '../client.ts';
import { chainFault } from '../fault.ts';
import { type ChainTransaction, findByHash, lockByReference } from './journal.ts';

/**
 * Whether a transaction of ours has its confirmations, its own block being the first: asked of the
 * chain, since the journal learns of a reorganisation a little later.
 */
export async function isConfirmed(
  chain: Pick<ChainAccess, 'client'> & { readonly confirmations: number },
  row: ChainTransaction,
): Promise<boolean> {
  if (row.status !== 'CONFIRMED' || row.block_number === null) return false;
  if (row.is_final || chain.confirmations <= 1) return true;
  try {
    const client = await chain.client();
    const [receipt, head] = await Promise.all([
      receiptOf(client, row.hash),
      client.getBlockNumber(),
    ]);
    const isThere = receipt?.blockHash === row.block_hash;
    return isThere && head - BigInt(row.block_number) + 1n >= BigInt(chain.confirmations);
  } catch (error) {
    throw chainFault(error);
  }
}

/** It was undone, or its nonce went to another one, and no reorganisation changes that. */
export const hasFailed = ({ status, is_final }: ChainTransaction): boolean =>
  is_final && (status === 'REVERTED' || status === 'LOST');

/**
 * Whether something was signed under that name that has happened or may happen. For the transaction that gives it up:
 * an attempt that got a no may have asked the journal just before another one has signed.
 */
export async function mayHappen(tx: Db, reference: string): Promise<boolean> {
  const row = await lockByReference(tx, reference);
  return row !== undefined && !hasFailed(row);
}

/** State of a transaction by the journal: `unknown` when we did not sign it, `lost` when it never can happen. */
export type Finality = 'unknown' | 'open' | 'final' | 'lost';

/** By the hash that it has now: a replacement has another one. */
export async function finalityOf(db: Db, chain: ChainKey, hash: Hash | null): Promise<Finality> {
  const row = hash && (await findByHash(db, CHAINS[chain].chainId, hash));
  if (!row) return 'unknown';
  if (hasFailed(row)) return 'lost';
  return row.is_final ? 'final' : 'open';
}
