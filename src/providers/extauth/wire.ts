import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ExternalIdentity } from './port.ts';

/** The provider's `iss`, at any address. */
export const ISSUER = 'privy.io';
export const ALGORITHM = 'ES256';

const Time = Type.Union([Type.Number(), Type.Null()]);
const Text = Type.Union([Type.String(), Type.Null()]);

/** One way to log in, or one wallet. Its fields depend on `type`. */
export const LinkedAccount = Type.Object({
  type: Type.String({ minLength: 1, maxLength: 64 }),
  address: Type.Optional(Text),
  email: Type.Optional(Text),
  name: Type.Optional(Text),
  username: Type.Optional(Text),
  display_name: Type.Optional(Text),
  subject: Type.Optional(Text),
  chain_type: Type.Optional(Text),
  wallet_client_type: Type.Optional(Text),
  connector_type: Type.Optional(Text),
  /** Seconds; `lv` in tokens, the others in the API. */
  lv: Type.Optional(Time),
  latest_verified_at: Type.Optional(Time),
  verified_at: Type.Optional(Time),
  first_verified_at: Type.Optional(Time),
});
export type LinkedAccount = Static<typeof LinkedAccount>;

/** `GET /v1/users/{did}`. */
export const WireUser = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255 }),
  created_at: Type.Number(),
  linked_accounts: Type.Array(Type.Unknown()),
});
export type WireUser = Static<typeof WireUser>;

export const WireError = Type.Object({ error: Type.String() });

/** The `jwks.json` of an app; the verifier finds the matching key. */
export const KeySet = Type.Object({
  keys: Type.Array(Type.Object({ kty: Type.String(), kid: Type.Optional(Type.String()) })),
});

/** The claim is JSON within JSON. Undefined if it is missing or not a list. */
export function readAccountsClaim(claim: unknown): readonly unknown[] | undefined {
  if (Array.isArray(claim)) return claim;
  if (typeof claim !== 'string') return undefined;
  try {
    const accounts: unknown = JSON.parse(claim);
    return Array.isArray(accounts) ? accounts : undefined;
  } catch {
    return undefined;
  }
}

/** Unknown kinds of account are no reason to refuse the user. */
export function toIdentity(extUserId: string, accounts: readonly unknown[]): ExternalIdentity {
  const known = accounts.filter((account) => Value.Check(LinkedAccount, account));
  const latest = known.filter(isLogin).reduce<LinkedAccount | undefined>(later, undefined);
  const wallets = known.filter(isWallet).map(({ address }) => address ?? '');
  return {
    extUserId,
    authProvider: latest ? providerName(latest.type) : wallets.length > 0 ? 'wallet' : 'unknown',
    email: known.map(provenEmail).find((email) => email !== null) ?? null,
    wallets: [...new Set(wallets.filter(Boolean))],
    displayName: known.map(nameOf).find((name) => name !== null) ?? null,
  };
}

const isWallet = ({ type }: LinkedAccount): boolean => type === 'wallet';

/** Embedded and smart wallets are made for the user, who cannot log in with them. */
const isLogin = ({ type, wallet_client_type, connector_type }: LinkedAccount): boolean =>
  type !== 'smart_wallet' &&
  !(type === 'wallet' && (wallet_client_type === 'privy' || connector_type === 'embedded'));

const later = (a: LinkedAccount | undefined, b: LinkedAccount): LinkedAccount =>
  a !== undefined && lastProven(a) >= lastProven(b) ? a : b;

const lastProven = ({ lv, latest_verified_at, verified_at }: LinkedAccount): number =>
  lv ?? latest_verified_at ?? verified_at ?? 0;

/** `google_oauth` is `google`; `email`, `wallet` and `farcaster` stay unchanged. */
const providerName = (type: string): string => type.replace(/_oauth$/, '');

/** Other social providers pass on addresses that they have not verified themselves. */
const PROVING = ['google_oauth', 'apple_oauth'];

function provenEmail({ type, address, email }: LinkedAccount): string | null {
  const proven = type === 'email' ? address : PROVING.includes(type) ? email : null;
  return proven?.trim().toLowerCase() || null;
}

const nameOf = ({ display_name, name, username }: LinkedAccount): string | null =>
  display_name || name || username || null;
