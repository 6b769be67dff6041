import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { type PolicyOperation, stepUpOf } from '#kernel/policies/operation.ts';
import type { Card } from '#providers/card-network/port.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { CardOrder } from './books.ts';
import { CARD_KINDS } from './card-kinds.ts';

/** A payment to a card, as policies see it: the network answers at once, so that it cannot wait. */
export async function cardPolicy(
  { fx }: { readonly fx: ExchangeRates },
  { operation, type, owner, wallet, money, request }: Omit<CardOrder, 'policy'>,
  card: Pick<Card, 'last4'>,
): Promise<PolicyOperation | undefined> {
  const kind = CARD_KINDS[type];
  if (kind === undefined) return undefined;
  return {
    kind,
    op: type === 'PUSH' ? 'card_push' : 'card_refund',
    operation,
    payment_id: operation,
    client_id: owner.client_id,
    user_id: owner.user_id,
    amount: money,
    market: await readPolicyMarket(fx),
    wallet: { id: wallet.wallet_id, currency: money.asset },
    recipient: { id: `card:${card.last4}`, kind: 'card' },
    stepUp: stepUpOf(request),
  };
}
