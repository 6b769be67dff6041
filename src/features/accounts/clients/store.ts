import { sql } from 'kysely';
import type { VerificationStatus } from '#features/accounts/verification/verification.ts';
import { type Db, now, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

const prefixOf = (at: Date): string => `CL-${at.toISOString().slice(0, 7).replace('-', '')}-`;

/**
 * The next code of that moment's month such as `CL-202611-0042`. Another caller of the same month waits until this
 * transaction has ended, so codes have neither duplicates nor gaps.
 */
export async function nextClientCode(tx: Db, at: Date): Promise<string> {
  const sql = 'select next_client_code($1) as code';
  const [row] = await run<{ code: string }>(tx, sql, [prefixOf(at)]);
  if (!row) throw new Error('There is no next code');
  return row.code;
}

export interface NewClient {
  readonly email: string;
  readonly client_alias: string;
  readonly client_type: string;
  readonly client_status: string;
  readonly country_code: string;
  readonly psp_id: number;
  readonly phone: string;
  readonly time_zone: string;
}

/** The client with the next code of that moment's month; nothing when another client has the e-mail address. */
export async function insertClient(
  tx: Db,
  at: Date,
  client: NewClient,
): Promise<ClientRow | undefined> {
  const facts = NEW.map((column) => client[column]);
  return (await run<ClientRow>(tx, INSERT, [prefixOf(at), ...facts]))[0];
}

export const findClient = (db: Db, client_id: number) =>
  db
    .selectFrom('clients')
    .select(CLIENT)
    .where('client_id', '=', client_id)
    .executeTakeFirstOrThrow();

export interface ClientPage {
  /** Only this client; without it all clients. */
  readonly client_id: number | undefined;
  readonly limit: number;
  readonly before: number | undefined;
}

/** Newest first. */
export const listClients = (db: Db, { client_id, limit, before }: ClientPage) =>
  db
    .selectFrom('clients')
    .select([...CLIENT, 'created', 'updated'])
    .$if(client_id !== undefined, (q) => q.where('client_id', '=', client_id ?? 0))
    .$if(before !== undefined, (q) => q.where('client_id', '<', before ?? 0))
    .orderBy('client_id', 'desc')
    .limit(limit)
    .execute();

export type ClientRow = Row<'clients', (typeof CLIENT)[number]>;

export type Psp = Row<'psps', 'psp_id' | 'psp_name'>;

/** The first of the type FIAT_PSP that serves a country. */
export const findPsp = (db: Db, country_code: string): Promise<Psp | undefined> =>
  db
    .selectFrom('psps')
    .select(['psp_id', 'psp_name'])
    .where('country_code', '=', country_code)
    .where('psp_type', '=', 'FIAT_PSP')
    .orderBy('priority')
    .orderBy('created_at')
    .orderBy('psp_id')
    .limit(1)
    .executeTakeFirst();

/** False where there is no such client. A suspended one gets the status once it is reinstated. */
export async function setVerified(
  tx: Db,
  client_id: number,
  status: VerificationStatus,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('clients')
    .set({
      ekyb_status: status,
      ekyc_status: status,
      client_status: sql<string>`case when client_is_open(client_status)
        then ${verified(status, 'client_status')} else client_status end`,
      status_before_stop: verified(status, 'status_before_stop'),
      updated: now,
    })
    .where('client_id', '=', client_id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const verified = (status: VerificationStatus, column: 'client_status' | 'status_before_stop') =>
  sql<string>`case
    when ${sql.ref(column)} is null then null
    when ${status} = 'APPROVED' then 'ACTIVE'
    when ekyb_status = 'APPROVED' and ${sql.ref(column)} = 'ACTIVE' then 'PENDING'
    else ${sql.ref(column)} end`;

/** False where a decision exists already. */
export async function setApproved(tx: Db, client_id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('clients')
    .set({ ekyc_status: 'APPROVED', updated: now })
    .where('client_id', '=', client_id)
    .where('ekyc_status', '=', 'PENDING')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const CLIENT = [
  'client_id',
  'client_code',
  'email',
  'client_alias',
  'client_type',
  'client_status',
  'ekyc_status',
  'country_code',
  'psp_id',
  'phone',
  'time_zone',
] as const;

const NEW = [
  'email',
  'client_alias',
  'client_type',
  'client_status',
  'country_code',
  'psp_id',
  'phone',
  'time_zone',
] as const;

/**
 * The insert locks a month's codes when it takes the next one, and a refused request does not. With the lock, an
 * existing row can only have the e-mail address. The id and the time are taken after the lock, so clients have dates
 * in the order of their ids.
 */
const INSERT = `
  with next as materialized (
    select next_client_code($1) as code
     where not exists (select from clients where lower(email) = lower($2::text)))
  insert into clients (client_code, ${NEW.join(', ')})
  select code, $2::text, $3, $4, $5, $6, $7, $8, $9 from next
  on conflict do nothing returning ${CLIENT.join(', ')}`;
