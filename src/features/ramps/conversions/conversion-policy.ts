import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import { type PolicyOperation, stepUpOf } from '#kernel/policies/operation.ts';
import type { ConversionJob } from './store.ts';

/** A conversion as policies see it: it begins or not, and does not wait. */
export const conversionPolicy = (
  { reference_id, user_id, client_id, amount }: ConversionJob,
  market: Market | undefined,
  request?: RequestFacts,
): PolicyOperation => ({
  kind: 'conversion',
  op: request === undefined ? 'daily_conversion' : 'conversion',
  operation: reference_id,
  payment_id: reference_id,
  client_id,
  user_id,
  amount: { asset: 'IDR', units: amount },
  market,
  wallet: { id: 0, currency: 'IDR' },
  recipient: { id: 'exchange', kind: 'exchange' },
  stepUp: stepUpOf(request),
});
