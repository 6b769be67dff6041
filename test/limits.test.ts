import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness({ config: { RATE_LIMITS: 'on' } });

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
  const guess = async (n: number) =>
    (await h.send('POST /wallets/fiat', { key: `guess-${n}`, body: {} })).status;
  const answers = await Promise.all(Array.from({ length: 1010 }, (_, n) => guess(n)));
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0);
  const last = await h.send('POST /wallets/fiat', { key: 'one-more', body: {} });
  expect(last.body).toMatchObject({ success: false, error: { code: 'RATE_LIMITED' } });
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(last.headers.get('x-ratelimit-remaining')).toBe('0');
});
