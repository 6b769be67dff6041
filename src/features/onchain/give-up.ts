import { type ChainTransaction, findByReference, hasFailed } from '#chains/evm/port.ts';
import { releaseHold } from '#features/wallet-spending/wallet-spending.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { feeReference, sendReference } from './references.ts';

/** Whether it may still be signed. Nobody gives it up before the transaction ends. */
export async function lockOpen(tx: Db, operation: string): Promise<boolean> {
  const rows = await run(
    tx,
    `select operation from onchain_sends where operation = $1 and status = 'PENDING' for share`,
    [operation],
  );
  return rows.length === 1;
}

/** What the journal has of a send, under the lock without which nobody signs it (see `lockOpen`). */
async function signedOf(tx: Db, operation: string): Promise<ChainTransaction | undefined> {
  await run(tx, 'select operation from onchain_sends where operation = $1 for update', [operation]);
  return (await findByReference(tx, [sendReference(operation)]))[0];
}

/**
 * It never happened and never will, for a reason that callers are told. False when it may still
 * happen: another attempt has signed it.
 */
export const failSend = (db: Db, operation: string, failure: string): Promise<boolean> =>
  transact(db, async (tx) => {
    const signed = await signedOf(tx, operation);
    if (signed && !hasFailed(signed)) return false;
    const failed = await run(
      tx,
      `update onchain_sends
       set status = 'FAILED', failure = $2, fee_status = 'NONE', address_id = null,
           is_settled = true, updated_at = service_now()
       where operation = $1 and not is_settled returning operation`,
      [operation, failure],
    );
    if (failed.length === 0) return true;
    await releaseHold(tx, [sendReference(operation), feeReference(operation)]);
    await run(
      tx,
      `update onchain_transactions
       set status = 'FAILED', updated_at = greatest(updated_at, service_now())
       where operation = $1`,
      [operation],
    );
    return true;
  });

/**
 * Takes back what was written down after `since` and never signed, as if nobody had asked for it.
 * False when another attempt has signed it, or it is older.
 */
export const withdrawSend = (db: Db, operation: string, since: Date): Promise<boolean> =>
  transact(db, async (tx) => {
    if (await signedOf(tx, operation)) return false;
    const rows = await run(
      tx,
      `delete from onchain_sends
       where operation = $1 and status = 'PENDING' and created_at > $2 returning operation`,
      [operation, since.toISOString()],
    );
    if (rows.length === 0) return false;
    await releaseHold(tx, [sendReference(operation), feeReference(operation)]);
    return true;
  });
