import { logActivity } from '#features/messaging/activity/activity.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { moneyOf } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { emitWalletHold } from './events.ts';
import { holdFeeFor, walletHoldCapture, walletHoldRelease } from './postings.ts';
import { isOpenHold, remainingOf } from './presenters.ts';
import { lockWalletHold, moveWalletHold, OPEN_HOLDS, type WalletHold } from './store.ts';

interface Act {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly hold_id: string;
}

const notFound = () => fail('NOT_FOUND', 'Hold not found');

/** Throws INVALID_STATUS for one that has ended, or that ends with this moment. */
function requireOpen(hold: WalletHold, { clock }: Pick<Kernel, 'clock'>): void {
  const isOver = isOpenHold(hold) && hold.expires_at <= clock.now().toISOString();
  if (isOver || !isOpenHold(hold)) throw notAllowedIn(isOver ? 'EXPIRED' : hold.status, OPEN_HOLDS);
}

/** Its payee takes a part, or all that is left. Throws NOT_FOUND, FORBIDDEN, INVALID_STATUS and INVALID_AMOUNT. */
export async function captureHold(
  deps: Pick<Kernel, 'clock'>,
  tx: Db,
  { caller: { user_id }, hold_id }: Act,
  body: { readonly amount?: string; readonly final?: boolean },
): Promise<WalletHold> {
  const before = await lockWalletHold(tx, { user_id }, hold_id);
  if (!before) throw notFound();
  if (before.to_user_id !== user_id)
    throw fail('FORBIDDEN', 'Only the person that it was set aside for takes it');
  requireOpen(before, deps);
  const { currency } = before;
  const remaining = remainingOf(before);
  const taken =
    body.amount === undefined ? remaining : moneyOf({ amount: body.amount, currency }).units;
  if (taken > remaining) {
    const left = format({ asset: currency, units: remaining });
    throw fail('INVALID_AMOUNT', `At most ${left} ${currency} can be taken`, {
      details: { remaining: left },
    });
  }
  const captured = before.captured + taken;
  const isLast = captured === before.amount || body.final === true;
  const after = await moveWalletHold(tx, before, isLast ? 'CAPTURED' : 'PARTIALLY_CAPTURED', {
    captured,
    fee_captured: holdFeeFor(before, captured),
    captures: before.captures + 1,
  });
  emitWalletHold(tx, 'captured', after);
  await postWithin(tx, await walletHoldCapture(tx, before, after));
  return after;
}

/** Its payee, or an admin, gives up what is left; its payer never does. */
export async function voidHold(
  deps: Pick<Kernel, 'clock'>,
  tx: Db,
  { caller, request, hold_id }: Act,
): Promise<WalletHold> {
  const hold = await lockWalletHold(tx, tenantScopeOf(caller), hold_id);
  if (!hold) throw notFound();
  if (hold.user_id === caller.user_id)
    throw fail('FORBIDDEN', 'Its payer waits for its end, or asks the payee to give it up');
  if (hold.status === 'VOIDED') return hold;
  requireOpen(hold, deps);
  const { ended, freeing } = await endHold(tx, hold, 'VOIDED');
  if (hold.to_user_id !== caller.user_id)
    await logActivity(tx, {
      action: 'WALLET_HOLD_VOIDED',
      actor: caller,
      client_id: hold.client_id,
      subject_user_id: hold.user_id,
      details: { hold_id: hold.object_id },
      request,
    });
  await postWithin(tx, freeing);
  return ended;
}

/** Ends one that is locked and open, and answers the posting that frees what is left: post it last. */
export async function endHold(
  tx: Db,
  hold: WalletHold,
  status: 'VOIDED' | 'EXPIRED',
): Promise<{ readonly ended: WalletHold; readonly freeing: Operation }> {
  // What was taken in part has used its limits.
  if (hold.captured === 0n)
    await giveBackLimits(tx, { operation: hold.operation, kind: 'transfer' });
  const ended = await moveWalletHold(tx, hold, status);
  emitWalletHold(tx, status === 'VOIDED' ? 'voided' : 'expired', ended);
  return { ended, freeing: walletHoldRelease(hold) };
}
