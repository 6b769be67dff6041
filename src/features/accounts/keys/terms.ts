import { type Static, Type } from 'typebox';
import { ipNetworkOf, isWithin } from '#kernel/access/ip-networks.ts';
import type { Clock } from '#kernel/clock.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import {
  explained,
  integerInput,
  Nullable,
  nameInput,
  spanEdge,
} from '#kernel/http/declare/schema.ts';

const NAME_MAX = 100;
const DEFAULT_NAME = 'SDK Client';
/** The right to report verification results: the platform has to trust the provider. */
const PSP_SCOPE = 'psp';
export const ALL = '*';
const LIFE_MIN_S = 1;
const LIFE_MAX_S = 5 * 366 * 24 * 3600;

export const NamedKey = Type.Object({
  provider_name: Type.Optional(nameInput(NAME_MAX, 0)),
});

export const apiKeyNameOf = ({ provider_name = '' }: Static<typeof NamedKey>): string =>
  provider_name.trim() || DEFAULT_NAME;

/** The contract's text for a name that is too long; any other fault has its own text. */
export function invalidKey(faults: readonly { field: string; message: string }[]) {
  const tooLong = faults.some(
    (f) => f.field === 'provider_name' && f.message.startsWith('must have at most'),
  );
  const [first] = faults;
  const message = tooLong
    ? `Provider name too long (max ${NAME_MAX} characters)`
    : `${first?.field} ${first?.message}`;
  const details = faults.map(({ field, message }) => ({ field, message }));
  return fail('VALIDATION_ERROR', message, { details });
}

export const ExpiringKey = Type.Object({
  expires_at: Type.Optional(
    spanEdge('until', 'When the key ends; of a day, when that day is over'),
  ),
  /** Seconds from now. */
  expires_in: Type.Optional(integerInput(LIFE_MIN_S, LIFE_MAX_S)),
});

/** The end of a key; undefined without a request for one. */
export function apiKeyEndOf({ expires_at, expires_in }: Static<typeof ExpiringKey>, clock: Clock) {
  if (expires_at !== undefined && expires_in !== undefined)
    throw fail('VALIDATION_ERROR', 'Send either expires_at or expires_in, not both');
  if (expires_in !== undefined) return new Date(clock.now().getTime() + expires_in * 1000);
  if (expires_at === undefined) return undefined;
  const end = new Date(expires_at);
  const life = (end.getTime() - clock.now().getTime()) / 1000;
  if (!(life > 0 && life <= LIFE_MAX_S))
    throw wrongField('expires_at', 'must be in the future, at most five years ahead');
  return end;
}

const NETWORKS_MAX = 50;
/** That all keys have; a rate of one's own is within it. */
const RATE_MAX = 1000;

/** From where a key may be used, and how often. */
export const LimitedKey = Type.Object({
  allowed_ips: Type.Optional(
    explained(
      Nullable(
        Type.Array(Type.String({ maxLength: 64, examples: ['203.0.113.0/24'] }), {
          minItems: 1,
          maxItems: NETWORKS_MAX,
          uniqueItems: true,
        }),
      ),
      'Addresses and networks (IPv4 or IPv6, as CIDR) from where the key may be used; null for everywhere',
    ),
  ),
  rate_per_minute: Type.Optional(
    explained(
      Nullable(integerInput(1, RATE_MAX)),
      'Requests of the key in a minute, below the limit that all keys have; null for that limit alone',
    ),
  ),
});

export interface KeyLimits {
  readonly allowed_ips: string[] | null;
  readonly rate_per_minute: number | null;
}

/**
 * The limits of a key as they are kept; `standing` where the request says nothing. A limited key makes no key that has
 * wider limits. Throws VALIDATION_ERROR or FORBIDDEN.
 */
export function keyLimitsOf(
  { allowed_ips, rate_per_minute }: Static<typeof LimitedKey>,
  { key }: Pick<UserCaller, 'key'>,
  standing: Partial<KeyLimits> = {},
): KeyLimits {
  const {
    allowed_ips: ips = key?.allowed_ips ?? null,
    rate_per_minute: rate = key?.rate_per_minute ?? null,
  } = standing;
  const networks = allowed_ips === undefined ? networksOf(ips) : networksOf(allowed_ips);
  const wanted = rate_per_minute === undefined ? rate : rate_per_minute;
  const within = networksOf(key?.allowed_ips ?? null);
  const mostOfKey = key?.rate_per_minute ?? RATE_MAX;
  const isWider = within && !networks?.every((one) => isWithin(one, within));
  if (isWider || (wanted ?? RATE_MAX) > mostOfKey)
    throw fail('FORBIDDEN', 'An API key cannot give a key wider limits than its own');
  return { allowed_ips: networks?.map(({ text }) => text) ?? null, rate_per_minute: wanted };
}

const networksOf = (texts: readonly string[] | null) =>
  texts?.map((text, n) => {
    const network = ipNetworkOf(text.trim());
    if (!network)
      throw wrongField(
        `allowed_ips.${n}`,
        'must be an address or a network such as 203.0.113.0/24 or 2001:db8::/32, without bits behind its length',
      );
    return network;
  }) ?? null;

/** `*` is everything; otherwise `users:read`, `users:write` or `users:*` by the first segment of the path. */
export const Scopes = Type.Array(
  Type.String({
    pattern: `^(\\*|${PSP_SCOPE}|[a-z0-9]+(-[a-z0-9]+)*:(\\*|read|write))$`,
    maxLength: 40,
  }),
  { minItems: 1, maxItems: 100, uniqueItems: true },
);

/**
 * Only the platform operator decides who is a payment service provider, and the holder of a narrow key creates no
 * wider one.
 */
export function mayGrant(
  scopes: readonly string[],
  { operator, key }: Pick<UserCaller, 'operator' | 'key'>,
): void {
  if (scopes.includes(PSP_SCOPE) && !operator)
    throw fail('FORBIDDEN', 'Only the platform operator may grant the psp scope');
  if (key !== null && !scopes.every((scope) => covers(key.scopes, scope)))
    throw fail('FORBIDDEN', 'An API key cannot create a key with more rights than its own');
}

/** Whether those scopes together contain that one. */
function covers(held: readonly string[], scope: string): boolean {
  if (held.includes(ALL) || held.includes(scope)) return true;
  const [area, right] = scope.split(':');
  if (right === undefined) return false;
  if (right === ALL) return held.includes(`${area}:read`) && held.includes(`${area}:write`);
  return held.includes(`${area}:${ALL}`);
}
