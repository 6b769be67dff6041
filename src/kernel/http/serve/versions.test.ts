import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { afterAll, expect, test } from 'vitest';
import type { EarlierEndpoint } from '#kernel/http/declare/earlier.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints } from '#kernel/http/declare/route.ts';
import { harness } from '#test/harness.ts';
import { mount } from './mount.ts';
import { createServer } from './server.ts';
import { API_VERSIONS, versionsOf } from './versions.ts';

/** Callers of several versions beside each other: what each asks and is answered, of an endpoint made up for it. */
const h = await harness();
const FIRST = '2026-11-22';

const versions = versionsOf([
  { version: '2028-03-01', changes: ['`total` is an object with its currency'] },
  { version: '2027-05-01', changes: ['`qty` is called `quantity`'] },
  { version: FIRST, changes: ['The first version.'], ends: '2029-01-01' },
]);
const Placed = (total: ReturnType<typeof Type.String> | ReturnType<typeof Type.Object>) =>
  Type.Object({ sku: Type.String(), quantity: Type.Integer(), total });

/** Each says only what has changed after it: what is older goes through all that came later. */
const earlier: readonly EarlierEndpoint[] = [
  {
    version: '2027-05-01',
    reply: { 200: Placed(Type.String()) },
    down: ({ total, ...order }) => ({ ...order, total: (total as { amount: string }).amount }),
  },
  {
    version: FIRST,
    body: Type.Object({ sku: Type.String(), qty: Type.Integer({ minimum: 1 }) }),
    up: ({ qty, ...order }) => ({ ...order, quantity: qty }),
    reply: { 200: Type.Object({ sku: Type.String(), qty: Type.Integer(), total: Type.String() }) },
    down: ({ quantity, ...order }) => ({ ...order, qty: quantity }),
  },
];
const order = endpoints(errorEnvelope)('POST /things', {
  name: 'things.order',
  auth: 'key',
  summary: 'Orders a thing',
  body: Type.Object({ sku: Type.String(), quantity: Type.Integer({ minimum: 1 }) }),
  reply: { 200: Placed(Type.Object({ amount: Type.String(), currency: Type.String() })) },
  earlier,
  handler: async ({ body: { sku, quantity } }) => ({
    sku,
    quantity,
    total: { amount: `${quantity}.00`, currency: 'USD' },
  }),
});
const plain = endpoints(errorEnvelope)('GET /plain', {
  name: 'things.plain',
  auth: 'public',
  summary: 'Has never changed',
  reply: { 200: Type.Object({ ok: Type.Boolean() }) },
  handler: async () => ({ ok: true }),
});

const routes = [order, plain];
const options = { corsOrigins: '', trustProxy: undefined, routes, versions };
const server = await createServer({ ...h.kernel, ...options });
await server.register(async (api) => mount(api, routes, { ...h.kernel, versions }), {
  prefix: '/api',
});
const address = await server.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => server.close());

async function ask(body: object, headers: Record<string, string>) {
  const answer = await fetch(`${address}/api/things`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const version = answer.headers.get('archipay-version');
  return { status: answer.status, version, body: await answer.json(), headers: answer.headers };
}

/** A key that was made while that was the newest version. */
async function keyOf(api_version: string): Promise<string> {
  const key = await h.apiKey();
  await h.db
    .updateTable('api_keys')
    .set({ api_version })
    .where('key_prefix', '=', key.slice(0, 10))
    .execute();
  return key;
}

const NEW = { sku: 'a', quantity: 2 };
const OLD = { sku: 'a', qty: 2 };
const total = { amount: '2.00', currency: 'USD' };

test('callers of each version are understood and answered in theirs, side by side', async () => {
  const [first, middle, newest] = [
    await keyOf(FIRST),
    await keyOf('2027-05-01'),
    await keyOf('2028-03-01'),
  ];
  expect(await ask(NEW, { 'x-api-key': newest })).toMatchObject({
    status: 200,
    version: '2028-03-01',
    body: { ...NEW, total },
  });
  expect(await ask(NEW, { 'x-api-key': middle })).toMatchObject({
    status: 200,
    version: '2027-05-01',
    body: { ...NEW, total: '2.00' },
  });
  const old = await ask(OLD, { 'x-api-key': first });
  expect(old).toMatchObject({ status: 200, version: FIRST });
  expect(old.body).toEqual({ ...OLD, total: '2.00' });
  // Nothing that the old shape knows is called unknown; and it is told that it ends.
  expect(old.headers.get('x-ignored-fields')).toBeNull();
  expect(old.headers.get('archipay-version-ends')).toBe('2029-01-01');
});

test('the header names another version than that of the key', async () => {
  const [first, newest] = [await keyOf(FIRST), await keyOf('2028-03-01')];
  const up = { 'x-api-key': first, 'archipay-version': '2028-03-01' };
  expect(await ask(NEW, up)).toMatchObject({ version: '2028-03-01', body: { total } });
  const down = { 'x-api-key': newest, 'archipay-version': FIRST };
  expect(await ask(OLD, down)).toMatchObject({ version: FIRST, body: { qty: 2, total: '2.00' } });
});

test('a version that there is not is refused and the known ones are named', async () => {
  const key = await keyOf(FIRST);
  const answer = await ask(OLD, { 'x-api-key': key, 'archipay-version': '2027-01-01' });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      code: 'UNKNOWN_VERSION',
      hint: `Known are 2028-03-01, 2027-05-01, ${FIRST}.`,
    },
  });
  const wild = await ask(OLD, { 'x-api-key': key, 'archipay-version': 'latest' });
  expect(wild).toMatchObject({ status: 400, body: { code: 'UNKNOWN_VERSION' } });
  // Who may not ask at all is told nothing of versions.
  expect((await ask(OLD, { 'archipay-version': 'latest' })).status).toBe(401);
});

