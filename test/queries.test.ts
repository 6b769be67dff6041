import { randomInt, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { type CallOptions, type Harness, harness, type Person } from './harness.ts';
import { isOfRequest, REQUEST_LIMITS } from './request-limits.ts';
import { sent, trips } from './statements.ts';

const h = await harness();
const client = await h.client({ country_code: 'US' });
const admin = await h.user({ role: 'admin', client_id: client.client_id });
const user = await h.user({ client_id: client.client_id });
const operator = await h.operator();
const charge = {
  card_number: '4111111111111111',
  expiry_date: '1239',
  amount: '25.00',
  currency_code: 'USD',
};
const wallet = await h.db
  .selectFrom('fiat_wallets')
  .select('wallet_id')
  .where('user_id', '=', user.user_id)
  .executeTakeFirstOrThrow();
const history: CallOptions = { as: user, query: { ...wallet } };
const of = (person: Person): CallOptions => ({ as: person, params: { user_id: person.user_id } });

type Id = Parameters<typeof h.call>[0];

interface QueryCounts {
  readonly statements: readonly string[];
  readonly trips: readonly string[];
}

/**
 * The statements of one request. Other code may send some at the same moment, such as the job dispatcher, so the test
 * takes the fewest of several tries, after one that fills the caches.
 */
async function askedBy(id: Id, options: () => CallOptions, at: Harness = h): Promise<QueryCounts> {
  const tries: QueryCounts[] = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    sent.length = trips.length = 0;
    const [status, body] = await at.call(id, options());
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    if (attempt === 0) continue;
    tries.push({ statements: sent.filter(isOfRequest), trips: trips.filter(isOfRequest) });
  }
  const fewest = (what: keyof QueryCounts) =>
    tries.map((one) => one[what]).reduce((least, one) => (one.length < least.length ? one : least));
  return { statements: fewest('statements'), trips: fewest('trips') };
}

const statementsOf = async (id: Id, options: CallOptions) =>
  (await askedBy(id, () => options)).statements;
const countOf = async (id: Id, options: CallOptions) => (await statementsOf(id, options)).length;

const newClient = () => ({
  email: `${randomUUID()}@example.test`,
  client_alias: 'Counted',
  client_type: 'BUSINESS',
  country_code: 'US',
  phone: '+12025550100',
});

/** How each of the limited requests is made. */
const REQUESTS: Readonly<Partial<Record<Id, () => CallOptions>>> = {
  'GET /wallets/fiat/{user_id}': () => of(user),
  'GET /users/users': () => ({ as: admin }),
  'GET /users/{user_id}': () => of(user),
  'GET /card-checkout/card/history': () => history,
  'GET /wallets/fiat/{wallet_id}/transactions': () => ({ as: user, params: { ...wallet } }),
  'POST /card-checkout/cardcc': () => ({ as: user, body: charge }),
  'GET /sessions': () => ({ as: user }),
  'GET /idrtoken/transactions/mint': () => ({ as: user }),
  'GET /idrtoken/transactions/redeem': () => ({ as: user, query: { status: 'FAILED' } }),
  'GET /idrtoken/banks/list': () => ({ as: user }),
  'GET /2fa/status': () => ({ as: user }),
  'GET /ekyc/status/{user_id}': () => ({
    ...of(user),
    query: { client_id: client.client_id },
  }),
  'POST /auth/login': () => ({
    body: { usernameoremail: user.email, password: user.password },
  }),
  'POST /clients/create_with_admin': () => ({ body: newClient() }),
  'POST /xusers/login': () => ({ body: { phone: `+6281${randomInt(1e9, 9e9)}` } }),
};

test.for(REQUEST_LIMITS)('$id asks the database no more than it may', async (limit) => {
  const { id, isKeyed } = limit;
  const headers = () => (isKeyed ? { headers: { 'idempotency-key': randomUUID() } } : {});
  const counts = await askedBy(id, () => ({ ...REQUESTS[id]?.(), ...headers() }));
  const { statements, trips: waited } = counts;
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(limit.statements);
  const most = limit.trips ?? limit.statements;
  expect(waited.length, waited.join('\n')).toBeLessThanOrEqual(most);
});

