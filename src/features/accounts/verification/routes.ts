import { Type } from 'typebox';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { Id, IdInput, Nullable, Timestamp } from '#kernel/http/declare/schema.ts';
import { NOT_SUBMITTED } from './statuses.ts';
import { findStatus, listHistory } from './store.ts';

const endpoint = endpoints(errorEnvelope);
const HISTORY_PAGE = 50;

const Status = named('VerificationStatus', {
  message: Type.String(),
  data: Type.Object({
    user_id: Id,
    ekyc_status: Type.String(),
    ekyc_verified_at: Nullable(Timestamp),
    user_status: Type.String(),
  }),
});
const Entry = named('VerificationStep', {
  id: Id,
  verification_type: Type.String(),
  status: Type.String(),
  source: Type.String(),
  at: Timestamp,
});
const History = Type.Object({
  user_id: Id,
  history: Type.Array(Entry),
  /** The start of the next page; null on the last. */
  next_before: Nullable(Type.Integer()),
});

/** The status and the history of verifications (contract: Identity verification). */
export const statusRoutes = (): Route[] => [
  endpoint('GET /ekyc/status/{user_id}', {
    name: 'verification.getStatus',
    auth: 'user',
    errors: ['USER_NOT_FOUND'],
    summary: "The status of a user's individual verification",
    params: Type.Object({ user_id: IdInput }),
    query: Type.Object({ client_id: IdInput }),
    invalid: 'user_id and client_id are required',
    reply: { 200: Status },
    fault: 'Failed to read the eKYC status',
    async handler({ caller, params, query, db }) {
      const { user_id } = params;
      const found = await findStatus(db, tenantScopeOf(caller), user_id, query.client_id);
      if (!found) throw fail('USER_NOT_FOUND', 'User not found for this client');
      const { status, verified_at, user_status } = found;
      if (status === null)
        return {
          message: 'No eKYC data found',
          data: {
            user_id,
            ekyc_status: NOT_SUBMITTED,
            ekyc_verified_at: null,
            user_status: 'PENDING',
          },
        };
      return {
        message: 'eKYC status retrieved successfully',
        data: { user_id, ekyc_status: status, ekyc_verified_at: verified_at, user_status },
      };
    },
  }),

  endpoint('GET /ekyc/history/{user_id}', {
    name: 'verification.listHistory',
    auth: 'user',
    history: true,
    errors: ['USER_NOT_FOUND'],
    summary: "Every status a user's verifications have had, newest first",
    params: Type.Object({ user_id: IdInput }),
    query: Type.Object(pageQuery(100)),
    reply: { 200: History },
    fault: 'Failed to read the verification history',
    async handler({ caller, params, query, db }) {
      const { user_id } = await requireUser(db, tenantScopeOf(caller), params.user_id);
      const { limit = HISTORY_PAGE, before } = query;
      const found = await listHistory(db, user_id, { limit: limit + 1, before });
      const { rows, next_before } = pageOf(found, limit, ({ id }) => id);
      const history = rows.map(({ kind, ...row }) => ({ ...row, verification_type: kind }));
      return new Paged({ user_id, history, next_before }, next_before);
    },
  }),
];
