import type { FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { defineEffect, type Effect } from '#kernel/effects/effect.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { done } from '#kernel/provider-call.ts';
import { transact } from '#kernel/transact.ts';
import type { BankDeps } from './connect.ts';
import {
  type BankLinkConnection,
  beginRemoval,
  connectionById,
  endRemoval,
  findConnection,
} from './connection-store.ts';
import { emitConnection } from './events.ts';
import { tokenOf } from './tokens.ts';

export type RemovalEffect = Effect<BankLinkConnection, undefined>;

/** Removes a wallet's former connection at the provider, however long that takes. */
export const removalEffect = ({ vault, bankLink }: BankDeps): RemovalEffect =>
  defineEffect<BankLinkConnection, undefined>({
    kind: 'bank-disconnect',
    provider: 'plaid',
    repeatable: true,
    open: connectionById,
    async call(connection) {
      const token = tokenOf(vault, connection);
      return token === undefined ? done(undefined) : bankLink.removeItem(token);
    },
    settle: (tx, { connection_id }) => endRemoval(tx, connection_id),
    // Until the provider removes it the bank account is open to us: the effect asks again.
    refuse: async () => false,
  });

export interface Disconnection {
  readonly wallet: FiatWallet;
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

/** False where the wallet has no connection. Logs before anything is removed. */
export async function disconnectBankLink(
  deps: BankDeps & { readonly removing: RemovalEffect },
  { wallet, caller, request }: Disconnection,
): Promise<boolean> {
  const { db, effects, removing } = deps;
  const begun = await transact(db, async (tx) => {
    const connection = await findConnection(tx, wallet.wallet_id);
    if (!connection || !(await beginRemoval(tx, connection.connection_id))) return undefined;
    await emitConnection(tx, 'unlinked', connection);
    await logActivity(tx, {
      action: 'BANK_LINK_DISCONNECT',
      actor: caller,
      subject_user_id: wallet.user_id,
      details: { wallet_id: wallet.wallet_id, item_id: connection.item_id },
      request,
    });
    const { connection_id } = connection;
    return { connection_id, intent: await effects.begin(tx, removing, connection_id) };
  });
  if (!begun) return false;
  await effects.drive(removing, begun.connection_id, { intent: begun.intent });
  return true;
}
