import type { IncomingHttpHeaders } from 'node:http';
import { isHttps } from '../config/public-url.ts';

/** How a browser keeps a log-in to the console: no script can read it, and no other site's page sends it. */
export interface ConsoleCookie {
  /** Its token; undefined without one, or with more than one: an attacker may have set one of them. */
  read(headers: IncomingHttpHeaders): string | undefined;
  set(token: string, lives_s: number): string;
  readonly removed: string;
}

/** With its prefix a browser takes it from this very host alone, and by HTTPS alone (RFC 6265bis). */
const SECURE_NAME = '__Host-archipay-console';
const NAME = 'archipay-console';

interface Place {
  readonly PUBLIC_URL?: string | undefined;
}

export function consoleCookie({ PUBLIC_URL }: Place): ConsoleCookie {
  const isSecure = isHttps(PUBLIC_URL);
  const name = isSecure ? SECURE_NAME : NAME;
  const set = (token: string, lives_s: number) =>
    `${name}=${token}; Path=/; Max-Age=${lives_s}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return {
    read({ cookie = '' }) {
      const own = cookie
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`));
      return own.length === 1 ? own[0]?.slice(name.length + 1) : undefined;
    },
    set,
    removed: set('', 0),
  };
}

/**
 * Whether the console's own page has asked, as the browser says: another site's page cannot say so, nor send
 * a header of ours without asking first, which is never allowed with a cookie.
 */
export const isOwnPage = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && headers['x-console'] === '1';
