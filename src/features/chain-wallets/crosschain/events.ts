import { exampleChain } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { logOf, TransferLog } from './presenters.ts';
import type { CrosschainTransfer } from './store.ts';

/** Transfers between chains as payments. */
export const CROSSCHAIN_PAYMENTS: PaymentSource = {
  view: 'payment_of_crosschain_transfers',
  rail: 'crosschain',
  key: { column: 'object_key', type: 'uuid' },
  names: ['burn_tx_hash', 'mint_tx_hash'],
  href: (id) => `/crosschain/details/${id}`,
};

const transfer = defineEvents(
  'crosschain_transfer',
  {
    schema: TransferLog,
    since: '2026-11',
    payment: CROSSCHAIN_PAYMENTS,
    example: {
      log_id: '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
      nonce: '0x6f1c7b1d3c6a49d1b58a94f6a1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4',
      user_id: 3,
      amount: '10',
      token: 'USDC',
      from_chain: exampleChain().name,
      to_chain: exampleChain(1).name,
      recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      return_address: null,
      status: 'BURNED',
      burn_tx_hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
      mint_tx_hash: null,
      platform_fee: '0.100000',
      created_at: '2026-11-22T03:00:58.447Z',
      updated_at: '2026-11-22T03:01:20.112Z',
    },
  },
  {
    initiated: 'A transfer between two chains was asked for',
    burn_started: 'The burn on the first chain is on its way',
    burn_refused: 'The burn was not possible, and may be asked for again',
    burned: 'The amount was burnt on the first chain',
    burn_lost: 'The chain has dropped the burn',
    mint_started: 'The mint on the second chain is on its way',
    mint_refused: 'The mint was not possible, and may be asked for again',
    minted: 'The amount has arrived on the second chain',
    mint_lost: 'The chain has dropped the mint; it is minted again',
    failed: 'Nothing was burnt, and nothing will be',
  },
);

export const CROSSCHAIN_EVENTS = Object.values(transfer);

const BY_ACTION: Readonly<Record<string, keyof typeof transfer>> = {
  CROSSCHAIN_INITIATE: 'initiated',
  CROSSCHAIN_BURN_REFUSED: 'burn_refused',
  CROSSCHAIN_BURN_LOST: 'burn_lost',
  CROSSCHAIN_MINT: 'mint_started',
  CROSSCHAIN_MINT_REFUSED: 'mint_refused',
  CROSSCHAIN_MINTED: 'minted',
  CROSSCHAIN_MINT_LOST: 'mint_lost',
};

/** A burn is asked for, reported or refuted in several ways: the status says which it was. */
const OF_A_BURN: Readonly<Record<string, keyof typeof transfer>> = {
  INITIATED: 'burn_started',
  BURNED: 'burned',
  FAILED: 'failed',
};

/** In the transaction that takes the step. */
export function emitStep(tx: Db, action: string, row: CrosschainTransfer): void {
  const { client_id, user_id, log_id: id, operation, status } = row;
  const type = transfer[BY_ACTION[action] ?? OF_A_BURN[status] ?? 'burned'];
  emit(tx, type, { client_id, user_id, id, data: logOf(row), operation });
}
