import { findPayee, sendWithin } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { type FiatWallet, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { quotedTrade } from '#features/fiat/fx/fx.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import type { Market } from '#kernel/money/cost.ts';
import { newObjectUuid } from '#kernel/object-id.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import type { PaymentRequestDeps } from './deps.ts';
import { emitPaymentRequest } from './events.ts';
import { endPaymentRequest, lockPaymentRequest, type MoneyRequest } from './store.ts';

export interface RequestAcceptance {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly request_id: string;
  readonly from: FiatWallet;
  readonly quote_id: string | undefined;
  readonly market: Market | undefined;
}

/** The claim of a payer without an account, which such a transfer never has. */
const NO_CLAIM_S = 3600;

/**
 * Pays a request by a transfer, in one transaction whose last statement is the posting; a repetition answers the same.
 * Throws NOT_FOUND, INVALID_STATUS, and what a transfer is refused for.
 */
export async function acceptWithin(
  deps: PaymentRequestDeps,
  tx: Db,
  { caller, request_id, from, quote_id, ...facts }: RequestAcceptance,
): Promise<MoneyRequest> {
  const { user_id, client_id } = caller;
  const open = await lockAsked(deps, tx, { user_id, request_id, reached: 'ACCEPTED' });
  if (open.status === 'ACCEPTED') return open;
  const person = await findPayee(tx, client_id, open.user_id);
  const wallet = await findFiatWallet(tx, { client_id }, open.wallet_id);
  if (!person || !wallet) throw new Error(`Who has asked for ${open.object_id} is gone`);
  const to = { asset: open.currency, units: open.amount } as const;
  const units =
    quote_id === undefined
      ? open.amount
      : (await quotedTrade(tx, { quote_id, user_id, to: to.asset, buys: to.units })).sold.units;
  const transfer_id = newObjectUuid(deps.clock.ms());
  const accepted = await endPaymentRequest(tx, open, 'ACCEPTED', {
    to_user_id: user_id,
    transfer_id,
  });
  emitPaymentRequest(tx, accepted);
  await sendWithin(deps, tx, {
    ...facts,
    caller,
    from,
    quote_id,
    transfer_id,
    parts: [{ to: { named_as: 'user', person, wallet }, units, note: open.note }],
    isSplit: false,
    note: open.note,
    claimS: NO_CLAIM_S,
  });
  return accepted;
}

interface Asked {
  readonly user_id: number;
  readonly request_id: string;
  /** What the act leads to: a request that is there already is answered as it is. */
  readonly reached: 'ACCEPTED' | 'DECLINED';
}

/** A request to that user, locked: open, or as the same user has answered it. */
async function lockAsked(
  { clock }: { readonly clock: Clock },
  tx: Db,
  { user_id, request_id, reached }: Asked,
): Promise<MoneyRequest> {
  const found = await lockPaymentRequest(tx, { user_id }, request_id);
  if (!found || found.user_id === user_id) throw fail('NOT_FOUND', 'Request not found');
  if (found.status !== reached) requireOpen(clock, found);
  return found;
}

/** One whose time is over is as good as ended, although no schedule has ended it yet. */
function requireOpen(clock: Clock, { status, expires_at }: MoneyRequest): void {
  const isLate = status === 'OPEN' && expires_at <= clock.now().toISOString();
  if (isLate || status !== 'OPEN') throw notAllowedIn(isLate ? 'EXPIRED' : status, ['OPEN']);
}

/** Says no to a request; again it answers the same. */
export async function declineWithin(
  deps: { readonly clock: Clock },
  tx: Db,
  { user_id, request_id }: Omit<Asked, 'reached'>,
): Promise<MoneyRequest> {
  const open = await lockAsked(deps, tx, { user_id, request_id, reached: 'DECLINED' });
  return open.status === 'DECLINED' ? open : endUnpaidRequest(tx, open, 'DECLINED', user_id);
}

/** Its asker takes it back; again it answers the same. */
export async function cancelWithin(
  { clock }: { readonly clock: Clock },
  tx: Db,
  { user_id, request_id }: Omit<Asked, 'reached'>,
): Promise<MoneyRequest> {
  const found = await lockPaymentRequest(tx, { user_id }, request_id);
  if (found?.user_id !== user_id) throw fail('NOT_FOUND', 'Request not found');
  if (found.status === 'CANCELLED') return found;
  requireOpen(clock, found);
  return endUnpaidRequest(tx, found, 'CANCELLED');
}

/** Ends one that is locked and open without a payment: what it took from limits is free again. */
export async function endUnpaidRequest(
  tx: Db,
  request: MoneyRequest,
  status: 'DECLINED' | 'CANCELLED' | 'EXPIRED',
  to_user_id: number | null = request.to_user_id,
): Promise<MoneyRequest> {
  await giveBackLimits(tx, { operation: request.operation, kind: 'request' });
  const ended = await endPaymentRequest(tx, request, status, { to_user_id });
  emitPaymentRequest(tx, ended);
  return ended;
}
