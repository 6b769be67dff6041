import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type AppError, fail } from './error.ts';

export interface Connections {
  /** What a request is told that comes while the server stops; nothing while it does not. */
  refusal(): AppError | undefined;
}

/**
 * Stopping ends each connection as soon as nothing is under way on it, and all when `answerMs` have
 * passed. Node's own way waits a minute for those on which nothing, or half a request, was said.
 */
export function endConnections(fastify: FastifyInstance, answerMs: number): Connections {
  const { server } = fastify;
  /** The latest answer on each that is still to be given; those before it leave first. */
  const latest = new Map<Socket, ServerResponse | undefined>();
  let stopping = false;
  // Node's close() would cut off answers that are still on their way to somebody slow: to it they are idle.
  server.closeIdleConnections = () => undefined;
  server.on('connection', (socket: Socket) => {
    latest.set(socket, undefined);
    socket.once('close', () => latest.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const before = latest.get(socket);
    // It is not the last one any more, as Fastify has told this one to be.
    if (stopping && before && !before.headersSent) before.removeHeader('connection');
    latest.set(socket, answer);
    answer.once('close', () => {
      if (latest.get(socket) !== answer) return;
      latest.set(socket, undefined);
      if (stopping) socket.destroySoon();
    });
  });
  fastify.addHook('preClose', (done) => {
    stopping = true;
    for (const [socket, answer] of latest)
      if (!answer) socket.destroy();
      else if (!answer.headersSent) answer.setHeader('connection', 'close');
    const late = setTimeout(() => {
      for (const socket of latest.keys()) socket.destroy();
    }, answerMs);
    server.once('close', () => clearTimeout(late));
    done();
  });
  return {
    refusal: () =>
      stopping
        ? fail('SHUTTING_DOWN', 'The service is shutting down and did not start this request', {
            retryAfter: 1,
          })
        : undefined,
  };
}
