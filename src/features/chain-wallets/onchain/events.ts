import { type Static, Type } from 'typebox';
import { exampleChain } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, oneOfWords, TextOrNull } from '#kernel/http/declare/schema.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { decimal } from './decimal.ts';
import type { Send } from './store.ts';

const OnchainEventData = named('OnchainEventData', {
  operation: Type.String(),
  user_id: Id,
  bw_id: Id,
  chain_id: Type.String(),
  wallet_address: Type.String(),
  destination_wallet: Type.String(),
  token_symbol: Type.String(),
  token_contract: Type.String(),
  amount: Type.String(),
  platform_fee: Type.String(),
  status: oneOfWords(['PENDING', 'CONFIRMED', 'FAILED']),
  failure: TextOrNull,
  tx_hash: TextOrNull,
});

/** Sends on chain as payments. */
export const CHAIN_PAYMENTS: PaymentSource = {
  view: 'payment_of_onchain_sends',
  rail: 'chain',
  key: { column: 'object_key', type: 'uuid' },
  names: ['tx_hash'],
  href: () => null,
};

const transfer = defineEvents(
  'transfer',
  {
    schema: OnchainEventData,
    since: '2026-11',
    payment: CHAIN_PAYMENTS,
    example: {
      operation: '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
      user_id: 3,
      bw_id: 4,
      chain_id: exampleChain().key,
      wallet_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      destination_wallet: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      token_symbol: 'USDC',
      token_contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      amount: '10',
      platform_fee: '0.1',
      status: 'CONFIRMED',
      failure: null,
      tx_hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
    },
  },
  {
    requested: 'A send on chain was asked for',
    sent: 'The chain has a send, without all its confirmations',
    confirmed: 'A send has its confirmations',
    failed: 'A send has not happened and never will',
    withdrawn: 'A send was never signed, and is not there any more',
  },
);

export const TRANSFER_EVENTS = Object.values(transfer);

/** In the transaction in which it becomes so; by the operation that has asked for it. */
export function emitSend(
  tx: Db,
  what: keyof typeof transfer,
  send: Send,
  known: Partial<Pick<Static<typeof OnchainEventData>, 'status' | 'failure' | 'tx_hash'>> = {},
): void {
  const { operation, client_id, user_id, token_symbol } = send;
  const data = {
    ...send,
    destination_wallet: send.destination,
    amount: decimal(token_symbol, send.units),
    platform_fee: decimal(token_symbol, send.fee_units),
    tx_hash: null,
    ...known,
  };
  emit(tx, transfer[what], { client_id, user_id, id: operation, data, operation });
}
