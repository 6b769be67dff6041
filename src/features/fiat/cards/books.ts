import { type Activity, logActivities } from '#features/messaging/activity/activity.ts';
import { createBatcher } from '#kernel/batcher.ts';
import { type Cause, causeNow } from '#kernel/cause.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Effects } from '#kernel/effects/effects.ts';
import type { Certain } from '#kernel/effects/outcome.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { createPosting } from '#kernel/ledger/posting.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { transact } from '#kernel/transact.ts';
import {
  type Card,
  type CardNetworkMovement,
  fingerprintOf,
} from '#providers/card-network/port.ts';
import type { CardEffect } from './card-effect.ts';
import { emitCard } from './events.ts';
import {
  type AccountsOf,
  type BookedCharge,
  holdOperation,
  needsHold,
  settlementOperation,
} from './legs.ts';
import type { NotifyFlow } from './notify-flow.ts';
import type { CardOrder, CardReferences } from './order.ts';
import { alreadyReturned } from './refusals.ts';
import { claimRefund } from './returned.ts';
import {
  type CardTransaction,
  insertTransaction,
  type NewTransaction,
  networkReferences,
  SETTLED_STATUS,
} from './store.ts';
import { insertTopUps } from './top-up-store.ts';

/** A card transaction that is about to be stored. */
export interface OpeningTransaction {
  readonly order: CardOrder;
  readonly name: CardReferences;
  readonly card: Card;
}

/** A row, who asked for it, and what was set aside or moved: always one transaction. */
export interface CardBooks {
  /**
   * Before the network is asked: the row, what is set aside, and the effect that ends it. Nothing when
   * the name at the network is taken; throws the database's error when the operation was opened before.
   */
  open(opening: OpeningTransaction): Promise<Opened | undefined>;
  /** With what is certain already, under the same rules. */
  record(
    opening: OpeningTransaction,
    outcome: Certain<CardNetworkMovement>,
  ): Promise<Opened | undefined>;
}

export interface Opened {
  readonly row: CardTransaction;
  /** What the effect is driven with; only where there is one. */
  readonly intent?: Intent | undefined;
}

interface Deps {
  readonly db: Db;
  readonly notifyFlow: NotifyFlow;
  readonly vault: Vault;
  readonly effects: Pick<Effects, 'beginAll'>;
  readonly effect: CardEffect;
  readonly accountsOf: AccountsOf;
}

/** What is to be stored, and who asked for it. */
interface Audited {
  readonly values: NewTransaction;
  readonly activity: Activity;
  readonly original: CardTransaction | undefined;
  readonly permit: CardOrder['permit'];
  /** Several are stored together. */
  readonly cause: Cause;
}

/**
 * Writes card transactions down. Top-ups that come while one transaction is under way are stored by the
 * next one, together: what leaves a wallet locks that wallet only, and is stored by itself, as is what a
 * flow may want no more.
 */
export function cardBooks(deps: Deps): CardBooks {
  const { db, vault, accountsOf } = deps;
  const settled = async (row: BookedCharge & Pick<CardTransaction, 'currency'>) =>
    settlementOperation(row, await accountsOf(row.currency), false);

  const recordTopUp = createPosting<Audited, CardTransaction>(db, {
    storeAll: (tx, all) => storeAll(deps, tx, all),
    store: (tx, audited) => store(deps, tx, audited),
  });

  const openTopUp = createBatcher<Audited, Opened | undefined>({
    many: (all) => transact(db, async (tx) => beginAll(deps, tx, await storeAll(deps, tx, all))),
    one: (audited) => transact(db, (tx) => openOne(tx, audited)),
  });

  async function openOne(tx: Db, audited: Audited): Promise<Opened | undefined> {
    const row = await store(deps, tx, audited);
    if (row === undefined) return undefined;
    const [opened] = await beginAll(deps, tx, [row]);
    if (needsHold(row)) await postWithin(tx, holdOperation(row));
    return opened;
  }

  return {
    open(opening) {
      const audited = auditedOf(opening, PENDING, vault);
      if (isAmongOthers(opening.order)) return openTopUp(audited);
      return transact(db, (tx) => openOne(tx, audited));
    },

    async record(opening, outcome) {
      const { order } = opening;
      const audited = auditedOf(opening, endOf(order, outcome), vault);
      // Opens the accounts if they never were, since that is not to be done within a transaction.
      const operation = await settled(audited.values);
      if (outcome.kind === 'done' && isAmongOthers(order)) return recordTopUp(audited, operation);
      return transact(db, async (tx) => {
        const row = await store(deps, tx, audited);
        if (row?.state === 'SETTLED') await postWithin(tx, operation);
        return row && { row };
      });
    },
  };
}

