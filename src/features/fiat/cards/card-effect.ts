import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
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
import type { Money } from '#kernel/money/money.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import type {
  Card,
  CardNetwork,
  CardNetworkMovement,
  FoundTransaction,
  Trace,
} from '#providers/card-network/port.ts';
import { CARD_KINDS } from './card-kinds.ts';
import type { AnnounceCard } from './events.ts';
import type { CardFlowOwners } from './flow-owners.ts';
import {
  type AccountsOf,
  type CardAccounts,
  holdsItself,
  needsHold,
  releaseOperation,
  settlementOperation,
} from './legs.ts';
import { isRetryable, NOT_SEEN } from './refusals.ts';
import { bookReturns, freeRefundClaim } from './returned.ts';
import {
  type CardKind,
  type CardTransaction,
  findTransaction,
  getTransaction,
  markCardFailed,
  markSettled,
} from './store.ts';

/** A stored card transaction with all that its booking needs. */
export interface CardToEnd {
  readonly row: CardTransaction;
  /** Of a refund. */
  readonly original: CardTransaction | undefined;
  readonly accounts: CardAccounts;
}

/** The card is its secret: only the request that brings it can call; a look-up needs none. */
export type CardEffect = Effect<CardToEnd, CardNetworkMovement, Card>;

interface Deps extends Pick<Kernel, 'clock' | 'config' | 'log'> {
  readonly network: CardNetwork;
  readonly accountsOf: AccountsOf;
  readonly announce: AnnounceCard;
  readonly owners: CardFlowOwners;
}

/** A call that the network has not seen by then never left us. */
const UNSEEN_MS = 15 * 60_000;
/** A healthy network reports the outcome of a transaction within minutes. */
const USUALLY_MS = 30 * 60_000;
const AT_ONCE = 20;

/**
 * A pull, a push or a reversal at the card network, by the type of its row, under its reference. One kind for all of them,
 * since all move the house's accounts, which one transaction locks at a time: the next transaction books together all
 * that end meanwhile.
 */
export const cardEffect = (deps: Deps): CardEffect =>
  defineEffect<CardToEnd, CardNetworkMovement, Card>({
    kind: 'card',
    provider: 'card-network',
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
): Promise<CardToEnd | undefined> {
  const row = await findTransaction(db, reference);
  if (row === undefined) return undefined;
  const { original_id, currency } = row;
  return {
    row,
    original: original_id === null ? undefined : await getTransaction(db, original_id),
    // Opens missing accounts now, since a transaction that may be undone must not open them.
    accounts: await accountsOf(currency),
  };
}

async function call(
  network: CardNetwork,
  { row, original }: CardToEnd,
  card: Card | undefined,
): Promise<Outcome<CardNetworkMovement>> {
  if (card === undefined) return unknown('The card is stored nowhere');
  const { type, reference_id: reference, recipient_name: recipientName } = row;
  const money = { asset: row.currency, units: row.amount };
  const order = { type, trace: traceOfRow(row), reference, money, recipientName, original };
  const outcome = await instruct(network, order, card);
  // The network may have received this very call twice.
  return isReferenceTaken(outcome) ? unknown('The network has that reference already') : outcome;
}

async function lookUp(
  { network, clock, config, log }: Deps,
  row: CardTransaction,
  { openedAt }: EffectAttempt,
): Promise<Outcome<FoundTransaction | undefined>> {
  // Mock mode has no network that could know.
  if (config.MOCK_MODE) return unknown('Mock mode has no card network');
  const found = await network.find(traceOfRow(row));
  const verified = verifyFound(row, isReferenceTaken(found) ? done(undefined) : found);
  if (verified.kind === 'unknown' && clock.now().getTime() - openedAt.getTime() >= UNSEEN_MS)
    log.error(
      { reference: row.reference_id, cause: verified.cause },
      'The card network does not report the outcome of a transaction',
    );
  return verified;
}

/** The network's answer as far as it can be booked. */
function verifyFound(
  { currency, amount }: CardTransaction,
  found: Outcome<FoundTransaction | undefined>,
): Outcome<FoundTransaction | undefined> {
  if (found.kind !== 'done' || found.value === undefined) return found;
  const { status, money } = found.value;
  if (NOT_IN_FORCE.has(status)) return refused(status, 'The network has taken it back');
  // A different sum is neither booked nor given up: a person has to decide.
  if (money && (money.asset !== currency || money.units !== amount))
    return unknown('The network reports another sum than we ordered');
  return found;
}

/** Approved and then undone before we knew of the approval: there is nothing to book. */
const NOT_IN_FORCE = new Set(['CANCELLED', 'DECLINED', 'EXPIRED', 'REJECTED', 'REVERSED']);

const isReferenceTaken = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refused' && outcome.code === 'DUPLICATE';

async function settleAll(
  { announce }: Deps,
  tx: Db,
  all: readonly Settled<CardToEnd, CardNetworkMovement>[],
): Promise<void> {
  const rows = await markSettled(
    tx,
    all.map(({ row: { row }, value: movement }) => ({ row, movement })),
  );
  for (const [i, row] of rows.entries()) {
    await announce(tx, row, { original: all[i]?.row.original, cause: all[i]?.cause });
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
  { row, original }: CardToEnd,
  { code }: Refusal,
): Promise<undefined> {
  // A flow has one pull: its failure ends the flow, and a retry is a flow of its own.
  const forget = row.flow === null && isRetryable(code);
  const at = deps.clock.now();
  const failed = await markCardFailed(tx, row, { failure: code.slice(0, 60), forget, at });
  if (!failed) throw new Error(`${row.reference_id} is open and not pending`);
  const kind = CARD_KINDS[row.type];
  if (kind && row.operation) await giveBackLimits(tx, { operation: row.operation, kind });
  await deps.announce(tx, { ...failed, operation: row.operation });
  const returns = original ? await freeRefundClaim(tx, original.id, row.amount) : [];
  await bookReturns(tx, deps, returns, holdsItself(row) ? [releaseOperation(row)] : []);
}

/** The references of a transaction at the network and for our callers. */
export interface CardReferences {
  readonly trace: Trace;
  readonly reference: string;
}

/** A call to the network, with the references it is known by. */
export interface Instruction extends CardReferences {
  readonly type: CardKind;
  readonly money: Money<Fiat>;
  readonly recipientName?: string | null | undefined;
  readonly original?: CardTransaction | undefined;
}

/** Calls the network. The card goes along and is stored nowhere. */
export function instruct(
  network: CardNetwork,
  { type, money, recipientName, original, trace, reference }: Instruction,
  card: Card,
): Promise<Outcome<CardNetworkMovement>> {
  const charge = { trace, card, money };
  if (type === 'TOPUP') return network.pull(charge);
  if (type === 'PUSH')
    return network.push({ ...charge, reference, recipientName: recipientName ?? '' });
  if (original === undefined) throw new Error(`${reference} is a refund without an original`);
  return network.reverse({ ...charge, original: movementOf(original) });
}

/** The network's trace of a stored transaction. */
export const traceOfRow = ({ rrn, terminal, traced_at }: CardTransaction): Trace => ({
  rrn,
  terminal,
  at: new Date(traced_at),
});

/** The network's references of the original; a settled transaction has all of them. */
const movementOf = (row: CardTransaction) => ({
  trace: traceOfRow(row),
  transactionIdentifier: row.transaction_identifier ?? '',
  approvalCode: row.approval_code ?? '',
  transmittedAt: row.transmitted_at ?? '',
});
