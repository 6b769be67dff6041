import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type KeptEvent = Pick<
  Row<'bank_transfer_events'>,
  'event_id' | 'transfer_id' | 'event_type' | 'amount' | 'happened_at'
>;

/** Stores new events, and answers their transfers. */
export async function keepEvents(tx: Db, events: readonly KeptEvent[]): Promise<string[]> {
  const rows = await run<Row<'bank_transfer_events', 'transfer_id'>>(
    tx,
    `insert into bank_transfer_events (event_id, transfer_id, event_type, amount, happened_at)
     select event_id, transfer_id, event_type, amount, happened_at
     from jsonb_to_recordset($1) e (event_id bigint, transfer_id text, event_type text,
       amount numeric, happened_at timestamptz)
     order by event_id
     on conflict (event_id) do nothing returning transfer_id`,
    [
      JSON.stringify(
        events.map(({ amount, ...event }) => ({ ...event, amount: amount?.toString() ?? null })),
      ),
    ],
  );
  return [...new Set(rows.map(({ transfer_id }) => transfer_id))];
}

/** In the provider's order. */
export const eventsOf = (db: Db, transfer_id: string): Promise<KeptEvent[]> =>
  db
    .selectFrom('bank_transfer_events')
    .select(['event_id', 'transfer_id', 'event_type', 'amount', 'happened_at'])
    .where('transfer_id', '=', transfer_id)
    .orderBy('event_id')
    .execute();

export async function lastEventRead(db: Db): Promise<number> {
  const row = await db
    .selectFrom('bank_transfer_cursor')
    .select('last_id')
    .executeTakeFirstOrThrow();
  return Number(row.last_id);
}

/** Never backwards, also with concurrent readers. */
export async function readUntil(tx: Db, event_id: number): Promise<void> {
  await run(tx, 'update bank_transfer_cursor set last_id = $1 where last_id < $1', [event_id]);
}

/** Deletes events received before that; answers how many. */
export async function forgetBankLinkEvents(db: Db, before: Date, limit: number): Promise<number> {
  const rows = await run(
    db,
    `delete from bank_transfer_events where event_id in (
       select event_id from bank_transfer_events where received_at < $1
       order by received_at limit $2)
     returning event_id`,
    [before.toISOString(), limit],
  );
  return rows.length;
}
