import { randomUUID } from 'node:crypto';
import type { Address } from 'viem';
import {
  approveCall,
  ChainError,
  type ChainTransaction,
  type ContractCall,
  hasFailed,
  isExecuted,
  lockByReference,
  payOrderCall,
  type Signer,
} from '#chains/evm/port.ts';
import { logActivity } from '#features/activity/activity.ts';
import { managedAddresses, signerOf } from '#features/crypto-wallets/crypto-wallets.ts';
import {
  releaseHold,
  reserve,
  toAppError,
  toRefusal,
} from '#features/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Attempt, defineEffect, type Effect } from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import { AppError, fail } from '#kernel/http/error.ts';
import { format } from '#kernel/money/money.ts';
import type { MarketDeps } from './deps.ts';
import { findOrder, type Order, setPaying } from './order-store.ts';

/** Only the request knows that its user wants it to be paid now; a job looks up what became of it. */
export type PayEffect = Effect<Order, ChainTransaction, 'asked for'>;

export type PayDeps = Pick<MarketDeps, 'db' | 'clock' | 'vault' | 'evm' | 'effects' | 'log'>;

/** What a payment is called in the journal. One that was reverted for good is made anew by another name. */
export const payReference = ({ order_id, pay_attempt }: Pick<Order, 'order_id' | 'pay_attempt'>) =>
  `marketplace-pay:${order_id}:${pay_attempt}`;

/** Longer than preparing and sending may take; what is sent already is found by its name. */
const HEAD_START_MS = 120_000;
/** How often the allowance is set again that another payment of the wallet has used. */
const APPROVALS_MAX = 4;

/**
 * The payment of an order from its user's managed wallet: allowance, then the contract's `pay`. One attempt
 * at a time has it, and it is signed in a transaction that holds that right; so whoever finds nothing in the
 * journal knows that nothing was sent. That it was paid is only ever said by the chain's own event.
 */
export const createPayEffect = (deps: PayDeps): PayEffect =>
  defineEffect<Order, ChainTransaction, 'asked for'>({
    kind: 'marketplace-pay',
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
      return row ? withReceipt(deps, order, row) : done(undefined);
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
  order: Order,
  attempt: Attempt<'asked for'>,
): Promise<Outcome<ChainTransaction>> {
  const chain = deps.evm.chains[order.chain_id];
  const known = await chain.sender.find(payReference(order));
  if (known) return withReceipt(deps, order, known);
  if (attempt.secret === undefined)
    return refused('NOT_READY', 'The payment was given up before anything was sent');
  const signer = await signerFor(deps, order);
  if (signer === undefined) return refused('WALLET_NOT_FOUND', 'The wallet is not managed here');
  try {
    await reserveFunds(deps, order, signer.address, attempt);
    return await withReceipt(deps, order, await send(deps, order, signer, attempt));
  } catch (error) {
    const told = toAppError(error, chain, tellLack);
    if (!(told instanceof AppError)) throw error;
    // What may have been sent is in the journal, and is looked up from now on.
    return mayHaveBeenSent(error) ? unknown(told.message, told) : toRefusal(told);
  }
}

const mayHaveBeenSent = (error: unknown): boolean =>
  error instanceof ChainError && ['pending', 'unreachable'].includes(error.kind);

const payCall = ({ evm }: PayDeps, order: Order): ContractCall =>
  payOrderCall(
    { ...evm.chains[order.chain_id].contracts, marketplace: order.contract_address },
    { orderId: order.order_id, token: order.token_address, units: order.units },
  );

const approval = ({ token_address, contract_address, units }: Order): ContractCall =>
  approveCall(token_address, contract_address, units);

async function signerFor({ db, vault }: PayDeps, order: Order): Promise<Signer | undefined> {
  const { wallet_address, chain_id, user_id } = order;
  const [address] = await managedAddresses(db, { user_id }, { wallet_address, chain_id });
  return address && signerOf(vault, address);
}

/** Throws INSUFFICIENT_FUNDS, and LostAttempt where the payment was taken over. */
async function reserveFunds(
  { db, evm }: PayDeps,
  order: Order,
  address: Address,
  { permit }: Pick<Attempt, 'permit'>,
): Promise<void> {
  const chain = evm.chains[order.chain_id];
  const spend = {
    reference: payReference(order),
    token_contract: order.token_address,
    units: order.units,
    call: approval(order),
    laterCalls: 1,
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
  throw tellLack({ asset, required, available });
}

const tellLack: Parameters<typeof toAppError>[2] = ({ asset, required, available }) =>
  fail('INSUFFICIENT_FUNDS', `Not enough ${asset} for the order and its gas`, {
    details: {
      token_symbol: asset,
      ...(required !== undefined && { required: format({ asset, units: required }) }),
      ...(available !== undefined && { available: format({ asset, units: available }) }),
    },
  });

/** The allowance is set as often as it is missing: another payment of the wallet may use it first. */
async function send(
  deps: PayDeps,
  order: Order,
  signer: Signer,
  { permit }: Pick<Attempt, 'permit'>,
): Promise<ChainTransaction> {
  const { sender } = deps.evm.chains[order.chain_id];
  for (let approvals = 0; ; approvals += 1) {
    try {
      return await sender.send({
        signer,
        ...payCall(deps, order),
        reference: payReference(order),
        purpose: 'marketplace payment',
        permit: (tx) => permit(tx),
      });
    } catch (error) {
      if (approvals === APPROVALS_MAX || !lacksAllowance(error)) throw error;
    }
    await sender.execute({
      signer,
      ...approval(order),
      reference: `${payReference(order)}:${randomUUID()}`,
      purpose: 'marketplace allowance',
    });
  }
}

const lacksAllowance = (error: unknown): boolean =>
  error instanceof ChainError && error.details.errorName === 'ERC20InsufficientAllowance';

/** Waits for the receipt of a payment that is in the journal. */
async function withReceipt(
  { evm }: PayDeps,
  order: Order,
  sent: ChainTransaction,
): Promise<Outcome<ChainTransaction>> {
  const chain = evm.chains[order.chain_id];
  try {
    const row = await chain.sender.awaitReceipt(sent);
    if (isExecuted(row)) return done(row);
    // Until that is final a reorganisation may still make it happen.
    if (!hasFailed(row)) return unknown('The payment is not decided yet');
    return refused('PROVIDER_REJECTED', 'The payment was reverted on chain');
  } catch (error) {
    const told = toAppError(error, chain, tellLack);
    if (!(told instanceof AppError)) throw error;
    return unknown(told.message, told);
  }
}
