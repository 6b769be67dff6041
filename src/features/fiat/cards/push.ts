import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { CardOrder } from './books.ts';
import { cardOf, chargeOf } from './card-input.ts';
import { cardPolicy } from './card-policy.ts';
import { ownWallet } from './checkout.ts';
import { spendPushCost } from './fee.ts';
import type { CardTransaction } from './store.ts';
import { type CardDeps, execute } from './transaction.ts';

export interface CardPush {
  readonly caller: UserCaller;
  readonly operation: string;
  readonly request?: RequestFacts;
  readonly body: {
    readonly amount: string;
    readonly currency_code: Fiat;
    readonly card_number: string;
    readonly recipient_name: string;
  };
}

/** Pays exactly the amount from the caller's wallet to a card; the wallet's money is held before the card is paid. */
export async function pushToCard(
  deps: CardDeps,
  { caller, operation, request, body }: CardPush,
): Promise<CardTransaction> {
  const { card_number, currency_code, recipient_name } = body;
  const card = cardOf({ card_number }, deps.clock);
  const money = chargeOf(currency_code, body.amount);
  const wallet = await ownWallet(deps.db, caller.user_id, currency_code);
  if (request) await spendPushCost(deps, { caller, request }, money);
  const order: CardOrder = {
    operation,
    type: 'PUSH',
    actor: caller,
    ...(request && { request }),
    owner: caller,
    wallet,
    money,
    shares: { fee: 0n, net: money.units },
    recipientName: recipient_name,
  };
  return execute(deps, { ...order, policy: await cardPolicy(deps, order, card) }, card);
}
