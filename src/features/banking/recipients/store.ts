import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Currency } from '#kernel/money/amount-fields.ts';
import type { PayeeCheck } from '#providers/bank-host/port.ts';
import type { RecipientDetails } from './details.ts';
import type { RecipientKind } from './requirements.ts';

/** Whom a user pays. */
export type PaidRecipient = Omit<Row<'recipients'>, 'currency' | 'masked'> & {
  readonly kind: RecipientKind;
  readonly currency: Currency;
  readonly masked: RecipientDetails;
  readonly result: PayeeCheck['result'] | null;
};

export type NewRecipient = Pick<
  PaidRecipient,
  | ('recipient_id' | 'client_id' | 'user_id' | 'kind' | 'name' | 'country' | 'currency' | 'email')
  | ('sealed_details' | 'masked' | 'fingerprint' | 'is_asked_again')
  | ('result' | 'suggested_name' | 'source' | 'checked_at')
>;

/** What a change may set. */
export type RecipientChange = Partial<
  Pick<
    PaidRecipient,
    | ('name' | 'email' | 'sealed_details' | 'masked' | 'fingerprint' | 'is_asked_again')
    | ('result' | 'suggested_name' | 'source' | 'checked_at' | 'changed_at' | 'usable_from')
  >
>;

/** Undefined where the user has one of these details already. */
export async function insertRecipient(
  tx: Db,
  one: NewRecipient,
): Promise<PaidRecipient | undefined> {
  const row = await tx
    .insertInto('recipients')
    .values({ ...one, masked: JSON.stringify(one.masked) })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind', 'fingerprint'])
        .where('deleted_at', 'is', null)
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  return row as PaidRecipient | undefined;
}

/** The one of the user with these details. */
export async function findSameRecipient(
  db: Db,
  { user_id, kind, fingerprint }: Pick<PaidRecipient, 'user_id' | 'kind' | 'fingerprint'>,
): Promise<PaidRecipient | undefined> {
  const text = `select * from recipients
    where user_id = $1 and kind = $2 and fingerprint = $3 and deleted_at is null`;
  return (await run<PaidRecipient>(db, text, [user_id, kind, fingerprint]))[0];
}

const IN_SCOPE = `($2::integer is null or client_id = $2) and ($3::integer is null or user_id = $3)`;

/** Nothing where none of that id is within the caller's reach, or it was deleted. */
export async function findRecipient(
  db: Db,
  { client_id, user_id }: TenantScope,
  recipient_id: string,
): Promise<PaidRecipient | undefined> {
  const text = `select * from recipients where recipient_id = $1 and ${IN_SCOPE} and deleted_at is null`;
  const values = [recipient_id, client_id ?? null, user_id ?? null];
  return (await run<PaidRecipient>(db, text, values))[0];
}

/** Of a user, those of these ids that were not deleted. */
export async function findRecipients(
  db: Db,
  user_id: number,
  recipient_ids: readonly string[],
): Promise<ReadonlyMap<string, PaidRecipient>> {
  const text =
    'select * from recipients where recipient_id = any($1) and user_id = $2 and deleted_at is null';
  const rows = await run<PaidRecipient>(db, text, [recipient_ids, user_id]);
  return new Map(rows.map((row) => [row.recipient_id, row]));
}

/** What a payment of many depends on, of those of these ids that were not deleted. */
export type RecipientFacts = Pick<
  PaidRecipient,
  ('recipient_id' | 'fingerprint' | 'result' | 'last_paid_at') | ('changed_at' | 'usable_from')
>;

export async function recipientFacts(
  db: Db,
  recipient_ids: readonly string[],
): Promise<ReadonlyMap<string, RecipientFacts>> {
  const text = `select recipient_id, fingerprint, result, last_paid_at, changed_at, usable_from from recipients
    where recipient_id = any($1) and deleted_at is null`;
  const rows = await run<RecipientFacts>(db, text, [recipient_ids]);
  return new Map(rows.map((row) => [row.recipient_id, row]));
}

