import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';
import type { RequestFacts } from '../http/route.ts';
import type { Tokens } from '../secrets/jwt.ts';
import type { CredentialCache } from './credential-cache.ts';
import { noteNetwork } from './known-networks.ts';

export interface SessionOwner {
  readonly user_id?: number;
  readonly userx_id?: number;
  /** How it was proven: `password`, `totp`, `external`, `phone`. */
  readonly method: string;
  /** The API key that the log-in came with: its application knows the user from now on. */
  readonly key_id?: number;
  readonly request?: Pick<RequestFacts, 'ip' | 'userAgent'>;
}

export interface Sessions {
  /** A log-in of a platform user or of a rewards-app user, and the token for it. */
  open(db: Db, owner: SessionOwner): Promise<{ token: string; session_id: string }>;
  /** Ends one session for good; whether it was still open. */
  revoke(db: Db, session_id: string): Promise<boolean>;
  /** Ends a user's open sessions but one, as after a password change; how many there were. */
  revokeOthers(db: Db, user_id: number, keep?: string): Promise<number>;
}

export function createSessions(deps: {
  readonly tokens: Tokens;
  readonly credentials: CredentialCache;
  readonly clock: Clock;
  readonly ttlSeconds: number;
}): Sessions {
  const { tokens, credentials, clock, ttlSeconds } = deps;
  return {
    async open(db, { user_id, userx_id, method, key_id, request }) {
      const session_id = randomUUID();
      const expires = clock.seconds() + ttlSeconds;
      await db
        .insertInto('sessions')
        .values({
          session_id,
          user_id: user_id ?? null,
          userx_id: userx_id ?? null,
          method,
          key_id: key_id ?? null,
          ip: request?.ip ?? null,
          user_agent: request?.userAgent ?? null,
          created_at: clock.now().toISOString(),
          expires_at: new Date(expires * 1000).toISOString(),
        })
        .execute();
      if (user_id !== undefined && request) await noteNetwork(db, user_id, request.ip, clock.now());
      const audience = user_id === undefined ? 'rewards' : 'platform';
      const subject = user_id ?? userx_id ?? 0;
      return {
        session_id,
        token: await tokens.sign({ subject, session: session_id, audience, expires }),
      };
    },
    async revoke(db, session_id) {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({ revoked_at: clock.now().toISOString() })
        .where('session_id', '=', session_id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      credentials.forget('session', session_id);
      return numUpdatedRows === 1n;
    },
    async revokeOthers(db, user_id, keep) {
      const ended = await db
        .updateTable('sessions')
        .set({ revoked_at: clock.now().toISOString() })
        .where('user_id', '=', user_id)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', clock.now().toISOString())
        .$if(keep !== undefined, (q) => q.where('session_id', '<>', keep ?? ''))
        .returning('session_id')
        .execute();
      for (const { session_id } of ended) credentials.forget('session', session_id);
      return ended.length;
    },
  };
}
