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
 * What an admin or an operator has asked for in a user's name. It takes effect by itself at
 * `takes_effect_at`, unless the user objects; null for what needs their word.
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

/**
 * One of the same kind about the same replaces the earlier one, whose link ends. What an operator has
 * ordered stays ordered.
 */
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

/** How many of a user's wait, but for those about the same; the user's row must be locked. */
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

/** A user's that still wait, oldest first. */
export const listChanges = (db: Db, user_id: number, now: Date): Promise<PendingChange[]> =>
  run<PendingChange>(
    db,
    `select ${SHOWN} from pending_changes
      where user_id = $1 and expires_at > $2 order by change_id limit 100`,
    [user_id, now],
  );

/** The one that a link is for, unless it has lapsed. */
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

/** That whoever has asked for it may still do so: looked at in the statement that takes it. */
const STANDS = `may_change_user(p.proposed_by, p.user_id, p.takes_effect_at is not null)`;

/**
 * Whether it was there, and is gone now: the caller who takes it applies or discards it. One that is to be
 * `confirmed` stays where who has asked for it may not do so any more.
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

/** How one was taken whose time has come: to be carried out, or void, as who has ordered it may not do so any more. */
export type DueChange = 'due' | 'void' | undefined;

/** The same for one whose time has come. Nothing where it is gone. */
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

/** Who has ordered or proposed: a user, or all users of a client. */
export type Proposers = { readonly user_id: number } | { readonly client_id: number };

/** Some that they have ordered or proposed, at most so many, taken away. */
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

/** What operators have ordered and is still to take effect, newest first. */
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
  /** Whose changes the caller reaches. */
  readonly reach: TenantScope;
  /** Whether the caller may call off what an operator has asked for. */
  readonly orders: boolean;
}

/** Nothing when there is no such change that the caller may call off. */
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
 * What was mailed to an address that is the user's no longer proves nothing any more. Without all of them
 * those that admins have proposed; not what an operator has ordered.
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

/** The client whose log tells of a user's changes. */
export async function clientOf(db: Db, user_id: number): Promise<number> {
  const query = db.selectFrom('users').select('client_id').where('user_id', '=', user_id);
  return (await query.executeTakeFirstOrThrow()).client_id;
}

/** Whose changes they are: their addresses and clients, by their numbers. */
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
