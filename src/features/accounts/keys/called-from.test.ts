import { expect, test } from 'vitest';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness({ config: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const sessions = (as: Person, key: string, ip: string) =>
  h.send('GET /sessions', { as, key, headers: from(ip) });

async function made(as: Person, body: object, key?: string): Promise<Body> {
  const answer = await h.call('POST /keys/sdk-key', { as, body, ...(key && { key }) });
  expect([answer[0], answer[1].message]).toEqual([200, undefined]);
  return answer[1];
}

const limit = (as: Person, api_key: string, body: object, key?: string) =>
  h.call('PATCH /keys/sdk-key/{api_key}', {
    as,
    params: { api_key },
    body,
    ...(key && { key }),
  });

test('a key is refused from elsewhere, before the log-in is looked at, at the cost of the address', async () => {
  const as = await h.user();
  const { api_key, allowed_ips } = await made(as, {
    allowed_ips: ['203.0.113.0/24', '2001:db8::1'],
  });
  expect(allowed_ips).toEqual(['203.0.113.0/24', '2001:db8::1/128']);
  for (const ip of ['203.0.113.9', '2001:db8::1'])
    expect((await sessions(as, api_key, ip)).status, ip).toBe(200);
  const { status, body, headers } = await sessions(as, api_key, '198.51.100.7');
  expect([status, body.error?.code ?? body.code]).toEqual([403, 'IP_NOT_ALLOWED']);
  expect(JSON.stringify(body)).toContain('198.51.100.7');
  expect(headers.get('x-ratelimit-remaining')).toBe('999');
  const wrong = await sessions({ ...as, token: 'nothing' }, api_key, '198.51.100.7');
  expect(wrong.status).toBe(403);
});

test('a changed list holds at once, and null opens the key again', async () => {
  const as = await h.user();
  const { api_key } = await made(as, {});
  expect((await sessions(as, api_key, '198.51.100.7')).status).toBe(200);
  const [status, { data }] = await limit(as, api_key, { allowed_ips: ['10.0.0.0/8'] });
  expect(status).toBe(200);
  expect(data).toMatchObject({ allowed_ips: ['10.0.0.0/8'], rate_per_minute: null });
  expect(data.api_key).not.toBe(api_key);
  expect((await sessions(as, api_key, '198.51.100.7')).status).toBe(403);
  expect((await limit(as, api_key, { allowed_ips: null }))[0]).toBe(200);
  expect((await sessions(as, api_key, '198.51.100.7')).status).toBe(200);
  expect((await limit(await h.user(), api_key, { allowed_ips: null }))[0]).toBe(404);
});

test('a key has a rate of its own, over all kinds of requests', async () => {
  const as = await h.user();
  const { api_key, rate_per_minute } = await made(as, { rate_per_minute: 3 });
  expect(rate_per_minute).toBe(3);
  const left: (string | null)[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { status, headers } = await sessions(as, api_key, '10.1.1.1');
    expect(status).toBe(200);
    left.push(headers.get('x-ratelimit-remaining'));
  }
  expect(left).toEqual(['2', '1', '0']);
  const refused = await h.send('GET /keys/sdk-key', { as, key: api_key });
  expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '3']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a list shows the last caller and when it was', async () => {
  const as = await h.user();
  const { api_key } = await made(as, {});
  await sessions(as, api_key, '192.0.2.1');
  await sessions(as, api_key, '192.0.2.44');
  const [, { data }] = await h.call('GET /keys/sdk-key', { as });
  const [listed] = data.filter(({ api_key: shown }: Body) => api_key.endsWith(shown.slice(-4)));
  expect(listed).toMatchObject({ last_ip: '192.0.2.44', usage_count: 2, allowed_ips: null });
  expect(Date.parse(listed.last_used)).toBeGreaterThan(0);
});

test('a limited key makes no key with wider limits, and a successor has the same', async () => {
  const as = await h.user();
  const { api_key } = await made(as, { allowed_ips: ['127.0.0.0/8'], rate_per_minute: 900 });
  const inherited = await made(as, {}, api_key);
  expect(inherited).toMatchObject({ allowed_ips: ['127.0.0.0/8'], rate_per_minute: 900 });
  const narrower = { allowed_ips: ['127.0.0.1'], rate_per_minute: 5 };
  expect(await made(as, narrower, api_key)).toMatchObject({ rate_per_minute: 5 });
  const other = await h.user();
  const { api_key: plain } = await made(other, {});
  const { api_key: narrow } = await made(other, { allowed_ips: ['127.0.0.0/8'] });
  for (const body of [{ allowed_ips: null }, { allowed_ips: ['0.0.0.0/0'] }]) {
    const [status, refused] = await limit(other, plain, body, narrow);
    expect([status, refused.code]).toEqual([403, 'FORBIDDEN']);
  }
  const rotated = await h.call('POST /keys/sdk-key/{api_key}/rotate', {
    as: other,
    params: { api_key: narrow },
    body: {},
  });
  expect(rotated[1]).toMatchObject({ allowed_ips: ['127.0.0.0/8'] });
});

test('what is no network or no rate is refused by its place', async () => {
  const as = await h.user();
  for (const allowed_ips of [['203.0.113.7/24'], ['everywhere'], ['10.0.0.0/8', '::/129'], []]) {
    const [status, body] = await h.call('POST /keys/sdk-key', { as, body: { allowed_ips } });
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.stringify(body.details)).toContain('allowed_ips');
  }
  for (const rate_per_minute of [0, 1001, 1.5, 'many']) {
    const [status] = await h.call('POST /keys/sdk-key', { as, body: { rate_per_minute } });
    expect(status).toBe(400);
  }
});
