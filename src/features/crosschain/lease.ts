import { releaseHold } from '#features/wallet-spending/wallet-spending.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { holdsOf } from './references.ts';
import { type BurnMode, change, type Transfer } from './store.ts';

export interface Lease {
  /** One attempt's and nobody else's: whoever finds another one there has lost the transfer. */
  readonly lease: string;
  readonly now: Date;
  readonly until: Date;
  /** Who asks; without it whoever asked before keeps the word. */
  readonly asked?: { readonly operation: string; readonly mode: BurnMode };
}

/**
 * The transfer when it is now this attempt's to burn; nothing when it is somebody else's or done. The
 * same operation takes it over at once, whether its earlier attempt is dead or slow.
 */
export const takeLease = (
  db: Db,
  log_id: string,
  { lease, now, until, asked }: Lease,
): Promise<Transfer | undefined> =>
  change(
    db,
    `set lease = $2, lease_until = $3, burn_mode = coalesce($5, burn_mode),
         operation = coalesce($6, operation)
     where log_id = $1 and status = 'INITIATED'
       and (lease is null or operation = $6 or lease_until <= $4::timestamptz)`,
    [
      log_id,
      lease,
      until.toISOString(),
      now.toISOString(),
      asked?.mode ?? null,
      asked?.operation ?? null,
    ],
  );

/** Whether the transfer is still the attempt's that took it; if so, until the transaction ends. */
export async function keepsLease(
  tx: Db,
  { log_id, lease, burn_attempt }: Transfer,
): Promise<boolean> {
  const rows = await run(
    tx,
    `select log_id from crosschain_transfers
     where log_id = $1 and lease = $2 and burn_attempt = $3 and status = 'INITIATED' for share`,
    [log_id, lease, burn_attempt],
  );
  return rows.length === 1;
}

/** Ends a burn that is known not to have happened. Only the attempt that has the lease may say so. */
export const releaseLease = (
  db: Db,
  transfer: Transfer,
  options: { readonly nextAttempt: boolean },
): Promise<void> =>
  transact(db, async (tx) => {
    const { log_id, lease, burn_attempt } = transfer;
    const released = await change(
      tx,
      `set lease = null, lease_until = null, burn_attempt = burn_attempt + $3
       where log_id = $1 and lease = $2 and burn_attempt = $4 and status = 'INITIATED'`,
      [log_id, lease, options.nextAttempt ? 1 : 0, burn_attempt],
    );
    if (released) await releaseHold(tx, holdsOf(transfer));
  });
