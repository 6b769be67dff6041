import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from './error.ts';
import { byAddress, type Limits } from './limits.ts';
import type { RefuseMethod } from './other-methods.ts';

const PROBES = /^\/(?:health\/|(?:metrics|version)(?:\?|$))/;

/**
 * Requests for anything but an endpoint count by address as well: pages, the reference, probes, and
 * unknown paths and methods, which are answered before their bodies are read.
 */
export async function limitUnrouted(
  { limits, refuseMethod }: { readonly limits: Limits; readonly refuseMethod: RefuseMethod },
  request: FastifyRequest,
  reply: FastifyReply,
  ofApi: boolean,
): Promise<void> {
  const limitClass = PROBES.test(request.url) ? 'probe' : 'page';
  await limits.spend(byAddress(ofApi ? 'public' : limitClass, request.ip), reply);
  if (request.is404) throw refuseMethod(request, reply) ?? fail('NOT_FOUND', 'Not found');
}
