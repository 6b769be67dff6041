import type { Db } from '#kernel/db/db.ts';
import { objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import {
  type PolicyOperation,
  type PolicyRecipient,
  stepUpOf,
} from '#kernel/policies/operation.ts';
import type { OrderedPart, TransferOrder } from './order.ts';
import { maskedAddress, maskedName, moneyText } from './presenters.ts';
import type { Receiver } from './receivers.ts';
import { hasPaid, isKnownAddress } from './store.ts';

/** What policies see of a transfer; a split is one operation over its sum, whose receivers count one by one. */
export async function transferPolicy(
  tx: Db,
  { caller, request, operation, from, parts, market, quote_id }: TransferOrder,
  { object_id, amount }: { readonly object_id: string; readonly amount: bigint },
): Promise<PolicyOperation> {
  return {
    kind: 'transfer',
    op: 'wallet_transfer',
    operation,
    payment_id: object_id,
    client_id: caller.client_id,
    user_id: caller.user_id,
    amount: { asset: from.currency, units: amount },
    market,
    wallet: { id: from.wallet_id, currency: from.currency },
    recipient: await recipientOf(tx, caller.user_id, parts),
    ...(parts.length > 1 && {
      receivers: parts.map(({ to, units }) => ({
        id: receiverKey(to),
        amount: { asset: from.currency, units },
      })),
    }),
    key: caller.key && { key_id: caller.key.key_id, scopes: caller.key.scopes },
    metadata: namesGiven('wallet_transfer').metadata,
    stepUp: stepUpOf(request),
    object: {
      type: 'wallet_transfer',
      id: object_id,
      summary: `${moneyText({ currency: from.currency, amount })} to ${parts.map(({ to }) => receiverText(to)).join(', ')}`,
      content: parts.map(({ to, units }) => ({
        to: receiverKey(to),
        amount: units.toString(),
        currency: from.currency,
        ...(quote_id !== undefined && { quote: objectId('qte', quote_id) }),
      })),
      ...(parts.length === 1 && { receiver: receiverUser(parts[0]) }),
    },
  };
}

const receiverUser = (part: OrderedPart | undefined): number | undefined =>
  part && 'person' in part.to ? part.to.person.user_id : undefined;

const receiverText = (to: Receiver): string =>
  'person' in to ? maskedName(to.person.username) : maskedAddress(to.address);

const receiverKey = (to: Receiver): string =>
  'person' in to ? `user:${to.person.user_id}` : `${to.named_as}:${to.address}`;

/** Of a split the receivers together: it is new where one of them is. */
async function recipientOf(
  tx: Db,
  user_id: number,
  parts: readonly OrderedPart[],
): Promise<PolicyRecipient> {
  const ids: string[] = [];
  let isNew = false;
  for (const { to } of parts) {
    ids.push(receiverKey(to));
    const isKnown =
      'person' in to
        ? await hasPaid(tx, user_id, to.person.user_id)
        : await isKnownAddress(tx, user_id, to.address);
    isNew ||= !isKnown;
  }
  const [only] = parts;
  const kind = parts.length === 1 && only ? only.to.named_as : 'split';
  return { id: ids.sort().join(' '), kind, is_new: isNew };
}
