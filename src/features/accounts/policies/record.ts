import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import type { Policy } from '#kernel/policies/policy-store.ts';
import { emitPolicy, namedPolicy, newPolicy, type PolicyVerb, policyIdOf } from './events.ts';
import type { NamedPolicy } from './shapes.ts';

/** An admin at work, for the audit log; absent where the service goes on by itself. */
export interface PolicyActor {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

/** The actions of the audit log are older than the events. */
const ACTIONS: Readonly<Record<PolicyVerb, string>> = {
  created: 'WRITTEN',
  changed: 'EDITED',
  announced: 'ANNOUNCED',
  published: 'PUBLISHED',
  retired: 'RETIRED',
  deleted: 'DELETED',
};

/** Writes a line of the audit log about a policy, with its text, and emits its event. Returns the policy with its names. */
export async function recordPolicy(
  tx: Db,
  verb: PolicyVerb,
  row: Policy,
  by: PolicyActor | null,
): Promise<NamedPolicy> {
  const { client_id, name, applies_to, condition, outcome, priority, status, version } = row;
  const action = verb === 'announced' ? announcementOf(row) : ACTIONS[verb];
  await logActivity(tx, {
    action: `POLICY_${action}`,
    actor: by?.caller ?? null,
    ...(client_id !== null && { client_id }),
    details: {
      policy_id: policyIdOf(row),
      name,
      applies_to,
      when: condition,
      outcome,
      priority,
      status,
      version,
    },
    ...(by && { request: by.request }),
  });
  const reader = by ? namesReaderOf(by.caller) : 'operator';
  const named = verb === 'created' ? newPolicy(row) : await namedPolicy(tx, row, reader);
  emitPolicy(tx, verb, named);
  return named;
}

const announcementOf = ({ pending }: Policy): string =>
  pending === 'retire' ? 'RETIRED_ANNOUNCED' : 'PUBLISHED_ANNOUNCED';
