import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Faults } from './faults.ts';

/** Lets a provider's own endpoints fail as networks and servers do, when `POST /faults` asks. */
export function misbehave(scope: FastifyInstance, provider: string, faults: Faults): void {
  const dropping = new WeakSet<FastifyRequest>();

  scope.addHook('onRequest', async (request, reply) => {
    const delay = faults.take(provider, 'delay');
    if (delay) await wait(delay.ms, undefined, { ref: false });
    if (faults.take(provider, 'refuse')) cut(request, reply);
  });
  scope.addHook('preHandler', async (request, reply) => {
    const fault = faults.take(provider, 'drop', 'error', 'commit-then-drop');
    if (fault?.kind === 'drop') cut(request, reply);
    if (fault?.kind === 'commit-then-drop') dropping.add(request);
    if (fault?.kind === 'error') return reply.code(500).send({ error: 'Internal server error' });
  });
  scope.addHook('onSend', async (request, _reply, payload) => {
    // The work is done; only its answer gets lost.
    if (dropping.has(request)) request.raw.socket.destroy();
    return payload;
  });
}

function cut(request: FastifyRequest, reply: { hijack(): unknown }): void {
  reply.hijack();
  request.raw.socket.destroy();
}
