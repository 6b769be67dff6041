import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type AppError, fail } from '#kernel/error.ts';

export interface DrainedConnections {
  /** The refusal for a request that comes while the server stops; undefined before that. */
  refusal(): AppError | undefined;
}

/**
 * On a stop each connection ends as soon as no request is in flight on it, and all end when `answerMs` have
 * passed. Node's own way waits a minute for connections without a request, or with half of one.
 */
export function drainConnections(fastify: FastifyInstance, answerMs: number): DrainedConnections {
  const { server } = fastify;
  /**
   * The latest answer on each connection; earlier ones leave first. The stop checks whether it has been sent: a
   * listener for that would cost each request as much as its limits.
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
    // That answer is no longer the last one: Fastify's header on this one says so.
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
