import type { Db } from '#kernel/db/db.ts';
import type { ExecutingDeps } from './deps.ts';
import { emitBatch } from './events.ts';
import { holdItems } from './lanes-store.ts';
import { holdForBatch } from './postings.ts';
import { useBatchQuote } from './quoted.ts';
import { moveBatch, type PaymentBatch } from './store.ts';

type Scheduling = Pick<ExecutingDeps, 'clock' | 'jobs' | 'advancing'>;

/**
 * Nothing more has to be approved: its quote is used, total and fees are held in one posting, and it is paid when it is
 * due. Posts, last; INSUFFICIENT_BALANCE and the refusals of quotes undo all of it.
 */
export async function scheduleBatch(
  { clock, jobs, advancing }: Scheduling,
  tx: Db,
  { our_reference, batch_id, status }: PaymentBatch,
  change: Partial<PaymentBatch> = {},
): Promise<PaymentBatch> {
  const row = await moveBatch(tx, { our_reference, status }, 'SCHEDULED', change);
  if (!row) throw new Error(`${our_reference} is locked and has moved`);
  await useBatchQuote(tx, row);
  const isHeldNow = row.funding === 'at_approval';
  if (isHeldNow) await holdItems(tx, batch_id);
  if (status === 'DRAFT') await emitBatch(tx, 'submitted', row);
  await emitBatch(tx, 'approved', row);
  const due = new Date(row.due_at ?? clock.now());
  const at = due > clock.now() ? { at: due } : {};
  await jobs.enqueue(tx, advancing, { batch: our_reference }, { key: our_reference, ...at });
  if (isHeldNow) await holdForBatch(tx, row, row.total + row.fees, String(row.version));
  return row;
}
