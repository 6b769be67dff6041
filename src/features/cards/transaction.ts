import { randomBytes } from 'node:crypto';
import { logActivity } from '#features/activity/activity.ts';
import type { Fiat, FiatWallet } from '#features/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { sqlState, transact } from '#kernel/db/transact.ts';
import type { RequestFacts } from '#kernel/http/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Money } from '#kernel/money/money.ts';
import {
  type CardNetwork,
  type Charge,
  type Found,
  type Movement,
  type Trace,
  traceOf,
} from '#providers/card-network/port.ts';
import type { Outcome } from '#providers/provider.ts';
import type { Shares } from './fee.ts';
import { type AccountsOf, holding, releasing, setsAside, settling } from './legs.ts';
import { alreadyRefunded, isOurs, NOT_SEEN, refusal, undecided } from './refusals.ts';
import {
  type CardTransaction,
  findByOperation,
  getTransaction,
  insertTransaction,
  type Kind,
  markFailed,
  markSettled,
  named,
} from './store.ts';

export type CardDeps = Pick<Kernel, 'db' | 'clock' | 'config' | 'log'> & {
  readonly network: CardNetwork;
  readonly accountsOf: AccountsOf;
};

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
  readonly card: Pick<Charge['card'], 'last4'>;
  readonly money: Money<Fiat>;
  readonly shares: Shares;
  readonly original?: CardTransaction;
  readonly recipientName?: string;
  /** The call to the network, by the name and reference that are stored already. */
  send(named: { readonly trace: Trace; readonly reference: string }): Promise<Outcome<Movement>>;
}

/** What the statuses of the contract say once the money has moved. */
export const DONE = {
  TOPUP: 'SUCCESS_RECEIVED',
  REFUND: 'REFUND_PROCESSED',
  PUSH: 'PUSH_PROCESSED',
} as const satisfies Record<Kind, string>;

const TRIES_FOR_A_NAME = 5;
const SECOND_MS = 1000;
/** When somebody else may look for what became of it: the caller's own request is over by then. */
const FIRST_LOOK_MS = 60 * SECOND_MS;
/** An intent this old is not sent any more: it may be given up by somebody else. */
const SEND_WITHIN_MS = 30 * SECOND_MS;
/** What the network has not seen by then never left us. */
const GIVE_UP_MS = 15 * 60 * SECOND_MS;

/**
 * Moves the money once, whatever happens in between. The intent is committed first; then the network
 * is asked; its answer and the postings are one transaction. A lost answer is looked up. A repeated
 * operation finds its intent and never asks the network a second time. Answers the settled
 * transaction; throws what the caller is told otherwise.
 */
export async function carryOut(deps: CardDeps, intent: Intent): Promise<CardTransaction> {
  const begun = await findByOperation(deps.db, intent.operation);
  if (begun) return told(await lookUp(deps, begun));
  const { row, trace } = await begin(deps, intent);
  if (trace === undefined || row.state !== 'PENDING') return told(await lookUp(deps, row));
  if (ageMs(deps, row) > SEND_WITHIN_MS) throw undecided(row.reference_id);
  const outcome = await intent.send({ trace, reference: row.reference_id });
  return told(isCertain(outcome) ? await end(deps, row, outcome) : await lookUp(deps, row));
}

/** Not when the network has that name already: it may be this very call, delivered twice on its way. */
const isCertain = <T>(outcome: Outcome<T>): outcome is Certain<T> =>
  outcome.kind === 'done' || (outcome.kind === 'refused' && outcome.code !== 'DUPLICATE');
type Certain<T> = Exclude<Outcome<T>, { kind: 'unknown' }>;

/** Asks the network what became of a pending transaction, and ends it when that is certain. */
export async function lookUp(deps: CardDeps, row: CardTransaction): Promise<CardTransaction> {
  // Only the real network can know, and in mock mode it is not asked.
  if (row.state !== 'PENDING' || deps.config.MOCK_MODE) return row;
  const found = await deps.network.find({ rrn: row.rrn, at: new Date(row.traced_at) });
  if (found.kind === 'unknown') return row;
  if (found.kind === 'refused' && isCertain(found)) return end(deps, row, found);
  const moved = found.kind === 'done' ? found.value : undefined;
  if (moved === undefined) return isOverdue(deps, row) ? giveUp(deps, row, NOT_SEEN) : row;
  if (NOT_STANDING.has(moved.status)) return giveUp(deps, row, moved.status);
  return isOf(moved, row) ? end(deps, row, { kind: 'done', value: moved }) : row;
}

/** Another sum than was asked for is not booked, and not given up either: people have to look. */
const isOf = ({ money }: Found, { currency, amount }: CardTransaction): boolean =>
  money === undefined || (money.asset === currency && money.units === amount);

/** It was approved, and taken back before we had heard of it: there is nothing to book. */
const NOT_STANDING = new Set(['CANCELLED', 'DECLINED', 'EXPIRED', 'REJECTED', 'REVERSED']);

