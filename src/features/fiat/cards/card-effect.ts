import type { Db } from '#kernel/db/db.ts';
import {
  defineEffect,
  type Effect,
  type EffectAttempt,
  type Settled,
} from '#kernel/effects/effect.ts';
import { done, type Outcome, type Refusal, refused, unknown } from '#kernel/effects/outcome.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import type {
  Card,
  CardNetwork,
  CardNetworkMovement,
  FoundTransaction,
} from '#providers/card-network/port.ts';
import { emitCard } from './events.ts';
import {
  type AccountsOf,
  type CardAccounts,
  needsHold,
  releaseOperation,
  settlementOperation,
} from './legs.ts';
import type { NotifyFlow } from './notify-flow.ts';
import { instruct, traceOfRow } from './order.ts';
import { isRetryable, NOT_SEEN } from './refusals.ts';
import { bookReturns, freeRefundClaim } from './returned.ts';
import {
  type CardTransaction,
  findTransaction,
  getTransaction,
  markCardFailed,
  markSettled,
} from './store.ts';

/** A card transaction as stored, with what it takes to go on with it. */
export interface Stored {
  readonly row: CardTransaction;
  /** Of a refund. */
  readonly original: CardTransaction | undefined;
  readonly accounts: CardAccounts;
}

/** The card is its secret: only the request that brought it can call, anybody can look it up. */
export type CardEffect = Effect<Stored, CardNetworkMovement, Card>;

interface Deps extends Pick<Kernel, 'clock' | 'config' | 'log'> {
  readonly network: CardNetwork;
  readonly accountsOf: AccountsOf;
  readonly notifyFlow: NotifyFlow;
}

/** What the network has not seen by then never left us. */
const UNSEEN_MS = 15 * 60_000;
/** A network that is well says within minutes what became of a transaction. */
const USUALLY_MS = 30 * 60_000;
const AT_ONCE = 20;

/**
 * A pull, a push or a reversal at the card network, by the type of its row, under its reference. One kind
 * for all of them, since all move the house's accounts, which one transaction holds at a time: those
 * that end while one is being booked are booked by the next one, together.
 */
export const cardEffect = (deps: Deps): CardEffect =>
  defineEffect<Stored, CardNetworkMovement, Card>({
    kind: 'card',
    repeatable: false,
    unseen: { forMs: UNSEEN_MS, code: NOT_SEEN },
    concurrency: AT_ONCE,
    usuallyMs: USUALLY_MS,
    open: (db, reference) => open(db, deps.accountsOf, reference),
    names: ({ row }) => [`card:${row.reference_id}`],
    call: (stored, { secret }) => call(deps.network, stored, secret),
    lookUp: ({ row }, attempt) => lookUp(deps, row, attempt),
    settle: (tx, row, value) => settleAll(deps, tx, [{ row, value }]),
    settleAll: (tx, all) => settleAll(deps, tx, all),
    refuse: (tx, stored, why) => refuse(deps, tx, stored, why),
  });

async function open(
  db: Db,
  accountsOf: AccountsOf,
  reference: string,
): Promise<Stored | undefined> {
  const row = await findTransaction(db, reference);
  if (row === undefined) return undefined;
  const { original_id, currency } = row;
  return {
    row,
    original: original_id === null ? undefined : await getTransaction(db, original_id),
    // Opened now if they never were, since it is not to be done within a transaction.
    accounts: await accountsOf(currency),
  };
}

async function call(
  network: CardNetwork,
  { row, original }: Stored,
  card: Card | undefined,
): Promise<Outcome<CardNetworkMovement>> {
  if (card === undefined) return unknown('The card is kept nowhere');
  const { type, reference_id: reference, recipient_name: recipientName } = row;
  const money = { asset: row.currency, units: row.amount };
  const order = { type, trace: traceOfRow(row), reference, money, recipientName, original };
  const outcome = await instruct(network, order, card);
  // It may be this very call, delivered twice on its way.
  return isReferenceTaken(outcome) ? unknown('The network has that name already') : outcome;
}

async function lookUp(
  { network, clock, config, log }: Deps,
  row: CardTransaction,
  { openedAt }: EffectAttempt,
): Promise<Outcome<FoundTransaction | undefined>> {
  // Only the real network can know, and in mock mode it is not asked.
  if (config.MOCK_MODE) return unknown('The network is not asked in mock mode');
  const found = await network.find(traceOfRow(row));
  const weighed = weigh(row, isReferenceTaken(found) ? done(undefined) : found);
  if (weighed.kind === 'unknown' && clock.now().getTime() - openedAt.getTime() >= UNSEEN_MS)
    log.error(
      { reference: row.reference_id, cause: weighed.cause },
      'The card network does not say what became of a transaction',
    );
  return weighed;
}

/** What the network tells of it, as far as it can be booked. */
function weigh(
  { currency, amount }: CardTransaction,
  found: Outcome<FoundTransaction | undefined>,
): Outcome<FoundTransaction | undefined> {
  if (found.kind !== 'done' || found.value === undefined) return found;
  const { status, money } = found.value;
  if (NOT_IN_FORCE.has(status)) return refused(status, 'The network has taken it back');
  // Another sum is neither booked nor given up: people have to look.
  if (money && (money.asset !== currency || money.units !== amount))
    return unknown('The network tells another sum than was asked for');
  return found;
}

/** It was approved, and taken back before we had heard of it: there is nothing to book. */
const NOT_IN_FORCE = new Set(['CANCELLED', 'DECLINED', 'EXPIRED', 'REJECTED', 'REVERSED']);

const isReferenceTaken = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refused' && outcome.code === 'DUPLICATE';

async function settleAll(
  { notifyFlow }: Deps,
  tx: Db,
  all: readonly Settled<Stored, CardNetworkMovement>[],
): Promise<void> {
  const rows = await markSettled(
    tx,
    all.map(({ row: { row }, value: movement }) => ({ row, movement })),
  );
  for (const [i, row] of rows.entries()) {
    await notifyFlow(tx, row);
    emitCard(tx, row, { original: all[i]?.row.original, cause: all[i]?.cause });
  }
  await postAllWithin(
    tx,
    all.map(({ row: { row, accounts }, cause }) => ({
      ...settlementOperation(row, accounts, needsHold(row)),
      cause,
    })),
  );
}

async function refuse(
  deps: Deps,
  tx: Db,
  { row, original }: Stored,
  { code }: Refusal,
): Promise<undefined> {
  // A flow hears of one pull: what comes to nothing ends it, and trying anew is another flow's.
  const forget = row.flow === null && isRetryable(code);
  const why = { failure: code.slice(0, 60), forget };
  const failed = await markCardFailed(tx, row, why);
  if (!failed) throw new Error(`${row.reference_id} is open and not pending`);
  await deps.notifyFlow(tx, failed);
  emitCard(tx, { ...failed, operation: row.operation });
  const returns = original ? await freeRefundClaim(tx, original.id, row.amount) : [];
  await bookReturns(tx, deps, returns, needsHold(row) ? [releaseOperation(row)] : []);
}
