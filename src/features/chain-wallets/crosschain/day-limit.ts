import type { Db } from '#kernel/db/db.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import { money } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { stepUpOf } from '#kernel/policies/operation.ts';
import type { Policies } from '#kernel/policies/policies.ts';
import type { CrosschainTransfer } from './store.ts';
import { limitInWords } from './terms.ts';

/** The policy that the platform comes with: what a user may begin on a UTC day. */
export const DAY_POLICY = '019acb00-0000-7000-8000-000000000009';

type Wish = Pick<
  CrosschainTransfer,
  'log_id' | 'user_id' | 'client_id' | 'units' | 'to_chain' | 'recipient_address'
>;

/** Policies decide about a transfer; it has no status in which it could wait. Refused as the contract says it. */
export async function decideOnTransfer(
  tx: Db,
  policies: Policies,
  wish: Wish,
  by: {
    readonly caller: UserCaller;
    readonly request: RequestFacts;
    readonly market: Market | undefined;
  },
): Promise<void> {
  const { log_id: operation, user_id, client_id, units, to_chain, recipient_address } = wish;
  const { key } = by.caller;
  try {
    await policies.decide(tx, {
      kind: 'bridge',
      op: 'crosschain_transfer',
      operation,
      payment_id: operation,
      client_id,
      user_id,
      amount: { asset: 'USDC', units },
      market: by.market,
      recipient: { id: `${to_chain}:${recipient_address}`, kind: 'address' },
      key: key && { key_id: key.key_id, scopes: key.scopes },
      stepUp: stepUpOf(by.request),
    });
  } catch (error) {
    throw dayIsOver(error) ?? error;
  }
}

/** The contract's words for the limit of the day. */
function dayIsOver(error: unknown): AppError | undefined {
  if (!(error instanceof AppError) || error.code !== 'LIMIT_EXCEEDED') return undefined;
  const { limit_id, limit } = error.details as { limit_id?: string; limit?: string };
  if (limit_id !== objectId('pol', DAY_POLICY) || limit === undefined) return undefined;
  const { units } = money('USDC', limit);
  return fail('LIMIT_EXCEEDED', `Daily limit of ${limitInWords(units)} exceeded`);
}
