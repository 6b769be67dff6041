import { sql } from 'kysely';
import { inTenantScope, type TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, now } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type BankLinkConnection = Row<'bank_connections'>;

/** Assigns the user's next public token of the bank-link provider to that wallet. */
export async function keepLinkToken(db: Db, user_id: number, wallet_id: number): Promise<void> {
  await db
    .insertInto('bank_link_tokens')
    .values({ user_id, wallet_id })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ wallet_id, made_at: now }))
    .execute();
}

/** Nothing where the user never had a link token. */
export async function linkedWalletOf(db: Db, user_id: number): Promise<number | undefined> {
  const query = db.selectFrom('bank_link_tokens').select('wallet_id');
  return (await query.where('user_id', '=', user_id).executeTakeFirst())?.wallet_id;
}

/** The wallet's connection, if it has one. */
export const findConnection = (
  db: Db,
  wallet_id: number,
): Promise<BankLinkConnection | undefined> =>
  db
    .selectFrom('bank_connections')
    .selectAll()
    .where('wallet_id', '=', wallet_id)
    .where('state', '=', sql.lit('CONNECTED'))
    .executeTakeFirst();

/** The same, locked against removal until the transaction ends. */
export const lockConnection = (
  tx: Db,
  wallet_id: number,
): Promise<BankLinkConnection | undefined> =>
  tx
    .selectFrom('bank_connections')
    .selectAll()
    .where('wallet_id', '=', wallet_id)
    .where('state', '=', sql.lit('CONNECTED'))
    .forNoKeyUpdate()
    .executeTakeFirst();

/** In any state. */
export const connectionById = (db: Db, id: string): Promise<BankLinkConnection | undefined> =>
  db.selectFrom('bank_connections').selectAll().where('connection_id', '=', id).executeTakeFirst();

/** A user's connections within reach. */
export const connectionsOf = (
  db: Db,
  reach: TenantScope,
  user_id: number,
): Promise<BankLinkConnection[]> =>
  db
    .selectFrom('bank_connections as c')
    .innerJoin('users as u', 'u.user_id', 'c.user_id')
    .selectAll('c')
    .where('c.user_id', '=', user_id)
    .where('c.state', '=', sql.lit('CONNECTED'))
    .where(({ ref }) => inTenantScope(reach, ref('c.user_id'), ref('u.client_id')))
    .orderBy('c.wallet_id')
    .execute();

/** By its token's fingerprint, where it belongs to that user. */
export const connectionByToken = (
  db: Db,
  user_id: number,
  token_print: Buffer,
): Promise<BankLinkConnection | undefined> =>
  db
    .selectFrom('bank_connections')
    .selectAll()
    .where('token_print', '=', token_print)
    .where('user_id', '=', user_id)
    .where('state', '=', sql.lit('CONNECTED'))
    .executeTakeFirst();

export type NewConnection = Pick<
  BankLinkConnection,
  | 'connection_id'
  | 'wallet_id'
  | 'user_id'
  | 'item_id'
  | 'sealed_token'
  | 'token_print'
  | 'account_id'
  | 'institution_id'
  | 'institution_name'
>;

/** Throws where the wallet has one. */
export async function insertConnection(tx: Db, connection: NewConnection): Promise<void> {
  await tx
    .insertInto('bank_connections')
    .values({ ...connection, state: 'CONNECTED' })
    .execute();
}

/** Takes it from the wallet; the provider's removal is still to come. False where the wallet had none. */
export async function beginRemoval(tx: Db, connection_id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('bank_connections')
    .set({ state: 'REMOVING', updated_at: now })
    .where('connection_id', '=', connection_id)
    .where('state', '=', sql.lit('CONNECTED'))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The provider has removed it, too, so its token opens nothing. */
export async function endRemoval(tx: Db, connection_id: string): Promise<void> {
  await tx
    .updateTable('bank_connections')
    .set({ state: 'REMOVED', sealed_token: null, updated_at: now })
    .where('connection_id', '=', connection_id)
    .where('state', '=', 'REMOVING')
    .execute();
}
