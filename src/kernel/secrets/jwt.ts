import { createSecretKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../clock.ts';
import { fail } from '../error.ts';
import { OTHER_APP } from './credential-hints.ts';

/** A platform token is good for the platform only, a rewards token for the rewards app only, the console's in its cookie only. */
const AUDIENCES = ['platform', 'rewards', 'console'] as const;
export type Audience = (typeof AUDIENCES)[number];

export interface Claims {
  readonly subject: number;
  readonly session: string;
  readonly audience: Audience;
  /** Seconds since 1970. */
  readonly expires: number;
}

export interface Tokens {
  sign(claims: Claims): Promise<string>;
  /** The same as `verify` where it was called before; nothing where the signature must be checked. */
  cachedClaims(token: string, audience: Audience): Claims | undefined;
  /** Throws TOKEN_EXPIRED or TOKEN_INVALID. */
  verify(token: string, audience: Audience): Promise<Claims>;
}

const ISSUER = 'archipay';
const CACHED_MAX = 20_000;
const TOKEN_MAX = 4096;
/** HMAC-SHA-256 in base64url. */
const SIGNATURE_LENGTH = 43;

interface Verified {
  readonly token: string;
  readonly claims: Claims;
}

/** HS256 log-in tokens. A verified token is remembered, so its signature is checked once. */
export function createTokenSigner(secret: Buffer | string, clock: Clock): Tokens {
  const key = createSecretKey(typeof secret === 'string' ? Buffer.from(secret) : secret);
  // By the signature: to be found in a map, a string is read as a whole, and a token is long.
  const verified = new Map<string, Verified>();
  const recall = (token: string): Claims | undefined => {
    const known = verified.get(signatureOf(token));
    return known?.token === token ? known.claims : undefined;
  };
  return {
    sign: ({ subject, session, audience, expires }) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(audience)
        .setSubject(String(subject))
        .setJti(session)
        .setIssuedAt(clock.now())
        .setExpirationTime(expires)
        .sign(key),
    async verify(token, audience) {
      let claims = recall(token);
      if (!claims) {
        claims = await read(key, token, clock.now());
        if (verified.size >= CACHED_MAX) verified.delete(verified.keys().next().value ?? '');
        verified.set(signatureOf(token), { token, claims });
      }
      return current(claims, audience);
    },
    cachedClaims(token, audience) {
      const claims = recall(token);
      return claims && current(claims, audience);
    },
  };

  function current(claims: Claims, audience: Audience): Claims {
    if (claims.expires <= clock.seconds()) throw fail('TOKEN_EXPIRED', 'Token has expired');
    if (claims.audience === audience) return claims;
    if (audience === 'console' || claims.audience === 'console')
      throw fail('TOKEN_INVALID', 'Invalid token');
    throw fail('TOKEN_INVALID', 'Invalid token', { hint: OTHER_APP[audience] });
  }
}

const signatureOf = (token: string): string => token.slice(-SIGNATURE_LENGTH);

async function read(key: KeyObject, token: string, now: Date): Promise<Claims> {
  if (token.length > TOKEN_MAX) throw fail('TOKEN_INVALID', 'Invalid token');
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      currentDate: now,
      requiredClaims: ['sub', 'jti', 'exp', 'aud'],
    });
    const { sub, jti, exp, aud } = payload;
    const audience = AUDIENCES.find((one) => one === aud);
    if (!audience) throw fail('TOKEN_INVALID', 'Invalid token');
    return { subject: Number(sub), session: String(jti), audience, expires: Number(exp) };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw fail('TOKEN_EXPIRED', 'Token has expired');
    throw fail('TOKEN_INVALID', 'Invalid token', { cause: error });
  }
}
