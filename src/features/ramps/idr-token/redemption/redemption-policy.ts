import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import { type PolicyOperation, stepUpOf } from '#kernel/policies/operation.ts';
import type { Redeem } from './store.ts';

/**
 * A redemption as policies see it. It does not wait: the tokens are burnt already, and a burn that is refused stays
 * good for a later request.
 */
export const redemptionPolicy = (
  { reference_id, user_id, client_id, amount_idr, token_bank_id }: Redeem,
  market: Market | undefined,
  request: RequestFacts,
): PolicyOperation => ({
  kind: 'withdrawal',
  op: 'idr_redemption',
  operation: reference_id,
  payment_id: reference_id,
  client_id,
  user_id,
  amount: { asset: 'IDR', units: amount_idr },
  market,
  recipient: { id: `bank:${token_bank_id}`, kind: 'bank', country: 'ID' },
  stepUp: stepUpOf(request),
});
