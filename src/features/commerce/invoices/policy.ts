import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { type PolicyOperation, stepUpOf } from '#kernel/policies/operation.ts';

interface InvoiceSpending
  extends Pick<PolicyOperation, 'kind' | 'op' | 'amount' | 'wallet' | 'recipient' | 'payment_id'> {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  /** The rates of the moment, read before the transaction. */
  readonly market: Market | undefined;
}

/** What policies see of money that leaves a wallet here. It cannot wait: approve and hold are a denial. */
export const invoicePolicy = ({
  caller,
  request,
  ...spending
}: InvoiceSpending): PolicyOperation => ({
  ...spending,
  client_id: caller.client_id,
  user_id: caller.user_id,
  key: caller.key && { key_id: caller.key.key_id, scopes: caller.key.scopes },
  metadata: namesGiven(spending.kind === 'refund' ? 'refund' : 'payment').metadata,
  stepUp: stepUpOf(request),
});
