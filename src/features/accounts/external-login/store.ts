import { inTenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Target } from './target.ts';

export type ExternalUser = Row<'users', (typeof USER_FIELDS)[number]>;
/** Facts that decide about a log-in. */
export type LoginState = ExternalUser &
  Row<'users', 'twofa_enabled'> & {
    readonly rejected: boolean;
    /** Whether the status of the client lets it in. */
    readonly client_open: boolean;
  };

/** A method or a wallet of an account of the provider; one came with the account itself. */
export type Mapping = Row<'ext_mappings'>;

const USER = `u.user_id, u.client_id, u.username, u.email, u.role, u.user_status, u.created`;
const USER_FIELDS = [
  'user_id',
  'client_id',
  'username',
  'email',
  'role',
  'user_status',
  'created',
] as const;

/**
 * Locks the provider's account against log-in, link and disconnect until the transaction ends. Take it before any
 * user's row, so that no two transactions deadlock.
 */
export const lockIdentity = (tx: Db, ext_user_id: string) =>
  run(tx, `select pg_advisory_xact_lock(hashtextextended('external login ' || $1, 0))`, [
    ext_user_id,
  ]);

/** The owner of that account, locked until the transaction ends; nothing for a new one. */
export async function lockIdentityOwner(
  tx: Db,
  ext_user_id: string,
): Promise<LoginState | undefined> {
  const [owner] = await run<LoginState>(
    tx,
    `select ${USER}, u.twofa_enabled,
            exists (select from verifications v where v.user_id = u.user_id
                       and v.kind = 'KYC' and v.status = 'REJECTED') as rejected,
            client_is_open(c.client_status) as client_open
       from ext_identities i join users u using (user_id) join clients c using (client_id)
      where i.ext_user_id = $1 for share of u`,
    [ext_user_id],
  );
  return owner;
}

/** The owner of the provider's account, if it has one. */
export async function findOwner(db: Db, ext_user_id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('ext_identities')
    .select('user_id')
    .where('ext_user_id', '=', ext_user_id)
    .executeTakeFirst();
  return row?.user_id;
}

/** Locks the user's mappings until the end. Nothing when no such user is within reach. */
export const lockUser = (tx: Db, { user_id, reach }: Target): Promise<ExternalUser | undefined> =>
  tx
    .selectFrom('users')
    .select(USER_FIELDS)
    .where('user_id', '=', user_id)
    .where(({ ref }) => inTenantScope(reach, ref('user_id'), ref('client_id')))
    .forNoKeyUpdate()
    .executeTakeFirst();

export const findClientOfIdentity = (db: Db, client_id: number) =>
  db
    .selectFrom('clients')
    .select(['client_id', 'psp_id'])
    .where('client_id', '=', client_id)
    .executeTakeFirst();

/** Whether the provider's account is the user's now; not when another user has it. */
export async function insertIdentity(tx: Db, ext_user_id: string, user_id: number) {
  const inserted = await tx
    .insertInto('ext_identities')
    .values({ ext_user_id, user_id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export type NewMapping = Omit<Mapping, 'id' | 'last_used'>;

/** Nothing when a user has linked the wallet already. */
export const insertMapping = (tx: Db, mapping: NewMapping): Promise<Mapping | undefined> =>
  tx
    .insertInto('ext_mappings')
    .values({ ...mapping, last_used: mapping.connected_at })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** Whether any user has linked the wallet; the expression is that of its unique index. */
export async function isLinked(db: Db, wallet_address: string): Promise<boolean> {
  const found = await run(
    db,
    `select from ext_mappings
      where (case when wallet_address like '0x%' then lower(wallet_address)
                  else wallet_address end) = $1`,
    [walletKey(wallet_address)],
  );
  return found.length > 0;
}

/** The users of these wallets, by the address as given: a token of the provider named it. */
export async function linkedOwners(
  db: Db,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await run<{ readonly written: string } & Row<'ext_mappings', 'user_id'>>(
    db,
    `select asked.written, m.user_id
       from unnest($1::text[], $2::text[]) as asked(written, key)
       join ext_mappings m
         on (case when m.wallet_address like '0x%' then lower(m.wallet_address)
                  else m.wallet_address end) = asked.key`,
    [addresses, addresses.map(walletKey)],
  );
  return new Map(rows.map(({ written, user_id }) => [written, user_id]));
}

/** Equal for two spellings of one address: only hexadecimal ones ignore upper case. */
export const walletKey = (address: string): string =>
  address.startsWith('0x') ? address.toLowerCase() : address;

/** Oldest first. */
export const listMappings = (db: Db, user_id: number): Promise<Mapping[]> =>
  db.selectFrom('ext_mappings').selectAll().where('user_id', '=', user_id).orderBy('id').execute();

/** Records a log-in on the mapping of that method, or on the oldest where the provider reported another. */
export const recordUse = (tx: Db, use: { ext_user_id: string; method: string; at: Date }) =>
  run(
    tx,
    `update ext_mappings set last_used = $3
      where id = (select id from ext_mappings where ext_user_id = $1
                   order by auth_provider = $2 desc, id limit 1)`,
    [use.ext_user_id, use.method, use.at],
  );

/** Takes the provider's account from the user, with all its methods and wallets. */
export const deleteIdentity = (tx: Db, ext_user_id: string, user_id: number) =>
  tx
    .deleteFrom('ext_identities')
    .where('ext_user_id', '=', ext_user_id)
    .where('user_id', '=', user_id)
    .execute();

/** Takes single methods and wallets from the user, and accounts that have none left. */
export async function deleteMappings(tx: Db, user_id: number, ids: readonly number[]) {
  await tx
    .deleteFrom('ext_mappings')
    .where('user_id', '=', user_id)
    .where('id', 'in', ids)
    .execute();
  await run(
    tx,
    `delete from ext_identities i where user_id = $1
        and not exists (select from ext_mappings m where m.ext_user_id = i.ext_user_id)`,
    [user_id],
  );
}

/** The caller has locked the user's row; the user has no primary. */
export const makePrimary = (tx: Db, id: number) =>
  tx.updateTable('ext_mappings').set({ is_primary: true }).where('id', '=', id).execute();
