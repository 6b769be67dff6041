import { HOW_TO_PROVE, isWalletOf } from '#features/chain-wallets/wallet-proofs/wallet-proofs.ts';
import { openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import { recordIdrTokenStep } from '../audit.ts';
import type { Onramp, PayingBase } from '../deps.ts';
import { emitRefund } from '../events.ts';
import { refundFee } from '../fees.ts';
import { houseAccounts, refundOperation } from '../legs.ts';
import { findMint, lockMint, type Mint, markMintRefunded } from '../purchase/store.ts';
import { findRedeem, lockRedeem, markRedeemRefunded, type Redeem } from '../redemption/store.ts';
import {
  findRefund,
  type IdrTokenRefund,
  insertRefund,
  type NewRefund,
  refundByOperation,
  refundOf,
} from './store.ts';
import type { TakeBack } from './take-back.ts';

export interface RefundOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** A repetition of the request finds its refund. */
  readonly operation: string;
  readonly body: {
    readonly transactionType: 'MINT' | 'REDEEM';
    readonly transactionId: number;
    readonly reason: string;
  };
}

type Deps = PayingBase & { readonly takeBack: TakeBack };

const PATIENCE_MS = 15_000;

/**
 * Refunds a transaction of a user in the admin's scope, once, as rupiah in the user's wallet: a payment that was not
 * minted, a mint once its tokens are taken back, or a burn that could not be paid out.
 */
export async function refundIdrToken(deps: Deps, order: RefundOrder): Promise<IdrTokenRefund> {
  const known = await refundByOperation(deps.db, order.operation);
  const begun = known ?? (await begin(deps, order));
  if (begun.state === 'TAKING_BACK')
    await deps.effects.drive(deps.takeBack, `${begun.refund_id}`, { patienceMs: PATIENCE_MS });
  const now = (await findRefund(deps.db, begun.refund_id)) ?? begun;
  if (now.state === 'DONE') return now;
  if (now.state === 'FAILED')
    throw fail('CONFLICT', 'The tokens cannot be taken back', { details: { reason: now.failure } });
  throw fail('NOT_READY', 'The tokens are being taken back', {
    details: { refundTransactionId: now.reference_id },
    retryAfter: 10,
  });
}

async function begin(deps: Deps, order: RefundOrder): Promise<IdrTokenRefund> {
  const isMint = order.body.transactionType === 'MINT';
  if (!isMint) await requireUnpaid(deps, order);
  return transact(deps.db, (tx) =>
    isMint ? beginOfMint(deps, tx, order) : beginOfRedeem(deps, tx, order),
  );
}

const notFound = () => fail('TRANSACTION_NOT_FOUND', 'Transaction not found');
const alreadyRefunded = ({ reference_id: refundTransactionId }: IdrTokenRefund) =>
  fail('ALREADY_REFUNDED', 'Transaction was already refunded', {
    status: 409,
    details: { refundTransactionId },
  });
const notRefundable = (status: string) =>
  fail('INVALID_STATUS', `A transaction that is ${status} cannot be refunded`);

async function beginOfMint(deps: Deps, tx: Db, order: RefundOrder): Promise<IdrTokenRefund> {
  const { caller, body } = order;
  const mint_id = body.transactionId;
  const found = await findMint(tx, { mint_id }, tenantScopeOf(caller));
  // The lock keeps others from signing a mint of it, and from refunding it.
  const mint = found && (await lockMint(tx, mint_id));
  if (mint === undefined) throw notFound();
  const earlier = await refundOf(tx, { mint_id });
  if (earlier) throw alreadyRefunded(earlier);
  const terms = termsOf(order, mint);
  if (isOwed(mint)) return giveOwed(deps, tx, order, { mint, terms });
  if (mint.status !== 'SUCCESS') throw notRefundable(mint.status);
  await requireTakeable(deps, tx, mint);
  const refund = await write(deps, tx, order, {
    ...terms,
    source: 'RESERVE',
    state: 'TAKING_BACK',
  });
  await deps.effects.begin(tx, deps.takeBack, `${refund.refund_id}`);
  return refund;
}

/** Paid and not minted: so far, or for good, since the issuer does not mint it. */
const isOwed = ({ status, payment_status }: Mint): boolean =>
  payment_status === 'PAID' && (status === 'PAID' || status === 'FAILED');

