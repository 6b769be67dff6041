import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness({ config: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });

test('a key that is known has a thousand requests a minute and is told how many are left', async () => {
  const as = await h.user();
  const read = () => h.send('GET /wallets/fiat/{user_id}', { as, params: { user_id: as.user_id } });
  await read();
  const { headers } = await read();
  expect(headers.get('x-ratelimit-limit')).toBe('1000');
  expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(1000);
  const reset =
    Number(headers.get('x-ratelimit-reset')) - Math.floor(h.clock.now().getTime() / 1000);
  expect(reset).toBeGreaterThanOrEqual(0);
  expect(reset).toBeLessThanOrEqual(61);
});

test('guessing keys spends the budget of an address, and then even waiting is asked for', async () => {
  const known = async () => (await h.send('GET /xwishlist/count')).status;
  expect(await known()).toBe(200);
  const guess = async (n: number) =>
    (await h.send('POST /wallets/fiat', { key: `guess-${n}`, body: {} })).status;
  const answers = await Promise.all(Array.from({ length: 1010 }, (_, n) => guess(n)));
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0);
  const last = await h.send('POST /wallets/fiat', { key: 'one-more', body: {} });
  expect(last.body).toMatchObject({ success: false, error: { code: 'RATE_LIMITED' } });
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(last.headers.get('x-ratelimit-remaining')).toBe('0');
  // Whose key is known is not kept out by strangers at the same address.
  expect(await known()).toBe(200);
});

test('whoever changes addresses within one network of IPv6 still has one budget', async () => {
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

test('pages outside the API have the budget of what is public, too', async () => {
  const address = h.app.apiUrl().replace('/api', '/reset-password?token=unknown');
  const headers = { 'x-forwarded-for': '198.51.100.77' };
  const statuses = [];
  for (let n = 0; n < 101; n += 1) statuses.push((await fetch(address, { headers })).status);
  expect(statuses).toEqual([...Array(100).fill(400), 429]);
});
