import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../../log.ts';
import { networkOf } from '../../network.ts';
import type { TrustedProxies } from '../../proxies.ts';

/** Many people may share an address; the apps of one person never hold that many open. */
export const CONNECTIONS_MAX = 1000;
/** Of an unwanted body so many bytes are read and discarded, to keep its connection. */
const UNREAD_MAX = 64 * 1024;
/** Time for a client that is still sending to find the answer. */
const LINGER_MS = 2000;

interface Cap {
  /** How many one address may hold at a time. */
  readonly max: number;
  readonly trusts: TrustedProxies;
  readonly log: Logger;
}

/** Closes what one address opens beyond its number, trusted proxies aside. */
export function capConnections(server: Server, { max, trusts, log }: Cap): void {
  const open = new Map<string, { held: number; isReported: boolean }>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (trusts(address, 0)) return;
    const from = networkOf(address);
    const state = open.get(from) ?? { held: 0, isReported: false };
    if (state.held >= max) {
      if (!state.isReported) log.warn({ from, max }, 'an address holds too many connections');
      state.isReported = true;
      socket.destroy();
      return;
    }
    state.held += 1;
    open.set(from, state);
    socket.once('close', () => {
      state.held -= 1;
      if (state.held === 0) open.delete(from);
    });
  });
}

/**
 * A long body is not read any further once the request was answered before it: the answer is sent,
 * nothing is taken in any more, and the connection ends. It stays for a moment, since closing it
 * while the client is sending would lose the answer as well.
 */
export function leaveUnread({ complete, headers, socket }: IncomingMessage): void {
  if (complete) return;
  const { 'content-length': length = 0, 'transfer-encoding': coding } = headers;
  const long = Number(length) > UNREAD_MAX || coding !== undefined;
  // Node itself now begins to take the rest in, and has to have begun to be stopped.
  if (long) setImmediate(endUnread, socket);
}

function endUnread(socket: Socket): void {
  socket.pause();
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
