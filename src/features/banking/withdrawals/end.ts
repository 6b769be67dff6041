import { markRecipientPaid } from '#features/banking/recipients/recipients.ts';
import { endPromise } from '#features/fiat/fx/fx.ts';
import type { Db } from '#kernel/db/db.ts';
import type { ObjectFailure } from '#kernel/http/declare/state-fields.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { format } from '#kernel/money/money.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { emitWithdrawal } from './events.ts';
import { withdrawalPaid, withdrawalRelease, withdrawalReturned } from './postings.ts';
import { type BankWithdrawal, moveWithdrawal, receivedOf, type WithdrawalStatus } from './store.ts';

type Clocked = Pick<Kernel, 'clock'>;

/** Why it ends without the bank. */
export type WithdrawalFailure = Omit<ObjectFailure, 'at'>;

const textOf = ({ clock }: Clocked, failure: WithdrawalFailure): string =>
  JSON.stringify({ ...failure, at: clock.now().toISOString() });

/** The bank has the money. Posts. */
export async function completeWithdrawal(tx: Db, our_reference: string): Promise<void> {
  const row = await moveWithdrawal(tx, { our_reference, status: 'PROCESSING' }, 'COMPLETED');
  if (!row) throw new Error(`${our_reference} is not being paid`);
  await markRecipientPaid(tx, row.recipient_id);
  await emitWithdrawal(tx, 'succeeded', row);
  await postWithin(tx, await withdrawalPaid(tx, row));
}

interface Ending {
  readonly from: WithdrawalStatus;
  readonly to: 'FAILED' | 'CANCELLED';
  readonly failure?: WithdrawalFailure;
}

/** Ends one that the bank does not get, and frees its money. Undefined where it is in another status by now. Posts. */
export async function endWithdrawal(
  deps: Clocked,
  tx: Db,
  our_reference: string,
  { from, to, failure }: Ending,
): Promise<BankWithdrawal | undefined> {
  const change = failure && { failure: textOf(deps, failure) };
  const row = await moveWithdrawal(tx, { our_reference, status: from }, to, change);
  if (!row) return undefined;
  if (row.quote_id !== null) await endPromise(tx, row.quote_id);
  await giveBackLimits(tx, { operation: our_reference, kind: 'withdrawal' });
  await emitWithdrawal(tx, to === 'FAILED' ? 'failed' : 'cancelled', row);
  await postWithin(tx, withdrawalRelease(row));
  return row;
}

const CODE_MAX = 100;

/** COMPLETED to RETURNED, once: the bank has sent it back. Answers the postings. */
export async function returnWithdrawal(
  { clock }: Clocked,
  tx: Db,
  withdrawal: BankWithdrawal,
  failure: string,
): Promise<readonly Operation[] | undefined> {
  const { our_reference } = withdrawal;
  const received = receivedOf(withdrawal);
  const returned = {
    reason_code: failure.slice(0, CODE_MAX),
    amount: format(received),
    currency: received.asset,
    at: clock.now().toISOString(),
  };
  const known = { our_reference, status: 'COMPLETED' as const };
  const change = { returned: JSON.stringify(returned) };
  const row = await moveWithdrawal(tx, known, 'RETURNED', change);
  if (!row) return undefined;
  await giveBackLimits(tx, { operation: our_reference, kind: 'withdrawal' });
  await emitWithdrawal(tx, 'returned', row);
  return [await withdrawalReturned(tx, row)];
}
