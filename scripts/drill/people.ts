import { DEMO } from '../../src/app/seed.ts';

export interface Person {
  readonly user_id: number;
  readonly wallet_id: number;
  readonly token: string;
  readonly apiKey: string;
}

// biome-ignore lint/suspicious/noExplicitAny: any answer of the service
type Body = any;

export interface Credentials {
  readonly apiKey: string;
  readonly token?: string;
  /** The key of a change. */
  readonly key?: string;
}

/** The time-out of an answer; longer than a request takes. */
const PATIENCE_MS = 10_000;

/** Throws for every answer but a success. */
export async function call(
  id: string,
  api: string,
  { apiKey, token, key }: Credentials,
  body?: object,
): Promise<Body> {
  const [method = '', path = ''] = id.split(' ');
  const reply = await fetch(`${api}${path}`, {
    method,
    headers: {
      'x-api-key': apiKey,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(`${id} answered ${reply.status} ${JSON.stringify(answer)}`);
  return answer;
}

const logIn = async (api: string, email: string, password: string): Promise<Body> =>
  (
    await call('POST /auth/login', api, DEMO, {
      usernameoremail: email,
      password,
    })
  ).data;

/** Users of the demo client, each with a key of their own and an empty wallet. */
export async function makePeople(api: string, count: number): Promise<Person[]> {
  const admin = await logIn(api, DEMO.admin.email, DEMO.admin.password);
  const as = { apiKey: DEMO.apiKey, token: admin.token };
  const { client_id } = admin.client;
  const people: Person[] = [];
  for (let n = 1; n <= count; n += 1) {
    const email = `drill-${n}@example.test`;
    const { user, temp_password } = await call('POST /admins/users', api, as, {
      client_id,
      username: `drill-${n}`,
      email,
      phone: `+1202555${String(n).padStart(4, '0')}`,
      country_code: 'US',
    });
    const { token } = await logIn(api, email, temp_password);
    const own = { apiKey: DEMO.apiKey, token };
    const { api_key: apiKey } = await call('POST /keys/sdk-key', api, own, {});
    const { data } = await call('POST /wallets/fiat', api, own, { currency: 'USD' });
    people.push({ user_id: user.user_id, wallet_id: data.wallet_id, token, apiKey });
  }
  return people;
}
