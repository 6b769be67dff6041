import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import type { PartnerCustomer } from '#providers/partner/port.ts';

/** The data of a customer that the partner gets; the same for every try under one key. */
export interface CustomerFacts {
  readonly customer_type: 'individual' | 'business';
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}
export interface Onboarding extends CustomerFacts {
  readonly user_id: number;
  readonly idempotency_key: string;
  readonly keyed_at: string;
  readonly doubtful: boolean;
  readonly snapshot: PartnerCustomer | null;
}

export interface NewPartnerKey extends CustomerFacts {
  readonly user_id: number;
  readonly idempotency_key: string;
  readonly keyed_at: Date;
}

/**
 * Whether this key is the valid one: of the user's first onboarding, or after an older key has lapsed (`lapsed_at`)
 * and certainly created nothing.
 */
export async function insertPartnerCustomerKey(
  tx: Db,
  { keyed_at, ...key }: NewPartnerKey,
  lapsed_at: Date,
) {
  const values = { ...key, keyed_at: keyed_at.toISOString() };
  const row = await tx
    .insertInto('partner_customers')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(values)
        .where('partner_customers.customer_id', 'is', null)
        .where('partner_customers.doubtful', '=', false)
        .where('partner_customers.keyed_at', '<=', lapsed_at.toISOString()),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

const onboardings = (db: Db) =>
  db
    .selectFrom('partner_customers')
    .select(['user_id', 'idempotency_key', 'keyed_at', 'customer_type', 'name', 'email', 'phone'])
    .select(['doubtful', 'snapshot']);

/** Nothing when no onboarding of the user is open. */
export async function findOnboarding(db: Db, user_id: number): Promise<Onboarding | undefined> {
  const row = await onboardings(db).where('user_id', '=', user_id).executeTakeFirst();
  return row as Onboarding | undefined;
}

/** Nothing when another key has replaced that one. */
export async function findByKey(db: Db, key: string): Promise<Onboarding | undefined> {
  const row = await onboardings(db).where('idempotency_key', '=', key).executeTakeFirst();
  return row as Onboarding | undefined;
}

/** Keeps the partner's first answer; a second one is the same. */
export async function keepCustomer(
  db: Db,
  user_id: number,
  customer: PartnerCustomer,
  synced_at: Date,
): Promise<void> {
  await db
    .updateTable('partner_customers')
    .set({
      customer_id: customer.id,
      snapshot: JSON.stringify(customer),
      synced_at: synced_at.toISOString(),
      doubtful: false,
    })
    .where('user_id', '=', user_id)
    .where('customer_id', 'is', null)
    .execute();
}

/** The partner may have created the customer nevertheless. */
export async function markDoubtful(
  db: Db,
  user_id: number,
  idempotency_key: string,
): Promise<void> {
  await db
    .updateTable('partner_customers')
    .set({ doubtful: true })
    .where('user_id', '=', user_id)
    .where('idempotency_key', '=', idempotency_key)
    .where('customer_id', 'is', null)
    .execute();
}

/** The partner has refused that key's request: it creates nothing. */
export async function dropKey(db: Db, user_id: number, idempotency_key: string): Promise<void> {
  await db
    .deleteFrom('partner_customers')
    .where('user_id', '=', user_id)
    .where('idempotency_key', '=', idempotency_key)
    .where('customer_id', 'is', null)
    .execute();
}

/** The partner's id of a user's customer. Nothing when there is none within the caller's reach. */
export const findCustomer = (db: Db, reach: TenantScope, user_id: number) =>
  db
    .selectFrom('partner_customers as p')
    .innerJoin('users as u', 'u.user_id', 'p.user_id')
    .select(({ ref }) => ['p.user_id', ref('p.customer_id').$notNull().as('customer_id')])
    .where('p.user_id', '=', user_id)
    .where('p.customer_id', 'is not', null)
    .where(({ ref }) => inTenantScope(reach, ref('u.user_id'), ref('u.client_id')))
    .executeTakeFirst();

/** Whose customer that is; nothing where it is none of ours. */
export const userOfCustomer = (db: Db, customer_id: string) =>
  db
    .selectFrom('partner_customers')
    .select('user_id')
    .where('customer_id', '=', customer_id)
    .executeTakeFirst();

/**
 * Replaces the stored customer with the partner's answer to a request of `asked`, and returns the earlier one.
 * Nothing when the answer to a later request is stored already.
 */
export async function replaceSnapshot(
  tx: Db,
  user_id: number,
  customer: PartnerCustomer,
  asked: Date,
): Promise<PartnerCustomer | undefined> {
  const known = await tx
    .selectFrom('partner_customers')
    .select(['snapshot', 'synced_at'])
    .where('user_id', '=', user_id)
    .where('customer_id', '=', customer.id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!known?.synced_at || new Date(known.synced_at) > asked) return undefined;
  await tx
    .updateTable('partner_customers')
    .set({ snapshot: JSON.stringify(customer), synced_at: asked.toISOString() })
    .where('user_id', '=', user_id)
    .execute();
  return known.snapshot as unknown as PartnerCustomer;
}
