import type { Address } from 'viem';
import {
  ChainError,
  type ChainTransaction,
  firstCallOf,
  hasFailed,
  lockByReference,
  payOrder,
  type Signer,
} from '#chains/evm/port.ts';
import {
  managedAddresses,
  signerOf,
} from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import {
  outcomeOf,
  releaseHold,
  reserve,
  type ToShortfall,
  toRefusal,
  toSpendingAppError,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect, type EffectAttempt } from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import { AppError, fail } from '#kernel/error.ts';
import { format } from '#kernel/money/money.ts';
import type { MarketDeps } from '../deps.ts';
import { findOrder, type MarketplaceOrder, setPaying } from './order-store.ts';

/** Only the request has the user's wish to pay now; a job only looks the payment up. */
export type PayEffect = Effect<MarketplaceOrder, ChainTransaction, 'asked for'>;

export type PayDeps = Pick<MarketDeps, 'db' | 'clock' | 'vault' | 'evm' | 'effects' | 'log'>;

/** A payment's reference in the journal. After a final revert the next attempt has another one. */
export const payReference = ({
  order_id,
  pay_attempt,
}: Pick<MarketplaceOrder, 'order_id' | 'pay_attempt'>) =>
  `marketplace-pay:${order_id}:${pay_attempt}`;

/** Longer than preparing and sending may take; the job finds a sent payment by its reference. */
const HEAD_START_MS = 120_000;

/**
 * The payment of an order from its user's managed wallet: allowance, then the contract's `pay`. One attempt at a time
 * may sign, in a transaction that holds that permit; so an empty journal means that nothing was sent. Only the chain's
 * own event makes the order PAID.
 */
export const createPayEffect = (deps: PayDeps): PayEffect =>
  defineEffect<MarketplaceOrder, ChainTransaction, 'asked for'>({
    kind: 'marketplace-pay',
    provider: 'evm',
    repeatable: true,
    isExclusive: true,
    reopens: true,
    headStartMs: HEAD_START_MS,
    open: (db, id) => findOrder(db, id),
    names: (order) => [payReference(order)],
    call: (order, attempt) => pay(deps, order, attempt),
    async lookUp(order) {
      const { sender } = deps.evm.chains[order.chain_id];
      const row = await sender.find(payReference(order));
      return row ? outcomeInJournal(deps, order, row) : done(undefined);
    },
    async settle(tx, order) {
      await releaseHold(tx, [payReference(order)]);
      await setPaying(tx, order.order_id, { ...order, is_paying: false });
    },
    async refuse(tx, order, { code }) {
      const row = await lockByReference(tx, payReference(order));
      if (row && !hasFailed(row)) return false;
      await releaseHold(tx, [payReference(order)]);
      const pay_attempt = order.pay_attempt + (row ? 1 : 0);
      await setPaying(tx, order.order_id, { is_paying: false, pay_attempt });
      await logActivity(tx, {
        action: 'MARKETPLACE_PAYMENT_REFUSED',
        actor: null,
        client_id: order.client_id,
        subject_user_id: order.user_id,
        details: { order_id: order.order_id, code },
      });
      return true;
    },
  });

async function pay(
  deps: PayDeps,
  order: MarketplaceOrder,
  attempt: EffectAttempt<'asked for'>,
): Promise<Outcome<ChainTransaction>> {
  const chain = deps.evm.chains[order.chain_id];
  const reference = payReference(order);
  const known = await chain.sender.find(reference);
  if (known) return outcomeInJournal(deps, order, known);
  if (attempt.secret === undefined)
    return refused('NOT_READY', 'The payment was given up before anything was sent');
  const signer = await signerFor(deps, order);
  if (signer === undefined) return refused('WALLET_NOT_FOUND', 'The wallet is not managed here');
  try {
    await reserveFunds(deps, order, signer.address, attempt);
  } catch (error) {
    const failure = toSpendingAppError(error, chain, toShortfall);
    if (!(failure instanceof AppError)) throw error;
    return mayHaveBeenSent(error) ? unknown(failure.message, failure) : toRefusal(failure);
  }
  return outcomeOf(chain, { reference, toShortfall }, () =>
    payOrder(chain, {
      ...payableOf(order),
      signer,
      reference,
      purpose: 'marketplace',
      permit: (tx) => attempt.permit(tx),
    }),
  );
}

const mayHaveBeenSent = (error: unknown): boolean =>
  error instanceof ChainError && ['pending', 'unreachable'].includes(error.kind);

const payableOf = ({
  order_id: orderId,
  token_address,
  contract_address,
  units,
}: MarketplaceOrder) => ({
  orderId,
  units,
  token: token_address,
  contract: contract_address,
});

async function signerFor(
  { db, vault }: PayDeps,
  order: MarketplaceOrder,
): Promise<Signer | undefined> {
  const { wallet_address, chain_id, user_id } = order;
  const [address] = await managedAddresses(db, { user_id }, { wallet_address, chain_id });
  return address && signerOf(vault, address);
}

/** Throws INSUFFICIENT_FUNDS, and LostAttempt where the payment was taken over. */
async function reserveFunds(
  { db, evm }: PayDeps,
  order: MarketplaceOrder,
  address: Address,
  { permit }: Pick<EffectAttempt, 'permit'>,
): Promise<void> {
  const chain = evm.chains[order.chain_id];
  const spend = {
    reference: payReference(order),
    token_contract: order.token_address,
    units: order.units,
    ...(await firstCallOf(chain, address, payableOf(order))),
  };
  const reserved = await reserve({ db, chain, address }, [spend], async (tx: Db) => {
    await permit(tx);
    return true;
  });
  if (reserved === 'unmanaged' || reserved === 'unwritten')
    throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  if ('fault' in reserved) throw reserved.fault;
  if ('held' in reserved) return;
  const { token_contract, required, available } = reserved.short;
  const asset = token_contract === 'native' ? chain.info.native : 'USDC';
  throw toShortfall({ asset, required, available });
}

const toShortfall: ToShortfall = ({ asset, required, available }) =>
  fail('INSUFFICIENT_FUNDS', `Not enough ${asset} for the order and its gas`, {
    details: {
      token_symbol: asset,
      ...(required !== undefined && { required: format({ asset, units: required }) }),
      ...(available !== undefined && { available: format({ asset, units: available }) }),
    },
  });

/** The outcome of a payment that is in the journal. */
const outcomeInJournal = (
  { evm }: PayDeps,
  { chain_id }: MarketplaceOrder,
  sent: ChainTransaction,
): Promise<Outcome<ChainTransaction>> => {
  const chain = evm.chains[chain_id];
  const { reference } = sent;
  return outcomeOf(chain, { reference, toShortfall }, () => chain.sender.finish(sent));
};
