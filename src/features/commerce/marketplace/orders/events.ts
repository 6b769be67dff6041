import type { Static } from 'typebox';
import { type EvmNetwork, exampleChain } from '#chains/evm/port.ts';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import type { MarketplaceOrder } from './order-store.ts';
import type { MarketplacePayment } from './payment-store.ts';
import { OrderBody, orderBody, PaymentBody, paymentBody } from './presenters.ts';

const since = '2026-11';
const TX_HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const orderExample: Static<typeof OrderBody> = {
  order_id: 'MKT-1795316458447-k3m9x2qa',
  user_id: 3,
  product_data: {
    id: 'm1-1001',
    title: 'Batik shirt',
    description: 'Cotton, hand-drawn',
    image: 'https://shop.example/batik.jpg',
    url: 'https://shop.example/batik',
    source: 'marketplace_1',
  },
  vendor_data: {
    name: 'Marketplace 1',
    marketplace: 'marketplace_1',
    shop_name: 'Example Shop',
    shop_url: 'https://shop.example',
  },
  pricing_data: {
    original_price: 25,
    original_currency: 'USD',
    usd_amount: 25,
    usdc_amount: '30.000000',
    shipping: 5,
    total_usd: 30,
    fx_rate: null,
    fx_timestamp: null,
  },
  recipient_data: {
    name: 'Budi',
    phone: '+628123456789',
    address: 'Jl. Merdeka 1',
    email: null,
    notes: null,
  },
  payment_token: 'USDC',
  token_amount: '30.000000',
  fiat_amount: 30,
  fiat_currency: 'USD',
  chain_id: exampleChain().key,
  wallet_address: WALLET,
  contract_address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  payment_status: 'PAID',
  blockchain_tx_hash: TX_HASH,
  created_at: '2026-11-22T03:00:58.447Z',
  paid_at: '2026-11-22T03:04:20.112Z',
  completed_at: null,
};

/** Orders of the marketplace as payments. */
export const MARKETPLACE_ORDER_PAYMENTS: PaymentSource = {
  view: 'payment_of_marketplace_orders',
  rail: 'marketplace',
  key: { column: 'object_key', type: 'text' },
  names: ['blockchain_tx_hash'],
  href: (id) => `/marketplace/orders/${id}`,
};
/** What came in for orders as payments. */
export const MARKETPLACE_RECEIPT_PAYMENTS: PaymentSource = {
  view: 'payment_of_marketplace_payments',
  rail: 'marketplace',
  key: { column: 'object_key', type: 'integer' },
  names: ['tx_hash', 'refund_tx_hash'],
  href: () => null,
};

const order = defineObject<MarketplaceOrder, typeof OrderBody>({
  schema: OrderBody,
  example: orderExample,
  since,
  payment: MARKETPLACE_ORDER_PAYMENTS,
  key: ({ order_id, client_id, user_id, operation }) => ({
    client_id,
    user_id,
    id: order_id,
    operation,
  }),
  show: orderBody,
}).events('marketplace_order', {
  created: 'Goods were ordered, and are to be paid',
  paid: 'An order was paid on chain, with its confirmations',
  unpaid: 'The chain has dropped the payment of an order, which can be paid again',
  completed: 'The goods of an order were bought at the shop',
  failed: 'The goods cannot be had; what was paid is owed to its payer',
  cancelled: 'An order was not paid in time',
});

interface PaymentInEvents {
  readonly evm: EvmNetwork;
  readonly row: MarketplacePayment;
}

/** Anybody may pay for anything, so a payment is the operator's. */
const payment = defineObject<PaymentInEvents, typeof PaymentBody>({
  schema: PaymentBody,
  since,
  payment: MARKETPLACE_RECEIPT_PAYMENTS,
  example: {
    payment_id: 12,
    chain_id: exampleChain().key,
    tx_hash: TX_HASH,
    payer: WALLET,
    token: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
    amount: '30.000000',
    owed: '30.000000',
    reason: 'NO_ORDER',
    order_id: null,
    refund: 'OWED',
    refund_tx_hash: null,
    state: 'COUNTED',
    assigned_order_id: null,
    settled_note: null,
    lost: '0.000000',
    loss_note: null,
    seen_at: '2026-11-22T03:04:08.000Z',
  },
  key: ({ row }) => ({ client_id: OPERATOR_CLIENT_ID, id: row.payment_id }),
  show: ({ evm, row }) => paymentBody(evm, row),
}).events('marketplace_payment', {
  unmatched: 'What was paid fits no order, or is more than one costs: it is owed to its payer',
  assigned: 'The operator has given what a payer was owed to an order, which it pays',
  undelivered: 'The order of a payment has failed: what was paid is owed to its payer',
  refund_started: 'What a payer is owed is being sent back',
  refund_failed: 'What a payer is owed could not be sent back; it is owed still',
  refunded: 'A payer has got back what was owed, from the treasury or, by its note, otherwise',
  lost: 'The chain has dropped a payment that had counted; `lost` is what was bought or sent back for it',
  written_off: 'The operator has said what becomes of a loss',
  found_again: 'A payment is on chain again that was lost',
});

export const MARKETPLACE_EVENTS = [...order.types, ...payment.types];

/** In the transaction that changes the order's status. */
export const emitOrder = order.emit;
/** In the transaction that changes what is owed. */
export const emitPayment = payment.emit;
