import { randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';
import { deferWrite } from '../db/deferred-writes.ts';
import { deleteInBatches } from '../db/in-batches.ts';
import type { Row } from '../db/row.ts';
import type { Sessions as SessionRow } from '../db/schema.generated.ts';
import { fail } from '../error.ts';
import type { RequestFacts } from '../http/declare/route.ts';
import type { Tokens } from '../secrets/jwt.ts';
import { transact } from '../transact.ts';
import { CONSOLE_LIVES_S, idleSince } from './console-sessions.ts';
import type { CredentialCache } from './credential-cache.ts';
import { recordNetwork } from './known-networks.ts';
import { PROOF_LIVES_MS } from './operator-guard.ts';
import { emitSession } from './session-events.ts';

export interface SessionOwner {
  readonly user_id?: number;
  /** The user's, where it is known already. */
  readonly client_id?: number;
  readonly userx_id?: number;
  /** How it was proven: `password`, `totp`, `external`, `phone`; or that it is one of the console. */
  readonly method: string;
  /** A log-in to the console, which lives shorter, ends when idle, and whose token works nowhere else. */
  readonly console?: true;
  /** Where its holder gets further tokens until the log-in ends: how long both live. */
  readonly renewable?: Renewable;
  /** The API key that the log-in came with: its application knows the user from now on. */
  readonly key_id?: number;
  readonly request?: Pick<RequestFacts, 'ip' | 'userAgent'>;
}

/** A log-in that outlives its tokens. */
export interface Renewable {
  readonly token_s: number;
  readonly until: Date;
}

export interface Sessions {
  /** A log-in of a platform user or of a rewards-app user, and the token for it. */
  open(db: Db, owner: SessionOwner): Promise<OpenedSession>;
  /** Another token for a log-in that has not ended, which then lives on; nothing where there is none. */
  renew(tx: Db, session_id: string, renewable: Renewable): Promise<OpenedSession | undefined>;
  /** Its holder has just proven to be more than that; until when it counts, in ISO 8601. Throws TOKEN_INVALID where it has ended. */
  prove(tx: Db, session_id: string): Promise<string>;
  /** Ends one session for good; whether it was still open. */
  revoke(db: Db, session_id: string): Promise<boolean>;
  /** Ends a user's open sessions but one, as after a password change; how many there were. */
  revokeOthers(db: Db, user_id: number, keep?: string): Promise<number>;
  /** A user's open sessions, newest first, after the session `before` where one is given. */
  list(db: Db, user_id: number, page: SessionPage): Promise<ListedSession[]>;
  /** Ends one of the user's open sessions; whether there was such a one. */
  end(db: Db, user_id: number, session_id: string): Promise<boolean>;
}

export interface OpenedSession {
  readonly token: string;
  readonly session_id: string;
  /** Seconds for which it lives. */
  readonly lives_s: number;
}

export interface SessionPage {
  readonly limit: number;
  readonly before: string | undefined;
}
const LISTED = ['session_id', 'method', 'ip', 'user_agent', 'created_at', 'expires_at'] as const;
export type ListedSession = Row<'sessions', (typeof LISTED)[number]>;

interface SessionsDeps {
  readonly tokens: Tokens;
  readonly credentials: CredentialCache;
  readonly clock: Clock;
  readonly ttlSeconds: number;
}

/** Log-ins, each a row and a token. */
export function createSessionReader(deps: SessionsDeps): Sessions {
  const { credentials, clock } = deps;
  return {
    open: (db, owner) => openSession(deps, db, owner),
    renew: (tx, session_id, renewable) => renewSession(deps, tx, session_id, renewable),
    prove: (tx, session_id) => proveSession(tx, session_id, clock.now()),
    async revoke(db, session_id) {
      const ended = await revokeSession(db, session_id, clock.now());
      credentials.forget('session', session_id);
      return ended;
    },
    async revokeOthers(db, user_id, keep) {
      const at = clock.now().toISOString();
      const ended = await transact(db, (tx) =>
        emitRevoked(
          tx,
          revoking(tx, user_id, at).$if(keep !== undefined, (q) =>
            q.where('session_id', '<>', keep ?? ''),
          ),
        ),
      );
      for (const { session_id } of ended) credentials.forget('session', session_id);
      return ended.length;
    },
    list: (db, user_id, page) => listOpen(db, user_id, page, clock.now().toISOString()),
    async end(db, user_id, session_id) {
      const at = clock.now().toISOString();
      const ended = await transact(db, (tx) =>
        emitRevoked(tx, revoking(tx, user_id, at).where('session_id', '=', session_id)),
      );
      if (ended.length === 0) return false;
      credentials.forget('session', session_id);
      return true;
    },
  };
}

async function openSession(
  { tokens, clock, ttlSeconds }: SessionsDeps,
  db: Db,
  { user_id, client_id, userx_id, method, key_id, request, ...owner }: SessionOwner,
): Promise<OpenedSession> {
  const session_id = randomUUID();
  const usual_s = owner.console ? Math.min(ttlSeconds, CONSOLE_LIVES_S) : ttlSeconds;
  const lives_s = owner.renewable?.token_s ?? usual_s;
  const expires = clock.seconds() + lives_s;
  const ends = owner.renewable?.until ?? new Date(expires * 1000);
  const now = clock.now().toISOString();
  const session = {
    session_id,
    user_id: user_id ?? null,
    userx_id: userx_id ?? null,
    method,
    key_id: key_id ?? null,
    ip: request?.ip ?? null,
    user_agent: request?.userAgent ?? null,
    created_at: now,
    expires_at: ends.toISOString(),
    ...(owner.console && { seen_at: now, proved_at: now }),
  };
  await transact(db, async (tx) => {
    await insertSession(tx, session);
    await emitSession(tx, 'opened', session, client_id);
    if (user_id !== undefined && request) await recordNetwork(tx, user_id, request.ip, clock.now());
  });
  const ofUser = owner.console ? 'console' : 'platform';
  const audience = user_id === undefined ? 'rewards' : ofUser;
  const subject = user_id ?? userx_id ?? 0;
  const token = await tokens.sign({ subject, session: session_id, audience, expires });
  return { session_id, token, lives_s };
}

async function renewSession(
  { tokens, clock }: SessionsDeps,
  tx: Db,
  session_id: string,
  { token_s, until }: Renewable,
): Promise<OpenedSession | undefined> {
  const renewed = await tx
    .updateTable('sessions')
    .set({ expires_at: until.toISOString() })
    .where('session_id', '=', session_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', clock.now().toISOString())
    .returning('user_id')
    .executeTakeFirst();
  if (!renewed) return undefined;
  const owner = { subject: renewed.user_id ?? 0, session: session_id };
  const expires = clock.seconds() + token_s;
  const token = await tokens.sign({ ...owner, audience: 'platform', expires });
  return { session_id, token, lives_s: token_s };
}

async function proveSession(tx: Db, session_id: string, at: Date): Promise<string> {
  const proved = await tx
    .updateTable('sessions')
    .set({ proved_at: at.toISOString() })
    .where('session_id', '=', session_id)
    .where('revoked_at', 'is', null)
    .returning('session_id')
    .executeTakeFirst();
  if (!proved) throw fail('TOKEN_INVALID', 'Invalid token');
  return new Date(at.getTime() + PROOF_LIVES_MS).toISOString();
}

async function insertSession(tx: Db, session: Insertable<SessionRow>): Promise<void> {
  const query = tx.insertInto('sessions').values(session).compile();
  await deferWrite(tx, query.sql, query.parameters);
}

/** Whether it was not ended yet. */
async function revokeSession(db: Db, session_id: string, at: Date): Promise<boolean> {
  const ended = await transact(db, (tx) =>
    emitRevoked(
      tx,
      tx
        .updateTable('sessions')
        .set({ revoked_at: at.toISOString() })
        .where('session_id', '=', session_id)
        .where('revoked_at', 'is', null),
    ),
  );
  return ended.length === 1;
}

/** Ends them, tells of each, and answers which. */
async function emitRevoked(tx: Db, ending: ReturnType<typeof revoking>) {
  const ended = await ending.returning([...LISTED, 'user_id', 'userx_id']).execute();
  for (const session of ended) await emitSession(tx, 'revoked', session);
  return ended;
}

/** Ends a user's open sessions, those that the caller goes on to name. */
const revoking = (db: Db, user_id: number, at: string) =>
  db
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at);

const listOpen = (db: Db, user_id: number, { limit, before }: SessionPage, at: string) =>
  db
    .selectFrom('sessions')
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .where(({ or, eb }) => or([eb('seen_at', 'is', null), eb('seen_at', '>', idleSince(at))]))
    .$if(before !== undefined, (q) => q.where(after(before ?? '', user_id)))
    // As they were opened, since all but the console's live as long; so the index has the open ones alone.
    .orderBy('expires_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('session_id', 'desc')
    .limit(limit)
    .select(LISTED)
    .execute();

const after = (before: string, user_id: number) =>
  sql<boolean>`(expires_at, created_at, session_id)
    < (select b.expires_at, b.created_at, b.session_id from sessions b
    where b.session_id = ${before} and b.user_id = ${user_id})`;

/** For SQL by hand: that the member of the rewards app in that column is logged in at that time. */
export const memberIsLoggedIn = (userx_id: string, at: string): string =>
  `exists (select from sessions s
    where s.userx_id = ${userx_id} and s.revoked_at is null and s.expires_at > ${at})`;

export const forgetSessions = (db: Db, before: string): Promise<void> =>
  deleteInBatches(db, 'sessions', 'expires_at < $1', [before]);