test('what is wrong with an old body is said in its own words', async () => {
  const key = await keyOf(FIRST);
  expect(await ask({ sku: 'a', qty: 0 }, { 'x-api-key': key })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', details: [{ field: 'qty' }] },
  });
  expect(await ask(NEW, { 'x-api-key': key })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'qty' }] },
  });
});

test('a repetition is answered as the first one was, and moves nothing', async () => {
  const headers = { 'x-api-key': await keyOf(FIRST), 'idempotency-key': randomUUID() };
  const once = await ask(OLD, headers);
  const again = await ask(OLD, headers);
  expect(again.body).toEqual(once.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test('a key of a version that has gone is answered by the oldest that is left', async () => {
  const key = await keyOf('2025-01-01');
  expect(await ask(OLD, { 'x-api-key': key })).toMatchObject({ status: 200, version: FIRST });
});

test('every answer says its version, also without a key and where there is nothing', async () => {
  const versionAt = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${address}${path}`, { headers })).headers.get('archipay-version');
  expect(await versionAt('/api/plain')).toBe('2028-03-01');
  expect(await versionAt('/api/plain', { 'archipay-version': FIRST })).toBe(FIRST);
  expect(await versionAt('/api/nowhere')).toBe('2028-03-01');
  expect(await versionAt('/elsewhere')).toBeNull();
});

test('a key is pinned to the newest version, keeps it when it is rotated, and its list says so', async () => {
  const as = await h.user();
  const [, made] = await h.call('POST /keys/sdk-key', { as, body: {} });
  await h.db
    .updateTable('api_keys')
    .set({ api_version: '2026-01-01' })
    .where('user_id', '=', as.user_id)
    .execute();
  await h.call('POST /keys/sdk-key', { as, body: {} });
  const params = { api_key: made.api_key };
  const [status] = await h.call('POST /keys/sdk-key/{api_key}/rotate', { as, params, body: {} });
  expect(status).toBe(200);
  const [, { data }] = await h.call('GET /keys/sdk-key', { as });
  const pinned = data.map(({ api_version }: { api_version: string }) => api_version);
  expect(pinned).toEqual(['2026-01-01', API_VERSIONS[0]?.version, '2026-01-01']);
  const { headers } = await h.send('GET /keys/sdk-key', { as });
  expect(headers.get('archipay-version')).toBe(API_VERSIONS[0]?.version);
});

test('the versions that there are keep the policy, and the changelog has each', () => {
  expect(versionsOf().newest).toBe(API_VERSIONS[0]?.version);
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  for (const { version } of API_VERSIONS) expect(changelog).toContain(`API version ${version}`);
  const first = { version: FIRST, changes: ['x'] };
  const next = { version: '2027-05-01', changes: ['x'] };
  expect(() => versionsOf([])).toThrow('There is no version');
  expect(() => versionsOf([first, next])).toThrow('is not before');
  expect(() => versionsOf([{ version: 'soon', changes: ['x'] }])).toThrow('is no day');
  expect(() => versionsOf([{ version: FIRST, changes: [] }])).toThrow('what has changed');
  expect(() => versionsOf([{ ...first, ends: '2029-01-01' }])).toThrow('cannot end');
  expect(() => versionsOf([next, { ...first, ends: '2028-04-01' }])).toThrow('than a year after');
  expect(() => versionsOf([next, { ...first, ends: '2028-05-01' }])).not.toThrow();
});

test('an endpoint cannot be mounted with a past that does not fit', () => {
  const with1 = (past: readonly EarlierEndpoint[]) => ({
    ...order,
    endpoint: { ...order.endpoint, earlier: past },
  });
  expect(() => versions.check(order)).not.toThrow();
  expect(() => versions.check(with1(earlier.toReversed()))).toThrow('in order');
  expect(() => versions.check(with1([{ version: '2028-03-01' }]))).toThrow('in order');
  expect(() => versions.check(with1([{ version: '2027-01-01' }]))).toThrow('in order');
});
