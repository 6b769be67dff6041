import type { FeeOwner } from '#features/wallet-spending/wallet-spending.ts';
import { feeReference, sendReference } from './references.ts';
import { findSend, settleFee } from './store.ts';

/** The fees of sends: owed once the send is settled. */
export const sendFees: FeeOwner = {
  name: 'onchain',
  async due(db, operation) {
    const send = await findSend(db, operation);
    if (!send?.is_settled || send.fee_status !== 'DUE') return undefined;
    const { chain_id, wallet_address, token_contract, fee_units: units, treasury } = send;
    return {
      reference: feeReference(operation),
      paidFor: sendReference(operation),
      purpose: 'onchain fee',
      ...{ chain_id, wallet_address, token_contract, units, treasury },
    };
  },
  ended: (tx, operation, _fee, end) =>
    settleFee(tx, operation, end.status, end.status === 'PAID' ? end.hash : null),
};
