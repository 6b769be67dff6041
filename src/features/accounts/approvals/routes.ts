import { Type } from 'typebox';
import { clientScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requiredVersion } from '#kernel/http/declare/if-match.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  integerInput,
  oneOfWords,
  stamped,
  textInput,
} from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { APPROVAL_STATUSES, findApproval, listApprovals } from '#kernel/policies/approval-store.ts';
import { type ApprovalDeps, decideApproval } from './decide-approval.ts';
import { ShownApproval, shownApproval } from './shapes.ts';

const endpoint = endpoints(codedEnvelope);

export type ApprovalRouteDeps = ApprovalDeps & Pick<Kernel, 'clock'>;

const One = stamped({ data: ShownApproval });
const params = Type.Object({ approval_id: objectIdInput('apr') });

/** What waits for other people, for the admins who may decide about it. */
export const approvalRoutes = (deps: ApprovalRouteDeps): Route[] => [
  listRoute(deps),
  readRoute(deps),
  decideRoute(deps, 'approve'),
  decideRoute(deps, 'reject'),
];

const listRoute = ({ clock }: Pick<Kernel, 'clock'>): Route =>
  endpoint('GET /approvals', {
    name: 'approvals.list',
    auth: 'admin',
    errors: ['INVALID_PAGINATION'],
    summary: 'Lists what waits for other people, and what they decided, newest first',
    query: Type.Object({
      ...cursorQuery,
      status: Type.Optional(oneOfWords(APPROVAL_STATUSES)),
    }),
    reply: { 200: stamped({ data: cursorPage(ShownApproval) }) },
    fault: 'Failed to list approvals',
    async handler({ caller, query, db }) {
      const { wanted, page } = cursorReader(query);
      const found = await listApprovals(db, clientScopeOf(caller), query, wanted);
      const now = clock.now();
      return {
        data: page(
          found,
          ({ serial }) => serial,
          (row) => shownApproval(row, now),
        ),
      };
    },
  });

const readRoute = ({ clock }: Pick<Kernel, 'clock'>): Route =>
  endpoint('GET /approvals/{approval_id}', {
    name: 'approvals.get',
    auth: 'admin',
    errors: ['NOT_FOUND'],
    summary: 'Shows what waits for other people',
    params,
    reply: { 200: One },
    fault: 'Failed to read the approval',
    async handler({ caller, params, db }) {
      const row = await findApproval(db, clientScopeOf(caller), params.approval_id);
      if (!row) throw fail('NOT_FOUND', 'Approval not found');
      return { data: shownApproval(row, clock.now()) };
    },
  });

const Decision = named('ApprovalDecision', {
  version: Type.Optional(integerInput(1, ID_MAX)),
  content_hash: explained(
    Type.String({ pattern: '^[0-9a-f]{64}$' }),
    'Of what was read: another content is refused',
  ),
  note: Type.Optional(textInput(500)),
});

const ACTS = {
  approve: {
    id: 'POST /approvals/{approval_id}/approve',
    name: 'approvals.approve',
    summary: 'Approves it; with the last approval that is needed it goes on',
  },
  reject: {
    id: 'POST /approvals/{approval_id}/reject',
    name: 'approvals.reject',
    summary: 'Rejects it, which cancels it',
  },
} as const;

const decideRoute = ({ clock, ...deps }: ApprovalRouteDeps, act: keyof typeof ACTS): Route =>
  endpoint(ACTS[act].id, {
    name: ACTS[act].name,
    team: 'approvals:approve',
    auth: 'admin',
    proof: true,
    errors: [
      ...(['NOT_FOUND', '409 INVALID_STATUS', 'VERSION_CONFLICT', 'CONTENT_CHANGED'] as const),
      ...(['SECOND_PERSON_REQUIRED', 'QUOTE_EXPIRED', 'QUOTE_USED', 'QUOTE_MISMATCH'] as const),
    ],
    summary: ACTS[act].summary,
    params,
    body: Decision,
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to decide about it',
    async handler({ caller, params, body, request, db }) {
      const now = clock.now();
      const row = await decideApproval(deps, db, {
        caller,
        request,
        now,
        approval_id: params.approval_id,
        version: requiredVersion(body, request.headers),
        content_hash: body.content_hash,
        is_approval: act === 'approve',
        note: body.note ?? null,
      });
      return { data: shownApproval(row, now) };
    },
  });
