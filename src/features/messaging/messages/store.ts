import { type Db, run } from '#kernel/db/db.ts';
import { deferWrite } from '#kernel/db/deferred-writes.ts';
import type { Row } from '#kernel/db/row.ts';
import type { PageLanguage } from '#kernel/http/pages/language.ts';
import type { Channel } from '#providers/messages/port.ts';

export interface NewMessage {
  readonly message_id: string;
  readonly channel: Channel;
  readonly recipient: string;
  readonly purpose: string;
  readonly user_id: number | null;
  readonly sealed_body: string;
  readonly created_at: Date;
  readonly valid_until: Date | null;
}

export async function insertMessage(db: Db, message: NewMessage): Promise<void> {
  const { message_id, channel, recipient, purpose, user_id, sealed_body, created_at, valid_until } =
    message;
  await deferWrite(
    db,
    `insert into messages
       (message_id, channel, recipient, purpose, user_id, sealed_body, created_at, valid_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [message_id, channel, recipient, purpose, user_id, sealed_body, created_at, valid_until],
  );
}

/** `attempts` includes this one. */
export type DueMessage = Row<
  'messages',
  'recipient' | 'created_at' | 'valid_until' | 'attempts'
> & {
  readonly channel: Channel;
  readonly sealed_body: string;
  /** The language that the user has chosen whom it concerns. */
  readonly locale: PageLanguage | null;
};

/** Counts an attempt. Undefined where nothing is left to deliver. */
export async function beginAttempt(db: Db, message_id: string): Promise<DueMessage | undefined> {
  const rows = await run<DueMessage>(
    db,
    `update messages set status = 'queued', attempts = attempts + 1
     where message_id = $1 and sealed_body is not null
     returning channel, recipient, sealed_body, created_at, valid_until, attempts,
       (select p.locale from profiles p where p.user_id = messages.user_id) as locale`,
    [message_id],
  );
  return rows[0];
}

/** The provider has it, by its answer or its report; false where we know that already. */
export async function markMessageSent(
  db: Db,
  message_id: string,
  sent_at: Date,
  provider_reference: string,
): Promise<boolean> {
  const rows = await run(
    db,
    `update messages
     set status = 'sent', sent_at = $2, provider_reference = $3, sealed_body = null,
       last_error = null
     where message_id = $1 and sealed_body is not null
     returning message_id`,
    [message_id, sent_at, provider_reference],
  );
  return rows.length === 1;
}

/** Failed for good: no retry would help, so its content is deleted. */
export async function markRefused(db: Db, message_id: string, error: string): Promise<void> {
  await run(
    db,
    `update messages set status = 'failed', last_error = $2, sealed_body = null
     where message_id = $1 and sealed_body is not null`,
    [message_id, error],
  );
}

/** Keeps its content: an operator may retry it. */
export async function recordMessageFailure(
  db: Db,
  message_id: string,
  error: string,
  last: boolean,
): Promise<void> {
  await run(
    db,
    `update messages
     set status = case when $3::boolean then 'failed' else status end, last_error = $2
     where message_id = $1 and sealed_body is not null`,
    [message_id, error, last],
  );
}

/** The provider could not deliver an accepted message; false where the message is not SENT. */
export async function markUndelivered(tx: Db, message_id: string, error: string): Promise<boolean> {
  const rows = await run(
    tx,
    `update messages set status = 'failed', last_error = $2, sent_at = null, sealed_body = null
     where message_id = $1 and status <> 'failed'
     returning message_id`,
    [message_id, error],
  );
  return rows.length === 1;
}

/** Deletes the content of messages that failed before `before`; answers how many. */
export async function forgetFailed(db: Db, before: Date): Promise<number> {
  const rows = await run(
    db,
    `update messages set sealed_body = null
     where status = 'failed' and sealed_body is not null and created_at < $1
     returning message_id`,
    [before],
  );
  return rows.length;
}

/** Whether a message failed for good. */
export async function isMessageRefused(db: Db, message_id: string): Promise<boolean> {
  const text = `select from messages where message_id = $1 and status = 'failed'`;
  return (await run(db, text, [message_id])).length > 0;
}
