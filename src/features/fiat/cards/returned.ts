import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { emitWork } from '#kernel/jobs/work-events.ts';
import { takeOrOwe } from '#kernel/ledger/debts.ts';
import type { Leg, Operation } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
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
import { emitReturned } from './events.ts';
import { refundShares } from './fee.ts';
import type { AccountsOf, CardAccounts } from './legs.ts';
import { countReturns, insertReturn } from './return-store.ts';
import { type CardTransaction, findCardByReference, findTransactionById } from './store.ts';

export interface ReturnDeps {
  readonly accountsOf: AccountsOf;
}

const KEY = 'card:';

/** What of a card transaction can go back, by the key of its posting. */
const cardPayment = ({
  reference_id,
  currency,
  amount,
}: Pick<CardTransaction, 'reference_id' | 'currency' | 'amount'>): Payment => ({
  key: `${KEY}${reference_id}`,
  asset: currency,
  units: amount,
});

/** A refund is one way back of its original: false where another has taken what it would give. */
export const claimRefund = (
  tx: Db,
  original: Pick<CardTransaction, 'reference_id' | 'currency' | 'amount'>,
  units: bigint,
): Promise<boolean> => claimReturn(tx, cardPayment(original), 'refund', units);

const CHARGED_BACK = /^CHARGED?[ ._-]?BACK$/;
/** What was approved and settled is not in force any more. */
const UNDONE = new Set(['CANCELLED', 'DECLINED', 'EXPIRED', 'FAILED', 'REJECTED', 'REVERSED']);
const IN_FORCE = new Set([
  ...['APPROVED', 'CHARGEBACK_REVERSED', 'COMPLETED', 'DISPUTE_WON', 'SETTLED'],
  ...['SUCCESS_RECEIVED', 'REFUND_PROCESSED', 'PUSH_PROCESSED'],
]);

/**
 * What the network's word for a transaction says of its money: how much was taken back by now. `units` are those that the
 * network names with it; without them it is the whole. Nothing where the word leaves it open, as of a dispute that
 * is not decided.
 */
export function takenBy(
  word: string,
  amount: bigint,
  units: bigint = amount,
): ReturnedMoney | undefined {
  if (CHARGED_BACK.test(word)) return { way: 'chargeback', units: units < amount ? units : amount };
  if (UNDONE.has(word)) return { way: 'reversal', units: amount };
  return IN_FORCE.has(word) ? { way: 'chargeback', units: 0n } : undefined;
}

/**
 * Books what the network has taken back of a settled transaction by now, last in the transaction that shows it. A top-up
 * is taken from its wallet, or owed by its owner; a push or refund comes back into it. What may be our own refund
 * waits for a person. Repeated or late news change nothing.
 */
export async function bookTaken(
  tx: Db,
  { accountsOf }: ReturnDeps,
  row: CardTransaction,
  taken: ReturnedMoney,
): Promise<void> {
  const shift = await recordTaken(tx, cardPayment(row), taken);
  const units = shift.now - shift.before + shift.excess;
  if (shift.isInQuestion) emitWork(tx, 'stalled', 'reversal', cardPayment(row).key);
  if (shift.now === shift.before && shift.excess === 0n) return;
  const key = await keyOf(tx, row, { way: taken.way, units, now: shift.now });
  if (row.type === 'REFUND') await countAgain(tx, row, shift);
  const accounts = await accountsOf(row.currency);
  const move: Move = { row, shift, taken, accounts, key };
  const owed = await post(tx, move);
  await notify(tx, move, { units, owed });
}

/** What a person has decided that the network's word means: answers the transaction; nothing where it was not in question. */
export async function bookDecided(
  tx: Db,
  deps: ReturnDeps,
  payment: string,
  meant: Meant,
): Promise<CardTransaction | undefined> {
  if (!(await decideReversal(tx, payment, meant))) return undefined;
  const row = await findCardByReference(tx, {}, payment.slice(KEY.length));
  if (!row) throw new Error(`There is no card transaction of ${payment}`);
  if (meant === 'ALL') await bookTaken(tx, deps, row, { way: 'reversal', units: row.amount });
  return row;
}

/**
 * The key of the posting: by the line that says what the network has taken. Where it has taken no more than before, and more of
 * that is the wallet's, there is no line of its own: until the next one the wallet's part only grows.
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

/** After a refund came to nothing: what the network has taken of its original may be more than could be booked. */
export async function bookTakenAgain(
  tx: Db,
  deps: ReturnDeps,
  original_id: number,
  units: bigint,
): Promise<void> {
  // Its word may be another one by now.
  const original = await findTransactionById(tx, original_id);
  if (!original) throw new Error(`There is no card transaction ${original_id}`);
  const payment = cardPayment(original);
  await freeReturn(tx, payment, 'refund', units);
  const said = takenBy(original.status, original.amount);
  // The word does not say how much was charged back: what was written down does.
  const taken = said?.way === 'reversal' ? said : await takenOf(tx, payment.key);
  if (taken) await bookTaken(tx, deps, original, taken);
}

/** What a refund did not give back can be given back by another way. */
async function countAgain(tx: Db, row: CardTransaction, { before, now }: Shift): Promise<void> {
  const original =
    row.original_id === null ? undefined : await findTransactionById(tx, row.original_id);
  if (!original) throw new Error(`${row.reference_id} is the refund of nothing`);
  if (now > before) return freeReturn(tx, cardPayment(original), 'refund', now - before);
  if (!(await claimRefund(tx, original, before - now)))
    throw new Error(`${row.reference_id} counts again, and its original went back another way`);
}

interface Move {
  readonly row: CardTransaction;
  readonly shift: Shift;
  readonly taken: ReturnedMoney;
  readonly accounts: CardAccounts;
  readonly key: string;
}

/** Answers what of it is owed to us. */
async function post(tx: Db, move: Move): Promise<bigint> {
  const { row, accounts } = move;
  const { toSettlement, fee, net, disputed } = movedBy(move);
  const legs: Leg[] = [
    { account: accounts.settlement, amount: toSettlement },
    { account: accounts.fees, amount: -fee },
    { account: accounts.disputed, amount: -disputed },
  ].filter(({ amount }) => amount !== 0n);
  const operation: Operation = { key: move.key, kind: kindOf(move), legs };
  const { account_id: account, user_id } = row;
  if (net > 0n)
    return takeOrOwe(tx, { operation, account, user_id, owedTo: accounts.owed, units: net });
  const given = net < 0n ? [{ account, amount: -net }] : [];
  await postWithin(tx, { ...operation, legs: [...legs, ...given] });
  return 0n;
}

/** What the network, the fees, the wallet and the claim on the network give, in units; below zero what they get. */
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

/** Whether the network has taken more, or as much as before and more of it is the wallet's. */
function isMore({ shift: { before, now, excess } }: Move): boolean {
  const units = now - before + excess;
  return units > 0n || (units === 0n && now > before);
}

const kindOf = (move: Move): string => {
  const way =
    move.taken.way === 'chargeback' && move.row.type === 'TOPUP' ? 'chargeback' : 'reversal';
  return isMore(move) ? `card-${way}` : `card-${way}-undone`;
};

async function notify(
  tx: Db,
  move: Move,
  { units, owed }: { readonly units: bigint; readonly owed: bigint },
): Promise<void> {
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
      units: units.toString(),
      owed: owed.toString(),
      twice: shift.excess.toString(),
      currency: row.currency,
    },
  });
}
