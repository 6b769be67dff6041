import type { Fiat, FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Money } from '#kernel/money/money.ts';
import type { Card } from '#providers/card-network/port.ts';
import type { CardOrder } from './books.ts';
import type { Declines } from './declines.ts';
import { findOfFlow } from './history-store.ts';
import type { CardTransaction } from './store.ts';
import { type CardDeps, execute } from './transaction.ts';

/** A flow's order to take money from a card. */
export interface CardPull {
  readonly caller: UserCaller;
  /** Its key: repeated calls with it pull once. */
  readonly operation: string;
  /** The flow, which gets the signal `card` when the pull ends. */
  readonly flow: string;
  /** In the transaction that stores it: throws where the flow has ended, and keeps it from ending until then. */
  readonly permit: (tx: Db) => Promise<void>;
  readonly request: RequestFacts;
  /** The caller's own; the money is held in it for the flow. */
  readonly wallet: FiatWallet;
  readonly money: Money<Fiat>;
  readonly card: Card;
}

/** Card payments for flows of other features. The card stays with the request that brings it. */
export interface CardPulls {
  /** Answers the settled transaction; throws the caller's error otherwise, as a checkout does. */
  pull(pull: CardPull): Promise<CardTransaction>;
  /** Refunds a flow's pull to its card, out of the free balance of the wallet. */
  giveBack(original: CardTransaction, by: CardPull): Promise<CardTransaction>;
  /** The flow's last pull or attempt; nothing where it made none. */
  find(db: Db, flow: string): Promise<CardTransaction | undefined>;
}

export const cardPulls = (deps: CardDeps, declines: Declines): CardPulls => ({
  pull: (pull) =>
    declines.watch({ ...pull.caller, ip: pull.request.ip }, () =>
      execute(deps, topUpOf(pull), pull.card),
    ),
  giveBack: (original, by) => execute(deps, { ...orderOf(by), type: 'REFUND', original }, by.card),
  find: findOfFlow,
});

const topUpOf = (pull: CardPull): CardOrder => ({
  ...orderOf(pull),
  type: 'TOPUP',
  flow: pull.flow,
  permit: pull.permit,
});

/** No card fee: the flow has its own. */
const orderOf = (pull: CardPull): Omit<CardOrder, 'type'> => {
  const { operation, caller, request, wallet, money } = pull;
  const shares = { fee: 0n, net: money.units };
  return { operation, actor: caller, request, owner: caller, wallet, money, shares };
};
