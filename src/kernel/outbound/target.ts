import { isIP } from 'node:net';
import { type AddressScope, addressScopeOf } from './addresses.ts';

/** Why an address that a caller named is not called. */
export type Blocked =
  | 'not-a-url'
  | 'too-long'
  | 'scheme'
  | 'user-info'
  | 'port'
  | 'private-address';

/** The same in words for the caller. */
export const BLOCKED: Readonly<Record<Blocked, string>> = {
  'not-a-url': 'is not an absolute URL',
  'too-long': 'is longer than 2,048 characters',
  scheme: 'must begin with https://',
  'user-info': 'must not have a user name or password in it',
  port: 'has a port that is not called',
  'private-address': 'leads to an address that is not public',
};

/** What may be called. */
export interface OutboundRules {
  /** `http:` beside `https:`. */
  readonly plainHttp: boolean;
  readonly ports: readonly number[] | 'any';
  /** Whether this very machine counts as public; never in production. */
  readonly loopback: boolean;
  /**
   * Addresses that may be called wherever they lead, such as the sandbox's shop: an origin, and the
   * beginning of the path. Asked for each time, since listeners get their ports late.
   */
  readonly allowed: () => readonly string[];
}

export class BlockedError extends Error {
  override readonly name = 'BlockedError';
  readonly why: Blocked;

  constructor(why: Blocked) {
    super(`The address ${BLOCKED[why]}`);
    this.why = why;
  }
}

const LENGTH_MAX = 2048;

/** The address to call. Throws BlockedError where it says by itself that it must not be. */
export function readTarget(text: string, rules: OutboundRules, base?: URL): URL {
  if (text.length > LENGTH_MAX) throw new BlockedError('too-long');
  // It also brings every spelling of an address into one: 0x7f.1 becomes 127.0.0.1.
  const url = URL.parse(text, base?.href);
  if (url === null) throw new BlockedError('not-a-url');
  const why = whyNot(url, rules);
  if (why !== undefined) throw new BlockedError(why);
  url.hash = '';
  return url;
}

function whyNot(url: URL, rules: OutboundRules): Blocked | undefined {
  const { protocol, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return 'scheme';
  if (username !== '' || password !== '') return 'user-info';
  if (isAllowed(url, rules)) return undefined;
  const host = hostOf(url);
  // A literal needs no look-up, so no later step would check it.
  if (isIP(host) !== 0 && !permits(addressScopeOf(host), rules)) return 'private-address';
  if (isLocalName(host) && !rules.loopback) return 'private-address';
  if (protocol === 'http:' && !rules.plainHttp) return 'scheme';
  const port = Number(url.port) || (protocol === 'https:' ? 443 : 80);
  return rules.ports === 'any' || rules.ports.includes(port) ? undefined : 'port';
}

function isAllowed(url: URL, { allowed }: OutboundRules): boolean {
  return allowed().some((entry) => {
    const { origin, pathname } = new URL(entry);
    return url.origin === origin && url.pathname.startsWith(pathname);
  });
}

/** Whether the connection may lead anywhere: the path has been compared before. */
export const isAllowedOrigin = (origin: string, { allowed }: OutboundRules): boolean =>
  allowed().some((entry) => new URL(entry).origin === origin);

export const permits = (reach: AddressScope, { loopback }: OutboundRules): boolean =>
  reach === 'public' || (reach === 'loopback' && loopback);

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Names that mean this machine by themselves (RFC 6761). */
export const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/i.test(host);
