import pg from 'pg';
import { expect, test } from 'vitest';
import { composed } from '#test/composed.ts';
import { testDatabase } from '#test/database.ts';
import { removeFolder } from '#test/folders.ts';
import { harness } from '#test/harness.ts';
import type { NewRequestLog } from './store.ts';
import { createWriter } from './writer.ts';

const h = await harness({ config: { REQUEST_LOGS: 'on' } });
const admin = await h.user({ role: 'admin' });
const user = await h.user({ client_id: admin.client_id });
const other = await h.user();

const list = async (as: { token: string }, query: Record<string, string | number> = {}) => {
  const [status, body] = await h.call('GET /request-logs', { as, query });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
};

test('a request is listed for its user, their admin and the operator, and for no other client', async () => {
  const { headers } = await h.send('POST /wallets/fiat', {
    as: user,
    body: { currency: 'AUD' },
    headers: { 'idempotency-key': 'first wallet' },
  });
  const request_id = String(headers.get('x-request-id'));
  const read = (as: { token: string }) =>
    h.call('GET /request-logs/{request_id}', { as, params: { request_id } });
  const [status, { data }] = await read(user);
  expect(status).toBe(200);
  expect(data).toMatchObject({
    request_id,
    method: 'POST',
    path: '/wallets/fiat',
    status: 201,
    error_code: null,
    user_id: user.user_id,
    network: '127.0.0.0/24',
    idempotency: 'first',
    dry_run: false,
    object: { type: 'wallet' },
  });
  for (const as of [admin, await h.operator()]) expect((await read(as))[1].data).toEqual(data);
  expect((await read(other))[0]).toBe(404);
  expect((await list(other, { path: '/wallets/fiat' })).items).toEqual([]);
});

test('a repetition says that it is one, and a refusal its code', async () => {
  const call = () =>
    h.call('POST /wallets/fiat', {
      as: user,
      body: { currency: 'SGD' },
      headers: { 'idempotency-key': 'second wallet' },
    });
  await call();
  await call();
  await h.call('POST /wallets/fiat', { as: user, body: { currency: 'gold' } });
  const { items } = await list(user, { path: '/wallets/fiat', method: 'POST', limit: 3 });
  expect(items).toMatchObject([
    { status: 400, error_code: 'VALIDATION_ERROR', object: null },
    { idempotency: 'replayed' },
    { idempotency: 'first' },
  ]);
  expect((await list(user, { error_code: 'VALIDATION_ERROR' })).items).toHaveLength(1);
  expect((await list(admin, { status: 400, user_id: user.user_id })).items).toHaveLength(1);
});

test('pages of any size show each row once while rows are added', async () => {
  const one = await h.user();
  for (let n = 0; n < 7; n += 1) await h.call('GET /sessions', { as: one });
  for (const limit of [1, 2, 3]) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { request_id: string }[]; next_cursor: string | null } = await list(
        one,
        { path: '/sessions', limit, ...(cursor !== null && { cursor }) },
      );
      await h.call('GET /sessions', { as: other });
      seen.push(...page.items.map(({ request_id }) => request_id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect([seen.length, new Set(seen).size]).toEqual([7, 7]);
  }
});

test('a cursor of other filters, or no cursor at all, is refused', async () => {
  const { next_cursor } = await list(user, { limit: 1 });
  for (const query of [{ cursor: next_cursor, status: 200 }, { cursor: 'x' }, { cursor: 'W10' }]) {
    const [status, body] = await h.call('GET /request-logs', { as: user, query });
    expect([status, body.error.code]).toEqual([400, 'INVALID_PAGINATION']);
  }
});

test('a page that is not the last links to the next one', async () => {
  const { headers, body } = await h.send('GET /request-logs', { as: user, query: { limit: 1 } });
  expect(headers.get('link')).toContain(`cursor=${body.data.next_cursor}`);
});

const refusedLine = (status: number): NewRequestLog => ({
  at: h.clock.now().toISOString(),
  request_id: 'refused',
  method: 'GET',
  path: '/flood',
  status,
  ms: 1,
  error_code: status === 429 ? 'RATE_LIMITED' : 'NOT_FOUND',
  key_id: null,
  key_prefix: null,
  client_id: user.client_id,
  user_id: user.user_id,
  network: '127.0.0.0/24',
  api_version: null,
  idempotency: 'none',
  dry_run: false,
  object_type: null,
  object_id: null,
});

test('requests that the rate limit refuses alike are one line of a batch', async () => {
  const { db, log, metrics } = h.kernel;
  const counter: typeof metrics.counter = () => () => undefined;
  const writer = createWriter({ db, log, metrics: { ...metrics, counter } });
  for (let batch = 0; batch < 2; batch += 1) {
    for (let n = 0; n < 50; n += 1) writer.add(refusedLine(429));
    writer.add(refusedLine(404));
    await writer.flush();
  }
  const { items } = await list(user, { path: '/flood' });
  expect(items.map(({ status }: { status: number }) => status)).toEqual([404, 429, 404, 429]);
});

test('a process that stops gracefully writes the lines that wait', async () => {
  const database = await testDatabase();
  const { app, dataDir } = await composed(database.url, { config: { REQUEST_LOGS: 'on' } });
  const client = new pg.Client({ connectionString: database.url });
  try {
    await app.start();
    const made = await fetch(`${app.apiUrl()}/keys/generate-sdk-key`, { method: 'POST' });
    expect(made.status).toBeLessThan(300);
    const { api_key } = (await made.json()) as { api_key: string };
    const headers = { 'x-api-key': api_key };
    const { status } = await fetch(`${app.apiUrl()}/sessions`, { headers });
    await app.close();
    await client.connect();
    const { rows } = await client.query('select path, status from request_logs');
    expect(rows).toEqual([{ path: '/sessions', status }]);
  } finally {
    await client.end();
    await database.close();
    await removeFolder(dataDir);
  }
});

test('lines are kept for seven days', async () => {
  await h.call('GET /sessions', { as: user });
  expect((await list(user)).items.length).toBeGreaterThan(0);
  await h.advance(9 * 24 * 3600);
  await h.drain();
  await h.advance(3600);
  await h.drain();
  const fresh = await h.user();
  const { items } = await list(await h.operator());
  expect(items.filter(({ user_id }: { user_id: number }) => user_id === user.user_id)).toEqual([]);
  expect(fresh.user_id).toBeGreaterThan(0);
});
