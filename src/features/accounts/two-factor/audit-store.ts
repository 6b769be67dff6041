import type { Db } from '#kernel/db/db.ts';
import { deferWrite } from '#kernel/db/deferred-writes.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';

export type AuditAction =
  | 'setup'
  | 'enabled'
  | 'disabled'
  | 'verified'
  | 'failed_verification'
  | 'backup_codes';

export interface AuditEntry {
  readonly user_id: number;
  readonly action: AuditAction;
  /** The reason of a failure; missing for a success. */
  readonly failure_reason?: string;
  /** Missing where no request of the user did it. */
  readonly request?: Pick<RequestFacts, 'ip' | 'userAgent'>;
}

/** Contract part 1, Two-factor settings: the audit log. Refusals are entries, too. */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { user_id, action, failure_reason = null, request } = entry;
  await deferWrite(
    tx,
    `insert into two_factor_audit
       (user_id, action, client_ip, user_agent, success, failure_reason)
     values ($1, $2, $3, $4, $5::text is null, $5)`,
    [user_id, action, request?.ip ?? null, request?.userAgent ?? null, failure_reason],
  );
}

/** A user's entries, newest first, older than the entry `before` where one is given. */
export const listAudit = (db: Db, user_id: number, limit: number, before?: number) =>
  db
    .selectFrom('two_factor_audit')
    .where('user_id', '=', user_id)
    .$if(before !== undefined, (q) => q.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .select(['id', 'action', 'client_ip', 'user_agent', 'success', 'failure_reason', 'created_at'])
    .execute();
