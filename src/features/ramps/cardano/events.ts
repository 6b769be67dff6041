import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, oneOfWords, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { format } from '#kernel/money/money.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import type { CardanoOrder } from './store.ts';

const OrderData = named('CardanoOrderEventData', {
  order_id: Type.String(),
  user_id: Id,
  source: oneOfWords(['CARD', 'WALLET']),
  target: oneOfWords(['WALLET', 'BANK', 'ADDRESS']),
  amount: Type.String(),
  currency_from: Type.String(),
  currency_to: TextOrNull,
  usdc: TextOrNull,
  to_address: TextOrNull,
  status: oneOfWords(['OPEN', 'PAYING', 'DONE', 'FAILED']),
  failure: TextOrNull,
  mint_hash: TextOrNull,
  burn_hash: TextOrNull,
  created_at: Timestamp,
});

/** Orders over Cardano as payments. */
export const CARDANO_PAYMENTS: PaymentSource = {
  view: 'payment_of_cardano_orders',
  rail: 'cardano',
  key: { column: 'object_key', type: 'uuid' },
  names: ['mint_hash', 'burn_hash'],
  href: () => null,
};

const order = defineEvents(
  'cardano_order',
  {
    schema: OrderData,
    since: '2026-11',
    payment: CARDANO_PAYMENTS,
    example: {
      order_id: '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11',
      user_id: 3,
      source: 'WALLET',
      target: 'ADDRESS',
      amount: '10.00',
      currency_from: 'USD',
      currency_to: null,
      usdc: '10.000000',
      to_address: 'addr_test1vqneq3v0dqh3x3muv6ee3lt8e5729xymnxuavx6tndcjc2cv24ef9',
      status: 'DONE',
      failure: null,
      mint_hash: '1ec85dcee27f2d90ec1f9a1e4ce74a667dc9be8b184463223f9c960150180950',
      burn_hash: null,
      created_at: '2026-11-22T03:00:58.447Z',
    },
  },
  {
    begun: 'An order over Cardano was taken',
    minted: 'The tokens of an order were minted',
    burnt: 'The tokens of an order were burnt',
    completed: 'An order is done',
    unpaid: 'What an order needs was not paid',
    given_back: 'An order has come to nothing; what was paid is back',
    payout_returned: 'The bank has sent back what an order had paid out; the wallet has it',
    taken_back: 'The chain has taken back a transaction of an order; it is sent again',
    made_anew: 'A transaction of an order that the chain took back was made again',
  },
);

export const CARDANO_EVENTS = Object.values(order);

const BY_ACTION = {
  BEGUN: 'begun',
  MINTED: 'minted',
  BURNT: 'burnt',
  DONE: 'completed',
  UNPAID: 'unpaid',
  GIVEN_BACK: 'given_back',
  PAYOUT_RETURNED: 'payout_returned',
  TAKEN_BACK: 'taken_back',
  MADE_ANEW: 'made_anew',
} as const satisfies Record<string, keyof typeof order>;

/** The steps of an order, as the activity log names them. */
export type OrderStep = keyof typeof BY_ACTION;

/** In the transaction that takes the step. */
export function emitCardanoOrder(tx: Db, action: OrderStep, row: CardanoOrder): void {
  const { client_id, user_id, order_id: id, operation } = row;
  const data = {
    ...row,
    amount: format({ asset: row.currency_from, units: row.fiat_amount }),
    usdc: format({ asset: 'USDC', units: row.usdc }),
  };
  emit(tx, order[BY_ACTION[action]], { client_id, user_id, id, data, operation });
}
