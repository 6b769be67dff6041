import {
  countAddress,
  countDaily,
  type Receiver,
  requireReceiver,
} from '#features/banking/wallet-transfers/wallet-transfers.ts';
import type { FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { stepUpOf } from '#kernel/policies/operation.ts';
import type { PaymentRequestDeps } from './deps.ts';
import { emitPaymentRequest } from './events.ts';
import { mailRequest } from './mails.ts';
import { hasAsked, insertPaymentRequest, type MoneyRequest } from './store.ts';

/** A day and user: people are not pestered. */
const REQUESTS_MAX = 100;

export interface RequestOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  /** Where the money is to arrive. */
  readonly wallet: FiatWallet;
  readonly to: Receiver;
  readonly units: bigint;
  readonly note: string | null;
  readonly expiresS: number;
  readonly market: Market | undefined;
}

/**
 * Asks somebody for money, in the caller's transaction. Throws SAME_WALLET, CURRENCY_MISMATCH, RECIPIENT_UNAVAILABLE,
 * LIMIT_EXCEEDED, CONFLICT, and what policies refuse: a request waits for no approval.
 */
export async function askWithin(
  deps: PaymentRequestDeps,
  tx: Db,
  order: RequestOrder,
): Promise<MoneyRequest> {
  const { caller, request, operation, wallet, to, units, note } = order;
  requireReceiver(to, wallet, wallet.currency);
  const request_id = newObjectUuid(deps.clock.ms());
  const object_id = objectId('req', request_id);
  await requireAllowed(deps, tx, order, object_id);
  await countDaily(deps, tx, caller, {
    limit_id: 'payment_requests',
    words: 'Too many requests for money today',
    most: REQUESTS_MAX,
  });
  if ('address' in to && !(await hasAsked(tx, caller.user_id, to.address)))
    await countAddress(deps, tx, caller, to.address);
  const row = await insertPaymentRequest(tx, {
    request_id,
    object_id,
    operation,
    client_id: caller.client_id,
    user_id: caller.user_id,
    wallet_id: wallet.wallet_id,
    currency: wallet.currency,
    amount: units,
    note,
    named_as: to.named_as,
    to_user_id: 'person' in to ? to.person.user_id : null,
    to_address: 'address' in to ? to.address : null,
    expires_at: new Date(deps.clock.ms() + order.expiresS * 1000).toISOString(),
  });
  if (!row) throw fail('CONFLICT', 'The request is under way');
  const asked = { ...row, names: namesGiven('payment_request') };
  await mailRequest(deps, tx, requesterOf(caller, request), asked);
  emitPaymentRequest(tx, asked);
  return asked;
}

/** Nothing moves yet, and a request has no status in which it could wait: who may not ask is refused. */
const requireAllowed = (
  { policies }: Pick<PaymentRequestDeps, 'policies'>,
  tx: Db,
  { caller, request, operation, wallet, to, units, market }: RequestOrder,
  payment_id: string,
) =>
  policies.decide(tx, {
    kind: 'request',
    op: 'payment_request',
    operation,
    payment_id,
    client_id: caller.client_id,
    user_id: caller.user_id,
    amount: { asset: wallet.currency, units },
    market,
    wallet: { id: wallet.wallet_id, currency: wallet.currency },
    recipient: {
      id: 'person' in to ? `user:${to.person.user_id}` : `${to.named_as}:${to.address}`,
      kind: to.named_as,
    },
    key: caller.key && { key_id: caller.key.key_id, scopes: caller.key.scopes },
    metadata: namesGiven('payment_request').metadata,
    stepUp: stepUpOf(request),
  });