/** How long ago the network was told of it. */
const ageMs = ({ clock }: CardDeps, { traced_at }: CardTransaction): number =>
  clock.now().getTime() - new Date(traced_at).getTime();

/** Open for longer than a call may take to arrive. */
export const isOverdue = (deps: CardDeps, row: CardTransaction): boolean =>
  ageMs(deps, row) >= GIVE_UP_MS;

function told(row: CardTransaction): CardTransaction {
  if (row.state === 'SETTLED') return row;
  throw row.state === 'FAILED' ? refusal(row.failure ?? NOT_SEEN) : undecided(row.reference_id);
}

type Ended = Certain<Movement>;

/** The transaction as stored, and how to name it to the network when this call has stored it. */
async function begin(
  deps: CardDeps,
  intent: Intent,
): Promise<{ row: CardTransaction; trace?: Trace }> {
  const { db, config, clock } = deps;
  const reference = newReference(intent.type);
  for (let attempt = 0; attempt < TRIES_FOR_A_NAME; attempt += 1) {
    const trace = traceOf(reference, clock.now(), attempt);
    // In mock mode nothing is outside, so there is one transaction and nothing in between to survive.
    const outcome = config.MOCK_MODE ? await intent.send({ trace, reference }) : undefined;
    if (outcome?.kind === 'unknown') throw undecided(reference);
    try {
      const row = await store(deps, intent, { trace, reference }, outcome);
      if (row) return { row, trace };
    } catch (error) {
      const constraint = violated(error);
      if (constraint === 'card_transactions_refunded_once') throw alreadyRefunded();
      const begun =
        constraint === 'card_transactions_operation'
          ? await findByOperation(db, intent.operation)
          : undefined;
      if (begun) return { row: begun };
      throw error;
    }
  }
  throw new Error('No free name for a card transaction was found');
}

/** Nothing when the name at the network is taken. */
async function store(
  deps: CardDeps,
  intent: Intent,
  { trace, reference }: { readonly trace: Trace; readonly reference: string },
  outcome: Ended | undefined,
): Promise<CardTransaction | undefined> {
  const { type, money, shares, wallet, owner, original } = intent;
  const accounts = await deps.accountsOf(money.asset);
  return transact(deps.db, async (tx) => {
    const row = await insertTransaction(tx, wallet.account_id, {
      type,
      reference_id: reference,
      amount: money.units,
      platform_fee: shares.fee,
      net_amount: shares.net,
      ...stateOf(type, outcome, new Date(trace.at.getTime() + FIRST_LOOK_MS)),
      operation: intent.operation,
      wallet_id: wallet.wallet_id,
      user_id: owner.user_id,
      client_id: owner.client_id,
      card_last4: intent.card.last4,
      currency: money.asset,
      simulated: outcome !== undefined,
      rrn: trace.rrn,
      traced_at: trace.at.toISOString(),
      recipient_name: intent.recipientName ?? null,
      ...(original === undefined
        ? {}
        : {
            original_id: original.id,
            original_type: original.type,
            original_amount: original.amount,
          }),
    });
    if (row === undefined) return undefined;
    if (setsAside(intent)) await noteWhoAsked(tx, intent, reference);
    if (outcome?.kind === 'done') await postWithin(tx, settling(row, accounts, false));
    else if (outcome === undefined && setsAside(row)) await postWithin(tx, holding(row));
    return row;
  });
}

function stateOf(type: Kind, outcome: Ended | undefined, firstLook: Date) {
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

function end(deps: CardDeps, row: CardTransaction, outcome: Ended): Promise<CardTransaction> {
  return outcome.kind === 'done'
    ? settle(deps, row, outcome.value)
    : giveUp(deps, row, outcome.code);
}

/** Once, whoever comes first; the postings are part of it. */
async function settle(
  { db, accountsOf }: CardDeps,
  row: CardTransaction,
  movement: Movement,
): Promise<CardTransaction> {
  const accounts = await accountsOf(row.currency);
  await transact(db, async (tx) => {
    if (await markSettled(tx, row.id, DONE[row.type], movement))
      await postWithin(tx, settling(row, accounts, setsAside(row)));
  });
  const ended = await getTransaction(db, row.id);
  if (ended.state !== 'SETTLED')
    throw new Error(`${row.reference_id} went through after it was given up`);
  return ended;
}

async function giveUp(
  { db }: CardDeps,
  row: CardTransaction,
  failure: string,
): Promise<CardTransaction> {
  await transact(db, async (tx) => {
    const why = { failure: failure.slice(0, 60), forget: isOurs(failure) };
    if ((await markFailed(tx, row.id, why)) && setsAside(row)) await postWithin(tx, releasing(row));
  });
  return getTransaction(db, row.id);
}

/** Letters only, so that nothing takes it for a card number. */
function newReference(type: Kind): string {
  const letters = [...randomBytes(16)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `${type}-${letters.join('')}`;
}
/** Sixteen, so that each is as likely as the others. */
const LETTERS = 'ABCDEFGHJKLMNPQR';

const violated = (error: unknown): string | undefined =>
  sqlState(error) === '23505' ? (error as { constraint?: string }).constraint : undefined;
