import { requireReceiver } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { feeOf } from '#features/fiat/fees/fees.ts';
import type { FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import type { Market } from '#kernel/money/cost.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { stepUpOf } from '#kernel/policies/operation.ts';
import { emitWalletHold } from './events.ts';
import { walletHolding } from './postings.ts';
import { insertWalletHold, type WalletHold } from './store.ts';

type KnownReceiver = Parameters<typeof requireReceiver>[0];

export interface HoldOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly from: FiatWallet;
  readonly to: KnownReceiver;
  readonly units: bigint;
  readonly expiresS: number;
  readonly note: string | null;
  readonly market: Market | undefined;
}

/**
 * Sets money aside for somebody. Throws SAME_WALLET, CURRENCY_MISMATCH, RECIPIENT_UNAVAILABLE, INSUFFICIENT_BALANCE,
 * WALLET_FROZEN, and what policies refuse: a hold waits for no approval.
 */
export async function placeHold(
  { clock, policies }: Pick<Kernel, 'clock' | 'policies'>,
  tx: Db,
  order: HoldOrder,
): Promise<WalletHold> {
  const { caller, from, to, units } = order;
  requireReceiver(to, from, from.currency);
  if (!('person' in to) || !to.wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  const money = { asset: from.currency, units };
  const fee = await feeOf(tx, { client_id: caller.client_id, rail: 'wallet', amount: money });
  const hold_id = newObjectUuid(clock.ms());
  const object_id = objectId('hld', hold_id);
  await policies.decide(tx, {
    kind: 'transfer',
    op: 'wallet_hold',
    operation: order.operation,
    payment_id: object_id,
    client_id: caller.client_id,
    user_id: caller.user_id,
    amount: money,
    market: order.market,
    wallet: { id: from.wallet_id, currency: from.currency },
    recipient: { id: `user:${to.person.user_id}`, kind: 'wallet' },
    key: caller.key && { key_id: caller.key.key_id, scopes: caller.key.scopes },
    metadata: namesGiven('wallet_hold').metadata,
    stepUp: stepUpOf(order.request),
  });
  const row = await insertWalletHold(tx, {
    hold_id,
    object_id,
    operation: order.operation,
    client_id: caller.client_id,
    user_id: caller.user_id,
    wallet_id: from.wallet_id,
    account_id: from.account_id,
    currency: from.currency,
    to_user_id: to.person.user_id,
    to_wallet_id: to.wallet.wallet_id,
    to_account_id: to.wallet.account_id,
    amount: units,
    fee: fee.units,
    fee_terms: fee.terms,
    note: order.note,
    expires_at: new Date(clock.ms() + order.expiresS * 1000).toISOString(),
  });
  if (!row) throw fail('CONFLICT', 'The request is under way');
  const hold = { ...row, names: namesGiven('wallet_hold') };
  emitWalletHold(tx, 'placed', hold);
  const needed = { asset: hold.currency, units: hold.amount + hold.fee };
  await postPayment(tx, walletHolding(hold), { account_id: hold.account_id, needed });
  return hold;
}
