import type { RouteId } from '#kernel/http/declare/route.ts';
import type { Body, CallOptions, Harness, Person } from './harness.ts';
import { codeOf } from './two-factor.ts';

/** The headers that a browser and the console's page add to its requests. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'x-console': '1' };

export interface SignedIn {
  readonly status: number;
  readonly body: Body;
  /** As the browser sends it back; empty where none was set. */
  readonly cookie: string;
  /** As it was set. */
  readonly set: string;
}

type Headers = Readonly<Record<string, string>>;

async function signing(h: Harness, id: RouteId, body: object, headers: Headers): Promise<SignedIn> {
  const answer = await h.send(id, { as: 'nobody', headers: { ...OWN_PAGE, ...headers }, body });
  const [set = ''] = answer.headers.getSetCookie();
  return { status: answer.status, body: answer.body, set, cookie: set.split(';')[0] ?? '' };
}

/** Logs in to the console by the password. */
export const signIn = (
  h: Harness,
  { email, password }: Pick<Person, 'email' | 'password'>,
  headers: Headers = {},
): Promise<SignedIn> =>
  signing(h, 'POST /console/session', { usernameoremail: email, password }, headers);

export const completeSignIn = (
  h: Harness,
  { user_id }: Pick<Person, 'user_id'>,
  code: string,
  headers: Headers = {},
): Promise<SignedIn> => signing(h, 'POST /console/session/complete', { user_id, code }, headers);

/** Calls as the console's page does. */
export const ask = (
  h: Harness,
  id: RouteId,
  cookie: string,
  { headers, ...options }: CallOptions = {},
): Promise<[number, Body]> =>
  h.call(id, { ...options, as: 'nobody', headers: { ...OWN_PAGE, cookie, ...headers } });

/** An admin of the operator's with a second factor, and the secret of their authenticator. */
export async function protectedOperator(h: Harness): Promise<Person & { readonly secret: string }> {
  const operator = await h.operator();
  const [, { data }] = await h.call('POST /2fa/setup', { as: operator, body: {} });
  const body = { token: codeOf(h, data.secret) };
  const [status] = await h.call('POST /2fa/enable', { as: operator, body });
  if (status !== 200) throw new Error(`The second factor could not be enabled: ${status}`);
  return { ...operator, secret: data.secret };
}
