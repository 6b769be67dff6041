import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { format } from '#kernel/money/money.ts';
import { linkLine, ours } from '#kernel/wording.ts';
import { maskedName } from './presenters.ts';
import type { WalletTransfer } from './store.ts';

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
  const money = `${format({ asset: currency, units: amount })} ${currency}`;
  const link = `${publicUrl()}${CLAIM_PAGE}?token=${token}`;
  await messages.send(tx, by, {
    kind: 'invitation',
    channel: claim_channel === 'email' ? 'email' : 'sms',
    to: claim_address,
    ...(claim_channel === 'email' && { subject: `You have been sent ${money}` }),
    text: [
      `${maskedName(transfer.from_name)} has sent you ${money}.`,
      ours(`Claim it before ${claim_expires_at.slice(0, 10)}:`),
      linkLine(link, 'See how to claim it'),
      ours('If you do not want it, there is nothing to do: it goes back.'),
    ],
    purpose: 'transfer-claim',
    validUntil: new Date(claim_expires_at),
  });
}
