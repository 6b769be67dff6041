import { sql } from 'kysely';
import { columnsOf, unnested } from '#kernel/db/columns.ts';
import type { Db } from '#kernel/db/db.ts';
import { deferWrite } from '#kernel/db/deferred-writes.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';

interface Actor {
  readonly user_id: number;
  readonly client_id: number;
  /** The log-in, for acts at the console. */
  readonly via?: 'key' | 'console';
  readonly session_id?: string;
}

export interface Activity {
  /** A stable word in capitals: `ADMIN_CREATE_USER`. */
  readonly action: string;
  /** The actor; null for the service itself or a caller without log-in. */
  readonly actor: Actor | null;
  /** The client that it concerns, where not the actor's own. */
  readonly client_id?: number;
  readonly subject_user_id?: number;
  /** Facts worth keeping; never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly request?: RequestFacts;
}

/** Logs an act, in the transaction that does it. */
export const logActivity = (db: Db, activity: Activity): Promise<void> =>
  logActivities(db, [activity]);

const COLUMNS = {
  action: 'text',
  client_id: 'integer',
  actor_user_id: 'integer',
  subject_user_id: 'integer',
  details: 'jsonb',
  ip: 'text',
  user_agent: 'text',
  request_id: 'text',
} as const;
const NAMES = Object.keys(COLUMNS).join();

/** One text for any number of lines, so that it is prepared once. The role is the database's. */
const LOG = `
  insert into activity_log (${NAMES}, actor_role, at)
  select ${NAMES}, (select u.role from users u where u.user_id = actor_user_id), (select at from service_time)
  from ${unnested(COLUMNS)}`;

/** Several at once, at the end of the transaction. */
export async function logActivities(db: Db, all: readonly Activity[]): Promise<void> {
  if (all.length > 0) await deferWrite(db, LOG, columnsOf(COLUMNS, all.map(rowOf)));
}

const rowOf = ({ action, actor, client_id, subject_user_id, details = {}, request }: Activity) => ({
  action,
  client_id: client_id ?? actor?.client_id,
  actor_user_id: actor?.user_id,
  subject_user_id,
  details: JSON.stringify(
    actor?.via === 'console' ? { ...details, session_id: actor.session_id } : details,
  ),
  ip: request?.ip,
  user_agent: request?.userAgent,
  request_id: request?.id,
});

export interface AuditPage {
  readonly client_id: number | undefined;
  readonly action: string | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

/** What a user has done, newest first; the next page is `before` the last one's id. */
export const listOwnActivity = (
  db: Db,
  user_id: number,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
) =>
  db
    .selectFrom('activity_log')
    .select(['id', 'at', 'action', 'ip', 'user_agent'])
    .where('actor_user_id', '=', user_id)
    .$if(before !== undefined, (q) => q.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** A literal, so that every plan can use the indexes of admins' rows. */
const ADMIN = sql.lit('admin');

/** Acts of admins, newest first; the next page is `before` the last one's id. */
export const listActivityAudit = (db: Db, { client_id, action, before, limit }: AuditPage) =>
  db
    .selectFrom('activity_log as a')
    .innerJoin('users as u', 'u.user_id', 'a.actor_user_id')
    .select([
      'a.id',
      'a.action',
      'a.client_id',
      'a.actor_user_id',
      'u.username as actor_username',
      'a.subject_user_id',
      'a.details',
      'a.ip',
      'a.user_agent',
      'a.request_id',
      'a.at',
    ])
    .where('a.actor_role', '=', ADMIN)
    .$if(client_id !== undefined, (q) => q.where('a.client_id', '=', client_id ?? 0))
    .$if(action !== undefined, (q) => q.where('a.action', '=', action ?? ''))
    .$if(before !== undefined, (q) => q.where('a.id', '<', before ?? 0))
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute();
