import {
  freezeWallet,
  type LockedWallet,
  lockWallet,
  unfreezeWallet,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { SuspensionOrder } from './order.ts';
import { suspensionStateOf } from './state.ts';
import {
  insertSuspension,
  isImposedByClient,
  lastSuspensions,
  mayOperatorTakeOver,
  type SuspensionRecord,
} from './store.ts';

/** Freezes a wallet; a frozen one stays frozen, as with users. Throws WALLET_NOT_FOUND. */
export async function orderFreeze(tx: Db, wallet_id: number, order: SuspensionOrder) {
  const wallet = await held(tx, wallet_id, order);
  const last = await lastOf(tx, wallet_id);
  if (wallet.is_frozen && !(order.caller.operator && mayOperatorTakeOver(last)))
    return present(wallet_id, true, last);
  if (!wallet.is_frozen) await freezeWallet(tx, wallet);
  return present(wallet_id, true, await record(tx, wallet, { ...order, what: 'stopped' }));
}

/**
 * Releases a wallet; one that is not frozen stays as it is. Throws WALLET_NOT_FOUND, and FORBIDDEN for a freeze by
 * the operator.
 */
export async function orderUnfreeze(tx: Db, wallet_id: number, order: SuspensionOrder) {
  const wallet = await held(tx, wallet_id, order);
  const last = await lastOf(tx, wallet_id);
  if (!wallet.is_frozen) return present(wallet_id, false, last);
  if (!order.caller.operator && !isImposedByClient(last))
    throw fail('FORBIDDEN', 'The operator has frozen this wallet, and releases it');
  await unfreezeWallet(tx, wallet);
  return present(wallet_id, false, await record(tx, wallet, { ...order, what: 'let_in' }));
}

async function held(tx: Db, wallet_id: number, { caller }: SuspensionOrder): Promise<LockedWallet> {
  const wallet = await lockWallet(tx, tenantScopeOf(caller), wallet_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  return wallet;
}

const lastOf = async (tx: Db, wallet_id: number) =>
  (await lastSuspensions(tx, 'wallet_id', [wallet_id])).get(wallet_id);

async function record(
  tx: Db,
  { wallet_id, user_id, client_id }: LockedWallet,
  { what, reason, caller, request }: SuspensionOrder & Pick<SuspensionRecord, 'what'>,
): Promise<SuspensionRecord> {
  const by = { by_user_id: caller.user_id, by_operator: caller.operator };
  const stop = await insertSuspension(tx, 'wallet_id', wallet_id, { what, reason, ...by });
  await logActivity(tx, {
    action: what === 'stopped' ? 'WALLET_FROZEN' : 'WALLET_UNFROZEN',
    actor: caller,
    client_id,
    subject_user_id: user_id,
    details: { wallet_id, reason },
    request,
  });
  return stop;
}

function present(wallet_id: number, is_frozen: boolean, last: SuspensionRecord | undefined) {
  const {
    reason,
    stopped_by: frozen_by,
    stopped_at: frozen_at,
  } = suspensionStateOf(is_frozen, last);
  return { data: { wallet_id, is_frozen, reason, frozen_by, frozen_at } };
}
