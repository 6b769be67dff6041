import { clientOfUser, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { balanceOf, freezeAccount, unfreezeAccount } from '#kernel/ledger/accounts.ts';
import { emitFiatWallet } from './events.ts';
import { type FiatWallet, findFiatWallet } from './store.ts';

/** A wallet, locked until the transaction ends. */
export type LockedWallet = FiatWallet & { readonly client_id: number; readonly is_frozen: boolean };

/** Nothing where no such wallet is within reach. */
export async function lockWallet(
  tx: Db,
  reach: TenantScope,
  wallet_id: number,
): Promise<LockedWallet | undefined> {
  const wallet = await findFiatWallet(tx, reach, wallet_id);
  if (!wallet) return undefined;
  await run(tx, 'select from fiat_wallets where wallet_id = $1 for no key update', [wallet_id]);
  const { is_frozen } = await balanceOf(tx, wallet.account_id);
  return { ...wallet, is_frozen, client_id: await clientOfUser(tx, wallet.user_id) };
}

/** Waits for open postings; money that they hold may still be paid afterwards. */
export async function freezeWallet(tx: Db, wallet: LockedWallet): Promise<void> {
  if (!(await freezeAccount(tx, wallet.account_id))) throw notAs('open');
  emitFiatWallet(tx, 'frozen', wallet, await balanceOf(tx, wallet.account_id));
}

export async function unfreezeWallet(tx: Db, wallet: LockedWallet): Promise<void> {
  if (!(await unfreezeAccount(tx, wallet.account_id))) throw notAs('frozen');
  emitFiatWallet(tx, 'unfrozen', wallet, await balanceOf(tx, wallet.account_id));
}

const notAs = (status: string) =>
  new Error(`The account of a wallet that is held was not ${status}`);
