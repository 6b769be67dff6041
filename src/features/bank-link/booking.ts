import { logActivity } from '#features/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { isNotCovered } from '#kernel/ledger/batch.ts';
import { type Leg, type Operation, transfer } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { type BankAccounts, bankAccounts, takeable } from './accounts.ts';
import { eventsOf, type KeptEvent } from './event-store.ts';
import { lockTopUp, moveTopUp, type Standing, type TopUp } from './top-up-store.ts';

/** What the events of a transfer come to, in whatever order they were told. */
interface Course {
  readonly settled: KeptEvent | undefined;
  /** It came back, or never came. */
  readonly undone: KeptEvent | undefined;
}

const SETTLES: ReadonlySet<string> = new Set(['settled', 'funds_available']);
const UNDOES: ReadonlySet<string> = new Set(['failed', 'cancelled', 'returned']);

const TRIES = 5;

/**
 * Books a transfer as its events have it. A wallet may be spent from, or frozen, in the same moment that its top-up
 * comes back: then the balance is read again, and at last the whole of it becomes a debt.
 */
export async function bookTransfer(db: Db, transfer_id: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const mayTake = attempt < TRIES;
      return await transact(db, (tx) => bookWithin(tx, transfer_id, mayTake));
    } catch (error) {
      if (!isNotCovered(error) || attempt >= TRIES) throw error;
    }
  }
}

async function bookWithin(tx: Db, transfer_id: string, mayTake: boolean): Promise<void> {
  const row = await lockTopUp(tx, { transfer_id });
  // One whose answer is still on its way, which books it then; or none of ours.
  if (!row) return;
  const course = courseOf(row, await eventsOf(tx, transfer_id));
  const accounts = await bankAccounts(tx);
  const { standing, operations } = await bookingOf(tx, { row, course, accounts, mayTake });
  if (!standing) return;
  if (!(await moveTopUp(tx, row, standing)))
    throw new Error(`${row.top_up_id} was locked and moved`);
  await logActivity(tx, activityOf(row, standing));
  if (operations.length > 0) await postAllWithin(tx, operations);
}

function courseOf(row: TopUp, events: readonly KeptEvent[]): Course {
  const first = (kinds: ReadonlySet<string>) =>
    events.find(({ event_type }) => kinds.has(event_type));
  const course = { settled: first(SETTLES), undone: first(UNDOES) };
  // Another sum is neither booked nor given up: people have to look.
  for (const event of [course.settled, course.undone])
    if (event?.amount != null && event.amount !== row.amount)
      throw new Error(`Event ${event.event_id} tells another sum than was asked for`);
  return course;
}

interface Given {
  readonly row: TopUp;
  readonly course: Course;
  readonly accounts: BankAccounts;
  readonly mayTake: boolean;
}

interface Booking {
  /** Nothing where it stands as it did. */
  readonly standing?: Standing;
  readonly operations: readonly Operation[];
}

async function bookingOf(tx: Db, given: Given): Promise<Booking> {
  const { row, course, accounts, mayTake } = given;
  const { settled, undone } = course;
  const came = settled && creditOperation(row, accounts);
  if (came && undone && (row.status === 'PENDING' || row.status === 'FAILED')) {
    // It was here between two looks: both are booked, as the provider has them.
    const standing = { ...returnedBy(undone), settled_at: settled.happened_at, failure: null };
    return { standing, operations: [came, returnOperation(row, accounts, row.amount)] };
  }
  if (came && row.status === 'PENDING') {
    const standing = { status: 'SUCCESS_RECEIVED', settled_at: settled.happened_at } as const;
    return { standing, operations: [came] };
  }
  if (undone && row.status === 'PENDING')
    return { standing: { status: 'FAILED', failure: undone.event_type }, operations: [] };
  if (undone && row.status === 'SUCCESS_RECEIVED') {
    const taken = mayTake ? await takeable(tx, row.account_id, row.amount) : 0n;
    const standing = { ...returnedBy(undone), owed: row.amount - taken };
    return { standing, operations: [returnOperation(row, accounts, taken)] };
  }
  return { operations: [] };
}

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

/** The provider has taken all of it back; what the wallet has not is owed to us. */
function returnOperation(row: TopUp, accounts: BankAccounts, taken: bigint): Operation {
  const owed = row.amount - taken;
  const legs: Leg[] = [
    { account: accounts.provider, amount: row.amount },
    ...(taken > 0n ? [{ account: row.account_id, amount: -taken }] : []),
    ...(owed > 0n ? [{ account: accounts.owed, amount: -owed }] : []),
  ];
  return { key: `bank-top-up:${row.top_up_id}:return`, kind: 'bank-top-up-return', legs };
}

const activityOf = ({ top_up_id, user_id, amount }: TopUp, { status, owed = 0n }: Standing) => ({
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
