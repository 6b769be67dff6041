import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import { emitClient } from './events.ts';

/** A client whose row this transaction has locked. */
export type LockedClient = Row<'clients', 'client_id' | 'client_status'> & {
  /** Whether its status lets it in. */
  readonly is_open: boolean;
};

/** Locks a client until the transaction ends; nothing where there is no such client. */
export async function lockClient(tx: Db, client_id: number): Promise<LockedClient | undefined> {
  const [client] = await run<LockedClient>(
    tx,
    `select client_id, client_status, client_is_open(client_status) as is_open
       from clients where client_id = $1 for no key update`,
    [client_id],
  );
  return client;
}

/** A trigger keeps the status of before, also for a change by SQL. Answers the new status. */
export async function suspendClient(tx: Db, client_id: number): Promise<string> {
  const became = await setStatus(tx, client_id, `'SUSPENDED'`);
  await emitClient(tx, 'stopped', client_id);
  return became;
}

/**
 * Restores the status of before, or the one that a review has decided meanwhile; without a kept status the review of
 * the company decides. Answers the new status.
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
