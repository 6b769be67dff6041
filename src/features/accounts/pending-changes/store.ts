import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { deleteInBatches } from '#kernel/db/in-batches.ts';
import type { Row } from '#kernel/db/row.ts';

export type ChangeKind = 'email' | 'external-login' | 'wallet' | 'second-factor-removal';

const COLUMNS = [
  'change_id',
  'user_id',
  'kind',
  'subject',
  'ext_user_id',
  'details',
  'proposed_by',
  'created_at',
  'expires_at',
  'takes_effect_at',
] as const;
const SHOWN = COLUMNS.join(', ');
const INTEGER_MAX = 2_147_483_647;

interface ExpectedChange {
  readonly kind: ChangeKind;
  readonly details: Readonly<Record<string, string | null>>;
}
type Stored = Row<'pending_changes', (typeof COLUMNS)[number]>;

/**
 * A change that an admin or an operator has requested in a user's name. It takes effect at `takes_effect_at`, unless
 * the user objects; null where it needs the user's consent.
 */
export type PendingChange = Omit<Stored, keyof ExpectedChange> & ExpectedChange;

export type NewChange = Omit<
  PendingChange,
  'change_id' | 'proposed_by' | 'created_at' | 'expires_at' | 'takes_effect_at'
> & {
  readonly digest: Buffer;
  readonly proposed_by: number;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly takes_effect_at: Date | null;
};

/** Replaces an earlier proposal of the same kind and subject, whose link ends. An operator's order stays. */
export async function replaceChange(tx: Db, change: NewChange): Promise<PendingChange> {
  const [row] = await run<PendingChange>(
    tx,
    `insert into pending_changes (user_id, kind, subject, ext_user_id, details, digest, proposed_by,
       created_at, expires_at, takes_effect_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict on constraint pending_changes_once do update
       set ext_user_id = excluded.ext_user_id, details = excluded.details,
         digest = excluded.digest,
         proposed_by = case when excluded.takes_effect_at is null
             and pending_changes.takes_effect_at is not null
             and pending_changes.expires_at > excluded.created_at
           then pending_changes.proposed_by else excluded.proposed_by end,
         created_at = excluded.created_at,
         expires_at = greatest(excluded.expires_at, pending_changes.expires_at),
         takes_effect_at = coalesce(excluded.takes_effect_at,
           case when pending_changes.expires_at > excluded.created_at
                then pending_changes.takes_effect_at end)
     returning ${SHOWN}`,
    [
      change.user_id,
      change.kind,
      change.subject,
      change.ext_user_id,
      JSON.stringify(change.details),
      change.digest,
      change.proposed_by,
      change.created_at,
      change.expires_at,
      change.takes_effect_at,
    ],
  );
  if (!row) throw new Error('A change was not stored');
  return row;
}

/**
 * How many of a user's changes are pending, except those of the same subject; the caller has locked the user's row.
 */
export async function countOthers(
  tx: Db,
  { user_id, kind, subject, created_at }: NewChange,
): Promise<number> {
  const [row] = await run<{ n: number }>(
    tx,
    `select count(*) as n from pending_changes
      where user_id = $1 and expires_at > $2 and (kind, subject) <> ($3, $4)`,
    [user_id, created_at, kind, subject],
  );
  return row?.n ?? 0;
}

/** A user's pending changes, oldest first. */
export const listChanges = (db: Db, user_id: number, now: Date): Promise<PendingChange[]> =>
  run<PendingChange>(
    db,
    `select ${SHOWN} from pending_changes
      where user_id = $1 and expires_at > $2 order by change_id limit 100`,
    [user_id, now],
  );

/** The change of a link, unless it has lapsed. */
export async function findByLink(db: Db, digest: Buffer, now: Date) {
  const [row] = await run<PendingChange>(
    db,
    `select ${SHOWN} from pending_changes where digest = $1 and expires_at > $2`,
    [digest, now],
  );
  return row;
}

/** Whether a proposal to log in with that account of the external provider is open. */
export async function isProposed(db: Db, ext_user_id: string, now: Date): Promise<boolean> {
  const rows = await run(
    db,
    'select from pending_changes where ext_user_id = $1 and expires_at > $2 limit 1',
    [ext_user_id, now],
  );
  return rows.length > 0;
}

/** SQL: the requester is still allowed to; checked in the statement that takes the change. */
const STANDS = `may_change_user(p.proposed_by, p.user_id, p.takes_effect_at is not null)`;

/**
 * Whether it was pending and is taken now: the caller applies or discards it. A change to be `confirmed` stays where
 * its requester is no longer allowed to.
 */
export async function takeByLink(
  tx: Db,
  digest: Buffer,
  { now, confirmed }: { readonly now: Date; readonly confirmed: boolean },
): Promise<boolean> {
  const rows = await run(
    tx,
    `delete from pending_changes p
      where p.digest = $1 and p.expires_at > $2 and (${STANDS} or not $3) returning p.change_id`,
    [digest, now, confirmed],
  );
  return rows.length === 1;
}

