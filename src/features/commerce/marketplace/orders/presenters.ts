import { type Static, Type } from 'typebox';
import type { EvmNetwork } from '#chains/evm/port.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  explained,
  Id,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { format, toWire } from '#kernel/money/money.ts';
import { SOURCES } from '#providers/catalogue/port.ts';
import { assetOf } from './legs.ts';
import type { MarketplaceOrder } from './order-store.ts';
import { type MarketplacePayment, usedUnits } from './payment-store.ts';
import { ORDER_STATUSES } from './states.ts';

/** Contract part 2, Resources: marketplace order. */
export const OrderBody = named('MarketplaceOrder', {
  order_id: Type.String(),
  user_id: Id,
  product_data: Type.Object({
    id: Type.String(),
    title: Type.String(),
    description: Type.String(),
    image: TextOrNull,
    url: Type.String(),
    source: oneOfWords(SOURCES),
  }),
  vendor_data: Type.Object({
    name: Type.String(),
    marketplace: Type.String(),
    shop_name: Type.String(),
    shop_url: Type.String(),
  }),
  pricing_data: Type.Object({
    original_price: Type.Number(),
    original_currency: Type.String(),
    usd_amount: Type.Number(),
    usdc_amount: Type.String(),
    shipping: Type.Number(),
    total_usd: Type.Number(),
    fx_rate: Nullable(Type.Number()),
    fx_timestamp: Nullable(Timestamp),
  }),
  recipient_data: Type.Object({
    name: Type.String(),
    phone: TextOrNull,
    address: Type.String(),
    email: TextOrNull,
    notes: TextOrNull,
  }),
  payment_token: Type.Literal('USDC'),
  token_amount: Type.String(),
  fiat_amount: Type.Number(),
  fiat_currency: Type.String(),
  chain_id: Type.String(),
  wallet_address: Type.String(),
  contract_address: Type.String(),
  payment_status: oneOfWords(ORDER_STATUSES),
  blockchain_tx_hash: TextOrNull,
  created_at: Timestamp,
  paid_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
});

/** Units of USDC as decimal text. */
export const usdcText = (units: bigint): string => format({ asset: 'USDC', units });
const usd = (units: bigint): number => toWire({ asset: 'USD', units });

export function orderBody(order: MarketplaceOrder): Static<typeof OrderBody> {
  const { original_currency, fx_rate } = order;
  return {
    order_id: order.order_id,
    user_id: order.user_id,
    product_data: order.product,
    vendor_data: order.vendor,
    pricing_data: {
      original_price: toWire({ asset: original_currency, units: order.original_units }),
      original_currency,
      usd_amount: usd(order.usd_units),
      usdc_amount: usdcText(order.units),
      shipping: usd(order.shipping_units),
      total_usd: usd(order.total_units),
      fx_rate: fx_rate === null ? null : Number(fx_rate),
      fx_timestamp: order.fx_at,
    },
    recipient_data: order.recipient,
    payment_token: 'USDC',
    token_amount: usdcText(order.units),
    fiat_amount: usd(order.total_units),
    fiat_currency: 'USD',
    chain_id: order.chain_id,
    wallet_address: order.wallet_address,
    contract_address: order.contract_address,
    payment_status: order.payment_status,
    blockchain_tx_hash: order.blockchain_tx_hash,
    created_at: order.created_at,
    paid_at: order.paid_at,
    completed_at: order.completed_at,
  };
}

/** A payment on chain, with the state of its refund. */
export const PaymentBody = named('MarketplacePayment', {
  payment_id: Id,
  chain_id: Type.String(),
  tx_hash: Type.String(),
  payer: Type.String(),
  token: Type.String(),
  amount: Type.String(),
  owed: Type.String(),
  reason: TextOrNull,
  order_id: TextOrNull,
  refund: Type.String(),
  refund_tx_hash: TextOrNull,
  state: explained(
    oneOfWords(['SEEN', 'COUNTED', 'GONE']),
    '`GONE`: the chain has dropped it, and not brought it back',
  ),
  assigned_order_id: explained(TextOrNull, 'The order that the operator has given it to'),
  settled_note: explained(TextOrNull, 'How what was owed went back without a refund of ours'),
  lost: explained(Type.String(), 'What was bought or sent back for it before it was GONE'),
  loss_note: explained(TextOrNull, 'What the operator says of that'),
  seen_at: Timestamp,
});

export function paymentBody(
  evm: EvmNetwork,
  payment: MarketplacePayment,
): Static<typeof PaymentBody> {
  const { payment_id, chain_id, tx_hash, payer, token, reason, order_id, refund } = payment;
  const { state, assigned_order_id, settled_note, loss_note } = payment;
  const asset = assetOf(evm.chains[chain_id], token);
  // For an unknown token, its smallest units.
  const decimal = (units: bigint) => (asset ? format({ asset, units }) : units.toString());
  return {
    payment_id,
    chain_id,
    tx_hash,
    payer,
    token,
    reason,
    order_id,
    refund,
    amount: decimal(payment.units),
    owed: decimal(payment.owed_units - payment.sent_units),
    refund_tx_hash: payment.refund_tx_hash,
    state,
    assigned_order_id,
    settled_note,
    loss_note,
    lost: decimal(state === 'GONE' ? usedUnits(payment) : 0n),
    seen_at: payment.seen_at,
  };
}
