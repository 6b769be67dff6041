import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { objectId } from '#kernel/object-id.ts';
import type { Policy } from '#kernel/policies/policy-store.ts';

/** An admin at work, for the audit log; absent where the service goes on by itself. */
export interface PolicyActor {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

/** Writes a line of the audit log about a policy, with its text. */
export const recordPolicy = (
  tx: Db,
  action: string,
  { policy_id, client_id, name, applies_to, condition, outcome, priority, ...row }: Policy,
  by: PolicyActor | null,
): Promise<void> =>
  logActivity(tx, {
    action: `POLICY_${action}`,
    actor: by?.caller ?? null,
    ...(client_id !== null && { client_id }),
    details: {
      policy_id: objectId('pol', policy_id),
      name,
      applies_to,
      when: condition,
      outcome,
      priority,
      status: row.status,
      version: row.version,
    },
    ...(by && { request: by.request }),
  });
