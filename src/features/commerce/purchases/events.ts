import { type Static, Type } from 'typebox';
import { exampleChain } from '#chains/evm/port.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, oneOfWords, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import { PurchaseProduct, pricingOf, RecipientShape } from './presenters.ts';
import { PricingShape } from './quote.ts';
import type { PurchaseOrder } from './store.ts';

const schema = named('PurchaseEventData', {
  order_id: Type.String(),
  user_id: Id,
  version: oneOfWords(['v1', 'v2']),
  status: oneOfWords([
    'CREATED',
    'PAYING',
    'PAID',
    'COMPLETED',
    'REFUNDING',
    'REFUNDED',
    'FAILED',
    'EXPIRED',
  ]),
  selected_chain: Type.String(),
  wallet_address: Type.String(),
  product: PurchaseProduct,
  pricing: PricingShape,
  recipient: RecipientShape,
  tx_hash_payment: TextOrNull,
  tx_hash_mcp: TextOrNull,
  tx_hash_refund: TextOrNull,
  failure: TextOrNull,
  email_sent: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  expires_at: Timestamp,
});

const example: Static<typeof schema> = {
  order_id: 'MCP-1795316458447-9F3A01BC',
  user_id: 3,
  version: 'v2',
  status: 'PAID',
  selected_chain: exampleChain().key,
  wallet_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  product: {
    title: 'Running shoes',
    priceText: 'USD 50.00',
    description: 'Light, for the road',
    image: 'https://shop.example/shoes.jpg',
    site: 'Example Shop',
    url: 'https://shop.example/shoes',
  },
  pricing: {
    original: { amount: 50, currency: 'USD', formatted: 'USD 50.00' },
    usdc: { amount: '50.000000', formatted: 'USDC 50.000000' },
    conversion_rate: '1',
    route: 'USD → USDC',
  },
  recipient: { name: 'Budi', phone: '+628123456789', address: 'Jl. Merdeka 1', notes: null },
  tx_hash_payment: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  tx_hash_mcp: null,
  tx_hash_refund: null,
  failure: null,
  email_sent: false,
  created_at: '2026-11-22T03:00:58.447Z',
  updated_at: '2026-11-22T03:01:20.112Z',
  expires_at: '2026-11-22T03:30:58.447Z',
};

/** The fields of both answers, of the order's creation and its execution. */
const shown = (order: PurchaseOrder): Static<typeof schema> => ({
  ...order,
  selected_chain: order.chain_id,
  pricing: pricingOf(order),
  tx_hash_payment: order.payment_tx_hash,
  tx_hash_mcp: order.record_tx_hash,
  tx_hash_refund: order.refund_tx_hash,
  email_sent: order.is_receipt_sent,
});

/** Purchases in web shops as payments. */
export const PURCHASE_PAYMENTS: PaymentSource = {
  view: 'payment_of_purchase_orders',
  rail: 'purchase',
  key: { column: 'object_key', type: 'text' },
  names: ['payment_tx_hash', 'refund_tx_hash'],
  href: () => null,
};

const purchase = defineObject<PurchaseOrder, typeof schema>({
  schema,
  example,
  since: '2026-11',
  payment: PURCHASE_PAYMENTS,
  key: ({ order_id, client_id, user_id, operation }) => ({
    client_id,
    user_id,
    id: order_id,
    operation,
  }),
  show: shown,
}).events('purchase', {
  created: 'Something of a web shop was ordered, and waits to be confirmed',
  confirmed: 'An order was confirmed; the USDC for it is set aside',
  paid: 'An order was paid on chain',
  completed: 'A paid order was recorded on chain; nothing of it is left to do',
  failed: 'The payment of an order was refused on chain; nothing was taken',
  refund_started: 'A paid order could not be recorded; what was paid goes back',
  refunded: 'What was paid for an order is back in the wallet',
  expired: 'The user has not confirmed an order in time',
});

export const PURCHASE_EVENTS = purchase.types;

/** In the transaction that writes the order's present state. */
export const emitPurchase = purchase.emit;
