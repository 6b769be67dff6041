import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { monotonicMs } from '../clock.ts';
import { addressScopeOf } from './addresses.ts';
import {
  BlockedError,
  isAllowedOrigin,
  isLocalName,
  type OutboundRules,
  permits,
} from './target.ts';
import { tunnel } from './tunnel.ts';

/** All addresses of a name. Rejects where there are none. */
export type LookUp = (host: string) => Promise<readonly string[]>;

const LOOK_UP_MS = 2000;
const LOOK_UP_TRIES = 2;

/**
 * Asks name servers by sockets, never by the operating system's own function: that takes one of few
 * threads for as long as a name server keeps silent, and passwords are hashed on the same ones.
 */
export function lookUpBy(resolver = systemResolver()): LookUp {
  return async (host) => {
    if (isLocalName(host)) return ['127.0.0.1', '::1'];
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [v4, v6].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  };
}

const systemResolver = () => new Resolver({ timeout: LOOK_UP_MS, tries: LOOK_UP_TRIES });

export interface ConnectOptions {
  readonly connectMs: number;
  readonly lookUp: LookUp;
  /** Whom to trust instead of the machine's authorities. */
  readonly ca?: string;
  /** By which all that is not this machine is called. */
  readonly proxy?: URL;
}

/**
 * Connects to public addresses only. A name is looked up once for a connection; where one of its addresses
 * is not public it is not called at all, and what is connected to is what was checked. When the connection
 * stands its other end is asked once more. A proxy is asked for the address that was checked, not for the name.
 */
export function guardedConnector(
  rules: OutboundRules,
  { connectMs, lookUp, ca, proxy }: ConnectOptions,
): buildConnector.connector {
  const options = {
    allowH2: false,
    autoSelectFamily: true,
    timeout: connectMs,
    ...(ca === undefined ? {} : { ca }),
  };
  const anywhere = buildConnector({ ...options, lookup: lookupOf(lookUp, () => true) });
  const isPermitted = (address: string) => permits(addressScopeOf(address), rules);
  const checked = buildConnector({ ...options, lookup: lookupOf(lookUp, isPermitted) });
  const byProxy = proxy && throughProxy(proxy, { connectMs, lookUp, isPermitted, tls: anywhere });
  return (target, callback) => {
    const { origin } = new URL(`${target.protocol}//${target.host ?? target.hostname}`);
    if (isAllowedOrigin(origin, rules)) return anywhere(target, callback);
    if (byProxy && !isOwnMachine(target)) return byProxy(target, callback);
    checked(target, (...[error, socket]) => {
      if (error !== null) callback(error, null);
      else if (isPermitted(socket.remoteAddress ?? '')) callback(null, socket);
      else {
        socket.destroy();
        callback(new BlockedError('private-address'), null);
      }
    });
  };
}

const hostOf = ({ hostname }: buildConnector.Options): string => hostname.replace(/^\[|\]$/g, '');

/** Where that may be called at all: a proxy's own machine is another one. */
function isOwnMachine(target: buildConnector.Options): boolean {
  const host = hostOf(target);
  return isLocalName(host) || (isIP(host) !== 0 && addressScopeOf(host) === 'loopback');
}

interface ByProxy extends Pick<ConnectOptions, 'connectMs' | 'lookUp'> {
  readonly isPermitted: (address: string) => boolean;
  readonly tls: buildConnector.connector;
}

/** So many addresses of a name are tried. */
const TRIED_MAX = 3;

function throughProxy(
  proxy: URL,
  { connectMs, lookUp, isPermitted, tls }: ByProxy,
): buildConnector.connector {
  const open = async (target: buildConnector.Options): Promise<Socket> => {
    const until = monotonicMs() + connectMs;
    const host = hostOf(target);
    const found = isIP(host) === 0 ? await lookUp(host) : [host];
    // Through a proxy this machine's own addresses are the proxy's.
    if (!found.every((address) => isPermitted(address) && addressScopeOf(address) === 'public'))
      throw new BlockedError('private-address');
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    let why: unknown;
    for (const address of found.slice(0, TRIED_MAX)) {
      const left = Math.max(1, until - monotonicMs());
      const socket = await tunnel(proxy, { address, port }, left).catch((error: unknown) => {
        why = error;
      });
      if (socket) return socket;
    }
    throw why;
  };
  return (target, callback) => {
    open(target).then(
      (httpSocket) => {
        if (target.protocol === 'https:') tls({ ...target, httpSocket }, callback);
        else callback(null, httpSocket);
      },
      (error) => callback(error, null),
    );
  };
}

/** As a socket asks for it. One address that must not be called spoils the name: others may be tried next. */
function lookupOf(lookUp: LookUp, isPermitted: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    const answer = async () => {
      const found = await lookUp(host);
      if (!found.every(isPermitted)) throw new BlockedError('private-address');
      return found.map((address) => ({ address, family: isIP(address) }));
    };
    answer().then(
      (found) => {
        const [first] = found;
        if (options.all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error) => callback(error, ''),
    );
  };
}
