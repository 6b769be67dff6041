import { type Db, run } from '#kernel/db/db.ts';
import { firstStatusTimes } from '#kernel/db/state-moves.ts';
import type { BatchItem, ItemStatus } from './items-store.ts';

const moved = (status: ItemStatus): string =>
  `status = '${status}', status_times = ${firstStatusTimes(status)} || status_times, version = version + 1,
   updated_at = service_now()`;

/** Sets the money of all items aside that wait for it. Answers how many. */
export async function holdItems(tx: Db, batch_id: string): Promise<number> {
  const text = `update batch_items set ${moved('HELD')}, is_held = true where batch_id = $1 and status = 'PENDING' returning 1`;
  return (await run(tx, text, [batch_id])).length;
}

/** How many items their provider has not taken yet. */
export async function itemsInLanes(tx: Db, batch_id: string): Promise<number> {
  const text = `select count(*)::integer as count from batch_items where batch_id = $1 and status = 'PROCESSING' and in_lane`;
  return (await run<{ count: number }>(tx, text, [batch_id]))[0]?.count ?? 0;
}

/** Begins the next items, in the order of their lines: others that take some at the same moment take others. */
export const beginItems = (tx: Db, batch_id: string, most: number): Promise<BatchItem[]> =>
  run<BatchItem>(
    tx,
    `update batch_items set ${moved('PROCESSING')}, in_lane = true, begun_at = service_now()
      where item_id in (select item_id from batch_items where batch_id = $1 and status = 'HELD'
        order by line limit $2 for no key update skip locked) returning *`,
    [batch_id, most],
  );

/** The next one whose money is not set aside yet. */
export async function lockPendingItem(tx: Db, batch_id: string): Promise<BatchItem | undefined> {
  const text = `select * from batch_items where batch_id = $1 and status = 'PENDING' order by line limit 1
    for no key update`;
  return (await run<BatchItem>(tx, text, [batch_id]))[0];
}

/** Whether items are not over yet: those that wait for their money, those that wait for their turn, and those on their way. */
export async function openItems(
  db: Db,
  batch_id: string,
): Promise<{ readonly pending: boolean; readonly held: boolean; readonly paying: boolean }> {
  const has = (status: ItemStatus) =>
    `exists (select from batch_items where batch_id = $1 and status = '${status}')`;
  const [row] = await run<{ pending: boolean; held: boolean; paying: boolean }>(
    db,
    `select ${has('PENDING')} as pending, ${has('HELD')} as held, ${has('PROCESSING')} as paying`,
    [batch_id],
  );
  if (!row) throw new Error('A question has an answer');
  return row;
}

interface Ended {
  readonly to: 'FAILED' | 'CANCELLED';
  readonly failure: string | null;
}

/** Ends all that have not begun. */
export async function endWaitingItems(
  tx: Db,
  batch_id: string,
  { to, failure }: Ended,
): Promise<void> {
  const text = `update batch_items set ${moved(to)}, failure = $2::jsonb,
      is_held = is_held and '${to}' = 'FAILED' where batch_id = $1 and status in ('PENDING', 'HELD')`;
  await run(tx, text, [batch_id, failure]);
}

/** What is set aside for items that have not begun. */
export async function heldForWaiting(tx: Db, batch_id: string): Promise<bigint> {
  const text = `select coalesce(sum(amount + fee), 0) as sum from batch_items
    where batch_id = $1 and status = 'HELD' and is_held`;
  return BigInt((await run<{ sum: string | bigint }>(tx, text, [batch_id]))[0]?.sum ?? 0);
}

/** Frees what is still set aside for items that have failed. Answers its sum. */
export async function freeFailedItems(tx: Db, batch_id: string): Promise<bigint> {
  const text = `with freed as (update batch_items set is_held = false
      where batch_id = $1 and status = 'FAILED' and is_held returning amount + fee as sum)
    select coalesce(sum(sum), 0) as sum from freed`;
  return BigInt((await run<{ sum: string | bigint }>(tx, text, [batch_id]))[0]?.sum ?? 0);
}

/** Failed items that may be tried again go back to before. Answers how many, and what they take. */
export async function retryItems(
  tx: Db,
  batch_id: string,
  isHeld: boolean,
): Promise<{ readonly count: number; readonly sum: bigint }> {
  const [row] = await run<{ count: number; sum: string | bigint }>(
    tx,
    `with again as (
       update batch_items set ${moved(isHeld ? 'HELD' : 'PENDING')}, failure = null, is_held = $2
        where batch_id = $1 and status = 'FAILED' and (failure ->> 'retryable')::boolean returning amount + fee as sum)
     select count(*)::integer as count, coalesce(sum(sum), 0) as sum from again`,
    [batch_id, isHeld],
  );
  return { count: row?.count ?? 0, sum: BigInt(row?.sum ?? 0) };
}

/** Whether a failed item may be tried again. */
export async function hasRetryable(tx: Db, batch_id: string): Promise<boolean> {
  const text = `select from batch_items where batch_id = $1 and status = 'FAILED'
    and (failure ->> 'retryable')::boolean limit 1`;
  return (await run(tx, text, [batch_id])).length > 0;
}
