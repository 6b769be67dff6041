import { Type } from 'typebox';
import { QUOTE_ERRORS } from '#features/fiat/fx/fx.ts';
import { clientScopeOf, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requiredVersion } from '#kernel/http/declare/if-match.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, integerInput, stamped, textInput } from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { POLICY_ERRORS } from '#kernel/policies/policy.ts';
import { decideBatch } from './approvals.ts';
import { cancelBatch, retryBatch } from './cancel.ts';
import { ownScopeOf, requireBatch } from './reach.ts';
import { ShownBatch } from './shapes.ts';
import { shownOneBatch } from './shown.ts';
import { type SubmitDeps, submitBatch } from './submit.ts';

const endpoint = endpoints(codedEnvelope);

const One = stamped({ data: ShownBatch });
const params = Type.Object({ batch_id: objectIdInput('bat') });

/** What is done with a batch as a whole. */
export const batchActRoutes = (deps: SubmitDeps): Route[] => [
  submitRoute(deps),
  decideRoute(deps, 'approve'),
  decideRoute(deps, 'reject'),
  cancelRoute(deps),
  retryRoute(deps),
];

const content_hash = explained(
  Type.String({ pattern: '^[0-9a-f]{64}$' }),
  'Of what was read: another content is refused',
);
const version = Type.Optional(integerInput(1, ID_MAX));

const submitRoute = (deps: SubmitDeps): Route =>
  endpoint('POST /batches/{batch_id}/submit', {
    name: 'batches.submit',
    requiresKey: true,
    auth: 'user',
    errors: [
      ...(['409 INVALID_STATUS', 'VERSION_CONFLICT', 'CONTENT_CHANGED'] as const),
      ...QUOTE_ERRORS,
      ...(['REFERENCE_IN_USE', 'SECOND_PERSON_REQUIRED', 'INSUFFICIENT_BALANCE'] as const),
      ...(['WALLET_FROZEN', 'DEBT_OUTSTANDING', ...POLICY_ERRORS] as const),
    ],
    summary: 'Submits a batch as it was read, for others to approve it',
    params,
    body: named('BatchSubmission', { version, content_hash }),
    reply: { 200: One },
    fault: 'Failed to submit the batch',
    async handler({ caller, params, body, request, db }) {
      const before = await requireBatch(db, ownScopeOf(caller), params.batch_id);
      const sent = { version: requiredVersion(body, request.headers), caller, request };
      const row = await submitBatch(deps, before, { ...sent, content_hash: body.content_hash });
      return { data: await shownOneBatch(deps, deps.db, caller, row) };
    },
  });

const ACTS = {
  approve: {
    id: 'POST /batches/{batch_id}/approve',
    name: 'batches.approve',
    summary: 'Approves a batch; with the last approval that is needed its money is held',
  },
  reject: {
    id: 'POST /batches/{batch_id}/reject',
    name: 'batches.reject',
    summary: 'Rejects a batch; nothing of it is paid',
  },
} as const;

const decideRoute = (deps: SubmitDeps, act: keyof typeof ACTS): Route =>
  endpoint(ACTS[act].id, {
    name: ACTS[act].name,
    team: 'approvals:approve',
    requiresKey: true,
    auth: 'admin',
    proof: true,
    errors: [
      ...(['409 INVALID_STATUS', 'VERSION_CONFLICT', 'CONTENT_CHANGED'] as const),
      ...QUOTE_ERRORS,
      ...(['SECOND_PERSON_REQUIRED', 'INSUFFICIENT_BALANCE', 'WALLET_FROZEN'] as const),
      'DEBT_OUTSTANDING',
    ],
    summary: ACTS[act].summary,
    params,
    body: named('BatchDecision', {
      version,
      content_hash,
      note: Type.Optional(textInput(500)),
    }),
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to decide about the batch',
    async handler({ caller, params, body, request, db }) {
      const client_id = clientScopeOf(caller);
      const scope = client_id === undefined ? {} : { client_id };
      const before = await requireBatch(db, scope, params.batch_id);
      const row = await decideBatch(deps, db, before, {
        act,
        caller,
        request,
        version: requiredVersion(body, request.headers),
        content_hash: body.content_hash,
        note: body.note ?? null,
      });
      return { data: await shownOneBatch(deps, db, caller, row) };
    },
  });

const cancelRoute = (deps: SubmitDeps): Route =>
  endpoint('POST /batches/{batch_id}/cancel', {
    name: 'batches.cancel',
    requiresKey: true,
    auth: 'user',
    console: 'proof',
    errors: ['NOT_FOUND', '409 INVALID_STATUS'],
    summary: 'Calls off the payments of a batch that have not begun, and frees their money',
    params,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to cancel the batch',
    async handler({ caller, params, request, db }) {
      const before = await requireBatch(db, tenantScopeOf(caller), params.batch_id);
      const row = await cancelBatch(deps, db, before, { caller, request });
      return { data: await shownOneBatch(deps, db, caller, row) };
    },
  });

const retryRoute = (deps: SubmitDeps): Route =>
  endpoint('POST /batches/{batch_id}/retry', {
    name: 'batches.retry',
    requiresKey: true,
    auth: 'user',
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'INSUFFICIENT_BALANCE'] as const),
      ...(['WALLET_FROZEN', 'DEBT_OUTSTANDING'] as const),
    ],
    summary: 'Pays the failed payments of a batch again that may be tried again',
    params,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to try the payments again',
    async handler({ caller, params, request, db }) {
      const before = await requireBatch(db, ownScopeOf(caller), params.batch_id);
      const row = await retryBatch(deps, db, before, { caller, request });
      return { data: await shownOneBatch(deps, db, caller, row) };
    },
  });
