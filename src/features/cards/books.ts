import { logActivity } from '#features/activity/activity.ts';
import type { Fiat, FiatWallet } from '#features/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import type { RequestFacts } from '#kernel/http/route.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { createPosting } from '#kernel/ledger/posting.ts';
import type { Money } from '#kernel/money/money.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import {
  type Charge,
  fingerprintOf,
  type Movement,
  type Trace,
} from '#providers/card-network/port.ts';
import type { Outcome } from '#providers/provider.ts';
import type { Shares } from './fee.ts';
import { type Booked, cardAccounts, holding, releasing, reserves, settling } from './legs.ts';
import { isOurs } from './refusals.ts';
import {
  type CardTransaction,
  getTransaction,
  insertSettled,
  insertTransaction,
  type Kind,
  markAllSettled,
  markFailed,
  markSettled,
  type NewTransaction,
  named,
} from './store.ts';

/** Money that a caller wants moved between a card and a wallet. */
export interface Intent {
  readonly operation: string;
  readonly type: Kind;
  /** Where money leaves a wallet, for the record of who asked. */
  readonly request?: RequestFacts;
  readonly actor: { readonly user_id: number; readonly client_id: number };
  /** Whose wallet it is. */
  readonly owner: { readonly user_id: number; readonly client_id: number };
  readonly wallet: Pick<FiatWallet, 'wallet_id' | 'account_id'>;
  readonly card: Charge['card'];
  readonly money: Money<Fiat>;
  readonly shares: Shares;
  readonly original?: CardTransaction;
  readonly recipientName?: string;
  /** The call to the network, by the name and reference that are stored already. */
  send(name: Name): Promise<Outcome<Movement>>;
}

/** What the network and our callers know a transaction by. */
export interface Name {
  readonly trace: Trace;
  readonly reference: string;
}

export type Certain<T> = Exclude<Outcome<T>, { kind: 'unknown' }>;

/** What the statuses of the contract say once the money has moved. */
export const DONE = {
  TOPUP: 'SUCCESS_RECEIVED',
  REFUND: 'REFUND_PROCESSED',
  PUSH: 'PUSH_PROCESSED',
} as const satisfies Record<Kind, string>;

/** When somebody else may look for what became of it: the caller's own request is over by then. */
const FIRST_LOOK_MS = 60_000;

/** What is written down of card transactions: a row and its postings, always in one transaction. */
export interface CardBooks {
  /**
   * Before the network is asked, or with what is certain already. Nothing when the name at the
   * network is taken; throws the database's error when the operation was opened before.
   */
  open(
    intent: Intent,
    name: Name,
    outcome: Certain<Movement> | undefined,
  ): Promise<CardTransaction | undefined>;
  /** Once, whoever comes first. Throws when it was given up before. */
  settle(row: CardTransaction, movement: Movement): Promise<CardTransaction>;
  /** Unless it has ended before. Answers how it ended. */
  fail(row: CardTransaction, failure: string): Promise<CardTransaction>;
}

/**
 * Every settlement moves the house's accounts, which one transaction holds at a time: those that come
 * while one is under way are booked by the next one, together.
 */
export function cardBooks(db: Db, vault: Vault): CardBooks {
  const accountsOf = cardAccounts(db);
  const settled = async (booked: Booked & Pick<CardTransaction, 'currency'>, held: boolean) =>
    settling(booked, await accountsOf(booked.currency), held);
  const openSettled = createPosting(db, { storeAll: insertSettled, store: insertTransaction });
  const settle = createPosting(db, { storeAll: markAllSettled, store: markSettled });

  return {
    async open(intent, name, outcome) {
      // Opened now if they never were, since it is not to be done within a transaction.
      await accountsOf(intent.money.asset);
      const values = {
        ...valuesOf(intent, name, outcome),
        card_fingerprint: fingerprintOf(intent.card, vault),
      };
      const aside = reserves(intent);
      if (outcome?.kind === 'done' && !aside)
        return (await openSettled(values, await settled(values, false)))?.row;
      if (!aside) return insertTransaction(db, values);
      return transact(db, async (tx) => {
        const row = await insertTransaction(tx, values);
        if (row === undefined) return undefined;
        await noteWhoAsked(tx, intent, name.reference);
        if (outcome?.kind === 'done') await postWithin(tx, await settled(row, false));
        else if (outcome === undefined) await postWithin(tx, holding(row));
        return row;
      });
    },

    async settle(row, movement) {
      const settlement = { row, status: DONE[row.type], movement };
      const booked = await settle(settlement, await settled(row, reserves(row)));
      const ended = booked?.row ?? (await getTransaction(db, row.id));
      if (ended.state !== 'SETTLED')
        throw new Error(`${row.reference_id} went through after it was given up`);
      return ended;
    },

    async fail(row, failure) {
      await transact(db, async (tx) => {
        const why = { failure: failure.slice(0, 60), forget: isOurs(failure) };
        if ((await markFailed(tx, row.id, why)) && reserves(row))
          await postWithin(tx, releasing(row));
      });
      return getTransaction(db, row.id);
    },
  };
}

const valuesOf = (
  { type, operation, wallet, owner, card, money, shares, original, recipientName }: Intent,
  { trace, reference }: Name,
  outcome: Certain<Movement> | undefined,
): NewTransaction => ({
  account_id: wallet.account_id,
  type,
  reference_id: reference,
  amount: money.units,
  platform_fee: shares.fee,
  net_amount: shares.net,
  ...stateOf(type, outcome, new Date(trace.at.getTime() + FIRST_LOOK_MS)),
  operation,
  wallet_id: wallet.wallet_id,
  user_id: owner.user_id,
  client_id: owner.client_id,
  card_last4: card.last4,
  currency: money.asset,
  simulated: outcome !== undefined,
  rrn: trace.rrn,
  traced_at: trace.at.toISOString(),
  recipient_name: recipientName ?? null,
  ...(original === undefined
    ? {}
    : {
        original_id: original.id,
        original_type: original.type,
        original_amount: original.amount,
      }),
});

function stateOf(type: Kind, outcome: Certain<Movement> | undefined, firstLook: Date) {
  if (outcome === undefined)
    return { state: 'PENDING', status: 'PENDING', look_at: firstLook.toISOString() };
  if (outcome.kind === 'refused')
    return { state: 'FAILED', status: 'FAILED', failure: outcome.code.slice(0, 60) };
  return { state: 'SETTLED', status: DONE[type], ...named(outcome.value) };
}

const noteWhoAsked = (
  tx: Db,
  { type, actor, owner, money, request }: Intent,
  reference_id: string,
) =>
  logActivity(tx, {
    action: `CARD_${type}`,
    actor,
    client_id: owner.client_id,
    subject_user_id: owner.user_id,
    details: { reference_id, units: money.units.toString(), currency: money.asset },
    ...(request && { request }),
  });
