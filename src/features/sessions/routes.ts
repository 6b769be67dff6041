import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { flatEnvelope } from '#kernel/http/envelope.ts';
import { fail } from '#kernel/http/error.ts';
import { pageOf } from '#kernel/http/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/route.ts';
import { flat, integerInput, Success, TextOrNull, Timestamp, Uuid } from '#kernel/http/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';

export type SessionDeps = Pick<Kernel, 'clock' | 'credentials' | 'sessions'>;

const endpoint = endpoints(flatEnvelope);
const LISTED_MAX = 200;

const Session = Type.Object({
  session_id: Uuid,
  method: Type.String(),
  ip: TextOrNull,
  user_agent: TextOrNull,
  created_at: Timestamp,
  expires_at: Timestamp,
  /** The one that asks. */
  current: Type.Boolean(),
});

/** People see where they are logged in, and log out elsewhere. */
export const sessionRoutes = ({ clock, credentials, sessions }: SessionDeps): Route[] => [
  endpoint('GET /sessions', {
    auth: 'user',
    summary: "Lists the caller's open sessions, newest first; the next page is `before` the last.",
    query: Type.Object({
      limit: Type.Optional(integerInput(1, LISTED_MAX)),
      before: Type.Optional(Uuid),
    }),
    reply: { 200: Type.Object({ success: Success, data: Type.Array(Session) }) },
    fault: 'Failed to list sessions',
    async handler({ caller, query: { limit = LISTED_MAX, before }, db }) {
      const page = { limit: limit + 1, before, now: clock.now() };
      const found = await listSessions(db, caller.user_id, page);
      const { rows, next_before } = pageOf(found, limit, ({ session_id }) => session_id);
      const data = rows.map((row) => ({ ...row, current: row.session_id === caller.session_id }));
      return new Paged({ data }, next_before);
    },
  }),

  endpoint('DELETE /sessions/{session_id}', {
    auth: 'user',
    summary: "Ends one of the caller's sessions; its token is refused at once.",
    params: Type.Object({ session_id: Uuid }),
    reply: { 200: flat({ message: Type.String(), session_id: Uuid }) },
    fault: 'Failed to end session',
    async handler({ caller, params, db }) {
      const session_id = params.session_id.toLowerCase();
      if (!(await endSession(db, caller.user_id, session_id, clock.now())))
        throw fail('NOT_FOUND', 'Session not found');
      credentials.forget('session', session_id);
      return { message: 'Session ended', session_id };
    },
  }),

  endpoint('DELETE /sessions', {
    auth: 'user',
    summary: "Ends all of the caller's sessions but the one that asks.",
    reply: { 200: flat({ message: Type.String(), ended: Type.Integer() }) },
    fault: 'Failed to end sessions',
    async handler({ caller, db }) {
      const ended = await sessions.revokeOthers(db, caller.user_id, caller.session_id);
      return { message: 'Other sessions ended', ended };
    },
  }),
];

interface Page {
  readonly limit: number;
  readonly before: string | undefined;
  readonly now: Date;
}

const listSessions = (db: Db, user_id: number, { limit, before, now }: Page) =>
  db
    .selectFrom('sessions')
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .$if(before !== undefined, (q) =>
      q.where(
        sql<boolean>`(created_at, session_id) < (select b.created_at, b.session_id from sessions b
          where b.session_id = ${before} and b.user_id = ${user_id})`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('session_id', 'desc')
    .limit(limit)
    .select(['session_id', 'method', 'ip', 'user_agent', 'created_at', 'expires_at'])
    .execute();

/** Whether the user had such an open session. */
async function endSession(db: Db, user_id: number, session_id: string, now: Date) {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ revoked_at: now.toISOString() })
    .where('session_id', '=', session_id)
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
