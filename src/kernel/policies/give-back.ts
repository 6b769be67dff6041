import type { Db } from '../db/db.ts';
import { releaseTaken } from './decision-store.ts';
import type { PolicyOperation } from './operation.ts';
import { giveBackSums } from './sums-store.ts';

/**
 * An operation failed, was cancelled or came back: what it took from limits is free again. Once, and nothing where it
 * took nothing; before the ledger, as everything that locks rows.
 */
export async function giveBackLimits(
  tx: Db,
  of: Pick<PolicyOperation, 'operation' | 'kind'>,
): Promise<void> {
  const taken = await releaseTaken(tx, of);
  if (taken.length > 0) await giveBackSums(tx, taken);
}
