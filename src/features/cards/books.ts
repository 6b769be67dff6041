import { type Activity, logActivities } from '#features/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import type { Effects } from '#kernel/effects/effects.ts';
import type { Certain } from '#kernel/effects/outcome.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { createPosting } from '#kernel/ledger/posting.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { type Card, fingerprintOf, type Movement } from '#providers/card-network/port.ts';
import type { CardEffect } from './card-effect.ts';
import { type AccountsOf, type Booked, holding, reserves, settling } from './legs.ts';
import type { CardOrder, Name } from './order.ts';
import {
  type CardTransaction,
  insertSettled,
  insertTransaction,
  type NewTransaction,
  namesOf,
  SETTLED_STATUS,
} from './store.ts';

/** A card transaction that is about to be stored. */
export interface Opening {
  readonly order: CardOrder;
  readonly name: Name;
  readonly card: Card;
}

/** A row, who asked for it, and what was set aside or moved: always one transaction. */
export interface CardBooks {
  /**
   * Before the network is asked: the row, what is set aside, and the effect that ends it. Nothing when
   * the name at the network is taken; throws the database's error when the operation was opened before.
   */
  open(opening: Opening): Promise<Opened | undefined>;
  /** With what is certain already, under the same rules. */
  record(opening: Opening, outcome: Certain<Movement>): Promise<Opened | undefined>;
}

export interface Opened {
  readonly row: CardTransaction;
  /** What the effect is driven with; only where there is one. */
  readonly intent?: Intent | undefined;
}

interface Deps {
  readonly db: Db;
  readonly vault: Vault;
  readonly effects: Pick<Effects, 'begin'>;
  readonly effect: CardEffect;
  readonly accountsOf: AccountsOf;
}

/** A top-up that is certain, and who asked for it. */
interface Noted {
  readonly values: NewTransaction;
  readonly activity: Activity;
}

/** Writes card transactions down. */
export function cardBooks({ db, vault, effects, effect, accountsOf }: Deps): CardBooks {
  const settled = async (booked: Booked & Pick<CardTransaction, 'currency'>) =>
    settling(booked, await accountsOf(booked.currency), false);
  const recordTopUp = createPosting<Noted, CardTransaction>(db, {
    async storeAll(tx, all) {
      const values = all.map((noted) => noted.values);
      const rows = await insertSettled(tx, values);
      await logActivities(
        tx,
        all.map(({ activity }) => activity),
      );
      return rows;
    },
    store,
  });

  async function store(tx: Db, { values, activity }: Noted): Promise<CardTransaction | undefined> {
    const row = await insertTransaction(tx, values);
    if (row) await logActivities(tx, [activity]);
    return row;
  }

  async function recordOne(tx: Db, noted: Noted): Promise<CardTransaction | undefined> {
    const row = await store(tx, noted);
    if (row?.state === 'SETTLED') await postWithin(tx, await settled(row));
    return row;
  }

  return {
    open: (opening) =>
      transact(db, async (tx) => {
        const row = await store(tx, notedOf(opening, PENDING, vault));
        if (row === undefined) return undefined;
        const intent = await effects.begin(tx, effect, row.reference_id);
        if (reserves(row)) await postWithin(tx, holding(row));
        return { row, intent };
      }),

    async record(opening, outcome) {
      // Opened now if they never were, since it is not to be done within a transaction.
      await accountsOf(opening.order.money.asset);
      const noted = notedOf(opening, endOf(opening.order, outcome), vault);
      const isShared = outcome.kind === 'done' && !reserves(opening.order);
      if (isShared) return recordTopUp(noted, await settled(noted.values));
      const row = await transact(db, (tx) => recordOne(tx, noted));
      return row && { row };
    },
  };
}

type State = Pick<NewTransaction, 'state' | 'status' | 'failure' | 'simulated'>;

const PENDING: State = { state: 'PENDING', status: 'PENDING', simulated: false };

function endOf({ type }: CardOrder, outcome: Certain<Movement>): State {
  if (outcome.kind === 'refused') {
    const failure = outcome.code.slice(0, 60);
    return { state: 'FAILED', status: 'FAILED', failure, simulated: true };
  }
  const status = SETTLED_STATUS[type];
  return { state: 'SETTLED', status, ...namesOf(outcome.value), simulated: true };
}

function notedOf({ order, name, card }: Opening, state: State, vault: Vault): Noted {
  const { type, operation, wallet, owner, money, shares, original, recipientName } = order;
  const { trace, reference } = name;
  const values = {
    ...state,
    account_id: wallet.account_id,
    type,
    reference_id: reference,
    amount: money.units,
    platform_fee: shares.fee,
    net_amount: shares.net,
    operation,
    wallet_id: wallet.wallet_id,
    user_id: owner.user_id,
    client_id: owner.client_id,
    card_last4: card.last4,
    card_fingerprint: fingerprintOf(card, vault),
    currency: money.asset,
    rrn: trace.rrn,
    traced_at: trace.at.toISOString(),
    recipient_name: recipientName ?? null,
    ...(original && {
      original_id: original.id,
      original_type: original.type,
      original_amount: original.amount,
    }),
  };
  return { values, activity: activityOf(order, reference) };
}

const activityOf = (
  { type, actor, owner, money, request }: CardOrder,
  reference_id: string,
): Activity => ({
  action: `CARD_${type}`,
  actor,
  client_id: owner.client_id,
  subject_user_id: owner.user_id,
  details: { reference_id, units: money.units.toString(), currency: money.asset },
  ...(request && { request }),
});