const isAmongOthers = (order: CardOrder): boolean => !needsHold(order) && !order.permit;

/** With the effect of each row that was written. */
async function beginAll(
  { effects, effect }: Deps,
  tx: Db,
  rows: readonly (CardTransaction | undefined)[],
): Promise<(Opened | undefined)[]> {
  const references = rows.flatMap((row) => row?.reference_id ?? []);
  if (references.length === 0) return rows.map(() => undefined);
  const intents = await effects.beginAll(tx, effect, references);
  return rows.map((row) => row && { row, intent: intents.get(row.reference_id) });
}

async function storeAll(
  { notifyFlow }: Deps,
  tx: Db,
  all: readonly Audited[],
): Promise<(CardTransaction | undefined)[]> {
  const rows = await insertTopUps(
    tx,
    all.map(({ values }) => values),
  );
  const written = all.filter((_, i) => rows[i]);
  if (written.length > 0)
    await logActivities(
      tx,
      written.map(({ activity }) => activity),
    );
  for (const [i, row] of rows.entries()) {
    if (!row) continue;
    await notifyFlow(tx, row);
    emitCard(tx, row, all[i]);
  }
  return rows;
}

async function store(
  { notifyFlow }: Deps,
  tx: Db,
  { values, activity, original, permit, cause }: Audited,
): Promise<CardTransaction | undefined> {
  const row = await insertTransaction(tx, values);
  if (row === undefined) return undefined;
  if (original && row.state !== 'FAILED' && !(await claimRefund(tx, original, row.amount)))
    throw alreadyReturned();
  await logActivities(tx, [activity]);
  await notifyFlow(tx, row);
  await permit?.(tx);
  emitCard(tx, row, { original, cause });
  return row;
}

type State = Pick<NewTransaction, 'state' | 'status' | 'failure' | 'simulated'>;

const PENDING: State = { state: 'PENDING', status: 'PENDING', simulated: false };

function endOf({ type }: CardOrder, outcome: Certain<CardNetworkMovement>): State {
  if (outcome.kind === 'refused') {
    const failure = outcome.code.slice(0, 60);
    return { state: 'FAILED', status: 'FAILED', failure, simulated: true };
  }
  const status = SETTLED_STATUS[type];
  return { state: 'SETTLED', status, ...networkReferences(outcome.value), simulated: true };
}

function auditedOf({ order, name, card }: OpeningTransaction, state: State, vault: Vault): Audited {
  const { type, operation, wallet, owner, money, shares, original, recipientName, permit } = order;
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
    flow: order.flow ?? null,
    user_id: owner.user_id,
    client_id: owner.client_id,
    card_last4: card.last4,
    card_fingerprint: fingerprintOf(card, vault),
    currency: money.asset,
    rrn: trace.rrn,
    terminal: trace.terminal,
    traced_at: trace.at.toISOString(),
    recipient_name: recipientName ?? null,
    ...(original && {
      original_id: original.id,
      original_type: original.type,
      original_amount: original.amount,
    }),
  };
  const activity = activityOf(order, reference);
  return { values, activity, original, permit, cause: causeNow() };
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
