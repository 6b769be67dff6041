import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { inEachLanguage, localAmount, localDay } from '#kernel/localised.ts';
import { maskedName } from './presenters.ts';
import type { WalletTransfer } from './store.ts';
import { TRANSFER_CLAIM_TEXTS } from './texts.ts';

/** The page behind a claim link. */
export const CLAIM_PAGE = '/claim-transfer';

interface MailDeps extends Pick<Kernel, 'publicUrl'> {
  readonly messages: Messages;
}

/** Asks the owner of an address to claim money. */
export async function mailClaim(
  { messages, publicUrl }: MailDeps,
  tx: Db,
  by: Requester,
  { transfer, token }: { readonly transfer: WalletTransfer; readonly token: string },
): Promise<void> {
  const { claim_address, claim_channel, currency, amount, claim_expires_at } = transfer;
  if (claim_address === null || claim_expires_at === null) return;
  const link = `${publicUrl()}${CLAIM_PAGE}?token=${token}`;
  await messages.send(tx, by, {
    kind: 'invitation',
    channel: claim_channel === 'email' ? 'email' : 'sms',
    to: claim_address,
    words: inEachLanguage(TRANSFER_CLAIM_TEXTS, (words, language) => {
      const money = localAmount(language, { asset: currency, units: amount });
      const until = localDay(language, claim_expires_at);
      return words({ from: maskedName(transfer.from_name), money, until, link });
    }),
    language: 'both',
    purpose: 'transfer-claim',
    validUntil: new Date(claim_expires_at),
  });
}
