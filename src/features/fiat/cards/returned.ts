import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { emitWork } from '#kernel/jobs/work-events.ts';
import { type OperationOrTaking, postOrOwe } from '#kernel/ledger/debts.ts';
import type { Leg, Operation } from '#kernel/ledger/ledger.ts';
import { decideReversal } from '#kernel/ledger/questions.ts';
import {
  claimReturn,
  freeReturn,
  type Meant,
  type Payment,
  type ReturnedMoney,
  recordTaken,
  type Shift,
  takenOf,
} from '#kernel/ledger/returns.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { CARD_KINDS } from './card-kinds.ts';
import { emitReturned, touchOriginal } from './events.ts';
import { refundShares } from './fee.ts';
import type { CardFlowOwners } from './flow-owners.ts';
import type { AccountsOf, CardAccounts } from './legs.ts';
import {
  type CardTransaction,
  countReturns,
  findCardByReference,
  findTransactionById,
  insertReturn,
} from './store.ts';

export interface ReturnDeps {
  readonly accountsOf: AccountsOf;
  readonly owners: CardFlowOwners;
}

const KEY = 'card:';

/** A card transaction as the payment that can go back, by the key of its posting. */
const cardPayment = ({
  reference_id,
  currency,
  amount,
}: Pick<CardTransaction, 'reference_id' | 'currency' | 'amount'>): Payment => ({
  key: `${KEY}${reference_id}`,
  asset: currency,
  units: amount,
});

/** Claims what a refund gives back of its original; false where the money has gone back another way. */
export const claimRefund = (
  tx: Db,
  original: Pick<CardTransaction, 'reference_id' | 'currency' | 'amount'>,
  units: bigint,
): Promise<boolean> => claimReturn(tx, cardPayment(original), 'refund', units);

const CHARGED_BACK = /^CHARGED?[ ._-]?BACK$/;
/** Statuses of an approved and settled transaction that the network has undone. */
const UNDONE = new Set(['CANCELLED', 'DECLINED', 'EXPIRED', 'FAILED', 'REJECTED', 'REVERSED']);
const IN_FORCE = new Set([
  ...['APPROVED', 'CHARGEBACK_REVERSED', 'COMPLETED', 'DISPUTE_WON', 'SETTLED'],
  ...['SUCCESS_RECEIVED', 'REFUND_PROCESSED', 'PUSH_PROCESSED'],
]);

/**
 * What the network has taken back of a transaction with that status. `units` are those that the network names with the
 * status; without them it is the whole amount. Nothing where the status leaves it open, as of a dispute that is not decided.
 */
export function takenBy(
  status: string,
  amount: bigint,
  units: bigint = amount,
): ReturnedMoney | undefined {
  if (CHARGED_BACK.test(status))
    return { way: 'chargeback', units: units < amount ? units : amount };
  if (UNDONE.has(status)) return { way: 'reversal', units: amount };
  return IN_FORCE.has(status) ? { way: 'chargeback', units: 0n } : undefined;
}

/** A settled transaction, and what the network has taken back of it by now. */
export interface CardReturn {
  readonly row: CardTransaction;
  readonly taken: ReturnedMoney;
}

/**
 * Books returns, after the operations that they rely on, as the one posting of the transaction that shows them. The
 * wallet pays for a returned top-up, or its owner owes it; a returned push or refund comes back into the wallet. A return
 * that may be our own refund waits for a person. Repeated or late notifications change nothing.
 */
export async function bookReturns(
  tx: Db,
  deps: ReturnDeps,
  returns: readonly CardReturn[],
  before: readonly Operation[] = [],
): Promise<void> {
  const moves: Move[] = [];
  const earlier = [...before];
  for (const one of returns) {
    const move = await recordReturn(tx, deps, one);
    if (!move) continue;
    moves.push(move);
    const owner = deps.owners.of(move.row);
    if (owner) earlier.push(...(await owner.returned(tx, { row: move.row, ...move.shift })));
  }
  const owed = await postOrOwe(tx, [...earlier, ...moves.map(postingOf)]);
  for (const [i, move] of moves.entries()) await notify(tx, move, owed[earlier.length + i] ?? 0n);
}

/** Writes the return down; nothing where no money moves by it. */
async function recordReturn(
  tx: Db,
  { accountsOf, owners }: ReturnDeps,
  { row, taken }: CardReturn,
): Promise<Move | undefined> {
  const shift = await recordTaken(tx, cardPayment(row), taken);
  if (shift.isInQuestion) emitWork(tx, 'stalled', 'reversal', cardPayment(row).key);
  if (shift.now === shift.before && shift.excess === 0n) return undefined;
  const key = await keyOf(tx, row, { way: taken.way, units: unitsOf(shift), now: shift.now });
  if (row.type === 'REFUND') await adjustClaim(tx, row, shift);
  await giveBackReversed(tx, row, taken);
  const accounts = await accountsOf(row.currency);
  const owed = (await owners.of(row)?.owedTo(tx, row.currency)) ?? accounts.owed;
  return { row, shift, taken, accounts: { ...accounts, owed }, key };
}

/** A push or refund that the network has undone counts against no limit any more. */
async function giveBackReversed(
  tx: Db,
  { type, operation }: CardTransaction,
  { way }: ReturnedMoney,
): Promise<void> {
  const kind = CARD_KINDS[type];
  if (way === 'reversal' && kind && operation) await giveBackLimits(tx, { operation, kind });
}

