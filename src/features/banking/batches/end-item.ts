import { markRecipientPaid } from '#features/banking/recipients/recipients.ts';
import { payeeWallets } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { format } from '#kernel/money/money.ts';
import type { ExecutingDeps } from './deps.ts';
import { emitItem } from './item-events.ts';
import { moveItem, requireItem } from './items-store.ts';
import { failItem, leaveLane, lookAtBatch } from './lanes.ts';
import type { BatchFailure } from './obstacles.ts';
import { itemPaid, itemReturned } from './postings.ts';
import { receivedOfItem } from './quoted.ts';

/** The receiver has the money: paid out of what its batch holds. Posts, last. */
export async function completeItem(deps: ExecutingDeps, tx: Db, reference: string): Promise<void> {
  const before = await requireItem(tx, reference);
  const known = { our_reference: reference, status: 'PROCESSING' as const };
  const row = await moveItem(tx, known, 'COMPLETED', { is_held: false, in_lane: false });
  if (!row) throw new Error(`${reference} is not being paid`);
  if (row.recipient_id !== null) await markRecipientPaid(tx, row.recipient_id);
  emitItem(tx, 'succeeded', row);
  await leaveLane(deps, tx, before);
  await lookAtBatch(deps, tx, row.batch_id);
  const { to_wallet_id, client_id } = row;
  const wallet =
    to_wallet_id === null
      ? undefined
      : (await payeeWallets(tx, client_id, [to_wallet_id])).get(to_wallet_id);
  await postWithin(tx, await itemPaid(tx, row, wallet?.account_id));
}

/** The receiver does not get it; its money goes back to the hold of its batch. */
export async function endFailedItem(
  deps: ExecutingDeps,
  tx: Db,
  reference: string,
  failure: BatchFailure,
): Promise<void> {
  const before = await requireItem(tx, reference);
  await failItem(deps, tx, before, failure);
  await leaveLane(deps, tx, before);
  await lookAtBatch(deps, tx, before.batch_id);
}

const CODE_MAX = 100;

/** COMPLETED to RETURNED, once: the bank has sent it back. The batch stays as it is. Answers the postings. */
export async function returnItem(
  { clock }: Pick<ExecutingDeps, 'clock'>,
  tx: Db,
  our_reference: string,
  failure: string,
): Promise<readonly Operation[] | undefined> {
  const { asset: currency, units } = receivedOfItem(await requireItem(tx, our_reference));
  const returned = {
    reason_code: failure.slice(0, CODE_MAX),
    amount: format({ asset: currency, units }),
    currency,
    at: clock.now().toISOString(),
  };
  const known = { our_reference, status: 'COMPLETED' as const };
  const row = await moveItem(tx, known, 'RETURNED', { returned: JSON.stringify(returned) });
  if (!row) return undefined;
  emitItem(tx, 'returned', row);
  return [await itemReturned(tx, row)];
}
