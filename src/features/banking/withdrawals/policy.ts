import { type PaidRecipient, recipientSeen } from '#features/banking/recipients/recipients.ts';
import { format } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { type PolicyOperation, stepUpOf } from '#kernel/policies/operation.ts';
import type { ReadOrder } from './order.ts';

/** The type of what waits for an approval. */
export const WITHDRAWAL_OBJECT = 'withdrawal';

/** A withdrawal as policies see it. What is approved is the account of this moment: another one is another content. */
export function withdrawalPolicy(
  { caller, request, wallet, client_id, amount, market, body: { quote_id } }: ReadOrder,
  recipient: PaidRecipient,
  withdrawal_id: string,
  now: Date,
): PolicyOperation {
  const id = objectId('wdr', withdrawal_id);
  const { name, masked } = recipient;
  return {
    kind: 'withdrawal',
    op: 'withdrawal',
    operation: id,
    payment_id: id,
    client_id,
    user_id: wallet.user_id,
    amount,
    market,
    wallet: { id: wallet.wallet_id, currency: wallet.currency },
    recipient: recipientSeen(recipient, now),
    key: caller.key && { key_id: caller.key.key_id, scopes: caller.key.scopes },
    metadata: namesGiven('payout').metadata,
    stepUp: stepUpOf(request),
    object: {
      type: WITHDRAWAL_OBJECT,
      id,
      summary: `${format(amount)} ${amount.asset} to ${name}, ${payeeDetail(masked)}`,
      content: {
        amount: amount.units.toString(),
        currency: amount.asset,
        recipient: recipient.fingerprint.toString('hex'),
        ...(quote_id !== undefined && { quote: objectId('qte', quote_id) }),
      },
      maker: caller.user_id,
    },
  };
}

/** An account by its bank and last digits, or a wallet. */
export const payeeDetail = (masked: PaidRecipient['masked']): string =>
  'wallet_id' in masked
    ? `Wallet ${masked['wallet_id']}`
    : `${masked['bank_code']} ${masked['account_number']}`;
