import type { Fiat, FiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Activity, logActivities } from '#features/messaging/activity/activity.ts';
import { type Cause, causeNow } from '#kernel/cause.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Effects } from '#kernel/effects/effects.ts';
import type { Certain } from '#kernel/effects/outcome.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { createPosting } from '#kernel/ledger/posting.ts';
import type { Money } from '#kernel/money/money.ts';
import type { PolicyOperation } from '#kernel/policies/operation.ts';
import type { Policies } from '#kernel/policies/policies.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import {
  type Card,
  type CardNetworkMovement,
  fingerprintOf,
} from '#providers/card-network/port.ts';
import type { CardEffect, CardReferences } from './card-effect.ts';
import type { AnnounceCard } from './events.ts';
import type { Shares } from './fee.ts';
import {
  type AccountsOf,
  holdOperation,
  holdsItself,
  needsHold,
  settlementOperation,
} from './legs.ts';
import { alreadyReturned } from './refusals.ts';
import { claimRefund } from './returned.ts';
import {
  type CardKind,
  type CardTransaction,
  insertTopUps,
  insertTransaction,
  type NewTransaction,
  networkReferences,
  SETTLED_STATUS,
} from './store.ts';

interface Person {
  readonly user_id: number;
  readonly client_id: number;
}

/** A caller's order to move money between a card and a wallet, without the card itself. */
export interface CardOrder {
  readonly operation: string;
  readonly type: CardKind;
  /** The origin of the request, for the audit. */
  readonly request?: RequestFacts;
  /** Null for people that we do not know. */
  readonly actor: Person | null;
  /** The owner of the wallet. */
  readonly owner: Person;
  readonly wallet: Pick<FiatWallet, 'wallet_id' | 'account_id'>;
  readonly money: Money<Fiat>;
  readonly shares: Shares;
  readonly original?: CardTransaction;
  readonly recipientName?: string;
  /** The flow that waits for it and gets all of the money. */
  readonly flow?: string;
  /** What policies see of it. */
  readonly policy?: PolicyOperation | undefined;
  /** Throws where the flow has ended; last in the transaction that stores the order, before the ledger. */
  readonly permit?: (tx: Db) => Promise<void>;
}

/** A card transaction that is about to be stored. */
export interface NewCharge {
  readonly order: CardOrder;
  readonly references: CardReferences;
  readonly card: Card;
}

export interface StoredCharge {
  readonly row: CardTransaction;
  /** Drives its effect; only of one that is pending. */
  readonly intent?: Intent | undefined;
}

/**
 * Stores the row, its audit record, its posting and its effect in one transaction. `outcome` is what is certain before:
 * the row is settled or failed with it, and pending without. Nothing when the network has its trace already; throws the
 * database's error when the operation was stored before.
 */
export type StoreCharge = (
  charge: NewCharge,
  outcome?: Certain<CardNetworkMovement>,
) => Promise<StoredCharge | undefined>;

interface Deps {
  readonly db: Db;
  readonly announce: AnnounceCard;
  readonly vault: Vault;
  readonly effects: Pick<Effects, 'beginAll'>;
  readonly effect: CardEffect;
  readonly accountsOf: AccountsOf;
  readonly policies: Pick<Policies, 'decide'>;
}

/** A row with its audit record. */
interface ChargeRecord {
  readonly values: NewTransaction;
  readonly activity: Activity;
  readonly original: CardTransaction | undefined;
  readonly permit: CardOrder['permit'];
  readonly policy: CardOrder['policy'];
  /** A batch stores several. */
  readonly cause: Cause;
}

/**
 * Top-ups that arrive while one transaction is open are stored by the next one, together. A charge that leaves a wallet
 * locks that wallet only, and is stored by itself, as are failed ones and those that a flow may have to refuse.
 */
export function cardBooks(deps: Deps): StoreCharge {
  const { db, vault, accountsOf } = deps;
  const { together, alone } = createPosting<ChargeRecord, StoredCharge>(db, {
    storeAll: (tx, all) => storeTopUps(deps, tx, all),
    store: (tx, record) => storeOne(deps, tx, record),
  });

  /** Opens the accounts if they never were: a transaction must not. */
  async function operationOf(row: NewTransaction): Promise<Operation | undefined> {
    const isHeld = needsHold(row) && !holdsItself(row);
    if (row.state === 'SETTLED')
      return settlementOperation(row, await accountsOf(row.currency), isHeld);
    return row.state === 'PENDING' && holdsItself(row) ? holdOperation(row) : undefined;
  }

  return async (charge, outcome) => {
    const record = recordOf(charge, stateOf(charge.order, outcome), vault);
    const operation = await operationOf(record.values);
    const isShared = !needsHold(charge.order) && !charge.order.permit;
    const book = isShared && record.values.state !== 'FAILED' ? together : alone;
    return (await book(record, operation))?.row;
  };
}

async function storeTopUps(
  deps: Deps,
  tx: Db,
  all: readonly ChargeRecord[],
): Promise<(StoredCharge | undefined)[]> {
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
  for (const [i, row] of rows.entries()) if (row) await deps.announce(tx, row, all[i]);
  return beginAll(deps, tx, rows);
}

async function storeOne(
  deps: Deps,
  tx: Db,
  { values, activity, original, permit, policy, cause }: ChargeRecord,
): Promise<StoredCharge | undefined> {
  const row = await insertTransaction(tx, values);
  if (row === undefined) return undefined;
  if (original && row.state !== 'FAILED' && !(await claimRefund(tx, original, row.amount)))
    throw alreadyReturned();
  if (policy && row.state !== 'FAILED') await deps.policies.decide(tx, policy);
  await logActivities(tx, [activity]);
  await deps.announce(tx, row, { original, cause });
  await permit?.(tx);
  const [stored] = await beginAll(deps, tx, [row]);
  return stored;
}

/** Begins the effect of each pending row. */
async function beginAll(
  { effects, effect }: Deps,
  tx: Db,
  rows: readonly (CardTransaction | undefined)[],
): Promise<(StoredCharge | undefined)[]> {
  const pending = rows.flatMap((row) => (row?.state === 'PENDING' ? row.reference_id : []));
  if (pending.length === 0) return rows.map((row) => row && { row });
  const intents = await effects.beginAll(tx, effect, pending);
  return rows.map((row) => row && { row, intent: intents.get(row.reference_id) });
}

type State = Pick<NewTransaction, 'state' | 'status' | 'failure' | 'simulated'>;

function stateOf({ type }: CardOrder, outcome: Certain<CardNetworkMovement> | undefined): State {
  if (outcome === undefined) return { state: 'PENDING', status: 'PENDING', simulated: false };
  if (outcome.kind === 'refused') {
    const failure = outcome.code.slice(0, 60);
    return { state: 'FAILED', status: 'FAILED', failure, simulated: true };
  }
  const status = SETTLED_STATUS[type];
  return { state: 'SETTLED', status, ...networkReferences(outcome.value), simulated: true };
}

function recordOf(
  { order, references, card }: NewCharge,
  state: State,
  vault: Vault,
): ChargeRecord {
  const { type, operation, wallet, owner, money, shares, original, recipientName, permit, policy } =
    order;
  const { trace, reference } = references;
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
  return { values, activity, original, permit, policy, cause: causeNow() };
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
