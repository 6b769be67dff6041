import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from './error.ts';
import { byAddress, type Limits } from './limits.ts';

const PROBES = /^\/(?:health\/|metrics(?:\?|$))/;

/**
 * Whatever no endpoint of the API answers counts by address as well: pages, the reference, probes, and
 * what is nowhere, which is answered before its body is read.
 */
export async function limitUnrouted(
  limits: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
  ofApi: boolean,
): Promise<void> {
  const limitClass = PROBES.test(request.url) ? 'probe' : 'page';
  await limits.spend(byAddress(ofApi ? 'public' : limitClass, request.ip), reply);
  if (request.is404) throw fail('NOT_FOUND', 'Not found');
}
