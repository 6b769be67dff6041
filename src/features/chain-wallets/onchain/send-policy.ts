import type { ManagedAddress } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import type { Asset } from '#kernel/money/money.ts';
import { type PolicyOperation, stepUpOf } from '#kernel/policies/operation.ts';
import type { NewSend } from './store.ts';

/** A send as policies see it: it has no status in which it could wait. */
export const sendPolicy = (
  { operation, token_symbol, units, destination, chain_id }: NewSend,
  { user_id, client_id }: Pick<ManagedAddress, 'user_id' | 'client_id'>,
  market: Market | undefined,
  facts: RequestFacts | undefined,
): PolicyOperation => ({
  kind: 'send',
  op: 'onchain_send',
  operation,
  payment_id: operation,
  client_id,
  user_id,
  amount: { asset: token_symbol as Asset, units },
  market,
  recipient: { id: `${chain_id}:${destination}`, kind: 'address' },
  stepUp: stepUpOf(facts),
});
