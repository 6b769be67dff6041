import {
  openRecipientDetails,
  type PaidRecipient,
} from '#features/banking/recipients/recipients.ts';
import { type PayeeWallet, payeeWallets } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ReadOrder } from './order.ts';
import type { BankWithdrawal } from './store.ts';

/** The wallet that a withdrawal pays; undefined where it pays a bank. */
export async function receiverOf(
  db: Db,
  { client_id, to_wallet_id }: Pick<BankWithdrawal, 'client_id' | 'to_wallet_id'>,
): Promise<PayeeWallet | undefined> {
  if (to_wallet_id === null) return undefined;
  const wallet = (await payeeWallets(db, client_id, [to_wallet_id])).get(to_wallet_id);
  if (!wallet) throw new Error(`There is no wallet ${to_wallet_id}`);
  return wallet;
}

/** Refuses a wallet that cannot be paid. Throws SAME_WALLET and RECIPIENT_UNAVAILABLE. */
export async function requireCreditable(
  deps: Pick<Kernel, 'vault'>,
  tx: Db,
  { wallet, client_id }: Pick<ReadOrder, 'wallet' | 'client_id'>,
  recipient: PaidRecipient,
): Promise<void> {
  if (recipient.kind !== 'wallet') return;
  const to_wallet_id = Number(openRecipientDetails(deps, recipient)['wallet_id']);
  if (to_wallet_id === wallet.wallet_id)
    throw fail('SAME_WALLET', 'The money would go to the wallet that pays');
  const receiver = await receiverOf(tx, { client_id, to_wallet_id });
  if (!receiver?.is_active)
    throw fail('RECIPIENT_UNAVAILABLE', 'The receiver cannot receive money at the moment');
}
