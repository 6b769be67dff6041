import { sql } from 'kysely';
import type { Body, Harness, Person } from './harness.ts';

export interface Account {
  readonly id: string;
  readonly provider?: string;
  readonly email?: string;
  readonly wallets?: readonly string[];
  readonly expires_in?: number;
  readonly kind?: 'access';
}

/** A token as the provider issues it. */
export async function tokenOf(h: Harness, { id, provider = 'email', ...rest }: Account) {
  const body = { ext_user_id: id, provider, ...rest };
  const { token } = await h.sandbox('POST', '/extauth/tokens', body);
  if (typeof token !== 'string') throw new Error(`No token for ${JSON.stringify(body)}`);
  return token;
}

/** A new account at the provider that logs in by e-mail. */
let serial = 0;
export const newAccount = (fields: Partial<Account> = {}): Account => {
  serial += 1;
  return { id: `did:privy:${serial}`, email: `ext-${serial}@example.test`, ...fields };
};

/** An address that is linked to no user. */
export const newWallet = (): string => {
  serial += 1;
  return `0xAbC${serial.toString(16).padStart(37, '0')}`;
};

export const enter = (h: Harness, ext_token: string, key?: string): Promise<[number, Body]> =>
  h.call('POST /extauth/auth/login', { ...(key ? { key } : {}), body: { ext_token } });

export const link = async (h: Harness, as: Pick<Person, 'token'>, account: Account, more = {}) =>
  h.call('POST /extauth/auth/link', {
    as,
    body: { ext_token: await tokenOf(h, account), ...more },
  });

export const linkWallet = async (
  h: Harness,
  as: Pick<Person, 'token'>,
  account: Account,
  more = {},
) =>
  h.call('POST /extauth/auth/link-wallet', {
    as,
    body: { ext_token: await tokenOf(h, account), ...more },
  });

export const disconnect = (h: Harness, as: Pick<Person, 'token'>, id: string, more = {}) =>
  h.call('DELETE /extauth/auth/disconnect', {
    as,
    body: { ext_user_id: id, confirmation: 'disconnect', ...more },
  });

/** The connected accounts, as their owner sees them. */
export async function accountsOf(h: Harness, as: Pick<Person, 'token'>): Promise<Body[]> {
  const [, { data }] = await h.call('GET /extauth/auth/profile', { as });
  return data.connected_accounts;
}

/** The provider's own key, to sign tokens that the provider never would. */
export async function signingKey(h: Harness): Promise<{ kid: string; privateJwk: object }> {
  const { rows } = await sql<{ data: { kid: string; privateJwk: object } }>`
    select data from sandbox.records where provider = 'extauth' and kind = 'key'`.execute(h.db);
  const [row] = rows;
  if (!row) throw new Error('The provider has not signed anything yet');
  return row.data;
}
