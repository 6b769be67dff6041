import { sql } from 'kysely';
import { type Db, now } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { CustomerType } from '#providers/psp-a/port.ts';
import { emitPspCustomer } from './events.ts';

/** As our answers show it. */
export interface PspCustomerRow {
  readonly id: number;
  readonly user_id: number | null;
  readonly customer_type: CustomerType;
  readonly status: 'PENDING' | 'ACTIVE' | 'FAILED';
  readonly customer_id: string | null;
  readonly created_at: string;
}

/** The data of a customer for the provider, and the data that it has. */
export interface CustomerState {
  readonly id: number;
  readonly customer_type: CustomerType;
  readonly reference_id: string;
  readonly customer_id: string | null;
  readonly kyc_status: string | null;
  readonly kyc_synced: string | null;
  readonly client_alias: string;
  readonly client_email: string;
  readonly client_phone: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

const CUSTOMER_COLUMNS = [
  'id',
  'client_id',
  'user_id',
  'customer_type',
  'status',
  'customer_id',
  'created_at',
] as const;

export type NewCustomerRow = Row<
  'psp_customers',
  'client_id' | 'user_id' | 'psp_provider' | 'reference_id' | 'kyc_status'
>;

/** The row's id; the existing one when the user or company has one. In a transaction. */
export async function insertCustomer(db: Db, row: NewCustomerRow): Promise<number> {
  const customer_type: CustomerType = row.user_id === null ? 'BUSINESS' : 'INDIVIDUAL';
  const inserted = await db
    .insertInto('psp_customers')
    .values({ ...row, customer_type })
    .onConflict((conflict) => conflict.doNothing())
    .returning(CUSTOMER_COLUMNS)
    .executeTakeFirst();
  if (inserted) {
    emitPspCustomer(db, 'requested', inserted);
    return inserted.id;
  }
  const { id } = await db
    .selectFrom('psp_customers')
    .select('id')
    .where('psp_provider', '=', row.psp_provider)
    .$if(row.user_id === null, (q) =>
      q.where('client_id', '=', row.client_id).where('user_id', 'is', null),
    )
    .$if(row.user_id !== null, (q) => q.where('user_id', '=', row.user_id))
    .executeTakeFirstOrThrow();
  return id;
}

export async function customersByIds(db: Db, ids: readonly number[]): Promise<PspCustomerRow[]> {
  if (ids.length === 0) return [];
  return shown(db).where('id', 'in', ids).execute();
}

/** The customers that a client's creation planned: the company and its first admin. */
export const customersOfAccount = (
  db: Db,
  client_id: number,
  user_id: number,
): Promise<PspCustomerRow[]> =>
  shown(db)
    .where('client_id', '=', client_id)
    .where(({ or, eb }) => or([eb('user_id', 'is', null), eb('user_id', '=', user_id)]))
    .execute();

/** Nothing when the user is no customer of the provider's. */
export const customerOfUser = (db: Db, user_id: number): Promise<PspCustomerRow | undefined> =>
  shown(db).where('user_id', '=', user_id).executeTakeFirst();

/** Nothing when the customer was deleted with its user. */
export const customerState = (db: Db, id: number): Promise<CustomerState | undefined> =>
  db
    .selectFrom('psp_customers as p')
    .innerJoin('clients as c', 'c.client_id', 'p.client_id')
    .leftJoin('users as u', 'u.user_id', 'p.user_id')
    .select([
      'p.id',
      'p.customer_type',
      'p.reference_id',
      'p.customer_id',
      'p.kyc_status',
      'p.kyc_synced',
      'c.client_alias',
      'c.email as client_email',
      'c.phone as client_phone',
      'u.username',
      'u.email',
      'u.phone',
    ])
    .$narrowType<{ customer_type: CustomerType }>()
    .where('p.id', '=', id)
    .executeTakeFirst();

/** The status of a verification here, and the status that the provider has. */
export type SyncedKyc = Pick<CustomerState, 'kyc_status' | 'kyc_synced'>;

/** Answers the status to report of an existing customer. In a transaction. */
export async function keepCustomerId(
  tx: Db,
  id: number,
  customer_id: string,
): Promise<SyncedKyc | undefined> {
  const kept = await tx
    .updateTable('psp_customers')
    .set(({ fn, ref, val }) => ({
      customer_id: fn.coalesce(ref('customer_id'), val(customer_id)),
      status: 'ACTIVE',
      failures: 0,
      last_error: null,
      updated_at: now,
    }))
    .where('id', '=', id)
    .returning([...CUSTOMER_COLUMNS, 'kyc_status', 'kyc_synced'])
    .executeTakeFirst();
  if (kept) emitPspCustomer(tx, 'activated', kept);
  return kept;
}

/** Answers the status to report now. */
export const keepSyncedKyc = (
  db: Db,
  id: number,
  kyc_synced: string,
): Promise<SyncedKyc | undefined> =>
  db
    .updateTable('psp_customers')
    .set({ kyc_synced, failures: 0, last_error: null, updated_at: now })
    .where('id', '=', id)
    .returning(['kyc_status', 'kyc_synced'])
    .executeTakeFirst();

/** A customer that exists stays ACTIVE whatever fails later. In a transaction. */
export async function recordPspCustomerFailure(
  tx: Db,
  id: number,
  last_error: string,
  refused: boolean,
): Promise<void> {
  const before = await tx
    .selectFrom('psp_customers')
    .select('status')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const row = await tx
    .updateTable('psp_customers')
    .set({
      failures: sql`failures + 1`,
      last_error: last_error.slice(0, 200),
      updated_at: now,
      ...(refused && { status: sql`case when customer_id is null then 'FAILED' else status end` }),
    })
    .where('id', '=', id)
    .returning(CUSTOMER_COLUMNS)
    .executeTakeFirst();
  if (row?.status === 'FAILED' && before?.status !== 'FAILED') emitPspCustomer(tx, 'failed', row);
}

/** A user's customers, created or planned. */
export const customersToSync = (db: Db, user_id: number) =>
  db
    .selectFrom('psp_customers')
    .select(['id', 'customer_id'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute();

/** The user's verification, which their providers have to get. */
export async function changeKyc(db: Db, user_id: number, kyc_status: string): Promise<void> {
  await db
    .updateTable('psp_customers')
    .set({ kyc_status, updated_at: now })
    .where('user_id', '=', user_id)
    .execute();
}

const shown = (db: Db) =>
  db
    .selectFrom('psp_customers')
    .select(['id', 'user_id', 'customer_type', 'status', 'customer_id', 'created_at'])
    .$narrowType<Pick<PspCustomerRow, 'customer_type' | 'status'>>();