export const listPendingChangeDue = (db: Db, now: Date, limit: number): Promise<PendingChange[]> =>
  run<PendingChange>(
    db,
    `select ${SHOWN} from pending_changes
      where takes_effect_at <= $1 and expires_at > $1 order by takes_effect_at limit $2`,
    [now, limit],
  );

/** The result of taking a due order: to be applied, or void because its requester is no longer allowed to. */
export type DueChange = 'due' | 'void' | undefined;

/** The same for a due order. Nothing where it is gone. */
export async function takeDue(tx: Db, change_id: number, now: Date): Promise<DueChange> {
  const [row] = await run<{ readonly stands: boolean }>(
    tx,
    `delete from pending_changes p
      where p.change_id = $1 and p.takes_effect_at <= $2 and p.expires_at > $2
     returning ${STANDS} as stands`,
    [change_id, now],
  );
  if (!row) return undefined;
  return row.stands ? 'due' : 'void';
}

/** The requester: a user, or all users of a client. */
export type Proposers = { readonly user_id: number } | { readonly client_id: number };

/** Deletes orders and proposals of theirs, up to a limit, and answers them. */
export const takeOf = (tx: Db, of: Proposers, limit: number): Promise<PendingChange[]> =>
  run<PendingChange>(
    tx,
    `delete from pending_changes where change_id = any (array(
       select p.change_id from users u join pending_changes p on p.proposed_by = u.user_id
        where ${'user_id' in of ? 'u.user_id' : 'u.client_id'} = $1 limit $2))
     returning ${SHOWN}`,
    ['user_id' in of ? of.user_id : of.client_id, limit],
  );

export interface OrderPage {
  readonly before: number | undefined;
  readonly limit: number;
}

export type ListedOrder = PendingChange & Row<'users', 'client_id'>;

/** Operators' orders that are not due yet, newest first. */
export const listPendingOrders = (
  db: Db,
  { before = INTEGER_MAX, limit }: OrderPage,
): Promise<ListedOrder[]> =>
  run<ListedOrder>(
    db,
    `select ${COLUMNS.map((column) => `p.${column}`).join(', ')}, u.client_id
       from pending_changes p join users u using (user_id)
      where p.takes_effect_at is not null and p.change_id < $1
      order by p.change_id desc limit $2`,
    [before, limit],
  );

export interface PendingChangeWithdrawal {
  readonly user_id: number;
  readonly change_id: number;
  readonly now: Date;
  /** The users within the caller's reach. */
  readonly reach: TenantScope;
  /** Whether the caller may cancel an operator's order. */
  readonly orders: boolean;
}

/** Nothing when there is no such change that the caller may cancel. */
export async function takeWithdrawn(tx: Db, { reach, ...of }: PendingChangeWithdrawal) {
  const [row] = await run<PendingChange & Row<'users', 'client_id'>>(
    tx,
    `delete from pending_changes p using users u
      where p.change_id = $1 and p.user_id = $2 and u.user_id = p.user_id and p.expires_at > $3
        and ($4::int is null or u.user_id = $4) and ($5::int is null or u.client_id = $5)
        and ($6::boolean or p.takes_effect_at is null)
     returning u.client_id, ${COLUMNS.map((column) => `p.${column}`).join(', ')}`,
    [of.change_id, of.user_id, of.now, reach.user_id ?? null, reach.client_id ?? null, of.orders],
  );
  return row;
}

/**
 * A mail to an address that the user no longer has proves nothing. Without `all` only proposals of admins; never an
 * operator's order.
 */
export const forgetChanges = (
  tx: Db,
  user_id: number,
  which: 'all' | 'proposals',
): Promise<PendingChange[]> =>
  run<PendingChange>(
    tx,
    `delete from pending_changes where user_id = $1 and ($2 or takes_effect_at is null)
     returning ${SHOWN}`,
    [user_id, which === 'all'],
  );

export const forgetLapsed = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'pending_changes', 'expires_at < $1', [before.toISOString()]);

/** The client whose log has a user's changes. */
export async function clientOf(db: Db, user_id: number): Promise<number> {
  const query = db.selectFrom('users').select('client_id').where('user_id', '=', user_id);
  return (await query.executeTakeFirstOrThrow()).client_id;
}

/** The owners of the changes: their addresses and clients, by user id. */
export async function usersOfOrders(
  db: Db,
  user_ids: readonly number[],
): Promise<ReadonlyMap<number, Row<'users', 'user_id' | 'client_id' | 'email'>>> {
  const rows = await run<Row<'users', 'user_id' | 'client_id' | 'email'>>(
    db,
    'select user_id, client_id, email from users where user_id = any ($1::integer[])',
    [user_ids],
  );
  return new Map(rows.map((row) => [row.user_id, row]));
}
