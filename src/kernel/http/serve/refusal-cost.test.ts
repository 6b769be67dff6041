import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

/**
 * What a refusal takes of this process, as a multiple of what the plainest one takes: of the processor's time and not
 * the clock's, so that other work on the machine counts for nothing.
 */
const h = await harness();
const as = await h.user({ role: 'admin' });
const known = { 'x-api-key': h.key, authorization: `Bearer ${as.token}` };
const json = { ...known, 'content-type': 'application/json' };

interface Asked {
  readonly method?: 'GET' | 'POST' | 'OPTIONS' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string;
}

const AT_ONCE = 40;
/** The collector and the other work of the machine may come into any round, so the best one counts. */
const ROUNDS = 40;

/** Microseconds of one request, in the mean of a round. */
async function costOf(asked: Asked): Promise<{ status: number; micros: number }> {
  let status = 0;
  const before = process.cpuUsage();
  for (let n = 0; n < AT_ONCE; n += 1)
    ({ statusCode: status } = await h.app.server.inject({ method: 'GET', ...asked }));
  const { user, system } = process.cpuUsage(before);
  return { status, micros: (user + system) / AT_ONCE };
}

const many = (n: number, make: (i: number) => string, between: string) =>
  Array.from({ length: n }, (_, i) => make(i)).join(between);
/** A slip away from many words of endpoints, at each of their places. */
const nearly = (n: number) => many(n, () => 'walets', '/');

const UNKNOWN_PATHS: readonly string[] = [
  `/${many(99, () => 'a', '/')}`,
  `/api/${many(2000, () => 'a', '/')}`,
  `/api/${nearly(28)}`,
  `/api/${many(4, () => 'x'.repeat(40), '/')}`,
  `/api/${many(16, () => 'transactions-histori', '/')}`,
  `/${'/'.repeat(4000)}`,
  `/api/${'%41'.repeat(1000)}`,
  `/api/v1/${'v1/'.repeat(60)}`,
];
const REFUSALS: readonly (readonly [string, Asked])[] = [
  ...UNKNOWN_PATHS.map((url) => [`GET ${url.slice(0, 40)}`, { url }] as const),
  ['a method that a path does not have', { method: 'DELETE', url: '/api/auth/login' }],
  [
    'unknown parameters',
    { url: `/api/events?${many(700, (i) => `q${i}=1`, '&')}`, headers: known },
  ],
  ['a near parameter', { url: `/api/events?${'tpye'.repeat(10)}=1`, headers: known }],
  ['a wrong key', { url: '/api/events', headers: { 'x-api-key': 'ak_'.padEnd(190, 'x') } }],
  [
    'a wrong token',
    { url: '/api/events', headers: { ...known, authorization: `Bearer ${'x.'.repeat(2000)}` } },
  ],
  [
    'types of events that there are not',
    { url: `/api/events?type=${many(200, (i) => `a${i}.b`, ',')}`, headers: known },
  ],
  [
    'unknown fields',
    {
      method: 'POST',
      url: '/api/webhook-endpoints',
      headers: json,
      payload: `{${many(2000, (i) => `"urll${i}":1`, ',')}}`,
    },
  ],
  [
    'a list of wrong types',
    {
      method: 'POST',
      url: '/api/webhook-endpoints',
      headers: json,
      payload: JSON.stringify({
        url: 'https://example.com/hook',
        types: Array.from({ length: 100 }, (_, i) => `payment.succeede${i}`),
      }),
    },
  ],
  [
    'wrong choices',
    {
      method: 'POST',
      url: '/api/webhook-endpoints',
      headers: json,
      payload: `{"url":"x","ordering":"${'x'.repeat(500)}","payload":"y","types":[${many(1000, () => '1', ',')}]}`,
    },
  ],
  [
    'a deep body',
    {
      method: 'POST',
      url: '/api/webhook-endpoints',
      headers: json,
      payload: `{"url":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    },
  ],
  [
    'a long body',
    {
      method: 'POST',
      url: '/api/webhook-endpoints',
      headers: json,
      payload: `{"url":"${'x'.repeat(60 * 1024)}"}`,
    },
  ],
];

/** Plain ones that a refusal may take as much as; and one more for each KiB that had to be read. */
const PLAIN_ONES = 12;

test('no refusal takes more than a few plain ones', async () => {
  // What is compiled and remembered at first is no part of the price.
  for (const [, asked] of REFUSALS) await costOf(asked);
  for (const [what, asked] of REFUSALS) {
    const most = PLAIN_ONES + (asked.payload ?? '').length / 1024;
    let ratio = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS && ratio >= most; round += 1) {
      const plain = await costOf({ url: '/nothing' });
      const { status, micros } = await costOf(asked);
      expect([400, 401, 403, 404, 405, 413], what).toContain(status);
      ratio = Math.min(ratio, micros / plain.micros);
    }
    expect(ratio, `${what}, times a plain one`).toBeLessThan(most);
  }
});
