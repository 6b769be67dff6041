import { findRecipient } from '#features/banking/recipients/recipients.ts';
import { payeeWallets } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { mayAct } from '#kernel/access/may-act.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { ObjectFailure } from '#kernel/http/declare/state-fields.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import type { BatchItem } from './items-store.ts';

/** Why something is not paid. */
export type BatchFailure = Omit<ObjectFailure, 'at'>;

export const failureText = ({ clock }: { readonly clock: Clock }, failure: BatchFailure): string =>
  JSON.stringify({ ...failure, at: clock.now().toISOString() });

const refusal = (code: string, message: string, retryable = false): BatchFailure => ({
  code,
  message,
  retryable,
});

export const CONTENT_CHANGED = refusal(
  'CONTENT_CHANGED',
  'The account of a recipient was changed after it was submitted',
);
export const LACKS_MONEY = refusal(
  'INSUFFICIENT_BALANCE',
  'The wallet had too little for it for a day',
  true,
);

/** Why nothing is paid out of a wallet: authority is looked at when it is paid. */
export async function walletObstacle(
  tx: Db,
  { user_id, account_id }: Pick<BatchItem, 'user_id' | 'account_id'>,
): Promise<BatchFailure | undefined> {
  if (!(await mayAct(tx, user_id)))
    return refusal('ACCOUNT_NOT_ACTIVE', 'The user or the client was stopped');
  return (await balanceOf(tx, account_id)).is_frozen
    ? refusal('WALLET_FROZEN', 'The wallet is frozen', true)
    : undefined;
}

/** Why one payment is not made, before anybody outside is asked. */
export async function itemObstacle(tx: Db, item: BatchItem): Promise<BatchFailure | undefined> {
  const { recipient_id, to_wallet_id, client_id, fingerprint } = item;
  const recipient = recipient_id === null ? undefined : await findRecipient(tx, {}, recipient_id);
  if (recipient_id !== null && !recipient?.fingerprint.equals(fingerprint)) return CONTENT_CHANGED;
  if (to_wallet_id === null) return undefined;
  const wallet = (await payeeWallets(tx, client_id, [to_wallet_id])).get(to_wallet_id);
  return wallet?.is_active
    ? undefined
    : refusal('RECIPIENT_UNAVAILABLE', 'The receiver cannot receive money at the moment', true);
}
