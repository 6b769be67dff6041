import { type Db, run } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';
import type { BotKey } from './link-store.ts';

/** An account that has written to a bot of ours. */
export type BotWriter = Row<
  'bot_writers',
  'heard_at' | 'wrong_codes' | 'counted_from' | 'silent_until'
>;

/** Notes when it wrote, with its row locked: what one account sends at once is handled one after the other. */
export async function heard(
  tx: Db,
  { platform, account_id }: BotKey,
  { wroteAt, now }: { readonly wroteAt: Date; readonly now: Date },
): Promise<BotWriter> {
  const [row] = await run<BotWriter>(
    tx,
    `insert into bot_writers as w (platform, account_id, heard_at, counted_from, seen_at) values ($1, $2, $3, $4, $4)
     on conflict (platform, account_id) do update set heard_at = greatest(w.heard_at, excluded.heard_at), seen_at = $4
     returning heard_at, wrong_codes, counted_from, silent_until`,
    [platform, account_id, wroteAt, now],
  );
  if (!row) throw new Error('a writer was not noted');
  return row;
}

export type WrongCodes = Omit<BotWriter, 'heard_at'>;

export const putWrongCodes = (tx: Db, { platform, account_id }: BotKey, counted: WrongCodes) =>
  run(
    tx,
    `update bot_writers set wrong_codes = $3, counted_from = $4, silent_until = $5
      where platform = $1 and account_id = $2`,
    [platform, account_id, counted.wrong_codes, counted.counted_from, counted.silent_until],
  );

/** When the account wrote last; undefined where that is not known any more. */
export async function lastHeard(
  tx: Db,
  { platform, account_id }: BotKey,
): Promise<Date | undefined> {
  const [row] = await run<Pick<BotWriter, 'heard_at'>>(
    tx,
    'select heard_at from bot_writers where platform = $1 and account_id = $2',
    [platform, account_id],
  );
  return row && new Date(row.heard_at);
}

export const putBotReply = (tx: Db, update_id: string, reply: object) =>
  run(
    tx,
    `insert into bot_replies (update_id, reply) values ($1, $2)
     on conflict (update_id) do update set reply = excluded.reply`,
    [update_id, JSON.stringify(reply)],
  );

/** What a call was answered, also where the answer got lost. */
export async function findBotReply(
  db: Db,
  update_id: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [row] = await run<Row<'bot_replies', 'reply'>>(
    db,
    'select reply from bot_replies where update_id = $1',
    [update_id],
  );
  return row?.reply as Readonly<Record<string, unknown>> | undefined;
}

export const forgetReplies = (db: Db, before: string): Promise<void> =>
  deleteInBatches(db, 'bot_replies', 'created_at < $1', [before]);

/** Those that cannot be answered any more, and whose wrong codes count no more. */
export const forgetWriters = (db: Db, before: string): Promise<void> =>
  deleteInBatches(db, 'bot_writers', 'seen_at < $1', [before]);
