import type { FeeOwner } from '#features/wallet-spending/wallet-spending.ts';
import type { CrosschainBase } from './deps.ts';
import { findTransfer } from './read-store.ts';
import { burnReference, change, feeReference } from './store.ts';

/** The fees of burns, owed by the wallet that paid the burn. By `log_id`. */
export const burnFees = ({ evm, bridgeRoutes }: CrosschainBase): FeeOwner => ({
  name: 'crosschain',
  async due(db, log_id) {
    const transfer = await findTransfer(db, { log_id });
    if (transfer?.fee_status !== 'DUE' || transfer.burn_from === null) return undefined;
    return {
      reference: feeReference(transfer),
      paidFor: burnReference(transfer),
      purpose: 'bridge fee',
      chain_id: transfer.from_chain,
      wallet_address: transfer.burn_from,
      token_contract: bridgeRoutes[transfer.passage].token(transfer),
      units: transfer.platform_fee,
      treasury: evm.keys.treasury.address,
    };
  },
  async ended(tx, log_id, _fee, end) {
    await change(
      tx,
      `set fee_status = $2, fee_tx_hash = $3 where log_id = $1 and fee_status = 'DUE'`,
      [log_id, end.status, end.status === 'PAID' ? end.hash : null],
    );
  },
});
