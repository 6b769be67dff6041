import { Type } from 'typebox';
import { clientScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requiredVersion, requireVersion, versionMeant } from '#kernel/http/declare/if-match.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  integerInput,
  oneOfWords,
  stamped,
} from '#kernel/http/declare/schema.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newObjectUuid } from '#kernel/object-id.ts';
import { metadataRoute } from '#kernel/object-names/metadata-route.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import { POLICY_KINDS } from '#kernel/policies/policy.ts';
import {
  changePolicy,
  deletePolicy,
  findPolicy,
  insertPolicy,
  listPolicies,
  lockPolicy,
  POLICY_STATUSES,
  type Policy,
  type PolicyAct,
} from '#kernel/policies/policy-store.ts';
import {
  namedPolicy,
  ownerOfPolicy,
  POLICY_OBJECT,
  policyIdOf,
  withPolicyNames,
} from './events.ts';
import { actOnPolicy, type PublishDeps } from './publish.ts';
import { recordPolicy } from './record.ts';
import { PolicyInput, ShownPolicy, shownPolicy } from './shapes.ts';
import { readPolicy, requireRoom } from './written.ts';

const endpoint = endpoints(codedEnvelope);

export type PolicyRouteDeps = PublishDeps & Pick<Kernel, 'clock'>;

const One = stamped({ data: ShownPolicy });
const params = Type.Object({ policy_id: objectIdInput('pol') });
const VersionInput = integerInput(1, ID_MAX);
const LIMITED = '409 LIMIT_EXCEEDED' as const;
const STATUS = '409 INVALID_STATUS' as const;

/** Policies of a client by its admins, those of all clients by the operator's. */
export const policyRoutes = (deps: PolicyRouteDeps): Route[] => [
  listRoute,
  createRoute(deps),
  readRoute,
  setMetadata,
  editRoute(deps),
  deleteRoute,
  actRoute(deps, 'publish'),
  actRoute(deps, 'retire'),
];

const listRoute = endpoint('GET /policies', {
  name: 'policies.list',
  auth: 'admin',
  errors: ['INVALID_PAGINATION'],
  summary: 'Lists policies, newest first',
  query: Type.Object({
    ...cursorQuery,
    status: Type.Optional(oneOfWords(POLICY_STATUSES)),
    kind: Type.Optional(oneOfWords(POLICY_KINDS)),
  }),
  reply: { 200: stamped({ data: cursorPage(ShownPolicy) }) },
  fault: 'Failed to list policies',
  async handler({ caller, query, db }) {
    const { wanted, page } = cursorReader(query);
    const found = await listPolicies(db, clientScopeOf(caller), query, wanted);
    const named = await withPolicyNames(db, found, namesReaderOf(caller));
    return { data: page(named, ({ row }) => row.serial, shownPolicy) };
  },
});

const createRoute = ({ clock }: PolicyRouteDeps): Route =>
  endpoint('POST /policies', {
    name: 'policies.create',
    creates: POLICY_OBJECT,
    auth: 'admin',
    errors: ['CLIENT_NOT_FOUND', LIMITED],
    summary: 'Writes a policy as a draft, which decides nothing before it is published',
    body: Type.Object({
      ...PolicyInput,
      client_id: Type.Optional(
        explained(IdInput, 'Of the operator only: whose policy it is; without it, of all clients'),
      ),
    }),
    example: {
      name: 'Large payouts are approved',
      applies_to: ['withdrawal'],
      when: 'usd_cents > 100000',
      then: { approve: { count: 1 } },
    },
    reply: { 201: One },
    atomic: true,
    fault: 'Failed to write the policy',
    async handler({ caller, body, request, db }) {
      const client_id = clientOf(caller, body.client_id);
      await requireRoom(db, client_id, 'open');
      const written = await readPolicy(db, client_id, body);
      const policy_id = newObjectUuid(clock.ms());
      const edited_by = caller.user_id;
      const row = await insertPolicy(db, { ...written, policy_id, client_id, edited_by });
      const made = await recordPolicy(db, 'created', row, { caller, request });
      return at(201, { data: shownPolicy(made) });
    },
  });

function clientOf({ operator, client_id }: UserCaller, of: number | undefined): number | null {
  if (operator) return of ?? null;
  if (of !== undefined && of !== client_id) throw fail('CLIENT_NOT_FOUND', 'Client not found');
  return client_id;
}