/** Applies a person's decision what a reversal means. Answers the transaction; nothing where there is no open question. */
export async function bookDecided(
  tx: Db,
  deps: ReturnDeps,
  payment: string,
  meant: Meant,
): Promise<CardTransaction | undefined> {
  if (!(await decideReversal(tx, payment, meant))) return undefined;
  const row = await findCardByReference(tx, {}, payment.slice(KEY.length));
  if (!row) throw new Error(`There is no card transaction of ${payment}`);
  const taken = { way: 'reversal', units: row.amount } as const;
  if (meant === 'ALL') await bookReturns(tx, deps, [{ row, taken }]);
  return row;
}

/**
 * The key of the posting: the id of the line that records the return. Where the network has taken no more than before, and
 * the wallet has to pay more of that, there is no such line: until the next one the wallet's part only grows.
 */
async function keyOf(
  tx: Db,
  { id: transaction_id, reference_id }: CardTransaction,
  { way, units, now }: Pick<ReturnedMoney, 'way' | 'units'> & Pick<Shift, 'now'>,
): Promise<string> {
  const key = `card:${reference_id}:returned`;
  if (units === 0n) return `${key}:after-${await countReturns(tx, transaction_id)}:${now}`;
  const { id } = await insertReturn(tx, { transaction_id, way, units });
  return `${key}:${id}`;
}

/**
 * Frees what a failed refund had claimed of its original. Answers the returns of the original, which may be more than
 * could be booked beside that claim: book them again.
 */
export async function freeRefundClaim(
  tx: Db,
  original_id: number,
  units: bigint,
): Promise<readonly CardReturn[]> {
  // Its status may have changed since the refund began.
  const row = await findTransactionById(tx, original_id);
  if (!row) throw new Error(`There is no card transaction ${original_id}`);
  const payment = cardPayment(row);
  await freeReturn(tx, payment, 'refund', units);
  const byStatus = takenBy(row.status, row.amount);
  // The status does not say how much was charged back; the record of returns does.
  const taken = byStatus?.way === 'reversal' ? byStatus : await takenOf(tx, payment.key);
  return taken ? [{ row, taken }] : [];
}

/** A refund that the network has sent back frees its claim on the original; one that is in force again renews it. */
async function adjustClaim(tx: Db, row: CardTransaction, { before, now }: Shift): Promise<void> {
  const original =
    row.original_id === null ? undefined : await findTransactionById(tx, row.original_id);
  if (!original) throw new Error(`The refund ${row.reference_id} has no original`);
  touchOriginal(tx, original.id);
  if (now > before) return freeReturn(tx, cardPayment(original), 'refund', now - before);
  if (!(await claimRefund(tx, original, before - now)))
    throw new Error(
      `${row.reference_id} is in force again, and its original was returned another way`,
    );
}

interface Move {
  readonly row: CardTransaction;
  readonly shift: Shift;
  readonly taken: ReturnedMoney;
  readonly accounts: CardAccounts;
  readonly key: string;
}

/** The posting of a return: an operation, or one that the wallet pays or owes. */
function postingOf(move: Move): OperationOrTaking {
  const { row, accounts } = move;
  const { toSettlement, fee, net, disputed } = movedBy(move);
  const legs: Leg[] = [
    { account: accounts.settlement, amount: toSettlement },
    { account: accounts.fees, amount: -fee },
    { account: accounts.disputed, amount: -disputed },
  ].filter(({ amount }) => amount !== 0n);
  const operation: Operation = { key: move.key, kind: kindOf(move), legs };
  const { account_id: account, user_id } = row;
  if (net > 0n) return { operation, account, user_id, owedTo: accounts.owed, units: net };
  const given = net < 0n ? [{ account, amount: -net }] : [];
  return { ...operation, legs: [...legs, ...given] };
}

/** Units that the network, the fees, the wallet and the claim on the network give; below zero what they get. */
function movedBy({ row, shift }: Move) {
  const { before, now, excess } = shift;
  const fee = refundShares(now, row).fee - refundShares(before, row).fee;
  const units = now - before;
  const sign = row.type === 'TOPUP' ? 1n : -1n;
  return {
    toSettlement: sign * (units + excess),
    fee: sign * fee,
    net: sign * (units - fee),
    disputed: sign * excess,
  };
}

/** By how much more the network has taken than before. */
const unitsOf = ({ before, now, excess }: Shift): bigint => now - before + excess;

/** Whether the network has taken more, or as much as before and the wallet pays more of it. */
function isMore({ shift }: Move): boolean {
  const units = unitsOf(shift);
  return units > 0n || (units === 0n && shift.now > shift.before);
}

const kindOf = (move: Move): string => {
  const way =
    move.taken.way === 'chargeback' && move.row.type === 'TOPUP' ? 'chargeback' : 'reversal';
  return isMore(move) ? `card-${way}` : `card-${way}-undone`;
};

async function notify(tx: Db, move: Move, owed: bigint): Promise<void> {
  const { row, shift } = move;
  emitReturned(tx, row, isMore(move));
  if (shift.excess > 0n) emitWork(tx, 'stalled', 'return', cardPayment(row).key);
  await logActivity(tx, {
    action: isMore(move) ? 'CARD_TAKEN_BACK' : 'CARD_GIVEN_AGAIN',
    actor: null,
    client_id: row.client_id,
    subject_user_id: row.user_id,
    details: {
      reference_id: row.reference_id,
      way: move.taken.way,
      units: unitsOf(shift).toString(),
      owed: owed.toString(),
      twice: shift.excess.toString(),
      currency: row.currency,
    },
  });
}
