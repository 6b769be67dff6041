import { expect, test, vi } from 'vitest';
import { byAddress } from '#kernel/http/answer/limits.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { type CallOptions, harness } from '#test/harness.ts';
import { headAlone } from '#test/head-alone.ts';

const h = await harness({ config: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });

test('an existing key has a thousand requests a minute and sees the remaining number', async () => {
  const as = await h.user();
  const read = () => h.send('GET /wallets/fiat/{user_id}', { as, params: { user_id: as.user_id } });
  await read();
  const { headers } = await read();
  expect(headers.get('x-ratelimit-limit')).toBe('1000');
  expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(1000);
  // By the machine's time, which tests do not move.
  const reset = Number(headers.get('x-ratelimit-reset')) - Math.floor(Date.now() / 1000);
  expect(reset).toBeGreaterThanOrEqual(0);
  expect(reset).toBeLessThanOrEqual(61);
});

test('the first request with a key counts for that key, not for its address', async () => {
  const as = await h.user();
  const calls: readonly [RouteId, number, CallOptions][] = [
    ['GET /keys/sdk-key', 100, {}],
    ['DELETE /keys/sdk-key/{api_key}', 10, { params: { api_key: 'ak_missing' } }],
  ];
  for (const [id, allowed, options] of calls)
    for (const key of [await h.apiKey(), await h.apiKey()]) {
      const answers = [];
      for (let n = 0; n <= allowed; n += 1) answers.push(await h.send(id, { as, key, ...options }));
      expect(answers[0]?.headers.get('x-ratelimit-remaining')).toBe(String(allowed - 1));
      const limited = answers.filter(({ status }) => status === 429);
      expect([limited.length, answers.at(-1)?.status]).toEqual([1, 429]);
    }
});

test('guessing keys spends the budget of an address, which ends look-ups', async () => {
  const known = async () => (await h.send('GET /xwishlist/count')).status;
  expect(await known()).toBe(200);
  const lookUps = vi.spyOn(h.kernel.credentials, 'findKey');
  const guess = async (n: number) =>
    (await h.send('POST /wallets/fiat', { key: `guess-${n}`, body: {} })).status;
  const answers: number[] = [];
  for (let n = 0; n < 1050; n += 50)
    answers.push(...(await Promise.all(Array.from({ length: 50 }, (_, k) => guess(n + k)))));
  const refused = answers.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThanOrEqual(50);
  expect(lookUps.mock.calls.length).toBe(answers.length - refused);
  lookUps.mockRestore();
  const last = await h.send('POST /wallets/fiat', { key: 'one-more', body: {} });
  expect(last.body).toMatchObject({ success: false, error: { code: 'RATE_LIMITED' } });
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(last.headers.get('x-ratelimit-remaining')).toBe('0');
  const long = ['x-api-key: yet-another', 'content-length: 900000'];
  expect(await headAlone(h, '/wallets/fiat', long)).toMatch(/^HTTP\/1.1 429 /);
  // Strangers at the same address do not block a caller with a cached key.
  expect(await known()).toBe(200);
});

test('all keys of an address share a ceiling, and so do all keys of a client', async () => {
  const client = await h.client();
  const mine = await h.apiKey({ client_id: client.client_id });
  const [anothers, nobodys] = [await h.apiKey(await h.client()), await h.apiKey()];
  const ask = async (key: string, address: string) => {
    const headers = { 'x-forwarded-for': address };
    const { status, headers: answered } = await h.send('GET /xwishlist/count', { key, headers });
    return [status, answered.get('x-ratelimit-limit'), answered.get('x-ratelimit-remaining')];
  };
  /** Like so many requests with other keys. */
  const spend = async (times: number, address: string, client_id: number | null = null) => {
    const reply = { header: () => undefined };
    for (let n = 0; n < times; n += 1) {
      const below = { address, client_id };
      const id = `another ${address} ${n % 100}`;
      await h.kernel.limits.spend({ limit: 'authenticated', by: 'key', id, below }, reply);
    }
  };
  await spend(9_999, '198.51.100.1');
  expect(await ask(mine, '198.51.100.1')).toEqual([200, '1000', '999']);
  for (const [key, left] of [
    [mine, '998'],
    [anothers, '999'],
    [nobodys, '999'],
  ] as const)
    expect(await ask(key, '198.51.100.1')).toEqual([429, '1000', left]);
  expect(await ask(anothers, '198.51.100.2')).toEqual([200, '1000', '998']);

  const { client_id } = client;
  for (const address of ['198.51.100.3', '198.51.100.4']) await spend(9_999, address, client_id);
  expect(await ask(mine, '198.51.100.5')).toEqual([200, '1000', '997']);
  expect(await ask(mine, '198.51.100.5')).toEqual([429, '1000', '996']);
  expect(await ask(nobodys, '198.51.100.5')).toEqual([200, '1000', '998']);
});

test('changing addresses within one network of IPv6 still spends one budget', async () => {
  const make = async (address: string) => {
    const headers = { 'x-forwarded-for': address };
    return (await h.send('POST /keys/generate-sdk-key', { as: 'nobody', headers, body: {} }))
      .status;
  };
  const answers = [];
  for (const n of [1, 2, 3, 4, 5, 6]) answers.push(await make(`2001:db8:0:7:${n}::${n}`));
  expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  expect(await make('2001:db8:0:8::1')).toBe(200);
});

test('pages beside the API have a budget by address, and probes an ample one', async () => {
  const base = h.app.apiUrl().replace('/api', '');
  const ask = async (path: string, address: string) => {
    const reply = await fetch(`${base}${path}`, { headers: { 'x-forwarded-for': address } });
    await reply.text();
    return [reply.status, reply.headers.get('x-ratelimit-limit')];
  };
  for (const [address, path, status] of [
    ['198.51.100.71', '/reset-password?token=unknown', 400],
    ['198.51.100.72', '/openapi.json', 200],
    ['198.51.100.73', '/docs', 200],
    ['198.51.100.74', '/pages/page.css', 200],
    ['198.51.100.75', '/nothing', 404],
  ] as const) {
    expect(await ask(path, address), path).toEqual([status, '300']);
    for (let n = 1; n < 300; n += 1) await spendAt(address, 'page');
    expect(await ask(path, address), path).toEqual([429, '300']);
    for (const probe of ['/health/live', '/health/ready', '/metrics'])
      expect(await ask(probe, address)).toEqual([200, '3000']);
    for (let n = 3; n < 3000; n += 1) await spendAt(address, 'probe');
    for (const probe of ['/health/live', '/health/ready', '/metrics?x=1'])
      expect(await ask(probe, address)).toEqual([429, '3000']);
  }
  expect(await ask('/api/nothing', '198.51.100.75')).toEqual([404, '100']);
});

const spendAt = (address: string, limit: 'page' | 'probe') =>
  h.kernel.limits.spend(byAddress(limit, address), { header: () => undefined });