/** A recipient that has an account. */
export type KnownRecipient = Pick<PaidRecipient, 'recipient_id'>;

/** Recipients of a user by the marks of their accounts, in hexadecimal digits. */
export async function recipientsByMark(
  db: Db,
  user_id: number,
  marks: readonly Buffer[],
): Promise<ReadonlyMap<string, KnownRecipient>> {
  if (marks.length === 0) return new Map();
  const text = `select recipient_id, fingerprint from recipients
    where user_id = $1 and fingerprint = any($2::bytea[]) and deleted_at is null`;
  const rows = await run<KnownRecipient & Pick<PaidRecipient, 'fingerprint'>>(db, text, [
    ...[user_id, marks],
  ]);
  return new Map(rows.map((row) => [row.fingerprint.toString('hex'), row]));
}

/** One, locked until the transaction ends: neither changed nor deleted meanwhile. */
export async function lockRecipient(
  tx: Db,
  { client_id, user_id }: TenantScope,
  recipient_id: string,
): Promise<PaidRecipient | undefined> {
  const text = `select * from recipients where recipient_id = $1 and ${IN_SCOPE} and deleted_at is null
    for no key update`;
  const values = [recipient_id, client_id ?? null, user_id ?? null];
  return (await run<PaidRecipient>(tx, text, values))[0];
}

interface Wanted {
  readonly limit: number;
  readonly before: number | undefined;
}

export interface RecipientFilter {
  readonly kind?: RecipientKind;
}

/** Newest first. */
export function listRecipients(
  db: Db,
  { client_id, user_id }: TenantScope,
  { kind }: RecipientFilter,
  { limit, before }: Wanted,
): Promise<PaidRecipient[]> {
  const query = db
    .selectFrom('recipients')
    .selectAll()
    .where('deleted_at', 'is', null)
    .$if(client_id !== undefined, (q) => q.where('client_id', '=', Number(client_id)))
    .$if(user_id !== undefined, (q) => q.where('user_id', '=', Number(user_id)))
    .$if(kind !== undefined, (q) => q.where('kind', '=', String(kind)))
    .$if(before !== undefined, (q) => q.where('serial', '<', Number(before)))
    .orderBy('serial', 'desc')
    .limit(limit);
  return query.execute() as unknown as Promise<PaidRecipient[]>;
}

export async function countRecipients(db: Db, user_id: number): Promise<number> {
  const text =
    'select count(*)::integer as count from recipients where user_id = $1 and deleted_at is null';
  return (await run<{ count: number }>(db, text, [user_id]))[0]?.count ?? 0;
}

/** Changes the version that was read; undefined where there is another one by now. */
export async function changeRecipient(
  tx: Db,
  { recipient_id, version }: Pick<PaidRecipient, 'recipient_id' | 'version'>,
  { masked, ...change }: RecipientChange,
): Promise<PaidRecipient | undefined> {
  const row = await tx
    .updateTable('recipients')
    .set((eb) => ({
      ...change,
      ...(masked && { masked: JSON.stringify(masked) }),
      version: eb('version', '+', 1),
      updated_at: eb.fn<string>('service_now'),
    }))
    .where('recipient_id', '=', recipient_id)
    .where('version', '=', version)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row as PaidRecipient | undefined;
}

/** Hides it; its row stays, for what was paid to it. */
export async function hideRecipient(
  tx: Db,
  recipient_id: string,
): Promise<PaidRecipient | undefined> {
  const text = `update recipients set deleted_at = service_now(), updated_at = service_now(),
      version = version + 1, is_asked_again = false
    where recipient_id = $1 and deleted_at is null returning *`;
  return (await run<PaidRecipient>(tx, text, [recipient_id]))[0];
}

/** In the transaction that completes a payment to it. */
export async function markRecipientPaid(tx: Db, recipient_id: string): Promise<void> {
  const text = 'update recipients set last_paid_at = service_now() where recipient_id = $1';
  await run(tx, text, [recipient_id]);
}
