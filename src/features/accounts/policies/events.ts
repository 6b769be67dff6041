import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { objectId } from '#kernel/object-id.ts';
import {
  NAMELESS,
  type NamesReader,
  namesGiven,
  namesOf,
} from '#kernel/object-names/object-names.ts';
import type { Policy } from '#kernel/policies/policy-store.ts';
import { type NamedPolicy, ShownPolicy, shownPolicy } from './shapes.ts';

export const POLICY_OBJECT = 'policy';
/** The operator's own client. */
const OPERATOR = 1;
const AT = '2026-11-28T03:00:58.447Z';

/** Whose a policy is in events: those of all clients are the operator's. */
export const ownerOfPolicy = ({ client_id }: Policy): number => client_id ?? OPERATOR;
export const policyIdOf = ({ policy_id }: Policy): string => objectId('pol', policy_id);

const policies = defineObject<NamedPolicy, typeof ShownPolicy>({
  schema: ShownPolicy,
  since: '2026-11',
  example: {
    policy_id: 'pol_06f4t3xet5c77bsdh7wedf8g8s',
    client_id: 2,
    name: 'Large payouts are approved',
    applies_to: ['withdrawal'],
    when: 'usd_cents > 100000',
    then: { approve: { count: 1 } },
    priority: 0,
    status: 'PUBLISHED',
    version: 2,
    edited_by: 3,
    edited_at: AT,
    takes_effect: null,
    published_by: 4,
    published_at: AT,
    retired_by: null,
    retired_at: null,
    reference: 'payouts-2026',
    metadata: {},
    created_at: AT,
    updated_at: AT,
  },
  key: ({ row }) => ({ client_id: ownerOfPolicy(row), id: policyIdOf(row) }),
  show: shownPolicy,
}).events(POLICY_OBJECT, {
  created: 'An admin has written a policy, as a draft',
  changed: 'A draft of a policy was changed',
  announced: 'The one admin of a client publishes or retires a policy in 24 hours',
  published: 'A policy decides from now on',
  retired: 'A policy decides no more',
  deleted: 'A draft of a policy was deleted',
});

export type PolicyVerb = 'created' | 'changed' | 'announced' | 'published' | 'retired' | 'deleted';
export const POLICY_EVENTS = policies.types;
export const emitPolicy = policies.emit;

/** Policies with what their makers call them: one statement for all. */
export async function withPolicyNames(
  db: Db,
  rows: readonly Policy[],
  reader: NamesReader,
): Promise<NamedPolicy[]> {
  const names = await namesOf(db, POLICY_OBJECT, rows.map(policyIdOf), reader);
  return rows.map((row) => ({ row, names: names.get(policyIdOf(row)) ?? NAMELESS }));
}

export async function namedPolicy(db: Db, row: Policy, reader: NamesReader): Promise<NamedPolicy> {
  const [one] = await withPolicyNames(db, [row], reader);
  return one ?? { row, names: NAMELESS };
}

/** One that the current request writes. */
export const newPolicy = (row: Policy): NamedPolicy => ({ row, names: namesGiven(POLICY_OBJECT) });
