import { errors, type JWTVerifyGetKey, type JWTVerifyResult, jwtVerify } from 'jose';
import { Value } from 'typebox/value';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config/config.ts';
import { callRepeatable, done, type Outcome, refused, unknown } from '#kernel/provider-call.ts';
import { fixedKey, KeysUnavailable, publishedKeys } from './keys.ts';
import type { ExternalIdentity, ExternalLogin, ExternalRefusal } from './port.ts';
import { ALGORITHM, ISSUER, readAccountsClaim, toIdentity, WireError, WireUser } from './wire.ts';

export interface ExtauthSettings {
  /** `https://api.privy.io` */
  url(): string;
  /** `https://auth.privy.io/api/v1/apps/{app id}/jwks.json` */
  jwksUrl(): string;
  /** Tokens must be meant for this app. While it is empty every token is refused. */
  readonly appId: string;
  readonly appSecret: string;
  /** SPKI PEM; instead of the published keys. */
  readonly verificationKey?: string | undefined;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

/** The provider's own address of an app's keys. */
const PUBLISHED_KEYS = 'https://auth.privy.io/api/v1/apps';

/** `url` is the configured address, or the stand-in's, which publishes its keys beside its API. */
export function extauthSettings(config: Config, clock: Clock, url: () => string): ExtauthSettings {
  const { EXTAUTH_APP_ID: appId, EXTAUTH_APP_SECRET: appSecret } = config;
  const keys = `${encodeURIComponent(appId)}/jwks.json`;
  return {
    url,
    jwksUrl: () => {
      if (config.EXTAUTH_JWKS_URL !== undefined) return config.EXTAUTH_JWKS_URL;
      const simulated = config.EXTAUTH_URL === undefined && url() !== '';
      return simulated ? `${url()}/api/v1/apps/${keys}` : `${PUBLISHED_KEYS}/${keys}`;
    },
    appId,
    appSecret,
    verificationKey: config.EXTAUTH_VERIFICATION_KEY,
    clock,
  };
}

const TIMEOUT_MS = 8000;
const TOKEN_MAX = 16_384;
/** Seconds by which the provider's clock may be ahead of ours. */
const AHEAD_S = 5;

/** Speaks Privy's tokens and API. */
export function externalLogin(settings: ExtauthSettings): ExternalLogin {
  const { verificationKey, clock, timeoutMs = TIMEOUT_MS } = settings;
  const keys = verificationKey
    ? fixedKey(verificationKey)
    : publishedKeys({ url: settings.jwksUrl, clock, timeoutMs });
  const user = (extUserId: string) => fetchUser(settings, extUserId);

  return {
    user,
    async verify(token) {
      const checked = await check(settings, keys, token);
      if (checked.kind !== 'done') return checked;
      const { sub = '', iat = 0, exp = 0, linked_accounts } = checked.value.payload;
      const accounts = readAccountsClaim(linked_accounts);
      const identity: Outcome<ExternalIdentity> = accounts
        ? done(toIdentity(sub, accounts))
        : await user(sub);
      if (identity.kind !== 'done') return identity;
      return done({ ...identity.value, issuedAt: iso(iat), expiresAt: iso(exp) });
    },
  };
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
const deny = (code: ExternalRefusal, message: string) => refused(code, message);

async function check(
  { appId, clock }: ExtauthSettings,
  keys: JWTVerifyGetKey,
  token: string,
): Promise<Outcome<JWTVerifyResult>> {
  if (appId === '') return deny('NOT_CONFIGURED', 'No app id is configured');
  if (token.length > TOKEN_MAX) return deny('MALFORMED', 'The token is too long');
  try {
    const verified = await jwtVerify(token, keys, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: appId,
      currentDate: clock.now(),
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    const { sub, iat = 0, exp } = verified.payload;
    if (!sub || sub.length > 255 || !isTime(iat) || !isTime(exp))
      return deny('MALFORMED', 'The token lacks a claim');
    return iat > clock.seconds() + AHEAD_S
      ? deny('NOT_YET_VALID', 'The token is not valid yet')
      : done(verified);
  } catch (error) {
    return toRefusal(error);
  }
}

/** The range of a date: an exotic number must not cause an exception later. */
const isTime = (seconds: number | undefined): boolean =>
  seconds !== undefined && seconds > 0 && seconds < 8.64e12;

function toRefusal(error: unknown): Outcome<never> {
  if (error instanceof KeysUnavailable) return unknown(error.message);
  if (error instanceof errors.JWTExpired) return deny('EXPIRED', 'The token has expired');
  if (error instanceof errors.JWTClaimValidationFailed) return wrongClaim(error.claim);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return deny('ALGORITHM', 'The token is signed by another algorithm');
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return deny('SIGNATURE', 'The signature is not the provider’s');
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return deny('UNKNOWN_KEY', 'The token is signed by an unknown key');
  if (error instanceof errors.JOSEError) return deny('MALFORMED', 'The token cannot be read');
  // Above all a malformed configured key.
  return deny('NOT_CONFIGURED', 'The verification key cannot be used');
}

function wrongClaim(claim: string): Outcome<never> {
  if (claim === 'iss') return deny('ISSUER', 'The token is of another issuer');
  if (claim === 'aud') return deny('AUDIENCE', 'The token is for another app');
  if (claim === 'nbf') return deny('NOT_YET_VALID', 'The token is not valid yet');
  return deny('MALFORMED', 'The token lacks a claim');
}

async function fetchUser(
  settings: ExtauthSettings,
  extUserId: string,
): Promise<Outcome<ExternalIdentity>> {
  const { appId, appSecret, timeoutMs = TIMEOUT_MS } = settings;
  const reply = await callRepeatable(() => ({
    name: 'extauth user',
    method: 'GET',
    url: `${settings.url()}/v1/users/${encodeURIComponent(extUserId)}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${appId}:${appSecret}`).toString('base64')}`,
      'privy-app-id': appId,
    },
    timeoutMs,
  }));
  return 'lost' in reply ? unknown(reply.lost) : readUser(extUserId, reply);
}

function readUser(
  extUserId: string,
  { status, json }: { readonly status: number; readonly json: unknown },
): Outcome<ExternalIdentity> {
  if (status === 404) return deny('NO_SUCH_USER', 'The provider does not know this user');
  if (status !== 200) {
    const message = Value.Check(WireError, json) ? json.error : `Status ${status}`;
    const code = status === 401 || status === 403 ? 'NOT_CONFIGURED' : 'REFUSED';
    return refused(code satisfies ExternalRefusal, message, status);
  }
  if (!Value.Check(WireUser, json) || json.id !== extUserId)
    return unknown('an answer of another shape');
  return done(toIdentity(extUserId, json.linked_accounts));
}
