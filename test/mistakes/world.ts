import { randomUUID } from 'node:crypto';
import { type Body, harness, type Person } from '#test/harness.ts';

/** The users who make the mistakes, and the owners of the things they request by mistake. */
export interface World {
  readonly key: string;
  readonly user: Person;
  readonly stranger: Person;
  /** A log-in of the rewards app. */
  readonly memberToken: string;
  readonly adminToken: string;
  readonly expiredToken: string;
  /** Idempotency key of a finished top-up. */
  readonly usedKey: string;
  readonly strangersWallet: number;
}

/** A request: with key, log-in and JSON by default. */
export interface MistakenRequest {
  readonly at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  /** Instead of, or beside, those of a right request; `null` leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
}

/** A newcomer's mistake, and the answer. */
export interface Mistake {
  readonly name: string;
  ask(world: World): MistakenRequest;
  readonly answer: {
    readonly status: number;
    readonly code: string;
    readonly says: RegExp | string;
    /** The field that `details` names. */
    readonly field?: string;
    readonly hint: RegExp;
  };
}

export interface Answered {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
  /** The error object, from its envelope. */
  readonly error: Body;
}

export const CARD = {
  card_number: '4111111111111111',
  expiry_date: '1239',
  amount: '10.00',
  currency_code: 'USD',
};

export async function makeWorld() {
  const h = await harness({ config: { JWT_TTL: '3600' } });
  const origin = h.app.apiUrl().replace(/\/api$/, '');
  const old = await h.user();
  await h.advance(3700);
  const [user, stranger] = [await h.user(), await h.user()];
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  const usedKey = randomUUID();
  await h.call('POST /card-checkout/card', {
    as: user,
    body: CARD,
    headers: { 'idempotency-key': usedKey },
  });
  const [, joined] = await h.call('POST /xusers/login', {
    body: { phone: '+6281200000001' },
  });
  const [, wallets] = await h.call('GET /wallets/fiat/{user_id}', {
    as: stranger,
    params: { user_id: stranger.user_id },
  });
  const world: World = {
    key: h.key,
    user,
    stranger,
    memberToken: joined.token,
    adminToken: admin.token,
    expiredToken: old.token,
    usedKey,
    strangersWallet: wallets.data.wallets[0].wallet_id,
  };
  const send = async ({ at, headers = {}, body }: MistakenRequest): Promise<Answered> => {
    const [method = '', path = ''] = at.split(' ');
    const usual = {
      'x-api-key': world.key,
      authorization: `Bearer ${user.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = Object.entries({ ...usual, ...headers }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    );
    const reply = await fetch(`${origin}${path}`, {
      method,
      headers: Object.fromEntries(sent),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const json = (await reply.json()) as Body;
    const error = typeof json.error === 'object' ? json.error : json;
    return { status: reply.status, headers: reply.headers, body: json, error: error };
  };
  return { h, world, send };
}

/** The error's message, from the envelope's own field. */
export const saidBy = ({ error }: Answered): string => String(error.message ?? error.error);
