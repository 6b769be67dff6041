import type { IncomingHttpHeaders } from 'node:http';

/** What people send a key as who come from elsewhere. */
const OTHER_HEADERS = ['api-key', 'apikey', 'x-apikey', 'x-api-token', 'x-auth-token', 'x-key'];
/** Three parts in base64url, as log-in tokens have them. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Forms of the keys that this service gives out. */
const KEY = /^(?:ak_\w+|[0-9a-f]{64})$/;

/** More than the code's own cure, where it can be seen what was meant. */
export function hintOfMissingKey(headers: IncomingHttpHeaders): string | undefined {
  const [scheme = '', sent = ''] = (headers.authorization ?? '').split(/ +/, 2);
  if (KEY.test(sent) || KEY.test(scheme) || /^(?:basic|apikey|api-key)$/i.test(scheme))
    return 'Authorization seems to hold the API key. Send that as x-api-key: <key>; Authorization is for the token of a log-in.';
  const other = OTHER_HEADERS.find((name) => headers[name] !== undefined);
  return other && `The header is x-api-key, not ${other}.`;
}

/** The same for what came as x-api-key and is none. */
export function hintOfWrongKey(sent: string): string | undefined {
  if (/^(?:bearer|basic) /i.test(sent))
    return 'x-api-key takes the key alone, without a word such as Bearer in front.';
  if (TOKEN.test(sent))
    return 'x-api-key holds a log-in token. Send that as Authorization: Bearer <token>, and the API key as x-api-key.';
  return undefined;
}

/** The same for what came as Authorization and is no token of a log-in. */
export function hintOfWrongToken(sent: string): string | undefined {
  if (TOKEN.test(sent)) return 'Put the word Bearer in front: Authorization: Bearer <token>.';
  const [, bare = sent] = /^\w+ +(.*)$/.exec(sent) ?? [];
  if (KEY.test(bare))
    return 'Authorization holds an API key. Send that as x-api-key, and here the token of POST /auth/login as Bearer <token>.';
  return undefined;
}

/** Where a token is good, and of another app. */
export const OTHER_APP = {
  platform:
    "The token is one of the rewards app. Log in by POST /auth/login for this endpoint, and keep that token for the rewards app's.",
  rewards:
    'The token is one of the platform. The rewards app has log-ins of its own: POST /xusers/login.',
} as const;
