import { Type } from 'typebox';
import { listActivityAudit } from '#features/messaging/activity/activity.ts';
import { clientScopeOf } from '#kernel/access/tenant-scope.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { Id, Json, Nullable, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';

const PAGE = 50;
const PAGE_MAX = 200;

const Entry = named('AuditEntry', {
  id: Type.Integer(),
  action: Type.String(),
  client_id: Nullable(Id),
  actor_user_id: Nullable(Id),
  actor_username: Type.String(),
  subject_user_id: Nullable(Id),
  details: Json,
  ip: TextOrNull,
  user_agent: TextOrNull,
  request_id: TextOrNull,
  at: Timestamp,
});

/** Actions of admins; beyond the contract, because a platform must be able to account for them. */
export const auditRoute = (): Route =>
  endpoints(errorEnvelope)('GET /admins/audit', {
    name: 'admins.audit',
    team: 'audit:read',
    auth: 'admin',
    history: true,
    csv: 'entries',
    summary:
      "Actions of admins on the caller's client, newest first; next page before `next_before`",
    query: Type.Object({
      ...pageQuery(PAGE_MAX),
      action: Type.Optional(Type.String({ pattern: '^[A-Z0-9_]{1,60}$' })),
    }),
    reply: {
      200: Type.Object({
        entries: Type.Array(Entry),
        has_more: Type.Boolean(),
        next_before: Nullable(Type.Integer()),
      }),
    },
    fault: 'Failed to read the audit log',
    async handler({ caller, query, db }) {
      const { limit = PAGE, action, before } = query;
      const client_id = clientScopeOf(caller);
      const found = await listActivityAudit(db, { client_id, action, before, limit: limit + 1 });
      const { rows: entries, ...more } = pageOf(found, limit, ({ id }) => id);
      return new Paged({ entries, ...more }, more.next_before);
    },
  });
