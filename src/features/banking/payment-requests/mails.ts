import { maskedName } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { format } from '#kernel/money/money.ts';
import { linkLine, ours } from '#kernel/wording.ts';
import type { PaymentRequestDeps } from './deps.ts';
import type { MoneyRequest } from './store.ts';

/** To the owner of an address that has no account. The asker's own words are not in it: anybody may be asked. */
export async function mailRequest(
  { messages, config }: Pick<PaymentRequestDeps, 'messages' | 'config'>,
  tx: Db,
  by: Requester,
  { to_address, named_as, from_name, currency, amount, expires_at }: MoneyRequest,
): Promise<void> {
  if (to_address === null) return;
  const money = `${format({ asset: currency, units: amount })} ${currency}`;
  const { LOGIN_URL } = config;
  await messages.send(tx, by, {
    kind: 'invitation',
    channel: named_as === 'email' ? 'email' : 'sms',
    to: to_address,
    ...(named_as === 'email' && { subject: `You are asked for ${money}` }),
    text: [
      `${maskedName(from_name)} asks you for ${money}.`,
      ours(`Log in, or sign up, with this address to answer before ${expires_at.slice(0, 10)}.`),
      ...(LOGIN_URL === undefined ? [] : [linkLine(LOGIN_URL, 'Open the application')]),
      ours('Pay only people whom you know. If you do not want to pay, there is nothing to do.'),
    ],
    purpose: 'payment-request',
    validUntil: new Date(expires_at),
  });
}
