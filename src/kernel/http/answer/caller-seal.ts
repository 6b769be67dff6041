import { hkdfSync } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { createVault, type Vault } from '../../secrets/vault.ts';

/** Fields of a body that prove who sends it. */
const PROOFS = ['password', 'ext_token'];
/** A UUID of version 4 or 7, 32 hexadecimal digits, or 22 characters of all kinds. */
const RANDOM = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
  /[0-9a-f]{32}/i,
  /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+/=-]{22,}$/,
];
const KINDS_MIN = 8;

/** Whether such a key cannot be guessed, as far as its form tells. */
const isUnguessable = (key: string): boolean =>
  new Set(key).size >= KINDS_MIN && RANDOM.some((form) => form.test(key));

/**
 * What only the sender of a request has, and we do not keep: the credentials it came with, its key and its body.
 * Nothing where all of that may be known to others: an application's API key is many people's, so that without a
 * log-in, a password or a key of one's own only an `Idempotency-Key` that cannot be guessed is one's own.
 */
export function callerSecretOf(
  request: FastifyRequest,
  key: string,
  body: string,
): string | undefined {
  const { authorization = '', cookie = '', 'x-api-key': apiKey = '' } = request.headers;
  const isOne = isLoggedIn(request) || actsByKey(request) || provesItself(request.body);
  if (!isOne && !isUnguessable(key)) return undefined;
  return JSON.stringify([apiKey, authorization, cookie, key, body]);
}

const isLoggedIn = ({ caller }: FastifyRequest): boolean =>
  caller !== null && ('user_id' in caller || 'userx_id' in caller);

/** A key of a person's own, where it stands for the log-in: its holder may ask for a new secret. */
const actsByKey = ({ caller, route }: FastifyRequest): boolean =>
  route?.endpoint.auth === 'either' && caller?.key?.user_id != null;

const provesItself = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  PROOFS.some((name) => typeof (body as Record<string, unknown>)[name] === 'string');

/** Sealed with a key that is made of the secret alone: nothing that is stored opens it. */
export const sealForCaller = (text: string, secret: string, context: string): string =>
  vaultOf(secret, context).seal(text, context);

/** Nothing where that secret does not open it. */
export function openForCaller(
  sealed: string,
  secret: string | undefined,
  context: string,
): string | undefined {
  if (secret === undefined) return undefined;
  try {
    return vaultOf(secret, context).open(sealed, context);
  } catch {
    return undefined;
  }
}

function vaultOf(secret: string, context: string): Vault {
  const key = hkdfSync('sha256', secret, context, 'archipay answer for its caller', 32);
  return createVault(`1:${Buffer.from(key).toString('base64')}`);
}
