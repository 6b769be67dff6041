import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { harness } from '#test/harness.ts';
import { arrivals } from '#test/waiting.ts';

const h = await harness();
const OPEN = 'POST /wallets/fiat';

test('every answer carries a request id, the caller’s own when it is a sane one', async () => {
  const own = await h.send(OPEN, { headers: { 'x-request-id': 'mine-1' } });
  expect(own.headers.get('x-request-id')).toBe('mine-1');
  expect(own.body.request_id).toBe('mine-1');
  const odd = await h.send(OPEN, { headers: { 'x-request-id': 'a b<c>' } });
  expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('every answer, of the API and beside it, carries the security headers', async () => {
  const api = await h.send(OPEN);
  const health = await fetch(h.app.apiUrl().replace('/api', '/health/live'));
  const garbled = await fetch(`${h.app.apiUrl()}/users/%zz`);
  expect(garbled.status).toBe(400);
  for (const { headers } of [api, health, garbled]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  }
  // Answers hold tokens, keys and people's data: no browser or proxy on the way may keep them.
  expect(api.headers.get('cache-control')).toBe('no-store');
});

test('keys and tokens are refused by name, in the order the decisions give', async () => {
  const as = await h.user();
  const body = { currency: 'USD' };
  const code = async (options: object) => (await h.call(OPEN, { body, ...options }))[1].error?.code;
  expect(await code({ as: 'nobody' })).toBe('API_KEY_MISSING');
  expect(await code({ key: 'ak_wrong', as })).toBe('API_KEY_INVALID');
  expect(await code({})).toBe('TOKEN_MISSING');
  expect(await code({ as: { token: 'x.y.z' } })).toBe('TOKEN_INVALID');
  // A character within the signature: the last one holds bits that decoding drops.
  const forged = as.token.slice(0, -9) + (as.token.at(-9) === 'A' ? 'B' : 'A') + as.token.slice(-8);
  expect(await code({ as: { token: forged } })).toBe('TOKEN_INVALID');
});

test('several keys on one connection: each request counts for its own key', async () => {
  const { token } = await h.user();
  const wrong = h.key.slice(0, -1) + (h.key.endsWith('a') ? 'b' : 'a');
  const keys = [h.key, h.key, wrong, h.key, `${h.key}a`];
  const requests = keys.map((key, i) => [
    'GET /api/sessions HTTP/1.1',
    `host: localhost\r\nx-api-key: ${key}\r\nauthorization: Bearer ${token}`,
    i === keys.length - 1 ? 'connection: close\r\n\r\n' : 'connection: keep-alive\r\n\r\n',
  ]);
  const socket = connect(Number(new URL(h.app.apiUrl()).port), '127.0.0.1');
  socket.write(requests.map((lines) => lines.join('\r\n')).join(''));
  const answers = (await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g);
  expect([...answers].map(([, status]) => status)).toEqual(['200', '200', '401', '200', '401']);
});

test('the scheme before a token is parsed as in HTTP, and is Bearer', async () => {
  const { token, user_id } = await h.user();
  const status = async (authorization: string) => {
    const options = { params: { user_id }, headers: { authorization } };
    return (await h.call('GET /wallets/fiat/{user_id}', options))[0];
  };
  for (const good of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`])
    expect(await status(good)).toBe(200);
  for (const bad of [token, `Basic ${token}`, `Bearer${token}`, `Bearer ${token} x`, 'Bearer '])
    expect(await status(bad), bad.slice(0, 12)).toBe(401);
});

test('a token ends with its time, its session and its user', async () => {
  const [late, ended, left] = [await h.user(), await h.user(), await h.user()];
  const read = (as: typeof late) =>
    h.call('GET /wallets/fiat/{user_id}', { as, params: { user_id: as.user_id } });
  expect((await read(ended))[0]).toBe(200);
  expect((await read(left))[0]).toBe(200);
  const sessions = await h.db
    .selectFrom('sessions')
    .select('session_id')
    .where('user_id', '=', ended.user_id)
    .execute();
  for (const { session_id } of sessions) await h.kernel.sessions.revoke(h.db, session_id);
  expect(await read(ended)).toMatchObject([401, { error: { code: 'TOKEN_INVALID' } }]);
  await h.db
    .updateTable('users')
    .set({ user_status: 'INACTIVE' })
    .where('user_id', '=', left.user_id)
    .execute();
  h.kernel.credentials.forget('user', left.user_id);
  expect(await read(left)).toMatchObject([403, { error: { code: 'ACCOUNT_NOT_ACTIVE' } }]);
});

test('another process is notified of a revoked key', async () => {
  const as = await h.user();
  const key = await h.apiKey();
  const read = async () =>
    (await h.call('GET /wallets/fiat/{user_id}', { as, key, params: { user_id: as.user_id } }))[0];
  expect(await read()).toBe(200);
  // As any other process would: only the database notifies this one.
  await h.db.deleteFrom('api_keys').where('key_prefix', '=', key.slice(0, 10)).execute();
  await expect.poll(read).toBe(401);
});

test('a key with scopes opens only those areas', async () => {
  const as = await h.user();
  const params = { user_id: as.user_id };
  const read = (key: string) => h.call('GET /wallets/fiat/{user_id}', { as, key, params });
  expect((await read(await h.apiKey({ scopes: ['wallets:read'] })))[0]).toBe(200);
  expect(await read(await h.apiKey({ scopes: ['wallets:write', 'cards:*'] }))).toMatchObject([
    403,
    { error: { code: 'FORBIDDEN' } },
  ]);
});

test('Fastify’s own refusals have the envelope of the neighbouring endpoints', async () => {
  const as = await h.user();
  const refused = async (options: object, id = OPEN as never) => {
    const { status, body } = await h.send(id, { as, ...options });
    return [status, body.error?.code, body.success];
  };
  expect(await refused({ body: '{"currency":' })).toEqual([400, 'MALFORMED_JSON', false]);
  expect(await refused({ body: '{"__proto__":{"x":1},"currency":"USD"}' })).toEqual([
    400,
    'MALFORMED_JSON',
    false,
  ]);
  expect(await refused({ body: 'x', headers: { 'content-type': 'text/plain' } })).toEqual([
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    false,
  ]);
  expect(await refused({ body: { currency: 'x'.repeat(64 * 1024) } })).toEqual([
    413,
    'PAYLOAD_TOO_LARGE',
    false,
  ]);
  expect(await refused({ body: { currency: 'US\0' } })).toEqual([400, 'VALIDATION_ERROR', false]);
  expect(await refused({}, 'GET /wallets/nothing' as never)).toEqual([404, 'NOT_FOUND', false]);
  const wrong = await h.send('DELETE /wallets/fiat' as never, { as });
  expect([wrong.status, wrong.body.error.code, wrong.headers.get('allow')]).toEqual([
    405,
    'METHOD_NOT_ALLOWED',
    'POST',
  ]);
});

test('an oversized or malformed request gets an answer, too', async () => {
  const big = await h.send(OPEN, { headers: { 'x-big': 'a'.repeat(20_000) } });
  expect([big.status, big.body]).toEqual([
    431,
    {
      error: 'Headers are too large',
      code: 'VALIDATION_ERROR',
      hint: expect.any(String),
      doc_url: expect.stringMatching(/VALIDATION_ERROR$/),
      request_id: expect.any(String),
    },
  ]);
  expect(big.headers.get('x-request-id')).toBe(big.body.request_id);
  const { hostname, port } = new URL(h.app.apiUrl());
  const socket = connect(Number(port), hostname).end('good day\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 .*"error":"Request is not HTTP"/s);
});

test('a field’s error is in words, not in patterns', async () => {
  const body = { email: 'x', client_alias: 'a\nb', client_type: ' ', country_code: 'IDN' };
  const signUp = (some: object) =>
    h.call('POST /clients/create_with_admin', { body: { ...body, phone: '+6281', ...some } });
  const [status, answer] = await signUp({ client_status: 7 });
  expect([status, answer.error]).toEqual([400, 'Missing required fields: client_type']);
  expect(answer.details).toEqual([
    { field: 'email', message: 'must be an e-mail address' },
    { field: 'client_alias', message: 'must be one line of characters that can be seen' },
    { field: 'client_type', message: 'must not be blank' },
    { field: 'client_status', message: 'must be string' },
    {
      field: 'country_code',
      message: 'does not have the right form: ISO 3166-1 alpha-2, such as US',
    },
  ]);
  const named = (await signUp({ client_type: 'BUSINESS' }))[1].error;
  expect(named).toBe('email must be an e-mail address');
  // The contract's text about required fields does not name optional ones.
  const otp = (fields: object) =>
    h.call('POST /xotp/request', { body: { phone_number: '+62812345678', ...fields } });
  const odd = { purpose: 'login', channel: 'fax' };
  expect((await otp(odd))[1].error).toBe('channel must be one of wa, sms');
  expect((await otp({ channel: 'fax' }))[1].error).toBe('Phone number and purpose are required');
  const as = await h.user();
  expect(await h.call(OPEN, { as, body: { currency: 'EUR' } })).toMatchObject([
    400,
    { error: { message: 'currency must be one of USD, IDR, SGD, AUD, INR, VND' } },
  ]);
});

test('a body with many mistakes is refused in few words', async () => {
  const as = await h.user();
  const make = (scopes: unknown) => h.call('POST /keys/sdk-key', { as, body: { scopes } });
  for (const [n, size] of [
    [4000, 10_000],
    [30_000, 1000],
  ] as const) {
    const [status, answer] = await make(Array(n).fill(1));
    expect([status, JSON.stringify(answer).length < size]).toEqual([400, true]);
  }
});

test('the same Idempotency-Key answers the same, and does nothing twice', async () => {
  const as = await h.user();
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => h.send(OPEN, { as, headers, body: { currency: 'AUD' } });
  const first = await send();
  const again = await send();
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect([
    first.headers.get('idempotent-replayed'),
    again.headers.get('idempotent-replayed'),
  ]).toEqual([null, 'true']);
  const other = await h.send(OPEN, { as, headers, body: { currency: 'INR' } });
  expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  const wallets = await h.db
    .selectFrom('fiat_wallets')
    .select('currency')
    .where('user_id', '=', as.user_id)
    .orderBy('currency')
    .execute();
  expect(wallets).toEqual([{ currency: 'AUD' }, { currency: 'USD' }]);
});

test('one of twenty requests with one key acts, the others wait or repeat its answer', async () => {
  const as = await h.user();
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => h.send(OPEN, { as, headers, body: { currency: 'INR' } })),
  );
  const acted = answers.filter((a) => a.status === 201 && !a.headers.get('idempotent-replayed'));
  expect(acted).toHaveLength(1);
  for (const { status } of answers) expect([201, 409]).toContain(status);
});

test('a key belongs to its user, and is deleted after a day', async () => {
  const [one, two] = [await h.user(), await h.user()];
  const headers = { 'idempotency-key': randomUUID() };
  const open = (as: typeof one) => h.send(OPEN, { as, headers, body: { currency: 'SGD' } });
  const answers = [await open(one), await open(two)];
  expect(answers.map(({ body }) => body.data.user_id)).toEqual([one.user_id, two.user_id]);
});

test('an attempt without an answer continues its operation, a lapsed key does not', async () => {
  const { idempotency } = h.kernel;
  const request = { key: 'k', owner: 'me', body: 'b', raw: 'b' };
  const claimed = async () => {
    const claim = await idempotency.claim(request);
    if ('payload' in claim) throw new Error('answered already');
    return claim;
  };
  const first = await claimed();
  await expect(claimed()).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
  await idempotency.release(first);
  const second = await claimed();
  expect(second.operation).toBe(first.operation);
  // The first one is late, and may not answer for the second.
  const answer = { status: 200, type: 'text/plain', payload: 'x' };
  await expect(idempotency.keep(h.db, first, answer)).rejects.toMatchObject({ status: 409 });
  await h.advance(121);
  const third = await claimed();
  expect(third.operation).toBe(first.operation);
  await idempotency.keep(h.db, third, answer);
  expect(await idempotency.claim(request)).toEqual(answer);
  await h.advance(25 * 3600);
  expect((await claimed()).operation).not.toBe(first.operation);
});

test('a caller’s mistake stays answered under its key, our failure and a 409 do not', async () => {
  const as = await h.user();
  const tries = async (id: RouteId, body: object, between: () => Promise<unknown>) => {
    const options = { as, body, headers: { 'idempotency-key': randomUUID() } };
    const first = await h.send(id, options);
    await between();
    const { status, headers } = await h.send(id, options);
    return [first.status, status, headers.get('idempotent-replayed')];
  };
  const code = { phone_number: '+6281200000001', purpose: 'login' };
  const wrong = { ...code, otp_code: '000000' };
  expect(await tries('POST /xotp/verify', wrong, async () => {})).toEqual([400, 400, 'true']);
  await h.sandbox('POST', '/faults', { provider: 'partner', kind: 'refuse', times: 100 });
  const restore = () => h.sandbox('DELETE', '/faults');
  const { user_id } = as;
  expect(await tries('POST /pspb/customers', { user_id }, restore)).toEqual([503, 200, null]);
  for (let n = 0; n < 10; n += 1) await h.send('POST /xotp/request', { body: code });
  const wait = () => h.advance(15 * 60 + 1);
  expect(await tries('POST /xotp/request', code, wait)).toEqual([429, 200, null]);
});

test('stored answers can not be read from the database', async () => {
  const as = await h.user();
  await h.send(OPEN, { as, headers: { 'idempotency-key': 'sealed' }, body: { currency: 'AUD' } });
  const rows = await h.db.selectFrom('idempotency_keys').select('answer').execute();
  expect(JSON.stringify(rows)).not.toContain('wallet_id');
});

test('liveness, readiness, metrics and the reference are served', async () => {
  const base = h.app.apiUrl().replace('/api', '');
  const get = async (path: string) => {
    const reply = await fetch(`${base}${path}`);
    return [reply.status, await reply.text()] as const;
  };
  expect((await get('/health/live'))[0]).toBe(200);
  expect(JSON.parse((await get('/health/ready'))[1])).toMatchObject({ status: 'ok', missing: [] });
  const metrics = (await get('/metrics'))[1];
  expect(metrics).toContain('archipay_request_seconds_bucket');
  expect(metrics).toContain('archipay_messages_today{channel="sms"} 0');
  expect(metrics).toContain('archipay_messages_ceiling{channel="sms"} 5000');
  const { paths } = JSON.parse((await get('/openapi.json'))[1]);
  expect(paths['/wallets/fiat'].post).toBeDefined();
  const names = Object.values<object>(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect((await get('/docs'))[1]).toContain('<div id="reference">');
});

test('any number of simultaneous health checks query the database once', async () => {
  const { pool, jobs } = h.kernel;
  const real = jobs.stats.bind(jobs);
  const arrived = arrivals(h, 100);
  // None is answered before all have arrived, at any speed.
  const stats = vi.spyOn(jobs, 'stats').mockImplementation(() => arrived.then(real));
  const requests = pool.query.bind(pool) as (...of: unknown[]) => unknown;
  const query = vi
    .spyOn(pool, 'query')
    .mockImplementation((...of: unknown[]) => arrived.then(() => requests(...of)));
  const base = h.app.apiUrl().replace('/api', '');
  const ask = () => Promise.all([fetch(`${base}/health/ready`), fetch(`${base}/metrics`)]);
  await Promise.all(Array.from({ length: 50 }, ask));
  // Each of the fifty alone would have made four; a check times out and is repeated every 2 s.
  expect(stats.mock.calls.length).toBeLessThan(40);
  expect(query.mock.calls.length).toBeLessThan(80);
  stats.mockRestore();
  query.mockRestore();
});
