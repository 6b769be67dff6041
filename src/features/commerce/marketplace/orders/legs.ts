import type { EvmChain } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, type Operation, transfer } from '#kernel/ledger/ledger.ts';
import type { Asset } from '#kernel/money/money.ts';
import { type MarketplacePayment, type MarketplaceVerdict, usedUnits } from './payment-store.ts';

/** The platform's own accounts of the marketplace, in one asset. */
export interface MarketAccounts {
  /** What the treasury and the payment contracts hold on the chains: below zero by that. */
  readonly treasury: number;
  /** Paid, and not bought at the shop yet. */
  readonly owed: number;
  /** Bought at shops. */
  readonly vendors: number;
  /** Owed to whoever paid it. */
  readonly refunds: number;
  /** What a reorganisation took back after the goods were bought, or it was sent back. */
  readonly losses: number;
  /** Given back by others than the treasury, which has it still. */
  readonly elsewhere: number;
}

/** By whichever connection is at hand: a transaction must not wait for another one. */
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

/** What the ledger calls a token; nothing for one that it does not count. */
export function assetOf(
  { contracts }: Pick<EvmChain, 'contracts'>,
  token: string,
): Asset | undefined {
  if (token === contracts.usdc) return 'USDC';
  return token === contracts.idr_token ? 'IDRT' : undefined;
}

const some = (from: number, to: number, units: bigint): Leg[] =>
  units > 0n ? transfer(from, to, units) : [];

/** A payment has come in: what went to an order, and what is owed back. What was lost with it is found. */
export const countedOperation = (
  { payment, applied, owed: owedBack }: MarketplaceVerdict,
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

/** What was owed to its payer goes to an order. */
export const assignedOperation = (
  { payment_id, round, applied_units }: MarketplacePayment,
  order_id: string,
  { owed, refunds }: MarketAccounts,
): Operation => ({
  key: `marketplace-assigned:${payment_id}:${round}:${order_id}`,
  kind: 'marketplace-assigned',
  legs: transfer(refunds, owed, applied_units),
});

/** What was owed has gone back, and not from the treasury. */
export const settledOperation = (
  { payment_id, refund_attempt }: MarketplacePayment,
  units: bigint,
  { refunds, elsewhere }: MarketAccounts,
): Operation => ({
  key: `marketplace-settled:${payment_id}:${refund_attempt}`,
  kind: 'marketplace-settled',
  legs: transfer(refunds, elsewhere, units),
});

/** It is not on chain any more. What was bought or sent back for it is lost. */
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

/** They cannot be had: what was paid is owed to the payer. */
export const failedOperation = (
  order_id: string,
  units: bigint,
  { owed, refunds }: MarketAccounts,
): Operation => ({
  key: `${order_id}:failed`,
  kind: 'marketplace-failed',
  legs: transfer(owed, refunds, units),
});

/** What was owed has gone back. */
export const refundedOperation = (
  { payment_id, refund_attempt }: MarketplacePayment,
  units: bigint,
  { treasury, refunds }: MarketAccounts,
): Operation => ({
  key: `marketplace-refund:${payment_id}:${refund_attempt}`,
  kind: 'marketplace-refund',
  legs: transfer(refunds, treasury, units),
});
