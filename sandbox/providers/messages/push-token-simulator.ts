import { createPublicKey, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { jwtVerify } from 'jose';
import { machineMs } from '#kernel/clock.ts';
import type { Config } from '#kernel/config/config.ts';
import { readSenderAccount } from '#providers/messages/push-tokens.ts';
import { ACCESS_SCOPE, TokenRequest } from '#providers/messages/wire.ts';
import type { World } from '#sandbox/simulator.ts';
import { readFormBodies } from './forms.ts';

interface IssuedToken {
  readonly access_token: string;
  readonly until: number;
}

const KIND = 'token';
const LIFETIME_S = 3600;

/**
 * Google's token endpoint for the configured service account, and whether a request may send. The
 * account's own file has what the real one knows of it: the public half of its key.
 */
export function tokenEndpoint(
  server: FastifyInstance,
  { records }: World,
  config: Pick<Config, 'PUSH_TOKEN' | 'PUSH_ACCOUNT_FILE'>,
): (authorization: string | undefined) => Promise<boolean> {
  const { PUSH_ACCOUNT_FILE: file, PUSH_TOKEN } = config;
  if (file === undefined) return async (authorization) => authorization === `Bearer ${PUSH_TOKEN}`;
  const { client_email: issuer, private_key } = readSenderAccount(file);
  const key = createPublicKey(private_key);

  readFormBodies(server);
  server.post<{ Body: TokenRequest }>(
    '/token',
    { schema: { body: TokenRequest } },
    async ({ body, protocol, host, url }, reply) => {
      const audience = `${protocol}://${host}${url}`;
      const proven = await jwtVerify(body.assertion, key, {
        algorithms: ['RS256'],
        issuer,
        audience,
        requiredClaims: ['exp', 'iat', 'scope'],
      }).catch(() => undefined);
      if (proven?.payload['scope'] !== ACCESS_SCOPE)
        return reply.code(400).send({ error: 'invalid_grant', error_description: 'Bad assertion' });
      const access_token = `ya29.${randomUUID()}`;
      const until = machineMs() + LIFETIME_S * 1000;
      await records.insert('push', KIND, access_token, { access_token, until });
      return { access_token, expires_in: LIFETIME_S, token_type: 'Bearer' };
    },
  );

  return async (authorization = '') => {
    const token = authorization.replace(/^Bearer /, '');
    const known = await records.get<IssuedToken>('push', KIND, token);
    return known !== undefined && machineMs() < known.until;
  };
}
