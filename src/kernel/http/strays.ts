import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail } from './error.ts';
import { byAddress, type Limits, type Spending } from './limits.ts';

const PROBES = /^\/(?:health\/|metrics(?:\?|$))/;

/**
 * Whatever no endpoint of the API answers counts by address as well: pages, the reference, probes, and
 * what is nowhere, which is told so before its body is read.
 */
export function limitStrays(server: FastifyInstance, limits: Limits, apiPaths: string): void {
  const limitOf = ({ url }: FastifyRequest): Spending['limit'] => {
    if (url.startsWith(apiPaths)) return 'public';
    return PROBES.test(url) ? 'probe' : 'page';
  };
  const spend = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await limits.spend(byAddress(limitOf(request), request.ip), reply);
    if (request.is404) throw fail('NOT_FOUND', 'Not found');
  };
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && request.url.startsWith(apiPaths)) done();
    else spend(request, reply).then(() => done(), done);
  });
}
