import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/** A wallet that may be paid, and whether its owner may receive money. */
export type PayeeWallet = Row<'fiat_wallets', 'wallet_id' | 'account_id' | 'user_id' | 'currency'> &
  Row<'users', 'username'> & { readonly is_active: boolean };

/** Wallets of one client by their ids. */
export async function payeeWallets(
  db: Db,
  client_id: number,
  wallet_ids: readonly number[],
): Promise<ReadonlyMap<number, PayeeWallet>> {
  const rows = await run<PayeeWallet>(
    db,
    `select w.wallet_id, w.account_id, w.user_id, w.currency, u.username, u.user_status = 'ACTIVE' as is_active
       from fiat_wallets w join users u using (user_id) where u.client_id = $1 and w.wallet_id = any($2)`,
    [client_id, wallet_ids],
  );
  return new Map(rows.map((row) => [row.wallet_id, row]));
}
