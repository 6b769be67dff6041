import type { Hash } from 'viem';
import {
  CHAINS,
  type ChainKey,
  type ChainTransaction,
  finalityOf,
  hasFailed,
  replacementHash,
} from '#chains/evm/port.ts';
import { releaseHold } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { noteStep } from '../audit.ts';
import type { CrosschainDeps } from '../deps.ts';
import { findCrosschainTransfer } from '../read-store.ts';
import { type CrosschainTransfer, change, holdsOf, mintId } from '../store.ts';
import { settleBreak } from './store.ts';

/**
 * The transfer with the hashes that its transactions have now. One of ours whose block was dropped may
 * have been signed again for more gas, and only the journal knows it by its new hash then.
 */
export async function withCurrentHashes(
  db: Db,
  transfer: CrosschainTransfer,
): Promise<CrosschainTransfer> {
  const { log_id, from_chain, to_chain, burn_tx_hash, mint_tx_hash } = transfer;
  const instead = (chain: ChainKey, hash: Hash | null) =>
    hash && replacementHash(db, [CHAINS[chain].chainId], hash);
  const [burn, mint] = await Promise.all([
    instead(from_chain, burn_tx_hash),
    instead(to_chain, mint_tx_hash),
  ]);
  if (!burn && !mint) return transfer;
  const changed = await change(
    db,
    `set burn_tx_hash = coalesce($2, burn_tx_hash), mint_tx_hash = coalesce($3, mint_tx_hash)
     where log_id = $1 and burn_tx_hash is not distinct from $4
       and mint_tx_hash is not distinct from $5`,
    [log_id, burn ?? null, mint ?? null, burn_tx_hash, mint_tx_hash],
  );
  return changed ?? transfer;
}

/**
 * BURNED back to INITIATED when the burn was ours and never will have happened: its block was dropped
 * and another transaction has its nonce, or it was reverted there. The tokens never left the wallet, so
 * it can be burnt again or called off. Not once a mint was begun. Answers whether it was so.
 */
export async function undoDroppedBurn(
  { db, clock, log, legs }: CrosschainDeps,
  transfer: CrosschainTransfer,
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
           fee_tx_hash = null, checked_at = null, updated_at = $4
       where log_id = $1 and status = 'BURNED' and burn_attempt = $2 and burn_tx_hash = $3
         and mint_started_at is null`,
      [log_id, burn_attempt, burn_tx_hash, now.toISOString()],
    );
    if (undone === undefined) return false;
    await releaseHold(tx, holdsOf(transfer));
    await settleBreak(tx, 'STUCK', log_id, now);
    await noteStep({ tx, legs }, 'CROSSCHAIN_BURN_LOST', undone, { tx_hash: burn_tx_hash });
    return true;
  });
  if (isUndone) log.warn({ crosschain_log: log_id }, 'A burn was lost; it can be burnt again');
  return isUndone;
}

/**
 * MINTED back to BURNED when our mint never will have happened, and begins the next one: the bridge
 * knows the nonce, and takes it once. Answers whether it was so.
 */
export async function undoDroppedMint(
  { db, clock, log, effects, mints, legs }: CrosschainDeps,
  { log_id, to_chain, mint_tx_hash }: CrosschainTransfer,
): Promise<boolean> {
  if ((await finalityOf(db, to_chain, mint_tx_hash)) !== 'lost') return false;
  const now = clock.now();
  const isUndone = await transact(db, async (tx) => {
    const undone = await change(
      tx,
      `set status = 'BURNED', mint_attempt = mint_attempt + 1, mint_tx_hash = null,
           mint_started_at = $3, reconciled_at = null, checked_at = null, updated_at = $3
       where log_id = $1 and status = 'MINTED' and mint_tx_hash = $2`,
      [log_id, mint_tx_hash, now.toISOString()],
    );
    if (undone === undefined) return false;
    await effects.begin(tx, mints, mintId(undone), { left: {} });
    await settleBreak(tx, 'MINT', log_id, now);
    await noteStep({ tx, legs }, 'CROSSCHAIN_MINT_LOST', undone, { tx_hash: mint_tx_hash });
    return true;
  });
  if (isUndone) log.warn({ crosschain_log: log_id }, 'A mint was lost; it is minted again');
  return isUndone;
}

/** `burn:<nonce>` and `mint:<nonce>`, with the number of the attempt behind. */
const REFERENCE = /^(?:burn|mint):([^:]+)/;

/**
 * Listener of the chains: undoes the burn or mint whose transaction never can happen, as soon as a process finds
 * out. The reconciliation does the same for changes that no process heard of.
 */
export async function onTransaction(deps: CrosschainDeps, row: ChainTransaction): Promise<void> {
  const [, nonce] = (hasFailed(row) && REFERENCE.exec(row.reference)) || [];
  const transfer =
    nonce === undefined ? undefined : await findCrosschainTransfer(deps.db, { nonce });
  if (transfer === undefined) return;
  const current = await withCurrentHashes(deps.db, transfer);
  if (!(await undoDroppedBurn(deps, current))) await undoDroppedMint(deps, current);
}
