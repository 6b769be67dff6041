import type { UserCaller } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import { format } from '#kernel/money/money.ts';
import { type PolicyOperation, type PolicyShare, stepUpOf } from '#kernel/policies/operation.ts';
import type { RecipientsAtLarge } from './content.ts';
import type { BatchActor } from './draft.ts';
import type { PaymentBatch } from './store.ts';

const HOUR_MS = 3_600_000;

/** The type of what waits for an approval. */
export const BATCH_OBJECT = 'batch';

interface Submitted extends BatchActor {
  readonly market: Market | undefined;
  readonly recipients: RecipientsAtLarge;
  readonly receivers: readonly PolicyShare[];
  readonly now: Date;
}

/** Another one for each submission: what one has taken from limits is given back by it. */
export const decidedAs = ({ our_reference, version }: PaymentBatch): string =>
  `${our_reference}:${version}`;

/** A batch as policies see it: its recipients are as the worst and the newest of them, and count one by one. */
export function batchPolicy(
  batch: PaymentBatch,
  { caller, request, market, recipients, receivers, now }: Submitted,
): PolicyOperation {
  const { our_reference: id, currency, total, item_count, name, content_hash } = batch;
  const amount = { asset: currency, units: total };
  const { verification, is_new, changed_at } = recipients;
  return {
    kind: 'batch',
    op: 'batch',
    operation: decidedAs(batch),
    client_id: batch.client_id,
    user_id: batch.user_id,
    amount,
    market,
    wallet: { id: batch.wallet_id, currency },
    recipient: {
      id,
      kind: 'batch',
      age_h: (now.getTime() - (changed_at ?? now).getTime()) / HOUR_MS,
      is_new,
      ...(verification !== undefined && { verification }),
    },
    receivers,
    key: keyOf(caller),
    stepUp: stepUpOf(request),
    object: {
      type: BATCH_OBJECT,
      id,
      summary: `${format(amount)} ${currency} in ${item_count} payments: ${name}`,
      content: { content_hash, count: item_count, amount: total.toString(), currency },
      maker: caller.user_id,
    },
  };
}

const keyOf = ({ key }: UserCaller) => key && { key_id: key.key_id, scopes: key.scopes };
