import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import { GOOD } from './cards.ts';
import { startChild } from './child.ts';
import { type Body, type Harness, harness, type Person } from './harness.ts';
import { replicated } from './replica.ts';
import { endpointOf } from './webhooks.ts';

const pair = await replicated();
const masterKey = `1:${randomBytes(32).toString('base64')}`;
const jwtSecret = randomBytes(32).toString('hex');
const settings = {
  DATABASE_URL: pair.leaderUrl,
  DATABASE_REPLICA_URL: pair.replicaUrl,
  // Readers still use a replica that is paused for the length of a test.
  DB_REPLICA_LAG: '3600',
};
const h = await harness({
  database: { url: pair.leaderUrl, close: () => pair.close() },
  masterKey,
  jwtSecret,
  config: settings,
});
/** The same service, with a replica lag of zero. */
const strict = await harness({
  database: { url: pair.leaderUrl, close: async () => undefined },
  masterKey,
  jwtSecret,
  config: { ...settings, DB_REPLICA_LAG: '0' },
});

const { client_id } = await h.client();
const admin = await h.user({ role: 'admin', client_id });
const ada = await h.user({ client_id });
const bob = await h.user({ client_id });
const carol = await h.user({ client_id: (await h.client()).client_id });
const carolsAdmin = await h.user({ role: 'admin', client_id: carol.client_id });
const operator = await h.operator();
const clientKey = await h.apiKey({ client_id, user_id: admin.user_id });

const topUp = (as: Person, at: Harness = h) =>
  at.call('POST /card-checkout/cardcc', {
    as,
    body: { card_number: GOOD, expiry_date: '1139', amount: '5.00', currency_code: 'USD' },
  });
const wallets = new Map<Person, number>();
for (const one of [ada, bob, carol]) {
  await topUp(one);
  const params = { user_id: one.user_id };
  const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', { as: one, params });
  wallets.set(one, data.wallets[0].wallet_id);
}

const counted = async (at: Harness): Promise<Map<string, number>> => {
  const metric = at.kernel.metrics.registry.getSingleMetric('archipay_history_reads_total');
  const { values } = (await metric?.get()) ?? { values: [] };
  return new Map(values.map(({ labels, value }) => [`${labels['from']}: ${labels['why']}`, value]));
};

/** The answer, its server, and the reason for that server. */
async function answered(
  id: RouteId,
  options: Parameters<Harness['call']>[1],
  at: Harness = h,
): Promise<{ status: number; body: Body; from: string }> {
  const before = await counted(at);
  const [status, body] = await at.call(id, options);
  const after = await counted(at);
  const from = [...after].filter(([name, n]) => n !== (before.get(name) ?? 0));
  return { status, body, from: from.map(([name]) => name).join() };
}

/** The number of a statement's entries, and the server that was read. */
async function statementOf(as: Person, at: Harness = h) {
  const params = { wallet_id: wallets.get(as) ?? 0 };
  const { body, from } = await answered(
    'GET /wallets/fiat/{wallet_id}/transactions',
    { as, params },
    at,
  );
  return { entries: body.data.transactions.length as number, from };
}

/** The first reader makes the slot that belongs to all. */
await statementOf(ada);
beforeEach(async () => {
  await pair.resume();
  // Earlier notifications belong to no test; after a crash the connection comes back by itself.
  const settled = () =>
    h.kernel.events.settle().then(
      () => true,
      () => false,
    );
  await expect.poll(settled, { timeout: 20_000 }).toBe(true);
  await pair.caughtUp();
});
afterAll(() => pair.resume().catch(() => undefined));

const REPLICA = 'replica: current';
const CHANGED = 'leader: changed';

