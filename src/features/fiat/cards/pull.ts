import type { Fiat, FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Money } from '#kernel/money/money.ts';
import { type Card, fingerprintOf } from '#providers/card-network/port.ts';
import type { CardOrder } from './books.ts';
import type { Declines } from './declines.ts';
import type { CardFlowOwners } from './flow-owners.ts';
import { findOfFlow } from './history-store.ts';
import { isCardOf } from './refund.ts';
import { cardMismatch } from './refusals.ts';
import { type CardTransaction, findTransaction } from './store.ts';
import { type CardDeps, execute } from './transaction.ts';

/** A flow's order to take money from a card. */
export interface CardPull {
  /** The owner of the wallet, and who acts. */
  readonly caller: NonNullable<CardOrder['actor']>;
  /** A stranger acts, on the page of what has this name. */
  readonly page?: string;
  /** Its key: repeated calls with it pull once. */
  readonly operation: string;
  /** The flow, which gets the signal `card` when the pull ends. */
  readonly flow: string;
  /** In the transaction that stores it: throws where the flow has ended, and keeps it from ending until then. */
  readonly permit: (tx: Db) => Promise<void>;
  readonly request: RequestFacts;
  /** The caller's own; the money is held in it for the flow. */
  readonly wallet: Pick<FiatWallet, 'wallet_id' | 'account_id'>;
  readonly money: Money<Fiat>;
  readonly card: Card;
}

/** Card payments for flows of other features. The card stays with the request that brings it. */
export interface CardPulls {
  /** Answers the settled transaction; throws the caller's error otherwise, as a checkout does. */
  pull(pull: CardPull): Promise<CardTransaction>;
  /** Refunds a flow's pull to its card, out of the free balance of the wallet. */
  giveBack(original: CardTransaction, by: CardPull): Promise<CardTransaction>;
  /** The same out of what the flow of the refund has set aside, to which it signals the end. */
  giveHeldBack(original: CardTransaction, by: CardPull): Promise<CardTransaction>;
  /** Throws where it is another card than that of the original: that counts as a declined one. */
  requireCardOf(original: CardTransaction, by: CardPull): Promise<void>;
  /** By our reference. */
  byReference(db: Db, reference: string): Promise<CardTransaction | undefined>;
  /** The flow's last pull or attempt; nothing where it made none. */
  find(db: Db, flow: string): Promise<CardTransaction | undefined>;
  /** Has a feature hear of what the network takes back of its flows' transactions. */
  readonly owners: Pick<CardFlowOwners, 'join'>;
}

export const cardPulls = (deps: CardDeps, declines: Declines): CardPulls => {
  const watch = <T>(pull: CardPull, work: () => Promise<T>): Promise<T> => {
    const { caller, request, page: name, card } = pull;
    const page = name === undefined ? undefined : { name, card: fingerprintOf(card, deps.vault) };
    return declines.watch({ ...caller, ip: request.ip, page }, work);
  };
  return {
    owners: deps.owners,
    pull: (pull) => watch(pull, () => execute(deps, topUpOf(pull), pull.card)),
    giveBack: (original, by) =>
      execute(deps, { ...orderOf(by), type: 'REFUND', original }, by.card),
    giveHeldBack: (original, by) =>
      watch(by, () => execute(deps, { ...topUpOf(by), type: 'REFUND', original }, by.card)),
    requireCardOf: (original, by) =>
      watch(by, async () => {
        if (!isCardOf(original, by.card, deps.vault)) throw cardMismatch();
      }),
    byReference: findTransaction,
    find: findOfFlow,
  };
};

const topUpOf = (pull: CardPull): CardOrder => ({
  ...orderOf(pull),
  type: 'TOPUP',
  flow: pull.flow,
  permit: pull.permit,
});

/** No card fee: the flow has its own. */
const orderOf = (pull: CardPull): Omit<CardOrder, 'type'> => {
  const { operation, caller, page, request, wallet, money } = pull;
  const shares = { fee: 0n, net: money.units };
  const actor = page === undefined ? caller : null;
  return { operation, actor, request, owner: caller, wallet, money, shares };
};
