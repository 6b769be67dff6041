import type { Db } from '../db/db.ts';
import { releaseTaken, takenAgain } from './decision-store.ts';
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

/**
 * What was given back has happened after all: it counts again, also beyond a limit, in the window in which it was
 * decided. Once, and nothing where nothing was given back.
 */
export async function retakeLimits(
  tx: Db,
  of: Pick<PolicyOperation, 'operation' | 'kind'>,
): Promise<void> {
  const taken = await takenAgain(tx, of);
  const negative = taken.map((one) => ({
    ...one,
    amount: (-BigInt(one.amount)).toString(),
    count: -one.count,
  }));
  if (taken.length > 0) await giveBackSums(tx, negative);
}
