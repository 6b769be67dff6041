import type { Db } from '#kernel/db/db.ts';
import { doubtsOf } from '#kernel/effects/doubts.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import { batchNames } from './events.ts';
import { shownItem } from './item-shapes.ts';
import { type BatchItem, itemSums } from './items-store.ts';
import { shownBatch } from './shapes.ts';
import type { PaymentBatch } from './store.ts';

type Clocked = Pick<Kernel, 'clock'>;

/** With what callers call them, and how far they are: two statements for all. */
export async function shownBatches(
  { clock }: Clocked,
  db: Db,
  caller: UserCaller,
  rows: readonly PaymentBatch[],
) {
  const names = await batchNames(db, rows, namesReaderOf(caller));
  const ids = rows.map(({ batch_id }) => batch_id);
  const sums = Map.groupBy(await itemSums(db, ids), ({ batch_id }) => batch_id);
  const now = clock.now();
  return rows.map((row) =>
    shownBatch(row, now, {
      names: names.get(row.our_reference),
      sums: sums.get(row.batch_id) ?? [],
    }),
  );
}

export async function shownOneBatch(deps: Clocked, db: Db, caller: UserCaller, row: PaymentBatch) {
  const [shown] = await shownBatches(deps, db, caller, [row]);
  if (!shown) throw new Error('One batch is one answer');
  return shown;
}

/** With what is in doubt. */
export async function shownItems(db: Db, rows: readonly BatchItem[]) {
  const paying = rows.filter(({ status }) => status === 'PROCESSING');
  const doubts = await doubtsOf(
    db,
    paying.map(({ our_reference }) => our_reference),
  );
  return rows.map((row) => shownItem(row, doubts.get(row.our_reference)));
}
