import {
  type KnownRecipient,
  recipientIdOf,
  recipientsByMark,
} from '#features/banking/recipients/recipients.ts';
import { payeeWallets } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { objectId } from '#kernel/object-id.ts';
import type { PolicyShare } from '#kernel/policies/operation.ts';
import type { KnownContent } from './content.ts';
import type { PaymentBatch } from './store.ts';

/**
 * Whom each line pays, by the name under which other payments to the same receiver count: the owner of a wallet, and a
 * recipient, also where the line has written its account out.
 */
export async function receiversOf(
  tx: Db,
  { client_id, user_id, currency }: Pick<PaymentBatch, 'client_id' | 'user_id' | 'currency'>,
  { lines }: Pick<KnownContent, 'lines'>,
): Promise<PolicyShare[]> {
  const written = lines.filter((one) => one.recipient_id === null && one.to_wallet_id === null);
  const kept = await recipientsByMark(
    tx,
    user_id,
    written.map(({ fingerprint }) => fingerprint),
  );
  const ids = lines.flatMap(({ to_wallet_id }) => to_wallet_id ?? []);
  const wallets = ids.length === 0 ? undefined : await payeeWallets(tx, client_id, ids);
  return lines.map(({ recipient_id, fingerprint, to_wallet_id, amount: units }) => {
    const owner = to_wallet_id === null ? undefined : wallets?.get(to_wallet_id)?.user_id;
    const mark = fingerprint.toString('hex');
    const id =
      owner === undefined ? recipientOf(recipient_id, mark, kept.get(mark)) : `user:${owner}`;
    return { id, amount: { asset: currency, units } };
  });
}

const recipientOf = (
  recipient_id: string | null,
  mark: string,
  known: KnownRecipient | undefined,
): string => {
  if (recipient_id !== null) return objectId('rcp', recipient_id);
  return known ? recipientIdOf(known) : `account:${mark}`;
};
