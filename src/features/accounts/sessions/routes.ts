import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { decide } from '#kernel/access/attempts.ts';
import { type FreshProof, PROOF } from '#kernel/access/fresh-proof.ts';
import { fail } from '#kernel/error.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { pageOf } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  flat,
  integerInput,
  Success,
  TextOrNull,
  Timestamp,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';

export type SessionDeps = Pick<Kernel, 'sessions'> & { readonly freshProof: FreshProof };

const endpoint = endpoints(flatEnvelope);
const LISTED_MAX = 200;

const Session = named('Session', {
  session_id: Uuid,
  method: Type.String(),
  ip: TextOrNull,
  user_agent: TextOrNull,
  created_at: Timestamp,
  expires_at: Timestamp,
  /** The session of the request. */
  current: Type.Boolean(),
});

/** Users list their sessions, and end them elsewhere. */
export const sessionRoutes = (deps: SessionDeps): Route[] => [...ownRoutes(deps), proofRoute(deps)];

const ownRoutes = ({ sessions }: SessionDeps): Route[] => [
  endpoint('GET /sessions', {
    name: 'sessions.list',
    auth: 'user',
    console: true,
    summary:
      "Lists the caller's open sessions, newest first, but for the console's, which live shorter; the next page is `before` the last.",
    query: Type.Object({
      limit: Type.Optional(integerInput(1, LISTED_MAX)),
      before: Type.Optional(Uuid),
    }),
    reply: { 200: Type.Object({ success: Success, data: Type.Array(Session) }) },
    fault: 'Failed to list sessions',
    async handler({ caller, query: { limit = LISTED_MAX, before }, db }) {
      const found = await sessions.list(db, caller.user_id, { limit: limit + 1, before });
      const { rows, next_before } = pageOf(found, limit, ({ session_id }) => session_id);
      const data = rows.map((row) => ({ ...row, current: row.session_id === caller.session_id }));
      return new Paged({ data }, next_before);
    },
  }),

  endpoint('DELETE /sessions/{session_id}', {
    name: 'sessions.end',
    auth: 'user',
    console: true,
    errors: ['NOT_FOUND'],
    summary: "Ends one of the caller's sessions; its token is refused at once.",
    params: Type.Object({ session_id: Uuid }),
    reply: { 200: flat({ message: Type.String(), session_id: Uuid }) },
    fault: 'Failed to end session',
    async handler({ caller, params, db }) {
      const session_id = params.session_id.toLowerCase();
      if (!(await sessions.end(db, caller.user_id, session_id)))
        throw fail('NOT_FOUND', 'Session not found');
      return { message: 'Session ended', session_id };
    },
  }),

  endpoint('DELETE /sessions', {
    name: 'sessions.endOthers',
    auth: 'user',
    console: true,
    summary: "Ends all of the caller's sessions except the one of the request.",
    reply: { 200: flat({ message: Type.String(), ended: Type.Integer() }) },
    fault: 'Failed to end sessions',
    async handler({ caller, db }) {
      const ended = await sessions.revokeOthers(db, caller.user_id, caller.session_id);
      return { message: 'Other sessions ended', ended };
    },
  }),
];

const proofRoute = ({ sessions, freshProof }: SessionDeps): Route =>
  endpoint('POST /sessions/prove', {
    name: 'sessions.prove',
    auth: 'user',
    errors: ['INVALID_PASSWORD', 'INVALID_CODE'],
    summary:
      'Proves by password or code that the owner holds the log-in: for five minutes it counts as a fresh one.',
    body: Type.Object(PROOF),
    reply: {
      200: Type.Object({
        success: Success,
        data: Type.Object({
          proved_until: explained(Timestamp, 'Until then no other proof is needed'),
        }),
      }),
    },
    fault: 'Failed to prove it',
    async handler({ caller, body, db, request }) {
      if (body.current_password === undefined && body.two_fa_token === undefined)
        throw fail('VALIDATION_ERROR', 'A current_password or a two_fa_token is required');
      const proof = await freshProof.verify(db, { caller, request }, body);
      return decide(db, async (tx) => {
        const refusal = await proof(tx);
        if (refusal) return refusal;
        const proved_until = await sessions.prove(tx, caller.session_id);
        await logActivity(tx, { action: 'SESSION_PROVED', actor: caller, request });
        return { data: { proved_until } };
      });
    },
  });
