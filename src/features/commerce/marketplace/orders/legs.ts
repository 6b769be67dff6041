import type { EvmChain } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, type Operation, transfer } from '#kernel/ledger/ledger.ts';
import type { Asset } from '#kernel/money/money.ts';
import { type MarketplacePayment, type PaymentMatch, usedUnits } from './payment-store.ts';

/** The platform's own accounts of the marketplace, in one asset. */
export interface MarketAccounts {
  /** Minus posted is what the treasury and the payment contracts hold on the chains. */
  readonly treasury: number;
  /** Paid, and not bought at the shop yet. */
  readonly owed: number;
  /** Bought at shops. */
  readonly vendors: number;
  /** Owed to payers. */
  readonly refunds: number;
  /** Payments that a chain dropped after their goods were bought or they were refunded. */
  readonly losses: number;
  /** Refunded by other means; the treasury still has the tokens. */
  readonly elsewhere: number;
}

/** On the given connection: a transaction must not wait for another one. */
export async function marketAccounts(db: Db, asset: Asset): Promise<MarketAccounts> {
  const open = (purpose: string) => openAccount(db, houseAccount(purpose, asset));
  return {
    treasury: await open('marketplace-treasury'),
    owed: await open('marketplace-owed'),
    vendors: await open('marketplace-vendors'),
    refunds: await open('marketplace-refunds'),
    losses: await open('marketplace-losses'),
    elsewhere: await open('marketplace-elsewhere'),
  };
}

/** The ledger's asset of a token; undefined for a token that it does not count. */
export function assetOf(
  { contracts }: Pick<EvmChain, 'contracts'>,
  token: string,
): Asset | undefined {
  if (token === contracts.usdc) return 'USDC';
  return token === contracts.idr_token ? 'IDRT' : undefined;
}

const some = (from: number, to: number, units: bigint): Leg[] =>
  units > 0n ? transfer(from, to, units) : [];

/** A counted payment: its part for an order, the part that is owed back, and a loss that it undoes. */
export const countedOperation = (
  { payment, applied, owed: owedBack }: PaymentMatch,
  { treasury, owed, refunds, losses }: MarketAccounts,
): Operation => ({
  key: `marketplace-payment:${payment.payment_id}:${payment.round + 1}`,
  kind: 'marketplace-payment',
  legs: [
    ...some(treasury, owed, applied - payment.applied_units),
    ...some(treasury, refunds, owedBack - payment.sent_units),
    ...some(treasury, losses, usedUnits(payment)),
  ],
  meta: { tx_hash: payment.tx_hash },
});

/** A part that was owed to its payer pays an order. */
export const assignedOperation = (
  { payment_id, round, applied_units }: MarketplacePayment,
  order_id: string,
  { owed, refunds }: MarketAccounts,
): Operation => ({
  key: `marketplace-assigned:${payment_id}:${round}:${order_id}`,
  kind: 'marketplace-assigned',
  legs: transfer(refunds, owed, applied_units),
});

/** The owed part was refunded, and not from the treasury. */
export const settledOperation = (
  { payment_id, refund_attempt }: MarketplacePayment,
  units: bigint,
  { refunds, elsewhere }: MarketAccounts,
): Operation => ({
  key: `marketplace-settled:${payment_id}:${refund_attempt}`,
  kind: 'marketplace-settled',
  legs: transfer(refunds, elsewhere, units),
});

/** A payment that is no longer on chain: the part that was spent or refunded is a loss. */
export const goneOperation = (
  { payment_id, round, applied_units, owed_units, sent_units }: MarketplacePayment,
  isBought: boolean,
  { treasury, owed, refunds, losses }: MarketAccounts,
): Operation => ({
  key: `marketplace-payment:${payment_id}:${round}:gone`,
  kind: 'marketplace-payment-gone',
  legs: [
    ...some(isBought ? losses : owed, treasury, applied_units),
    ...some(refunds, treasury, owed_units - sent_units),
    ...some(losses, treasury, sent_units),
  ],
});

/** The goods are bought at the shop. */
export const boughtOperation = (
  order_id: string,
  units: bigint,
  { owed, vendors }: MarketAccounts,
): Operation => ({
  key: `${order_id}:bought`,
  kind: 'marketplace-bought',
  legs: transfer(owed, vendors, units),
});

/** The goods cannot be had: the payment is owed to the payer. */
export const failedOperation = (
  order_id: string,
  units: bigint,
  { owed, refunds }: MarketAccounts,
): Operation => ({
  key: `${order_id}:failed`,
  kind: 'marketplace-failed',
  legs: transfer(owed, refunds, units),
});

/** The owed part was refunded from the treasury. */
export const refundedOperation = (
  { payment_id, refund_attempt }: MarketplacePayment,
  units: bigint,
  { treasury, refunds }: MarketAccounts,
): Operation => ({
  key: `marketplace-refund:${payment_id}:${refund_attempt}`,
  kind: 'marketplace-refund',
  legs: transfer(refunds, treasury, units),
});
