import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { takeOrOwe } from '#kernel/ledger/debts.ts';
import { type Operation, transfer } from '#kernel/ledger/ledger.ts';
import { postAllWithin, postWithin } from '#kernel/ledger/post.ts';
import { claimReturn, type Payment } from '#kernel/ledger/returns.ts';
import { transact } from '#kernel/transact.ts';
import { type BankAccounts, bankAccounts } from './accounts.ts';
import { eventsOf, type KeptEvent } from './event-store.ts';
import { lockTopUp, moveTopUp, type TopUp, type TopUpOutcome } from './top-up-store.ts';

/** The course of a transfer by its events, in any order of arrival. */
interface Course {
  readonly settled: KeptEvent | undefined;
  /** It came back, or never came. */
  readonly undone: KeptEvent | undefined;
}

const SETTLES: ReadonlySet<string> = new Set(['settled', 'funds_available']);
const UNDOES: ReadonlySet<string> = new Set(['failed', 'cancelled', 'returned']);

/** Books a transfer by its events. */
export const bookTransfer = (db: Db, transfer_id: string): Promise<void> =>
  transact(db, (tx) => bookWithin(tx, transfer_id));

async function bookWithin(tx: Db, transfer_id: string): Promise<void> {
  const row = await lockTopUp(tx, { transfer_id });
  // Its answer is still on its way and books it then; or the transfer is not ours.
  if (!row) return;
  const course = courseOf(row, await eventsOf(tx, transfer_id));
  const outcome = outcomeOf(row, course);
  if (!outcome) return;
  if (!(await moveTopUp(tx, row, outcome)))
    throw new Error(`${row.top_up_id} was locked and moved`);
  if (outcome.status === 'RETURNED') await claimWhole(tx, row);
  const owed = await post(tx, { row, outcome, accounts: await bankAccounts(tx) });
  await logActivity(tx, activityOf(row, outcome, owed));
}

/** Claims the whole return, so that no other way gives the money back; none did before. */
async function claimWhole(tx: Db, row: TopUp): Promise<void> {
  if (await claimReturn(tx, paymentOf(row), 'return', row.amount)) return;
  throw new Error(`${row.top_up_id} comes back, and a part of it had gone back before`);
}

function courseOf(row: TopUp, events: readonly KeptEvent[]): Course {
  const first = (kinds: ReadonlySet<string>) =>
    events.find(({ event_type }) => kinds.has(event_type));
  const course = { settled: first(SETTLES), undone: first(UNDOES) };
  // A different sum is neither booked nor given up: a person has to decide.
  for (const event of [course.settled, course.undone])
    if (event?.amount != null && event.amount !== row.amount)
      throw new Error(`Event ${event.event_id} reports another sum than we ordered`);
  return course;
}

/** The new status; nothing where it is unchanged. */
function outcomeOf({ status }: TopUp, { settled, undone }: Course): TopUpOutcome | undefined {
  if (settled && undone && (status === 'PENDING' || status === 'FAILED'))
    // The transfer came and went between two looks: both are booked, as the provider has them.
    return { ...returnedBy(undone), settled_at: settled.happened_at, failure: null };
  if (settled && status === 'PENDING')
    return { status: 'SUCCESS_RECEIVED', settled_at: settled.happened_at };
  if (undone && status === 'PENDING') return { status: 'FAILED', failure: undone.event_type };
  return undone && status === 'SUCCESS_RECEIVED' ? returnedBy(undone) : undefined;
}

interface Move {
  readonly row: TopUp;
  readonly outcome: TopUpOutcome;
  readonly accounts: BankAccounts;
}

/** Posts the money; answers the user's debt after a return. */
async function post(tx: Db, { row, outcome, accounts }: Move): Promise<bigint> {
  const came = creditOperation(row, accounts);
  const gone = { account: accounts.provider, amount: row.amount };
  const back = { key: `${came.key}:return`, kind: 'bank-top-up-return' };
  if (outcome.status === 'SUCCESS_RECEIVED') await postWithin(tx, came);
  if (outcome.status !== 'RETURNED') return 0n;
  if (row.status === 'SUCCESS_RECEIVED') {
    const { account_id: account, user_id, amount: units } = row;
    const operation = { ...back, legs: [gone] };
    return takeOrOwe(tx, { operation, account, user_id, owedTo: accounts.owed, units });
  }
  const legs = [gone, { account: row.account_id, amount: -row.amount }];
  await postAllWithin(tx, [came, { ...back, legs }]);
  return 0n;
}

/** The top-up as a payment that can go back, over all ways. */
const paymentOf = ({ top_up_id, amount }: TopUp): Payment => ({
  key: `bank-top-up:${top_up_id}`,
  asset: 'USD',
  units: amount,
});

const returnedBy = ({ happened_at }: KeptEvent) =>
  ({ status: 'RETURNED', returned_at: happened_at }) as const;

export const creditOperation = (
  { top_up_id, account_id, amount }: Pick<TopUp, 'top_up_id' | 'account_id' | 'amount'>,
  { provider }: BankAccounts,
): Operation => ({
  key: `bank-top-up:${top_up_id}`,
  kind: 'bank-top-up',
  legs: transfer(provider, account_id, amount),
});

const activityOf = (
  { top_up_id, user_id, amount }: TopUp,
  { status }: TopUpOutcome,
  owed: bigint,
) => ({
  action: ACTIONS[status],
  actor: null,
  subject_user_id: user_id,
  details: { transaction_id: top_up_id, units: amount.toString(), owed: owed.toString() },
});

const ACTIONS = {
  PENDING: 'BANK_TOPUP',
  SUCCESS_RECEIVED: 'BANK_TOPUP_SETTLED',
  FAILED: 'BANK_TOPUP_FAILED',
  RETURNED: 'BANK_TOPUP_RETURNED',
} as const;
