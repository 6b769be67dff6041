import { Secret, TOTP } from 'otpauth';
import type { Body, Harness, Person } from './harness.ts';

/** The code an authenticator shows now, or so many 30-second steps from now. */
export const codeOf = (h: Harness, secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: h.clock.now().getTime() + steps * 30_000,
  });

/** Six digits that are not a code of any time near now. */
export function wrongCodeOf(h: Harness, secret: string): string {
  const near = new Set([-3, -2, -1, 0, 1, 2, 3].map((steps) => codeOf(h, secret, steps)));
  for (let n = 0; ; n += 1) {
    const code = String(n).padStart(6, '0');
    if (!near.has(code)) return code;
  }
}

export interface Protected extends Person {
  readonly secret: string;
  readonly backupCodes: string[];
}

/** A user whose second factor is enabled. */
export async function protectedUser(h: Harness): Promise<Protected> {
  const user = await h.user();
  const [, { data }] = await h.call('POST /2fa/setup', { as: user, body: {} });
  const body = { token: codeOf(h, data.secret) };
  const [status] = await h.call('POST /2fa/enable', { as: user, body });
  if (status !== 200) throw new Error(`The second factor could not be enabled: ${status}`);
  return { ...user, secret: data.secret, backupCodes: data.backup_codes };
}

/** The address of a request; the harness must trust its proxy for one. */
export interface From {
  readonly key?: string;
  readonly ip?: string;
}
const sent = ({ key, ip }: From) => ({
  ...(key === undefined ? {} : { key }),
  ...(ip === undefined ? {} : { headers: { 'x-forwarded-for': ip } }),
});

export const logIn = (h: Harness, user: Person, from: From = {}): Promise<[number, Body]> =>
  h.call('POST /auth/login', {
    ...sent(from),
    body: { usernameoremail: user.email, password: user.password },
  });

type Numbered = Pick<Person, 'user_id'>;

export const verify = (h: Harness, { user_id }: Numbered, token: string, from: From = {}) =>
  h.call('POST /2fa/verify-login', { ...sent(from), body: { user_id, token } });

export const complete = (h: Harness, { user_id }: Numbered, code: string, from: From = {}) =>
  h.call('POST /auth/complete-login', { ...sent(from), body: { user_id, two_fa_token: code } });