test('log-ins and sign-ups take no more out of mock mode, with strangers’ limits', async () => {
  const live = await harness({ mock: false });
  const owner = await live.user();
  const logIn = { usernameoremail: owner.email, password: owner.password };
  const key = await live.apiKey({ client_id: owner.client_id });
  const costs = async (id: Id, body: () => object) =>
    (await askedBy(id, () => ({ key, body: body() }), live)).statements.length;
  expect(await costs('POST /auth/login', () => logIn)).toBeLessThanOrEqual(4);
  const phone = () => ({ phone: `+6281${randomInt(1e9, 9e9)}` });
  expect(await costs('POST /xusers/login', phone), sent.join('\n')).toBeLessThanOrEqual(8);
  const signUp = await costs('POST /clients/create_with_admin', newClient);
  expect(signUp, sent.join('\n')).toBeLessThanOrEqual(10);
});

test('lists take as many statements for many rows as for one', async () => {
  const lists: readonly [Id, CallOptions][] = [
    ['GET /users/users', { as: admin }],
    ['GET /admins/list', { as: admin }],
    ['GET /clients', { as: operator }],
    ['GET /wallets/fiat/{user_id}', of(user)],
    ['GET /card-checkout/card/history', history],
    ['GET /wallets/fiat/{wallet_id}/transactions', { as: user, params: { ...wallet } }],
  ];
  const before: number[] = [];
  for (const [id, options] of lists) before.push(await countOf(id, options));
  for (let i = 0; i < 12; i += 1) {
    await h.user({ client_id: client.client_id });
    await h.user({ role: 'admin', client_id: client.client_id });
    await h.client();
    await h.call('POST /card-checkout/cardcc', { as: user, body: charge });
  }
  for (const currency of ['IDR', 'SGD', 'AUD'])
    await h.call('POST /wallets/fiat', { as: user, body: { currency } });
  const after: number[] = [];
  for (const [id, options] of lists) after.push(await countOf(id, options));
  expect(after).toEqual(before);
});

test('the audit of admins is found without reading other people’s actions', async () => {
  await h.call('POST /clients/create-instance', { as: admin, body: { instance_name: 'x' } });
  await run(
    h.db,
    `insert into activity_log (action, client_id, actor_user_id)
     select 'CARD_TOPUP', $1, $2 from generate_series(1, 100000)`,
    [client.client_id, user.user_id],
  );
  await run(h.db, 'analyze activity_log', []);
  for (const [as, values] of [
    [admin, [client.client_id, 51]],
    [operator, [51]],
  ] as const) {
    const [, { entries }] = await h.call('GET /admins/audit', { as });
    expect(entries).toMatchObject([{ actor_user_id: admin.user_id }]);
    const list = await statementsOf('GET /admins/audit', { as });
    const text = list.find((one) => one.includes('"activity_log"')) ?? '';
    const { rows } = await h.kernel.pool.query(`explain (analyze, format json) ${text}`, [
      ...values,
    ]);
    expect(rowsRead(rows[0]['QUERY PLAN'], 'activity_log')).toBe(1);
  }
});

test('the newest admins of a client are found without reading those of others', async () => {
  const old = await h.client();
  const own = await h.user({ role: 'admin', client_id: old.client_id });
  await run(
    h.db,
    `insert into users (client_id, username, email, phone, role)
     select $1, 'later', 'later-' || n || '@example.test', '+12025550100',
            case when n % 10 = 0 then 'admin' else 'user' end
       from generate_series(1, 20000) n`,
    [client.client_id],
  );
  await run(h.db, 'analyze users', []);
  const ask = { as: own, query: { limit: 1 } };
  const list = await statementsOf('GET /admins/list', ask);
  const text = list.find((one) => one.includes('coalesce("v"."status"')) ?? '';
  // Also if the planner does not know the client.
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    const plan = await transact(h.db, async (tx) => {
      await run(tx, `set local plan_cache_mode = ${mode}`, []);
      await run(tx, `prepare newest_${mode} as ${text}`, []);
      const counts = `newest_${mode} (${old.client_id}, ${old.client_id}, 2, 'KYC', 'PENDING')`;
      return run(tx, `explain (analyze, format json) execute ${counts}`, []);
    });
    expect(rowsRead(plan, 'users'), mode).toBe(1);
  }
});

/** The rows of a table that a plan has read, filtered ones included. */
function rowsRead(plan: unknown, table: string): number {
  if (typeof plan !== 'object' || plan === null) return 0;
  const node = plan as Readonly<Record<string, unknown>>;
  const own = node['Relation Name'] === table ? [node['Actual Rows'], passedOver(node)] : [];
  const below = Object.values(plan).map((part) => rowsRead(part, table));
  return [...own.map(Number), ...below].reduce((sum, n) => sum + n, 0);
}

const passedOver = (node: Readonly<Record<string, unknown>>) => node['Rows Removed by Filter'] ?? 0;
