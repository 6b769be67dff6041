import { maskedName } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { inEachLanguage, localAmount, localDay } from '#kernel/localised.ts';
import type { PaymentRequestDeps } from './deps.ts';
import type { MoneyRequest } from './store.ts';
import { ASKED_TEXTS } from './texts.ts';

/** To the owner of an address that has no account. The asker's own words are not in it: anybody may be asked. */
export async function mailRequest(
  { messages, config }: Pick<PaymentRequestDeps, 'messages' | 'config'>,
  tx: Db,
  by: Requester,
  { to_address, named_as, from_name, currency, amount, expires_at }: MoneyRequest,
): Promise<void> {
  if (to_address === null) return;
  const { LOGIN_URL } = config;
  await messages.send(tx, by, {
    kind: 'invitation',
    channel: named_as === 'email' ? 'email' : 'sms',
    to: to_address,
    words: inEachLanguage(ASKED_TEXTS, (words, language) => {
      const money = localAmount(language, { asset: currency, units: amount });
      const until = localDay(language, expires_at);
      return words({ from: maskedName(from_name), money, until, login: LOGIN_URL });
    }),
    language: 'both',
    purpose: 'payment-request',
    validUntil: new Date(expires_at),
  });
}
