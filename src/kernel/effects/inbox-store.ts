import type { Selectable } from 'kysely';
import { type Db, run } from '#kernel/db/db.ts';
import type { Inbox as InboxTable } from '#kernel/db/schema.generated.ts';

export type ReceivedEvent = Selectable<InboxTable>;

export interface InboxKey {
  readonly source: string;
  readonly id: string;
}

/**
 * Stores it; false where it is there already. `again` hands one that came again to its handler
 * again: where it waits already it goes on waiting, and where it was handled it waits again.
 */
export async function insertReceived(
  tx: Db,
  { source, id }: InboxKey,
  event: unknown,
  { again, at }: { readonly again: boolean; readonly at: Date },
): Promise<boolean> {
  const rows = await run(
    tx,
    `insert into inbox as i (source, id, event, received_at, last_received_at, waits_since)
     values ($1, $2, $3, $5, $5, $5)
     on conflict (source, id) do update
     set event = excluded.event, last_received_at = excluded.last_received_at,
         receipts = i.receipts + 1, waits_since = case when i.processed_at is null then i.waits_since else $5 end,
         processed_at = null, outcome = null, stalled_at = null, last_error = null
     where $4
     returning id`,
    [source, id, JSON.stringify(event), again, at.toISOString()],
  );
  return rows.length === 1;
}

export async function findReceived(
  db: Db,
  { source, id }: InboxKey,
): Promise<ReceivedEvent | undefined> {
  const [row] = await run<ReceivedEvent>(db, 'select * from inbox where source = $1 and id = $2', [
    source,
    id,
  ]);
  return row;
}

/** Holds one that is not handled yet; nothing where it was. */
export async function lockReceived(
  tx: Db,
  { source, id }: InboxKey,
): Promise<ReceivedEvent | undefined> {
  const [row] = await run<ReceivedEvent>(
    tx,
    'select * from inbox where source = $1 and id = $2 and processed_at is null for update',
    [source, id],
  );
  return row;
}

export const closeReceived = (
  tx: Db,
  { source, id }: InboxKey,
  outcome: string,
  at: Date,
): Promise<unknown> =>
  run(
    tx,
    `update inbox set processed_at = $3, outcome = $4, stalled_at = null, last_error = null
     where source = $1 and id = $2`,
    [source, id, at.toISOString(), outcome],
  );

/** Has it wait as if it had just come; false where there is none of that name. */
export async function reopenReceived(tx: Db, { source, id }: InboxKey, at: Date): Promise<boolean> {
  const rows = await run(
    tx,
    `update inbox
     set waits_since = case when processed_at is null then waits_since else $3 end, receipts = receipts + 1,
         processed_at = null, outcome = null, stalled_at = null, last_error = null
     where source = $1 and id = $2 returning id`,
    [source, id, at.toISOString()],
  );
  return rows.length === 1;
}

export interface OpenInbox {
  readonly source: string;
  readonly open: number;
  readonly stalled: number;
  /** How long the oldest waits, in seconds of service time. */
  readonly oldest_s: number;
}

/** What was received and not handled yet, by sender. */
export const openInbox = (db: Db, at: Date): Promise<OpenInbox[]> =>
  run(
    db,
    `select source, count(*)::integer as open, count(stalled_at)::integer as stalled,
       greatest(extract(epoch from $1::timestamptz - min(waits_since)), 0)::float8 as oldest_s
     from inbox where processed_at is null group by source order by source`,
    [at.toISOString()],
  );
