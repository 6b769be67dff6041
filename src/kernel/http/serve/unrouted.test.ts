import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const closed = await harness();
const open = await harness({ config: { CORS_ORIGINS: 'https://shop.example', RATE_LIMITS: 'on' } });

const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
const options = async (h: typeof open, path: string, headers: Record<string, string> = {}) => {
  const { status, headers: got } = await fetch(`${h.app.apiUrl()}${path}`, {
    method: 'OPTIONS',
    headers,
  });
  return { status, allow: got.get('allow'), got };
};

test('OPTIONS names the methods of a path, whether or not other origins are let in', async () => {
  for (const h of [closed, open]) {
    expect(await options(h, '/auth/login')).toMatchObject({ status: 405, allow: 'POST' });
    expect(await options(h, '/wallets/fiat')).toMatchObject({ status: 405 });
    expect(await options(h, '/no/such/place')).toMatchObject({ status: 404, allow: null });
  }
});

test('a preflight is answered where its origin is let in, and refused where none is', async () => {
  const { status, got } = await options(open, '/auth/login', preflight);
  expect([status, got.get('access-control-allow-origin')]).toEqual([204, preflight.origin]);
  expect(await options(closed, '/auth/login', preflight)).toMatchObject({ status: 405 });
});

test('a preflight has a budget, and takes nothing from the requests that follow it', async () => {
  const left = ({ got }: Awaited<ReturnType<typeof options>>) =>
    Number(got.get('x-ratelimit-remaining'));
  const [first, second] = [
    left(await options(open, '/auth/login', preflight)),
    left(await options(open, '/auth/login', preflight)),
  ];
  expect([first - second, first > 1000]).toEqual([1, true]);
});