test('a caller sees their own change at once, and others the replica’s state', async () => {
  const before = await statementOf(ada);
  expect(before.from).toBe(REPLICA);
  await pair.pause();
  expect((await topUp(ada))[0]).toBe(200);
  expect(await statementOf(ada)).toEqual({ entries: before.entries + 1, from: CHANGED });
  expect((await statementOf(bob)).from).toBe(REPLICA);

  // A change without an event and without a caller.
  const aliasOf = async () => {
    const { body, from } = await answered('GET /clients', { as: carolsAdmin });
    return { alias: body[0].client_alias as string, from };
  };
  const { alias } = await aliasOf();
  const { client_id: another } = carol;
  const renamed = h.db.updateTable('clients').set({ client_alias: 'Renamed' });
  await renamed.where('client_id', '=', another).execute();
  expect(await aliasOf()).toEqual({ alias, from: REPLICA });
  expect((await answered('GET /clients', { as: admin })).from).toBe(CHANGED);

  await pair.resume();
  await pair.caughtUp();
  expect(await statementOf(ada)).toEqual({ entries: before.entries + 1, from: REPLICA });
  expect(await aliasOf()).toEqual({ alias: 'Renamed', from: REPLICA });
});

test('a user sees changes of the client’s key at once, and the key those of a user', async () => {
  const { endpoint_id } = await endpointOf(h, admin, {
    url: 'https://shop.example/hook',
    types: ['wallet.*'],
  });
  const attempts = () =>
    answered('GET /webhook-endpoints/{endpoint_id}/attempts', {
      key: clientKey,
      params: { endpoint_id },
    });
  await pair.caughtUp();
  expect((await attempts()).from).toBe(REPLICA);
  await pair.pause();
  await topUp(bob);
  expect((await attempts()).from).toBe(CHANGED);
  expect((await statementOf(ada)).from).toBe(REPLICA);
  const body = { description: 'by key' };
  const params = { endpoint_id };
  const changed = await h.call('PATCH /webhook-endpoints/{endpoint_id}', {
    key: clientKey,
    params,
    body,
  });
  expect(changed[0]).toBe(200);
  expect((await statementOf(ada)).from).toBe(CHANGED);
  expect((await statementOf(carol)).from).toBe(REPLICA);
});

test('all callers see an operator’s change at once', async () => {
  await pair.pause();
  expect((await statementOf(carol)).from).toBe(REPLICA);
  await h.call('POST /keys/sdk-key', { as: operator, body: {} });
  expect((await statementOf(carol)).from).toBe(CHANGED);
});

test('another process sees a change at once, too', async () => {
  const child = await startChild('app-child.ts', {
    databaseUrl: pair.leaderUrl,
    secrets: {
      MASTER_KEY: masterKey,
      JWT_SECRET: jwtSecret,
      EVM_MNEMONIC: 'test test test test test test test test test test test junk',
    },
    aheadMs: h.clock.offsetMs,
    settings: {
      ...settings,
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      ROLE: 'api',
      SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
      SANDBOX_SMTP_PORT: '0',
      RATE_LIMITS: 'off',
      MOCK_MODE: 'true',
      DATA_DIR: h.dataDir,
    },
  });
  const headers = { 'x-api-key': h.key, authorization: `Bearer ${ada.token}` };
  const entriesThere = async () => {
    const path = `/wallets/fiat/${wallets.get(ada)}/transactions`;
    const reply = await fetch(`${child.said}${path}`, { headers });
    return ((await reply.json()) as Body).data.transactions.length as number;
  };
  await pair.caughtUp();
  const before = await entriesThere();
  await pair.pause();
  const body = { card_number: GOOD, expiry_date: '1139', amount: '5.00', currency_code: 'USD' };
  const paid = await fetch(`${child.said}/card-checkout/cardcc`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'once' },
    body: JSON.stringify(body),
  });
  expect(paid.status).toBe(200);
  expect(await statementOf(ada)).toEqual({ entries: before + 1, from: CHANGED });
  await topUp(ada);
  expect(await entriesThere()).toBe(before + 2);
  await child.end('SIGTERM');
});

test('a reader of an event does not read a state from before it', async () => {
  await h.kernel.events.settle();
  await pair.caughtUp();
  await pair.pause();
  const before = await statementOf(carol);
  expect(before.from).toBe(REPLICA);
  const account = await accountOf(carol);
  const house = await accountOf(bob);
  await transact(h.db, (tx) =>
    postWithin(tx, { key: 'gift', kind: 'test', legs: transfer(house, account, 100n) }),
  );
  await h.kernel.events.settle();
  expect(await statementOf(carol)).toEqual({ entries: before.entries + 1, from: CHANGED });
});

