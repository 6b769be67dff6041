import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../../log.ts';
import { networkOf, siteOf } from '../../network.ts';
import type { TrustedProxies } from '../../proxies.ts';

/** How many a process holds at a time, trusted proxies aside. */
export interface ConnectionsMax {
  readonly one: number;
  readonly all: number;
}

/** Many people may share an address; the apps of one person never hold that many open. */
const OF_ONE_MAX = 1000;
/** The other files are for the database, for outgoing calls and for all else with a ceiling. */
const OF_FILES = 1 / 2;
/**
 * A network holds no more than this part of what is still free. One alone has a ninth of all at most, and the more hold
 * some the less each has, so that the next one finds room without anybody's being cut off.
 */
const OF_FREE = 1 / 8;

/** How many connections a process holds that may have so many files and sockets open. */
export const connectionsMax = (files: number): ConnectionsMax => ({
  one: OF_ONE_MAX,
  all: Math.max(1, Math.floor(files * OF_FILES)),
});

/** Of an unwanted body so many bytes are read and discarded, to keep its connection. */
const UNREAD_MAX = 64 * 1024;
/** Time for a client that is still sending to find the answer. */
const LINGER_MS = 2000;

interface Cap {
  readonly max: ConnectionsMax;
  readonly trusts: TrustedProxies;
  readonly log: Logger;
}

interface From {
  readonly name: string;
  held: number;
  isReported: boolean;
}

/** Closes what one address, or one customer of IPv6, opens beyond its share, trusted proxies aside. */
export function capConnections(server: Server, { max, trusts, log }: Cap): void {
  const places = createConnectionSlots(max);
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (trusts(address, 0)) return;
    const taken = places.take(address);
    if (typeof taken === 'function') {
      socket.once('close', taken);
      return;
    }
    const { name, isReported } = taken;
    if (!isReported) log.warn({ from: name, max }, 'an address holds too many connections');
    taken.isReported = true;
    socket.destroy();
  });
}

interface Places {
  /** Takes one for an address; the answer gives it back. Otherwise says whose share has none left. */
  take(address: string): (() => void) | From;
}

export function createConnectionSlots(max: ConnectionsMax): Places {
  const whole = createFrom('all');
  const open = new Map<string, From>();
  const known = (name: string): From => open.get(name) ?? createFrom(name);
  const giveBack = (from: From) => {
    from.held -= 1;
    if (from.held === 0) open.delete(from.name);
  };
  return {
    take(address) {
      const free = max.all - whole.held;
      if (free <= 0) return whole;
      const share = Math.max(1, Math.floor(free * OF_FREE));
      const network = known(networkOf(address));
      if (network.held >= Math.min(max.one, share)) return network;
      const around = siteOf(address);
      const site = around === undefined ? undefined : known(around);
      if (site && site.held >= share) return site;
      const counted = site ? [network, site] : [network];
      for (const from of counted) {
        from.held += 1;
        open.set(from.name, from);
      }
      whole.held += 1;
      return () => {
        whole.held -= 1;
        if (whole.held < max.all / 2) whole.isReported = false;
        counted.forEach(giveBack);
      };
    },
  };
}

const createFrom = (name: string): From => ({ name, held: 0, isReported: false });

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
