import { type Asset, isAsset, money } from '#kernel/money/money.ts';
import { type PolicyOperation, stepUpOf } from '#kernel/policies/operation.ts';
import type { Confirmation } from './confirmation-store.ts';
import type { ChatMessage } from './deps.ts';

/** What a user confirms to the agent, as policies see it: it is confirmed or not, and does not wait. */
export function confirmPolicy(
  { confirmation_id, user_id, client_id, intent, parameters }: Confirmation,
  { caller, request }: Pick<ChatMessage, 'caller' | 'request'>,
): PolicyOperation {
  const { token_symbol, amount, to_address, recipient_address, chain_id, to_chain } =
    parameters as Partial<Record<string, string>>;
  const asset: Asset = token_symbol !== undefined && isAsset(token_symbol) ? token_symbol : 'USDC';
  const place = chain_id ?? to_chain ?? '';
  return {
    kind: 'agent',
    op: `agent_${intent}`,
    operation: confirmation_id,
    payment_id: confirmation_id,
    client_id,
    user_id,
    amount: money(asset, String(amount ?? '0')),
    recipient: { id: `${place}:${to_address ?? recipient_address ?? ''}`, kind: 'address' },
    key: caller.key,
    stepUp: stepUpOf(request),
  };
}
