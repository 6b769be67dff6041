import type { FastifyInstance, InjectOptions } from 'fastify';
import type { AskOwn } from '#features/commerce/mcp-server/mcp-server.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';

/**
 * Requests to our own API without a socket: they pass the same limits, keys, tokens, schemas and
 * idempotency as those from outside, under the address of whoever they are made for.
 */
export const askingOwn =
  (server: () => FastifyInstance): AskOwn =>
  async ({ method, path, query, headers, body, ip }) => {
    const answer = await server().inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: `${API_PREFIX}${path}`,
      query: { ...query },
      headers: { ...headers },
      remoteAddress: ip,
      ...(body && { payload: { ...body } }),
    });
    return { status: answer.statusCode, body: answer.json() as unknown };
  };
