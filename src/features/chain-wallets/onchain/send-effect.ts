import {
  type ChainTransaction,
  type ExecutedTransaction,
  findByReference,
  hasFailed,
  isExecuted,
  lockByReference,
  type Quote,
  type Signer,
} from '#chains/evm/port.ts';
import {
  managedAddresses,
  signerOf,
} from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import {
  moveCall,
  releaseHold,
  sendOnce,
  toRefusal,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import {
  defineEffect,
  type Effect,
  type EffectAttempt,
  LostAttempt,
} from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { cancelPayment } from '#kernel/payments/payment-writes.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { emitSend } from './events.ts';
import { type ChainChecks, type FinalityDeps, giveUp, storeSeen } from './finality.ts';
import { shortage, toOnchainShortfall } from './funds.ts';
import {
  findSend,
  lockOpen,
  onchainFeeReference,
  type Send,
  sendReference,
  withdrawSend,
} from './store.ts';

export type SendDeps = FinalityDeps & Pick<Kernel, 'vault'> & { readonly looks: ChainChecks };

/** `Quote`: what the request that begins it has asked the chain just now. */
export type SendEffect = Effect<Send, ExecutedTransaction, Quote>;

const MINUTE_MS = 60_000;
/** How long the request itself may give a send up. After that it happens, or has failed. */
const OPEN_MS = 2 * MINUTE_MS;
/** The code of a send that was withdrawn: nothing was sent, and it may be asked for again. */
export const UNSENT = 'PROVIDER_UNAVAILABLE';
const PENDING = 'Sent, and not confirmed yet: ask again with the same Idempotency-Key';

/**
 * A send, from its row to its first receipt: signed and sent under the journal's name for it, which
 * makes any number of calls one transaction. What comes after the receipt is finality's.
 */
export const createSendEffect = (deps: SendDeps): SendEffect =>
  defineEffect<Send, ExecutedTransaction, Quote>({
    kind: 'onchain-send',
    provider: 'evm',
    repeatable: true,
    // What was withdrawn may be asked for again.
    reopens: true,
    headStartMs: OPEN_MS,
    pauses: { firstMs: MINUTE_MS, maxMs: 5 * MINUTE_MS },
    open: findSend,
    names: ({ operation }) => [sendReference(operation), onchainFeeReference(operation)],
    async call(send, attempt) {
      const outcome = await transfer(deps, send, attempt);
      if (outcome.kind === 'refused') {
        // Checked against funds that others have used since, perhaps.
        const shortfall = await shortage(deps.evm.chains[send.chain_id], send);
        return shortfall ? toRefusal(shortfall) : outcome;
      }
      if (outcome.kind === 'done' || !mayWithdraw(deps, attempt)) return outcome;
      const { sender } = deps.evm.chains[send.chain_id];
      const signed = await sender.find(sendReference(send.operation));
      return signed ? outcome : refused(UNSENT, outcome.cause);
    },
    settle: (tx, send) => book(deps, tx, send),
    async refuse(tx, send, why) {
      const { operation } = send;
      const [signed] = await findByReference(tx, [sendReference(operation)]);
      if (signed && !hasFailed(signed)) return false;
      if (why.code !== UNSENT) await giveUp(tx, send, why.message);
      else await withdraw(tx, send);
      return true;
    },
  });

/** The waiting caller may be answered that nothing was sent; later it happens, or has failed. */
const mayWithdraw = ({ clock }: SendDeps, { isInline, openedAt }: EffectAttempt<Quote>): boolean =>
  isInline && clock.now().getTime() - openedAt.getTime() < OPEN_MS;

async function transfer(
  deps: SendDeps,
  send: Send,
  attempt: EffectAttempt<Quote>,
): Promise<Outcome<ExecutedTransaction>> {
  const { operation, chain_id, token_contract, destination, units, gas_points } = send;
  const chain = deps.evm.chains[chain_id];
  const reference = sendReference(operation);
  if (!attempt.isInline) {
    if (!(await deps.looks.answers(chain_id))) return unknown(`${chain_id} cannot be reached`);
    // No wait here: once it is signed, the chain reports when there is something to book.
    const signed = await chain.sender.find(reference);
    if (signed) return outcomeOf(signed);
  }
  return sendOnce(
    chain,
    {
      signer: await signerFor(deps, send),
      ...moveCall(token_contract, destination, units),
      reference,
      purpose: 'onchain send',
      gasPricePoints: BigInt(gas_points),
      quote: attempt.secret,
      async permit(tx) {
        await attempt.permit(tx);
        if (!(await lockOpen(tx, operation))) throw new LostAttempt(reference);
      },
    },
    toOnchainShortfall,
  );
}

function outcomeOf(row: ChainTransaction): Outcome<ExecutedTransaction> {
  if (isExecuted(row)) return done(row);
  return hasFailed(row)
    ? refused('PROVIDER_REJECTED', 'It was reverted on chain')
    : unknown(PENDING);
}

/** By the journal as it is now: it may have been undone since. */
async function book(deps: SendDeps, tx: Db, send: Send): Promise<void> {
  const { operation, chain_id, client_id, user_id } = send;
  const row = await lockByReference(tx, sendReference(operation));
  if (row === undefined) throw new Error(`${operation} is settled and not in the journal`);
  const isDeep = row.is_final || deps.evm.chains[chain_id].confirmations <= 1;
  await storeSeen(deps, tx, send, { row, isDeep: isExecuted(row) && isDeep, isNews: true });
  if (hasFailed(row)) return;
  await logActivity(tx, {
    action: 'ONCHAIN_SEND_EXECUTED',
    actor: null,
    client_id,
    subject_user_id: user_id,
    details: { operation, chain_id, tx_hash: row.hash },
  });
}

async function withdraw(tx: Db, send: Send): Promise<void> {
  const { operation, chain_id, client_id, user_id } = send;
  await withdrawSend(tx, operation);
  await giveBackLimits(tx, { operation, kind: 'send' });
  emitSend(tx, 'withdrawn', send);
  await cancelPayment(tx, 'transfer', operation);
  await releaseHold(tx, [sendReference(operation), onchainFeeReference(operation)]);
  await logActivity(tx, {
    action: 'ONCHAIN_SEND_WITHDRAWN',
    actor: null,
    client_id,
    subject_user_id: user_id,
    details: { operation, chain_id },
  });
}

/** An ended send keeps no key; its transaction is in the journal, which needs no signature then. */
async function signerFor({ db, vault, evm }: SendDeps, send: Send): Promise<Signer> {
  const { wallet_address, chain_id } = send;
  const [address] = await managedAddresses(db, {}, { wallet_address, chain_id });
  if (address) return signerOf(vault, address);
  const row = await evm.chains[chain_id].sender.find(sendReference(send.operation));
  if (row === undefined) throw new Error(`${send.operation} has neither a key nor a transaction`);
  return {
    address: wallet_address,
    sign: () => Promise.reject(new Error(`The key of ${wallet_address} is gone`)),
  };
}
