import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { emitClient } from './events.ts';

/** How it stands with a client. */
export type LockedClient = Row<'clients', 'client_id' | 'client_status'> & {
  /** Whether it is one that is let in. */
  readonly is_open: boolean;
};

/** Held until the transaction ends; nothing where there is no such client. */
export async function lockClient(tx: Db, client_id: number): Promise<LockedClient | undefined> {
  const [client] = await run<LockedClient>(
    tx,
    `select client_id, client_status, client_is_open(client_status) as is_open
       from clients where client_id = $1 for no key update`,
    [client_id],
  );
  return client;
}

/** What it was before is remembered by a trigger, as when the word is written by hand. Answers the new one. */
export async function suspendClient(tx: Db, client_id: number): Promise<string> {
  const became = await setStatus(tx, client_id, `'SUSPENDED'`);
  await emitClient(tx, 'stopped', client_id);
  return became;
}

/**
 * As it was before, or as a review has decided meanwhile; of one that was stopped before that was remembered, as the
 * review of its company has it. Answers what that is.
 */
export async function reinstateClient(tx: Db, client_id: number): Promise<string> {
  const became = await setStatus(
    tx,
    client_id,
    `coalesce(status_before_stop, case when ekyb_status = 'APPROVED' then 'ACTIVE' else 'PENDING' end)`,
  );
  await emitClient(tx, 'let_in', client_id);
  return became;
}

async function setStatus(tx: Db, client_id: number, word: string): Promise<string> {
  const [client] = await run<Row<'clients', 'client_status'>>(
    tx,
    `update clients set client_status = ${word}, updated = service_now()
      where client_id = $1 returning client_status`,
    [client_id],
  );
  if (!client) throw new Error(`Client ${client_id} vanished`);
  return client.client_status;
}