async function accountOf(person: Person): Promise<number> {
  const { account_id } = await h.db
    .selectFrom('fiat_wallets')
    .select('account_id')
    .where('wallet_id', '=', wallets.get(person) ?? 0)
    .executeTakeFirstOrThrow();
  return account_id;
}

test('a replica beyond its allowed lag is not used', async () => {
  await statementOf(bob, strict);
  await pair.caughtUp();
  await pair.pause();
  await h.client();
  expect((await statementOf(bob)).from).toBe(REPLICA);
  expect((await statementOf(bob, strict)).from).toBe('leader: behind');
});

test('after a crash of the leader has lost the marks, no reader gets an earlier state', async () => {
  await pair.pause();
  const { entries } = await statementOf(ada);
  await topUp(ada);
  await pair.crashLeader();
  await expect.poll(async () => (await topUp(bob))[0]).toBe(200);
  const first = await statementOf(ada);
  expect(first).toEqual({ entries: entries + 1, from: 'leader: unknown' });
  await expect
    .poll(() => statementOf(ada), { timeout: 10_000 })
    .toEqual({ entries: entries + 1, from: CHANGED });
});

test('a statement that fails on the replica runs on the leader', async () => {
  const params = { wallet_id: 999_999 };
  const { status, from } = await answered('GET /wallets/fiat/{wallet_id}/transactions', {
    as: ada,
    params,
  });
  expect([status, from]).toEqual([404, 'leader: failed']);
});

test('every list and history is answered by the replica', async () => {
  const { endpoint_id } = await endpointOf(h, admin, {
    url: 'https://shop.example/more',
    types: ['wallet.*'],
  });
  const phone = '+6281230001000';
  const [, { token }] = await h.call('POST /xusers/login', { body: { phone } });
  await pair.caughtUp();
  const who = { user: ada, admin: operator, rewards: { token }, either: admin } as const;
  const params = { user_id: ada.user_id, wallet_id: wallets.get(ada) ?? 0, endpoint_id };
  const query = { wallet_id: params.wallet_id };
  const routes = h.app.features.routes.filter(({ endpoint }) => endpoint.history);
  expect(routes.length).toBeGreaterThan(15);
  for (const { id, endpoint } of routes) {
    const as = who[endpoint.auth as keyof typeof who];
    const needsWallet = id === 'GET /card-checkout/card/history';
    const found = await answered(id, { as, params, ...(needsWallet && { query }) });
    expect([id, found.status, found.from]).toEqual([id, 200, REPLICA]);
  }
});

/** Lists that a replica must not answer, with the reason. */
const LEADERS: Readonly<Record<string, string>> = {
  'GET /events': 'followed: it has the events that a caller knows',
  'GET /reconciliation/breaks': 'acted on by people, who see what is open now',
  'GET /exchange/conversion/pending': 'work in flight, by which money is decided',
  'GET /keys/sdk-key': 'it has to show the keys that are valid now',
  'GET /team': 'it has to show who is in the team now',
  'GET /sessions': 'it has to show the current log-ins',
  'GET /clients/my-instances': 'what a caller has set up, and is few',
};

test('endpoints of the replica only read, and every list declares whether it is one', () => {
  const unsaid: string[] = [];
  for (const { id, endpoint } of h.app.features.routes) {
    const { properties = {} } = (endpoint.query ?? {}) as { properties?: object };
    const isList = ['before', 'offset', 'page'].some((name) => name in properties);
    if (!endpoint.history && id.startsWith('GET ') && isList && !(id in LEADERS)) unsaid.push(id);
    if (!endpoint.history) continue;
    expect(id).toMatch(/^GET /);
    expect([endpoint.atomic, endpoint.once, endpoint.stream]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  }
  expect(unsaid).toEqual([]);
});

test('without the replica the service answers everything, and stays ready', async () => {
  pair.stopReplica();
  const { entries } = await statementOf(bob);
  expect(entries).toBeGreaterThan(0);
  const { from } = await statementOf(bob);
  expect(from).toBe('leader: away');
  const ready = await fetch(`${h.app.opsUrl()}/health/ready`);
  expect(ready.status).toBe(200);
  const metrics = await (await fetch(`${h.app.opsUrl()}/metrics`)).text();
  expect(metrics).not.toMatch(/^archipay_replica_lag_bytes /m);
});
