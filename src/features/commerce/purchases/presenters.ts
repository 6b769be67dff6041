import { type Static, Type } from 'typebox';
import type { SpendableUnits } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Nullable, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { format } from '#kernel/money/money.ts';
import { SHOWN_BALANCE, shownBalance } from '#kernel/money/shown-balance.ts';
import { grouped, PricingShape, shownPricing } from './quote.ts';
import type { ChainInfoShown, PurchaseOrder } from './store.ts';

/** A new order, with its wallet's balance. */
export interface Created {
  readonly order: PurchaseOrder;
  readonly usdc: SpendableUnits;
  /** The wallet can pay gas, too. */
  readonly canPayGas: boolean;
}

const ContractInfo = named('PurchaseContract', {
  usdc_contract: Type.String(),
  mcp_contract: Type.String(),
  rpc_url: TextOrNull,
  explorer_url: Type.String(),
});
export const ChainShape = named('PurchaseChain', {
  selected_chain: Type.String(),
  chain_name: Type.String(),
  contract_info: ContractInfo,
});

export const RecipientShape = named('PurchaseRecipient', {
  name: Type.String(),
  phone: Type.String(),
  address: Type.String(),
  notes: TextOrNull,
});

export const PurchaseProduct = named('PurchaseProduct', {
  title: Type.String(),
  priceText: TextOrNull,
  description: TextOrNull,
  image: TextOrNull,
  site: TextOrNull,
  url: TextOrNull,
});
/** The same between the steps, with the seal of its page. */
export const CarriedProduct = named('CarriedPurchaseProduct', {
  ...PurchaseProduct.properties,
  page_seal: TextOrNull,
});

const TransactionAhead = named('PurchaseTransaction', {
  required_usdc: Type.String(),
  sufficient_balance: Type.Boolean(),
  can_proceed: Type.Boolean(),
});

const usdcOf = (units: bigint) => ({ asset: 'USDC', units }) as const;

/** The cost of the payment. The wallet can have less only in a repeated request: a new one is refused. */
function transactionAhead({ order, usdc, canPayGas }: Created) {
  const sufficient_balance = usdc.available >= order.usdc_units;
  return {
    required_usdc: format(usdcOf(order.usdc_units)),
    sufficient_balance,
    can_proceed: sufficient_balance && canPayGas,
  };
}

/** The wallet as both versions show it, which name one field differently. */
export const walletOf = ({ order, usdc }: Created) => ({
  address: order.wallet_address,
  balance_usdc: format(usdcOf(usdc.units)),
  balance_formatted: grouped(usdcOf(usdc.units)),
  balance_display: grouped(usdcOf(usdc.units)),
  ...shownBalance('USDC', usdc),
  validated: true,
});

export const pricingOf = ({ price_asset, price_units, usdc_units, rate }: PurchaseOrder) =>
  shownPricing({
    price: { asset: price_asset, units: price_units },
    usdc: usdcOf(usdc_units),
    rate,
  });

export const chainOf = ({ chain_info }: PurchaseOrder): ChainInfoShown => chain_info;

/** An order of the first version (contract: POST /mcp/create-order). */
export const PlacedOrder = named('PurchaseOrdered', {
  step: Type.Literal('create-order'),
  order_id: Type.String(),
  created_at: Timestamp,
  wallet: Type.Object({
    address: Type.String(),
    balance_usdc: Type.String(),
    balance_formatted: Type.String(),
    ...SHOWN_BALANCE,
  }),
  transaction: TransactionAhead,
  recipient: RecipientShape,
  pricing: PricingShape,
  ready_for_payment: Type.Boolean(),
});

export const ordered = (created: Created): Static<typeof PlacedOrder> => ({
  step: 'create-order',
  order_id: created.order.order_id,
  created_at: created.order.created_at,
  wallet: walletOf(created),
  transaction: transactionAhead(created),
  recipient: created.order.recipient,
  pricing: pricingOf(created.order),
  ready_for_payment: created.canPayGas,
});

/** An order of the second version (contract: POST /mcp/v2/create-order). */
export const OrderedOnChain = named('PurchaseOrderedOnChain', {
  step: Type.Literal('create-order-v2'),
  version: Type.Literal('v2'),
  order_id: Type.String(),
  created_at: Timestamp,
  chain_info: ChainShape,
  wallet: Type.Object({
    address: Type.String(),
    balance_usdc: Type.String(),
    balance_display: Type.String(),
    ...SHOWN_BALANCE,
    validated: Type.Boolean(),
  }),
  transaction: TransactionAhead,
  order_details: Type.Object({
    product: PurchaseProduct,
    pricing: PricingShape,
    recipient: RecipientShape,
  }),
  next_step: Type.Literal('execute-order'),
  ready_for_payment: Type.Boolean(),
});

export function orderedOnChain(created: Created): Static<typeof OrderedOnChain> {
  const { order } = created;
  const { order_id, created_at, product, recipient } = order;
  return {
    step: 'create-order-v2',
    version: 'v2',
    order_id,
    created_at,
    chain_info: chainOf(order),
    wallet: walletOf(created),
    transaction: transactionAhead(created),
    order_details: { product, pricing: pricingOf(order), recipient },
    next_step: 'execute-order',
    ready_for_payment: created.canPayGas,
  };
}

/** A completed purchase (contract: POST /mcp/execute-order). */
export const ExecutedPurchase = {
  step: Type.String(),
  success: Type.Boolean(),
  order: named('CompletedPurchase', {
    order_id: Type.String(),
    status: Type.Literal('COMPLETED'),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  transaction: named('CompletedPayment', {
    tx_hash_payment: Type.String(),
    tx_hash_mcp: Type.String(),
    mcp_status: Type.Literal('RECORDED'),
    offramp_status: Type.Literal('SUCCESS_RECEIVED'),
    amount_paid: Type.String(),
    wallet_address: Type.String(),
  }),
  pricing: PricingShape,
  recipient: RecipientShape,
  email_sent: Type.Boolean(),
  completion_message: Type.String(),
};
const ExecutedShape = Type.Object(ExecutedPurchase);

export function executed(order: PurchaseOrder, step: string): Static<typeof ExecutedShape> {
  const { order_id, payment_tx_hash, record_tx_hash, created_at, updated_at } = order;
  if (order.status !== 'COMPLETED' || payment_tx_hash === null || record_tx_hash === null)
    throw new Error(`${order_id} is not completed`);
  const paid = usdcOf(order.usdc_units);
  return {
    step,
    success: true,
    order: { order_id, status: order.status, created_at, updated_at },
    transaction: {
      tx_hash_payment: payment_tx_hash,
      tx_hash_mcp: record_tx_hash,
      mcp_status: 'RECORDED',
      offramp_status: 'SUCCESS_RECEIVED',
      amount_paid: format(paid),
      wallet_address: order.wallet_address,
    },
    pricing: pricingOf(order),
    recipient: order.recipient,
    email_sent: order.is_receipt_sent,
    completion_message: `Bought "${order.product.title}" for ${grouped(paid)}; order ${order_id}`,
  };
}

export const ChainOption = named('PurchaseChainOption', {
  id: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  is_testnet: Type.Boolean(),
  recommended: Type.Boolean(),
  gas_estimate: Nullable(Type.String()),
  contract_info: ContractInfo,
});
