import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../access/network.ts';
import type { Trusts } from '../access/proxies.ts';

/** Many people may share an address; nobody's own apps hold that many open. */
export const CONNECTIONS_MAX = 1000;
/** A body of up to so many bytes that nobody asked for is thrown away sooner than its connection. */
const UNREAD_MAX = 64 * 1024;
/** For whoever is still sending to find the answer there. */
const LINGER_MS = 2000;

/** Closes what one address opens beyond so many at a time, trusted proxies aside. */
export function capConnections(server: Server, max: number, trusts: Trusts): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (trusts(address, 0)) return;
    const from = networkOf(address);
    const held = open.get(from) ?? 0;
    if (held >= max) {
      socket.destroy();
      return;
    }
    open.set(from, held + 1);
    socket.once('close', () => {
      const left = (open.get(from) ?? 1) - 1;
      if (left === 0) open.delete(from);
      else open.set(from, left);
    });
  });
}

/**
 * Whoever was answered before their body was read is not read any further, if it is a long one: the
 * answer is sent, nothing is taken in any more, and the connection ends. It stays for a moment, since
 * closing it under somebody who is sending would take the answer from them as well.
 */
export function leaveUnread(server: FastifyInstance): void {
  server.addHook('onResponse', ({ raw, headers, socket }, _reply, done) => {
    const { 'content-length': length = 0, 'transfer-encoding': coding } = headers;
    const long = Number(length) > UNREAD_MAX || coding !== undefined;
    if (long && !raw.complete) {
      socket.pause();
      socket.end();
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    }
    done();
  });
}
