import { findRecipient } from '#features/banking/recipients/recipients.ts';
import { mayAct } from '#kernel/access/may-act.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { transact } from '#kernel/transact.ts';
import type { PayingDeps } from './deps.ts';
import { endWithdrawal, type WithdrawalFailure } from './end.ts';
import { emitWithdrawal } from './events.ts';
import { receiverOf } from './receiver.ts';
import { type BankWithdrawal, dueWithdrawals, lockWithdrawal, moveWithdrawal } from './store.ts';

/**
 * Has the bank asked, or the wallet credited: from here on it cannot be cancelled. One update decides between this and a cancellation. The flow
 * goes on by itself after the commit.
 */
export async function startPaying(
  { sagas, paying, crediting }: Pick<PayingDeps, 'sagas' | 'paying' | 'crediting'>,
  tx: Db,
  { our_reference }: Pick<BankWithdrawal, 'our_reference'>,
  drivenForMs?: number,
): Promise<BankWithdrawal | undefined> {
  const row = await moveWithdrawal(tx, { our_reference, status: 'PENDING' }, 'PROCESSING');
  if (!row) return undefined;
  const driven = drivenForMs === undefined ? {} : { drivenForMs };
  const given = { id: our_reference, data: {}, ...driven };
  if (row.rail === 'wallet') await sagas.start(tx, crediting, given);
  else await sagas.start(tx, paying, given);
  return row;
}

const AT_ONCE = 200;
const BATCHES_MAX = 50;

/** Begins what is due: what was scheduled, held for a time or approved. */
export const dueSchedule = (deps: PayingDeps): Schedule =>
  defineSchedule({
    name: 'withdrawals.begin',
    cron: '* * * * *',
    async run({ signal }) {
      for (let batch = 0; batch < BATCHES_MAX && !signal.aborted; batch += 1) {
        const due = await dueWithdrawals(deps.db, AT_ONCE);
        for (const reference of due) {
          if (signal.aborted) return;
          await transact(deps.db, (tx) => beginDue(deps, tx, reference));
        }
        if (due.length < AT_ONCE) return;
      }
    },
  });

/** Authority is looked at when it is paid: what was right when it was asked for may be wrong by now. */
export async function beginDue(
  deps: Pick<PayingDeps, 'clock' | 'sagas' | 'paying' | 'crediting'>,
  tx: Db,
  our_reference: string,
): Promise<void> {
  const row = await lockWithdrawal(tx, our_reference);
  if (row?.status !== 'PENDING' || new Date(row.due_at) > deps.clock.now()) return;
  const failure = await obstacleTo(tx, row);
  if (failure) {
    await endWithdrawal(deps, tx, our_reference, { from: 'PENDING', to: 'FAILED', failure });
    return;
  }
  const begun = await startPaying(deps, tx, row);
  if (begun) await emitWithdrawal(tx, 'processing', begun);
}

/** Why it is not paid any more. */
async function obstacleTo(tx: Db, row: BankWithdrawal): Promise<WithdrawalFailure | undefined> {
  if (!(await mayAct(tx, row.user_id)))
    return refusal('ACCOUNT_NOT_ACTIVE', 'The user or the client was stopped');
  if ((await balanceOf(tx, row.account_id)).is_frozen)
    return refusal('WALLET_FROZEN', 'The wallet is frozen', true);
  const recipient = await findRecipient(tx, {}, row.recipient_id);
  if (!recipient?.fingerprint.equals(row.fingerprint))
    return refusal('CONTENT_CHANGED', 'The account of the recipient was changed after the request');
  if (row.to_wallet_id === null || (await receiverOf(tx, row))?.is_active) return undefined;
  return refusal('RECIPIENT_UNAVAILABLE', 'The receiver cannot receive money at the moment', true);
}

const refusal = (code: string, message: string, retryable = false): WithdrawalFailure => ({
  code,
  message,
  retryable,
});