/** Another owner's wallet may hold tokens that others have bought. */
async function requireTakeable({ config }: Deps, tx: Db, mint: Mint): Promise<void> {
  const { user_id, wallet_address, chain_id } = mint;
  if (config.MOCK_MODE || (await isWalletOf(tx, user_id, { wallet_address, chain_id }))) return;
  throw fail('CONFLICT', 'The tokens were minted to a wallet that is not known to be the user’s', {
    hint: `The user has to prove it first. ${HOW_TO_PROVE}`,
  });
}

async function giveOwed(
  deps: Deps,
  tx: Db,
  order: RefundOrder,
  { mint, terms }: { readonly mint: Mint; readonly terms: Terms },
): Promise<IdrTokenRefund> {
  const { clock, sagas } = deps;
  const flow = await sagas.find(tx, mint.reference_id);
  const { attempt = 1 } = (flow?.data ?? {}) as Partial<Onramp>;
  if (mint.status === 'PAID' && (await deps.issuer.isMinting(tx, mint, attempt)))
    throw fail('NOT_READY', 'The tokens are being minted', { retryAfter: 15 });
  await markMintRefunded(tx, mint, clock.now());
  return pay(deps, tx, order, { ...terms, source: 'OWED', state: 'DONE' });
}

async function beginOfRedeem(deps: Deps, tx: Db, order: RefundOrder): Promise<IdrTokenRefund> {
  const { caller, body } = order;
  const redeem_id = body.transactionId;
  const found = await findRedeem(tx, { redeem_id }, tenantScopeOf(caller));
  const redeem = found && (await lockRedeem(tx, redeem_id));
  if (redeem === undefined) throw notFound();
  const earlier = await refundOf(tx, { redeem_id });
  if (earlier) throw alreadyRefunded(earlier);
  if (redeem.status !== 'FAILED') throw notRefundable(redeem.status);
  await markRedeemRefunded(tx, redeem.reference_id, deps.clock.now());
  const terms = termsOf(order, redeem);
  return pay(deps, tx, order, { ...terms, source: 'REDEMPTIONS', state: 'DONE' });
}

/** A gateway may still pay a failed transfer: it is asked before the money is refunded. */
async function requireUnpaid({ db, payouts }: Deps, { caller, body }: RefundOrder): Promise<void> {
  const redeem = await findRedeem(db, { redeem_id: body.transactionId }, tenantScopeOf(caller));
  if (redeem?.status !== 'FAILED' || redeem.bank_transfer_status === 'REFUNDED') return;
  const found = await payouts.poll(redeem.reference_id);
  if (found.kind !== 'done' || found.value?.status === 'PENDING')
    throw fail('NOT_READY', 'The gateway does not say yet that the transfer has failed', {
      retryAfter: 60,
    });
  if (found.value?.status === 'COMPLETED') throw notRefundable('COMPLETED');
}

type Terms = Omit<NewRefund, 'source' | 'state'>;

function termsOf({ caller, operation, body }: RefundOrder, of: Mint | Redeem): Terms {
  const { user_id, client_id, amount_idr } = of;
  return {
    operation,
    user_id,
    client_id,
    amount_idr,
    transaction_type: body.transactionType,
    mint_id: 'mint_id' in of ? of.mint_id : null,
    redeem_id: 'redeem_id' in of ? of.redeem_id : null,
    requested_by: caller.user_id,
    reason: body.reason.trim(),
    refund_fee: refundFee({ asset: 'IDR', units: amount_idr }).units,
  };
}

async function write(
  { clock }: Deps,
  tx: Db,
  { caller, request, body }: RefundOrder,
  terms: NewRefund,
): Promise<IdrTokenRefund> {
  const refund = await insertRefund(tx, terms, clock.now());
  const { transactionType, transactionId, reason } = body;
  emitRefund(tx, refund.state === 'DONE' ? 'succeeded' : 'pending', refund);
  await recordIdrTokenStep(tx, 'IDR_REFUND_REQUESTED', refund, {
    by: { caller, request },
    transactionType,
    transactionId,
    reason,
    source: refund.source,
  });
  return refund;
}

async function pay(
  deps: Deps,
  tx: Db,
  order: RefundOrder,
  terms: NewRefund,
): Promise<IdrTokenRefund> {
  const refund = await write(deps, tx, order, terms);
  const { wallet } = await openWallet(tx, refund.user_id, 'IDR');
  await postWithin(tx, refundOperation(refund, wallet.account_id, await houseAccounts(tx)));
  return refund;
}
