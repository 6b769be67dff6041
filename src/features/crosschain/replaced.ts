import type { Hash } from 'viem';
import { CHAINS, replacementHash } from '#chains/evm/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { COLUMNS, type Transfer } from './store.ts';

/**
 * The transfer with the hashes that its transactions have now. One of ours whose block was dropped may
 * have been signed anew for more gas, and only the journal knows it by its new hash then.
 */
export async function withCurrentHashes(db: Db, transfer: Transfer): Promise<Transfer> {
  const { from_chain, to_chain, burn_tx_hash, mint_tx_hash } = transfer;
  const instead = (chain: Transfer['from_chain'], hash: Hash | null) =>
    hash && replacementHash(db, [CHAINS[chain].chainId], hash);
  const [burn, mint] = await Promise.all([
    instead(from_chain, burn_tx_hash),
    instead(to_chain, mint_tx_hash),
  ]);
  if (!burn && !mint) return transfer;
  const [row] = await run<Transfer>(
    db,
    `update crosschain_transfers
     set burn_tx_hash = coalesce($2, burn_tx_hash), mint_tx_hash = coalesce($3, mint_tx_hash)
     where log_id = $1 and burn_tx_hash is not distinct from $4
       and mint_tx_hash is not distinct from $5
     returning ${COLUMNS}`,
    [transfer.log_id, burn ?? null, mint ?? null, burn_tx_hash, mint_tx_hash],
  );
  return row ?? transfer;
}
