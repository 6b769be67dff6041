import { CHAINS, type ChainKey, findByHash, hasFailed } from '#chains/evm/port.ts';
import { releaseHold } from '#features/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { settleBreak } from './breaks.ts';
import type { CrosschainDeps } from './deps.ts';
import { holdsOf } from './references.ts';
import { change, type Transfer } from './store.ts';

/** What the journal says of one end of a transfer: `unknown` when it was not signed by us. */
export type Finality = 'unknown' | 'open' | 'final' | 'lost';

/** By the hash that it has now (see `withPresentHashes`). */
export async function finalityOf(db: Db, chain: ChainKey, hash: string | null): Promise<Finality> {
  const row = hash && (await findByHash(db, CHAINS[chain].chainId, hash as `0x${string}`));
  if (!row) return 'unknown';
  if (hasFailed(row)) return 'lost';
  return row.is_final ? 'final' : 'open';
}

/**
 * BURNED back to INITIATED when the burn was ours and never will have happened: its block was dropped
 * and another transaction has its nonce, or it was undone there. The tokens never left the wallet, so
 * it can be burnt anew or called off. Not once a mint was begun. Answers whether it was so.
 */
export async function undoDroppedBurn(
  { db, clock, log }: CrosschainDeps,
  transfer: Transfer,
): Promise<boolean> {
  const { log_id, from_chain, burn_tx_hash, burn_attempt } = transfer;
  if (transfer.status !== 'BURNED' || (await finalityOf(db, from_chain, burn_tx_hash)) !== 'lost')
    return false;
  const now = clock.now();
  const isUndone = await transact(db, async (tx) => {
    const undone = await change(
      tx,
      `set status = 'INITIATED', burn_attempt = burn_attempt + 1, burn_tx_hash = null,
           burn_proof = null, burn_from = null, is_sponsored = false, fee_status = 'NONE',
           fee_tx_hash = null, updated_at = $4
       where log_id = $1 and status = 'BURNED' and burn_attempt = $2 and burn_tx_hash = $3
         and mint_started_at is null`,
      [log_id, burn_attempt, burn_tx_hash, now.toISOString()],
    );
    if (undone === undefined) return false;
    await releaseHold(tx, holdsOf(transfer));
    await settleBreak(tx, 'STUCK', log_id, now);
    return true;
  });
  if (isUndone) log.warn({ crosschain_log: log_id }, 'A burn was lost; it can be burnt anew');
  return isUndone;
}

/**
 * MINTED back to BURNED when our mint never will have happened, so that the schedule mints it anew:
 * the bridge knows the nonce, and takes it once. Answers whether it was so.
 */
export async function undoDroppedMint(
  { db, clock, log }: CrosschainDeps,
  { log_id, to_chain, mint_tx_hash }: Transfer,
): Promise<boolean> {
  if ((await finalityOf(db, to_chain, mint_tx_hash)) !== 'lost') return false;
  const now = clock.now();
  const isUndone = await transact(db, async (tx) => {
    const undone = await change(
      tx,
      `set status = 'BURNED', mint_attempt = mint_attempt + 1, mint_tx_hash = null,
           mint_started_at = $3, reconciled_at = null, updated_at = $3
       where log_id = $1 and status = 'MINTED' and mint_tx_hash = $2`,
      [log_id, mint_tx_hash, now.toISOString()],
    );
    if (undone === undefined) return false;
    await settleBreak(tx, 'MINT', log_id, now);
    return true;
  });
  if (isUndone) log.warn({ crosschain_log: log_id }, 'A mint was lost; it is minted anew');
  return isUndone;
}
