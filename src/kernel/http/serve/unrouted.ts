import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '#kernel/error.ts';
import { byAddress, type Limits } from '#kernel/http/answer/limits.ts';
import type { RefuseMethod } from './other-methods.ts';

const PROBES = /^\/(?:health\/|(?:metrics|version)(?:\?|$))/;

/** A browser's question before a call from another origin, which CORS answers. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** Whether no endpoint answers a request. Where CORS is on, the router has OPTIONS for every path. */
export const isUnrouted = (request: FastifyRequest): boolean =>
  request.is404 || request.method === 'OPTIONS';

/**
 * Requests for anything but an endpoint count by address as well: pages, the reference, probes, preflights,
 * and unknown paths and methods, which are answered before their bodies are read.
 */
export async function limitUnrouted(
  { limits, refuseMethod }: { readonly limits: Limits; readonly refuseMethod: RefuseMethod },
  request: FastifyRequest,
  reply: FastifyReply,
  ofApi: boolean,
): Promise<void> {
  const isAsking = isPreflight(request);
  const ofPages = PROBES.test(request.url) ? 'probe' : 'page';
  const limitClass = ofApi ? 'public' : ofPages;
  // A page of another origin asks before its calls, and its users share an address.
  await limits.spend(byAddress(isAsking ? 'probe' : limitClass, request.ip), reply);
  if (isAsking && !request.is404) return;
  if (isUnrouted(request)) throw refuseMethod(request, reply) ?? fail('NOT_FOUND', 'Not found');
}
