import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Simulator } from './simulator.ts';

/**
 * Hands requests for a WebSocket to the simulator whose prefix they name, under the same rule of who may
 * call the sandbox; ends those that are open with the listener.
 */
export function acceptUpgrades(
  server: FastifyInstance,
  simulators: readonly Simulator[],
  isForeign: (request: IncomingMessage) => boolean,
): void {
  const open = new Set<Duplex>();
  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = (request.url ?? '').split('?')[0];
    const simulator = simulators.find(({ prefix, upgrade }) => upgrade && prefix === path);
    if (!simulator?.upgrade || isForeign(request)) return void socket.destroy();
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    simulator.upgrade(request, socket, head).catch(() => socket.destroy());
    return undefined;
  });
  server.addHook('preClose', async () => {
    for (const socket of open) socket.destroy();
  });
}