const readRoute = endpoint('GET /policies/{policy_id}', {
  name: 'policies.get',
  auth: 'admin',
  errors: ['NOT_FOUND'],
  summary: 'Shows a policy',
  params,
  reply: { 200: One },
  fault: 'Failed to read the policy',
  async handler({ caller, params, db }) {
    const row = await findPolicy(db, clientScopeOf(caller), params.policy_id);
    if (!row) throw fail('NOT_FOUND', 'Policy not found');
    return { data: shownPolicy(await namedPolicy(db, row, namesReaderOf(caller))) };
  },
});

const setMetadata = metadataRoute('PATCH /policies/{policy_id}/metadata', {
  name: 'policies.setMetadata',
  noun: 'a policy',
  auth: 'admin',
  params,
  shape: ShownPolicy,
  async find(db, caller, { policy_id }) {
    const row = await findPolicy(db, clientScopeOf(caller), policy_id);
    if (!row) throw fail('NOT_FOUND', 'Policy not found');
    return {
      object: {
        type: POLICY_OBJECT,
        kind: POLICY_OBJECT,
        id: policyIdOf(row),
        client_id: ownerOfPolicy(row),
        user_id: null,
      },
      data: shownPolicy(await namedPolicy(db, row, namesReaderOf(caller))),
    };
  },
});

const editRoute = ({ clock }: PolicyRouteDeps): Route =>
  endpoint('PATCH /policies/{policy_id}', {
    name: 'policies.update',
    auth: 'admin',
    errors: ['NOT_FOUND', STATUS, 'VERSION_CONFLICT'],
    summary: 'Changes a draft',
    params,
    body: Type.Partial(Type.Object({ ...PolicyInput, version: VersionInput })),
    example: { name: 'Large payouts are approved', priority: 10 },
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to change the policy',
    async handler({ caller, params, body, request, db }) {
      const draft = await requireDraft(db, caller, params.policy_id);
      requireVersion(draft.version, versionMeant(body, request.headers));
      const { name, applies_to, condition, outcome, priority } = draft;
      const before = { name, applies_to, when: condition, then: outcome as never, priority };
      const written = await readPolicy(db, draft.client_id, { ...before, ...sent(body) });
      const now = clock.now().toISOString();
      const row = await changePolicy(db, draft, {
        ...written,
        edited_by: caller.user_id,
        edited_at: now,
        updated_at: now,
        pending: null,
        pending_by: null,
        pending_at: null,
      });
      const changed = await recordPolicy(db, 'changed', row, { caller, request });
      return { data: shownPolicy(changed) };
    },
  });

const sent = <T extends object>(body: T) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<T>;

async function requireDraft(
  ...[db, caller, policy_id]: [Parameters<typeof lockPolicy>[0], UserCaller, string]
): Promise<Policy> {
  const row = await lockPolicy(db, clientScopeOf(caller), policy_id);
  if (!row) throw fail('NOT_FOUND', 'Policy not found');
  if (row.status !== 'DRAFT') throw notAllowedIn(row.status, ['DRAFT']);
  return row;
}

const deleteRoute = endpoint('DELETE /policies/{policy_id}', {
  name: 'policies.delete',
  auth: 'admin',
  errors: ['NOT_FOUND', STATUS],
  summary: 'Deletes a draft',
  params,
  reply: { 200: One },
  atomic: true,
  fault: 'Failed to delete the policy',
  async handler({ caller, params, request, db }) {
    const row = await requireDraft(db, caller, params.policy_id);
    await deletePolicy(db, row.policy_id);
    const deleted = await recordPolicy(db, 'deleted', row, { caller, request });
    return { data: shownPolicy(deleted) };
  },
});

const ACTS = {
  publish: {
    id: 'POST /policies/{policy_id}/publish',
    name: 'policies.publish',
    summary: 'Publishes a draft that another admin has edited last',
  },
  retire: {
    id: 'POST /policies/{policy_id}/retire',
    name: 'policies.retire',
    summary: 'Ends a published policy, by another admin than its last editor',
  },
} as const;

const actRoute = (deps: PolicyRouteDeps, act: PolicyAct): Route =>
  endpoint(ACTS[act].id, {
    name: ACTS[act].name,
    auth: 'admin',
    proof: true,
    errors: ['NOT_FOUND', STATUS, 'VERSION_CONFLICT', 'SECOND_PERSON_REQUIRED', LIMITED],
    summary: ACTS[act].summary,
    params,
    body: Type.Object({ version: Type.Optional(VersionInput) }),
    example: { version: 1 },
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to do it',
    async handler({ caller, params, body, request, db }) {
      const version = requiredVersion(body, request.headers);
      const scope = clientScopeOf(caller);
      const acting = { act, version, scope, caller, request, policy_id: params.policy_id };
      return { data: shownPolicy(await actOnPolicy(deps, db, acting)) };
    },
  });
