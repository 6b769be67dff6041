import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/db.ts';
import type { Claims } from '../secrets/jwt.ts';
import { APP_TOKEN_PREFIX, findAppToken } from './app-tokens-store.ts';
import type { CredentialCache, KnownKey, KnownSession } from './credential-cache.ts';

/** How a connected app comes in, with a token instead of key and log-in. */
export interface AppDoor {
  /** The key behind the request's token. */
  findKey(request: FastifyRequest): Promise<KnownKey | undefined>;
  /** The log-in behind it, once its key is found. */
  prove(request: FastifyRequest): Promise<ProvenApp>;
}

interface ProvenApp {
  readonly claims: Claims;
  readonly session: KnownSession | undefined;
}

const SENT = new RegExp(`^Bearer +(${APP_TOKEN_PREFIX}\\w{1,100})$`, 'i');

/** The token of an app, where the endpoint opens to apps and the request has no key. */
export function appTokenOf({ route, headers }: FastifyRequest): string | undefined {
  if (!route?.endpoint.opensToApps || headers['x-api-key'] !== undefined) return undefined;
  return SENT.exec(headers.authorization ?? '')?.[1];
}

export function createAppDoor({
  db,
  credentials,
}: {
  readonly db: Db;
  readonly credentials: Pick<CredentialCache, 'findKey' | 'findSession'>;
}): AppDoor {
  const sessions = new WeakMap<FastifyRequest, string>();
  return {
    async findKey(request) {
      const token = appTokenOf(request);
      const found = token === undefined ? undefined : await findAppToken(db, token);
      if (!found) return undefined;
      sessions.set(request, found.session_id);
      return credentials.findKey(found.key_hash);
    },
    async prove(request) {
      const id = sessions.get(request) ?? '';
      const session = id === '' ? undefined : await credentials.findSession(id);
      const subject = session?.user_id ?? 0;
      return { session, claims: { subject, session: id, audience: 'platform', expires: 0 } };
    },
  };
}
