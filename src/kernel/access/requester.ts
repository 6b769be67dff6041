import { networkOf } from '#kernel/network.ts';
import { type Db, run } from '../db/db.ts';
import type { Auth, Caller, RequestFacts } from '../http/declare/route.ts';
import { accountOf } from './attempts.ts';
import { OPERATOR_CLIENT_ID } from './authenticator.ts';

/** The caller that a cost is counted against. Plain values, so that a job can remember them. */
export interface Requester {
  readonly ip: string;
  /** Who has logged in, such as `user:7`; missing where only a key goes along. */
  readonly actor?: string;
  /** Whose log-in or key it is; null for a key without a client. */
  readonly client_id?: number | null;
  /** Who logged in, else who made the key. */
  readonly user_id?: number | null;
  readonly key_id?: number | null;
}

/** For what the service does without being asked. */
export const THE_SERVICE: Requester = { ip: 'ourselves' };

/** The caller of an endpoint. */
export function requesterOf(caller: Caller<Auth>, { ip }: Pick<RequestFacts, 'ip'>): Requester {
  if (caller === null) return { ip };
  const key_id = caller.key?.key_id ?? null;
  if ('user_id' in caller) {
    const { user_id, client_id } = caller;
    return { ip, actor: accountOf(user_id), client_id, user_id, key_id };
  }
  const { client_id = null, user_id = null } = caller.key ?? {};
  const counted = { ip, client_id, user_id, key_id };
  return 'userx_id' in caller ? { ...counted, actor: `member:${caller.userx_id}` } : counted;
}

/**
 * The same for one API key in one network. A code belongs to its requester: no other caller can
 * use it, use its tries up or replace it, so that others cannot keep users from their codes.
 */
export const requesterMark = ({ key_id, ip }: Requester): string =>
  `${key_id ?? '-'} ${networkOf(ip)}`;

/** The fields that decide whether a requester is approved. */
export type ApprovalState = Pick<Requester, 'client_id' | 'user_id'>;

/**
 * Whether we know for whom this is: a client that was approved, or the operator's own admins. Keys are
 * free and any caller may register a client, so all others are unapproved.
 */
export async function isApproved(
  db: Db,
  { client_id = null, user_id = null }: ApprovalState,
): Promise<boolean> {
  if (client_id === null) return false;
  const sql = `select where ${isApprovedSql('$1::integer', '$2::integer')}`;
  return (await run(db, sql, [client_id, user_id])).length > 0;
}

/** The same in SQL by hand. */
export const isApprovedSql = (client_id: string, user_id: string): string => `
  case when ${client_id} is distinct from ${OPERATOR_CLIENT_ID}
       then exists (select from clients c where c.client_id = ${client_id} and c.client_status = 'ACTIVE')
       -- External log-in with a key that has no client registers people as the operator's users.
       else ${isOperatorsSql(client_id, user_id)} end`;

/** Whether a key or a log-in belongs to an admin of the platform operator. */
export async function isByOperator(
  db: Db,
  { client_id, user_id }: ApprovalState,
): Promise<boolean> {
  if (client_id !== OPERATOR_CLIENT_ID || typeof user_id !== 'number') return false;
  const sql = `select where ${isOperatorsSql('$1::integer', '$2::integer')}`;
  return (await run(db, sql, [client_id, user_id])).length > 0;
}

const isOperatorsSql = (client_id: string, user_id: string): string => `
  exists (select from users u
    where u.user_id = ${user_id} and u.client_id = ${client_id} and u.client_id = ${OPERATOR_CLIENT_ID}
      and u.role = 'admin' and u.user_status = 'ACTIVE')`;
