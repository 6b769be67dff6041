import { setTimeout as pause } from 'node:timers/promises';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { DEMO } from '#src/app/seed.ts';
import { hasCrypto, PLACES, type Place, USERS } from '../plan/workload.ts';
import { numberOf, parsed, textOf } from './answer.ts';

/** A user with a token, who may have a managed wallet on the chains. */
export interface Person {
  readonly user_id: number;
  readonly username: string;
  readonly token: string;
  readonly addresses: Readonly<Record<Place, string>>;
}

export const COINS = { sepolia: 'ETH', amoy: 'POL', neon: 'NEON' } as const;
const DEMO_CLIENT_ID = 2;
const NOWHERE = { sepolia: '', amoy: '' };
/** More than all sends and transfers of a run need, so that no refusal is due to a lack of funds. */
export const GIFTS = { native: '50', USDC: '20000' } as const;

/** A call to the service or its sandbox in quiet times: any failure is an error. */
export type Call = (
  id: string,
  more?: { readonly token?: string; readonly body?: object; readonly key?: string },
) => Promise<unknown>;

/** Calls below that address, repeated while no process answers there. */
export function caller(base: () => string): Call {
  return async (id, { token, body, key } = {}) => {
    const [method = '', path = ''] = id.split(' ');
    const init = {
      method,
      headers: {
        'x-api-key': DEMO.apiKey,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    const reply = await lastingly(() => fetch(`${base()}${path}`, init));
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${id} answered ${reply.status}: ${text}`);
    return parsed(text);
  };
}

const TRIES = 20;
const PROOFS = 60;

async function lastingly(ask: () => Promise<Response>): Promise<Response> {
  for (let n = 1; ; n += 1) {
    const reply = await ask().catch((error: unknown) => error as Error);
    const isAway = reply instanceof Error || reply.status === 503;
    if (!isAway) return reply;
    if (n === TRIES) {
      if (reply instanceof Error) throw reply;
      return reply;
    }
    await pause(250);
  }
}

/** Makes the users of a run, and gives every second one a wallet with money on the chains. */
export async function makePeople(
  seed: number,
  adminToken: string,
  api: Call,
  sandbox: Call,
): Promise<Person[]> {
  return Promise.all(
    Array.from({ length: USERS }, async (_, user): Promise<Person> => {
      const email = `chaos-${seed}-${user}@demo.test`;
      const made = await api('POST /admins/users', {
        token: adminToken,
        body: {
          client_id: DEMO_CLIENT_ID,
          username: `chaos-${seed}-${user}`,
          email,
          phone: '+12025550101',
          country_code: 'US',
        },
      });
      const person = await logIn(api, email, textOf(made, 'temp_password'));
      const addresses = hasCrypto(user) ? await furnish(person, api, sandbox) : NOWHERE;
      return { ...person, username: `chaos-${seed}-${user}`, addresses };
    }),
  );
}

/** The admin of the client of all users. */
export const logInAdmin = (api: Call) => logIn(api, DEMO.admin.email, DEMO.admin.password);

/** An admin of the operator. */
export interface Corrector {
  readonly token: string;
  /** Makes the log-in count as a fresh one, which approvals need; repeated until an answer confirms it. */
  prove(): Promise<void>;
}
export type Correctors = readonly [Corrector, Corrector];

/** The operator's admin and a second one. */
export async function makeCorrectors(seed: number, api: Call): Promise<Correctors> {
  const { email, password } = DEMO.operator;
  const { token } = await logIn(api, email, password);
  const second = { email: `chaos-${seed}-corrector@demo.test`, username: `corrector-${seed}` };
  const body = {
    ...second,
    client_id: OPERATOR_CLIENT_ID,
    role: 'admin',
    phone: '+6562345678',
    country_code: 'SG',
  };
  const made = await api('POST /admins/users', { token, body });
  const current_password = textOf(made, 'temp_password');
  const other = await logIn(api, second.email, current_password);
  const corrector = (by: string, sent: string): Corrector => ({
    token: by,
    prove: () => prove(api, by, sent),
  });
  return [corrector(token, password), corrector(other.token, current_password)];
}

/** In a storm an answer may be an error or none, for longer than a quiet call waits. */
async function prove(api: Call, token: string, current_password: string): Promise<void> {
  for (let left = PROOFS; ; left -= 1) {
    const done = await api('POST /sessions/prove', { token, body: { current_password } }).then(
      () => true,
      (error: unknown) => {
        if (left === 1) throw error;
        return false;
      },
    );
    if (done) return;
    await pause(250);
  }
}

export async function logIn(api: Call, usernameoremail: string, password: string) {
  const answer = await api('POST /auth/login', { body: { usernameoremail, password } });
  return { token: textOf(answer, 'data.token'), user_id: numberOf(answer, 'data.user.user_id') };
}

async function furnish(
  { token, user_id }: Pick<Person, 'token' | 'user_id'>,
  api: Call,
  sandbox: Call,
): Promise<Person['addresses']> {
  const path = '/manual/wallets/crypto';
  const body = { user_id, wallet_name: 'First', chain_id: PLACES[0] };
  const bw_id = numberOf(await api(`POST ${path}`, { token, body }), 'data.bw_id');
  const made = await Promise.all(
    PLACES.map(async (chain) => {
      const answer = await api(`POST ${path}/${bw_id}/address`, {
        token,
        body: { chain_id: chain },
      });
      const address = textOf(answer, 'data.wallet_address');
      for (const [asset, amount] of Object.entries(GIFTS))
        await sandbox('POST /faucet', { body: { chain, address, asset, amount } });
      return [chain, address] as const;
    }),
  );
  return Object.fromEntries(made) as Record<Place, string>;
}
