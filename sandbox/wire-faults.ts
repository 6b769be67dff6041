import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Faults, SandboxFault } from './faults.ts';

/**
 * Lets a provider's own endpoints fail as networks and servers do, when `POST /faults` asks.
 *
 * What spoils a request is settled when it arrives. One that waits would otherwise wake when its caller
 * is long gone and use up what was armed for a later one.
 */
export function misbehave(scope: FastifyInstance, provider: string, faults: Faults): void {
  const spoiled = new WeakMap<FastifyRequest, SandboxFault>();

  scope.addHook('onRequest', async (request, reply) => {
    const delay = faults.take(provider, 'delay');
    const isRefused = faults.take(provider, 'refuse') !== undefined;
    const fault = isRefused
      ? undefined
      : faults.take(provider, 'drop', 'error', 'commit-then-drop');
    if (fault) spoiled.set(request, fault);
    if (delay) await wait(delay.ms, undefined, { ref: false });
    if (isRefused) cut(request, reply);
  });
  scope.addHook('preHandler', async (request, reply) => {
    const kind = spoiled.get(request)?.kind;
    if (kind === 'drop') cut(request, reply);
    if (kind === 'error') return reply.code(500).send({ error: 'Internal server error' });
  });
  scope.addHook('onSend', async (request, _reply, payload) => {
    // The work is done; only its answer gets lost.
    if (spoiled.get(request)?.kind === 'commit-then-drop') request.raw.socket.destroy();
    return payload;
  });
}

function cut(request: FastifyRequest, reply: { hijack(): unknown }): void {
  reply.hijack();
  request.raw.socket.destroy();
}
