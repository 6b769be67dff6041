import { randomUUID } from 'node:crypto';
import { checkDestination } from '#chains/destinations.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import {
  type FiatWallet,
  findFiatWallet,
  openWallet,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { readRates } from '#features/fiat/fx/fx.ts';
import {
  payeeAtBank,
  requireTransferable,
  type TypedBank,
} from '#features/fiat/payouts/payouts.ts';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { hold } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { notConfigured } from '#kernel/provider-call.ts';
import { transact } from '#kernel/transact.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import { recordStep } from './audit.ts';
import { heldFor } from './booking.ts';
import type { RampDeps, RampRouteDeps } from './deps.ts';
import { networkFee } from './network-fee.ts';
import {
  type CardanoOrder,
  cardanoFindByOperation,
  cardanoFlowId,
  chargedFor,
  insertCardanoOrder,
  type NewCardanoOrder,
} from './store.ts';
import { type CardanoTerms, cardanoAmountOf, termsOf } from './terms.ts';

export interface CardanoOrderInput {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** A repetition of the request goes on where it was. */
  readonly operation: string;
  readonly source: CardanoOrder['source'];
  readonly target: CardanoOrder['target'];
  readonly body: {
    readonly user_id: number;
    readonly fiat_amount: string;
    readonly currency_from: Fiat;
    readonly currency_to?: Fiat;
    readonly wallet_from_id?: number;
    readonly wallet_to_id?: number;
    readonly user_wallet_address?: string;
    readonly destination_bank?: TypedBank;
  };
}

/** For how long its request moves a flow on, before its jobs do. */
const DRIVEN_MS = 60_000;

/** An order as it begins, and from where it pays. */
export interface StartedCardanoOrder {
  readonly order: CardanoOrder;
  readonly wallet: FiatWallet;
}

/**
 * Checks the order, holds its price, and begins the flow: all in one transaction, once for an operation. Where it
 * throws nothing has moved.
 */
export async function beginCardano(
  deps: RampRouteDeps,
  input: CardanoOrderInput,
): Promise<StartedCardanoOrder> {
  const { db, cardano } = deps;
  if (!cardano.isConfigured) throw notConfigured('Cardano');
  await requireOneself(db, input);
  const wallet = await payerOf(db, input);
  const known = await cardanoFindByOperation(db, input.operation);
  if (known) return { order: known, wallet };
  const values = await valuesOf(deps, input, wallet);
  const order = await transact(db, (tx) => write(deps, tx, values, { input, wallet }));
  if (order) return { order, wallet };
  const other = await cardanoFindByOperation(db, input.operation);
  if (!other) throw new Error(`The order of ${input.operation} vanished`);
  return { order: other, wallet };
}

/** A user of another tenant does not exist; an admin cannot move the money of others. */
async function requireOneself(db: Db, { caller, body }: CardanoOrderInput): Promise<void> {
  if (body.user_id === caller.user_id) return;
  await requireUser(db, tenantScopeOf(caller), body.user_id);
  throw fail('ACCESS_DENIED', 'user_id must be your own');
}

