import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type AppError, fail } from '#kernel/error.ts';

export interface DrainedConnections {
  /** What a request is answered that comes while the server stops; nothing while it does not. */
  refusal(): AppError | undefined;
}

/**
 * Stopping ends each connection as soon as nothing is under way on it, and all when `answerMs` have
 * passed. Node's own way waits a minute for those on which nothing, or half a request, was said.
 */
export function drainConnections(fastify: FastifyInstance, answerMs: number): DrainedConnections {
  const { server } = fastify;
  /**
   * The latest answer on each; those before it leave first. Whether it has been given is asked when the
   * server stops: a listener for it would cost each request as much as its limits.
   */
  const latest = new Map<Socket, ServerResponse | undefined>();
  let stopping = false;
  const endWith = (socket: Socket, answer: ServerResponse) =>
    answer.once('close', () => {
      if (latest.get(socket) === answer) socket.destroySoon();
    });
  // Node's close() would cut off answers that are still on their way to a slow caller: to it they are idle.
  server.closeIdleConnections = () => undefined;
  server.on('connection', (socket: Socket) => {
    latest.set(socket, undefined);
    socket.once('close', () => latest.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const before = stopping ? latest.get(socket) : undefined;
    latest.set(socket, answer);
    if (!stopping) return;
    // It is not the last one any more, as Fastify's header on this one says.
    if (before && !before.headersSent) before.removeHeader('connection');
    endWith(socket, answer);
  });
  fastify.addHook('preClose', (done) => {
    stopping = true;
    for (const [socket, answer] of latest) {
      if (!answer || answer.closed) {
        socket.destroy();
        continue;
      }
      if (!answer.headersSent) answer.setHeader('connection', 'close');
      endWith(socket, answer);
    }
    const late = setTimeout(() => {
      for (const socket of latest.keys()) socket.destroy();
    }, answerMs);
    server.once('close', () => clearTimeout(late));
    done();
  });
  return { refusal: () => (stopping ? notStarted() : undefined) };
}

const notStarted = (): AppError =>
  fail('SHUTTING_DOWN', 'The service is shutting down and did not start this request', {
    retryAfter: 1,
  });
