import { tenantScopeOf, userInScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { type FiatWallet, findFiatWallet } from './store.ts';

/**
 * The wallet that a payment goes out of: one's own; for an admin, who only prepares payments, one of a user of the client.
 * Throws WALLET_NOT_FOUND.
 */
export async function walletToPayFrom(
  db: Db,
  caller: UserCaller,
  wallet_id: number,
): Promise<FiatWallet & { readonly client_id: number }> {
  // An operator's admin prepares none of other clients.
  const { client_id } = caller;
  const scope = caller.operator ? { client_id } : tenantScopeOf(caller);
  const wallet = await findFiatWallet(db, scope, wallet_id);
  const owner = wallet && (await userInScope(db, { client_id }, wallet.user_id));
  if (!wallet || !owner) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  return { ...wallet, client_id };
}