async function payerOf(db: Db, { caller, source, body }: CardanoOrderInput): Promise<FiatWallet> {
  const { user_id } = caller;
  const { currency_from, wallet_from_id = 0 } = body;
  // A card's payment is held in the user's wallet, and refunded to it.
  if (source === 'CARD') return (await openWallet(db, user_id, currency_from)).wallet;
  const wallet = await findFiatWallet(db, { user_id }, wallet_from_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  requireCurrency(wallet, 'wallet_from_id', currency_from);
  return wallet;
}

function requireCurrency({ currency }: FiatWallet, field: string, wanted: Fiat): void {
  if (currency === wanted) return;
  throw wrongField(field, `is a wallet in ${currency}, not in ${wanted}`);
}

async function valuesOf(
  deps: RampDeps,
  input: CardanoOrderInput,
  wallet: FiatWallet,
): Promise<NewCardanoOrder> {
  const { caller, source, target, body, operation } = input;
  const { currency_from, currency_to, user_wallet_address } = body;
  const amount = cardanoAmountOf(currency_from, body.fiat_amount);
  const simulated = deps.config.MOCK_MODE;
  const to = await payeeOf(deps, input, wallet);
  const isPaidOut = target === 'BANK' && !simulated;
  const bank = isPaidOut ? await bankOf(deps, caller, body) : undefined;
  const to_address = await addressOf(deps, target, user_wallet_address);
  const rates = await readRates(deps.fx);
  const whole = isPaidOut && currency_to === 'IDR';
  const terms = termsOf(rates, amount, currency_to && { currency: currency_to, whole });
  if (isPaidOut && terms.out) requireArriving(deps, terms.out);
  return {
    order_id: randomUUID(),
    operation,
    source,
    target,
    simulated,
    user_id: caller.user_id,
    client_id: caller.client_id,
    wallet_from_id: wallet.wallet_id,
    wallet_to_id: to?.wallet_id ?? null,
    to_address,
    network_fee: await networkFee(deps, rates, terms, {
      to: to_address,
      isFromCard: source === 'CARD' && !simulated,
      isPaidOut,
    }),
    currency_from,
    currency_to: currency_to ?? null,
    ...columnsOf(terms),
    ...(bank && {
      bank_code: bank.bankCode,
      account_number: bank.accountNumber,
      account_name: bank.accountName,
    }),
  };
}

const columnsOf = ({ amount, onrampFee, usdc, conversion, out }: CardanoTerms) => ({
  fiat_amount: amount.units,
  onramp_fee: onrampFee,
  usdc,
  payout: out?.payout ?? null,
  offramp_fee: out?.fee ?? null,
  rate_in: conversion.rate_in,
  rate_out: conversion.rate_out,
  rates_source: conversion.source,
  rates_at: conversion.at,
});

/** A wallet of any user of the same client. */
async function payeeOf(
  { db }: RampDeps,
  { caller: { client_id }, target, body }: CardanoOrderInput,
  from: FiatWallet,
): Promise<FiatWallet | undefined> {
  const { wallet_to_id, currency_to } = body;
  if (target !== 'WALLET' || wallet_to_id === undefined || currency_to === undefined)
    return undefined;
  const wallet = await findFiatWallet(db, { client_id }, wallet_to_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  requireCurrency(wallet, 'wallet_to_id', currency_to);
  if (body.wallet_from_id === wallet.wallet_id && from.wallet_id === wallet.wallet_id)
    throw wrongField('wallet_to_id', 'is the wallet that pays');
  return wallet;
}

async function addressOf(
  { cardano }: RampDeps,
  target: CardanoOrder['target'],
  typed: string | undefined,
): Promise<string | null> {
  if (target !== 'ADDRESS' || typed === undefined) return null;
  const address = await cardano.typedAddress(typed);
  if (address === undefined)
    throw wrongField('user_wallet_address', 'is not an address of a Cardano test network');
  await checkDestination(cardano, address, { field: 'user_wallet_address' });
  return address;
}

const requireArriving = (
  { prices }: RampDeps,
  { currency, payout }: NonNullable<CardanoTerms['out']>,
) => requireTransferable(prices, { asset: currency, units: payout }, 'fiat_amount');

/** Rupiah go to the account that the user has registered, other currencies to the one that the request names. */
async function bankOf(
  deps: RampDeps,
  { user_id }: UserCaller,
  { currency_to, destination_bank: typed }: CardanoOrderInput['body'],
): Promise<BankAccount> {
  const asset = deps.payouts.requirePayable(currency_to, 'currency_to');
  if (asset !== 'IDR') {
    if (typed === undefined)
      throw wrongField('destination_bank', `is required for a bank in ${asset}`);
    return payeeAtBank(asset, typed, 'destination_bank');
  }
  if (typed !== undefined)
    throw wrongField(
      'destination_bank',
      'is for other currencies: IDR go to your first bank account',
    );
  const account = await deps.payoutAccountOf(deps.db, user_id);
  if (!account)
    throw fail('VALIDATION_ERROR', 'You have no bank account to be paid at: add one first');
  return account;
}

/** Undefined where another request has begun it meanwhile. */
async function write(
  { sagas, machines }: RampRouteDeps,
  tx: Db,
  values: NewCardanoOrder,
  { input, wallet }: { readonly input: CardanoOrderInput; readonly wallet: FiatWallet },
): Promise<CardanoOrder | undefined> {
  const order = await insertCardanoOrder(tx, values);
  if (!order) return undefined;
  const { order_id, target, simulated } = order;
  const machine = order.source === 'CARD' ? machines.fromCard : machines.fromWallet;
  const data = { order_id, target, simulated };
  await sagas.start(tx, machine, { id: cardanoFlowId(order_id), data, drivenForMs: DRIVEN_MS });
  await recordStep(tx, 'BEGUN', order, { request: input.request });
  if (order.source === 'WALLET') {
    const legs = hold(wallet.account_id, chargedFor(order));
    const key = `cardano:${order_id}:held`;
    await postWithin(tx, { key, kind: 'cardano-hold', legs, meta: heldFor(order) });
  }
  return order;
}
