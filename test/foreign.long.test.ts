// Long: calls every endpoint, with foreign ids everywhere.

import { expect, test } from 'vitest';
import type { Route } from '#kernel/http/declare/route.ts';
import { harness, type Person } from '#test/harness.ts';
import { strayRows } from '#test/tenancy-rows.ts';

/**
 * Every endpoint that takes an id, called with ids of another client's things: by a user and by an
 * admin unrelated to that client. They get the answers for missing things, learn
 * nothing of them, and change nothing.
 */
const h = await harness();
const owner = await h.user({ username: 'owner-of-things', ekyc_status: 'APPROVED' });
const chief = await h.user({
  role: 'admin',
  client_id: owner.client_id,
  username: 'chief-of-things',
});
const things = await makeThings();

const IDS = new Set(Object.keys(things.params).concat('client_id', 'ext_user_id'));
const routes = h.app.features.routes.filter(
  (route) =>
    ['user', 'admin'].includes(route.endpoint.auth) && names(route).some((n) => IDS.has(n)),
);

test('there are such endpoints', () => {
  expect(routes.length).toBeGreaterThan(25);
});

test.each(routes.map((route) => [route.id, route] as const))(
  '%s keeps strangers from what belongs to another client',
  async (_id, route) => {
    for (const role of ['user', 'admin'] as const) {
      const as = await h.user({ role });
      const before = await contents();
      const { status, body } = await h.send(route.id, { as, ...foreign(route) });
      const text = JSON.stringify(body);
      expect(text, role).not.toMatch(/owner-of-things|chief-of-things/);
      // The contract's one deliberate 500: a refund whose original does not exist for this caller.
      const deliberate = body.code === 'ORIGINAL_NOT_FOUND';
      expect(deliberate ? 404 : status, `${role}: ${text}`).toBeLessThan(500);
      if (status < 400) expect(route.id, text).toMatch(/^GET /);
      expect(await contents(), `${role}: ${text}`).toEqual(before);
      const onlyAParameter = Object.keys(properties(route.endpoint.body)).length === 0;
      if (
        onlyAParameter &&
        route.endpoint.auth === 'user' &&
        role === 'user' &&
        /\{/.test(route.id)
      )
        expect([400, 403, 404], `${role}: ${status} ${text}`).toContain(status);
    }
  },
);

test('no row of one client leads to another client', async () => {
  expect(await strayRows(h.db)).toEqual([]);
});

interface Things {
  /** By their names in parameters, queries and bodies. */
  readonly params: Record<string, string | number>;
}

async function makeThings(): Promise<Things> {
  const ask = async (id: Route['id'], as: Person, rest: object) => {
    const [status, body] = await h.call(id, { as, ...rest });
    expect(status, `${id}: ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  };
  const params = { user_id: owner.user_id };
  const { data: fiat } = await ask('GET /wallets/fiat/{user_id}', owner, { params });
  const { instance } = await ask('POST /clients/create-instance', chief, {
    body: { instance_name: 'owner-of-things' },
  });
  const key = await ask('POST /keys/sdk-key', owner, { body: {} });
  const { data: wallet } = await ask('POST /manual/wallets/crypto', owner, {
    body: { user_id: owner.user_id, wallet_name: 'owner-of-things', chain_id: 'sepolia' },
  });
  const { data: topUp } = await ask('POST /card-checkout/cardcc', owner, {
    body: {
      card_number: '4111111111111111',
      expiry_date: '1230',
      cvv: '123',
      amount: 100,
      currency_code: 'USD',
    },
  });
  const session = await h.db
    .selectFrom('sessions')
    .select('session_id')
    .where('user_id', '=', owner.user_id)
    .executeTakeFirstOrThrow();
  const now = h.clock.now().getTime();
  const { change_id } = await h.db
    .insertInto('pending_changes')
    .values({
      user_id: owner.user_id,
      kind: 'email',
      subject: 'owner-of-things@elsewhere.test',
      digest: Buffer.alloc(32),
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + 3600_000).toISOString(),
    })
    .returning('change_id')
    .executeTakeFirstOrThrow();
  return {
    params: {
      change_id,
      user_id: owner.user_id,
      userId: owner.user_id,
      instance_id: instance.instance_id,
      api_key: key.api_key,
      wallet_id: fiat.wallets[0].wallet_id,
      bw_id: wallet.bw_id,
      reference_id: topUp.reference_id,
      session_id: session.session_id,
    },
  };
}

/** Valid values of other fields, so that only the foreign id is wrong. */
const PLAUSIBLE: Record<string, unknown> = {
  client_id: owner.client_id,
  alias: 'stolen',
  wallet_name: 'stolen',
  username: 'stolen',
  email: 'stolen@example.test',
  phone: '+15550123',
  country_code: 'US',
  role: 'user',
  current_password: 'Password-1',
  currency: 'USD',
  currency_code: 'USD',
  amount: 10,
  chain_id: 'sepolia',
  chain: 'sepolia',
  confirmation: 'delete',
  ext_user_id: 'did:privy:somebody',
  ext_token: 'a.b.c',
  levelName: 'ekyc-indonesia-standard',
  card_number: '4111111111111111',
  expiry_date: '1230',
  cvv: '123',
  recipient_name: 'Somebody',
  token: 'USDC',
  from_chain: 'sepolia',
  to_chain: 'amoy',
  recipient_address: '0x00000000000000000000000000000000000a11ce',
  to_address: '0x00000000000000000000000000000000000a11ce',
  asset_issuer: '0x00000000000000000000000000000000000a11ce',
  tx_hash: `0x${'1'.repeat(64)}`,
  token_symbol: 'USDC',
  token_contract: 'native',
  gas_fee: 0,
  platform_fee: 0,
  log_id: '00000000-0000-4000-8000-000000000000',
  nonce: 'none',
};

function foreign(route: Route) {
  const known = { ...PLAUSIBLE, ...things.params };
  const fill = (schema: unknown) =>
    Object.fromEntries(
      Object.keys(properties(schema)).flatMap((name) =>
        name in known ? [[name, known[name] as string | number]] : [],
      ),
    );
  // The crypto wallet is `wallet_id` in one place, where the fiat one would be.
  const params = fill(route.endpoint.params);
  if (route.id === 'GET /wallets/{wallet_id}/balance')
    params['wallet_id'] = things.params['bw_id'] ?? 0;
  return {
    params,
    query: fill(route.endpoint.query),
    ...(route.endpoint.body ? { body: fill(route.endpoint.body) } : {}),
  };
}

function properties(schema: unknown): Record<string, unknown> {
  return (schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {};
}

function names({ endpoint }: Route): string[] {
  const { params, query, body } = endpoint;
  return [params, query, body].flatMap((schema) => Object.keys(properties(schema)));
}

/** Everything except rows that calls leave on purpose: uses of keys, failed attempts, new sessions. */
async function contents(): Promise<unknown> {
  const { rows } = await h.kernel.pool.query(`
    select schemaname || '.' || tablename as name from pg_tables
     where schemaname in ('public', 'ledger') and tablename not in
       ('login_failures', 'two_factor_audit', 'api_keys', 'schema_migrations', 'activity_log')
     order by 1`);
  const union = (rows as { name: string }[])
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*) as n, max(xmin::text::bigint) as newest from ${name}`,
    )
    .join(' union all ');
  return (await h.kernel.pool.query(union)).rows;
}
