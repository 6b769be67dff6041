import { ALGORITHM, ISSUER, type LinkedAccount } from './wire.ts';

/**
 * Tokens that the reference fills in. No more can be made: the key that signed them was thrown away, and the
 * simulator publishes its public half beside its own. They name made-up people, and are valid until 2100.
 */
const KID = 'demo';
const ISSUED = 1_577_836_800;
const UNTIL = 4_102_444_800;
const APP = 'sandbox-extauth-app';

export const DEMO_KEY = {
  kty: 'EC',
  crv: 'P-256',
  kid: KID,
  alg: ALGORITHM,
  use: 'sig',
  x: 'TagwqG1yuXdyDwcesyix_08M3dAtNvIML11NYiFwWok',
  y: '4AmPE9mW2et04et29AFUcCKwN9o--XcgmCzGd6tQU1M',
} as const;

const proven = { lv: ISSUED, verified_at: ISSUED, latest_verified_at: ISSUED };
const google = (number: number, email: string): LinkedAccount => ({
  type: 'google_oauth',
  subject: `10000000000000000000${number}`,
  email,
  ...proven,
});
const wallet: LinkedAccount = {
  type: 'wallet',
  address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  chain_type: 'ethereum',
  wallet_client_type: 'metamask',
  connector_type: 'injected',
  ...proven,
};

/** The owner of `account` at the provider. */
export const DEMO_ACCOUNT = 'did:privy:demo-account';

export const DEMO_TOKENS = {
  /** A new person. */
  newcomer: signed(
    { sub: 'did:privy:demo-newcomer', account: google(1, 'newcomer@users.example') },
    'Lo_c5Y5PdAhhp6HhGnImO1pr9QkvlGBTcSVwtuavVxb1pcCUaqA1VQVnN7YRdWe6-n4bsd9jDQuSRbTQ2ge8ww',
  ),
  /** An account to link. */
  account: signed(
    { sub: DEMO_ACCOUNT, account: google(2, 'demo-user@users.example') },
    'GhQA1sEG7Fi0JKYrX7a1uQ-GzoJ35Ph7XiDER4DYUQ1r25qZNM5sy5Pprr0fom4lxmaBQHmmyUq_L68O89LvtQ',
  ),
  /** A wallet to link. */
  wallet: signed(
    { sub: 'did:privy:demo-wallet', account: wallet },
    'EMnPcANoBUkM9Mmfa9K5RUVOIotClliTlaXwmbbzR9-2pKQ2WqlwEBM8SEeq10b7HZjZNp92nCa6X9nz_sQhmA',
  ),
} as const;

function signed(
  { sub, account }: { readonly sub: string; readonly account: LinkedAccount },
  signature: string,
): string {
  const linked_accounts = JSON.stringify([account]);
  const claims = { iss: ISSUER, aud: APP, sub, iat: ISSUED, exp: UNTIL, linked_accounts };
  const parts = [{ alg: ALGORITHM, typ: 'JWT', kid: KID }, claims];
  return [...parts.map(packed), signature].join('.');
}

function packed(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
