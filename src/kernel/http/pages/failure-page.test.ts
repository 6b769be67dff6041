import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness({ config: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
const origin = new URL(h.app.apiUrl()).origin;
let serial = 0;

/** The answer to somebody who has asked for that page until they were refused. */
async function refused(path: string): Promise<Response> {
  serial += 1;
  const headers = { 'x-forwarded-for': `203.0.113.${serial}`, 'x-request-id': 'asked-<b>' };
  for (;;) {
    const answer = await fetch(`${origin}${path}`, { headers });
    if (answer.status === 429) return answer;
    await answer.text();
  }
}

test.each([
  '/api/users/confirm/0123456789abcdef0123456789abcdef',
  '/api/marketplace/orders/ORDER-1/pay',
  '/reset-password',
  '/docs',
])('who asks for the page %s too often is told so by a page', async (path) => {
  const answer = await refused(path);
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.headers.get('content-security-policy')).toContain("style-src 'self'");
  expect(text).toContain('<h1>One moment, please</h1>');
  expect(text).toContain('RATE_LIMITED');
});

test('what else is wrong with the address of a page is told by a page, and of an endpoint in JSON', async () => {
  const at = async (path: string) => {
    const answer = await fetch(`${origin}/api${path}`);
    return [answer.status, answer.headers.get('content-type')?.split(';')[0]];
  };
  expect(await at('/users/confirm/abc?more=1')).toEqual([400, 'text/html']);
  expect(await at(`/marketplace/orders/${'x'.repeat(200)}/pay`)).toEqual([400, 'text/html']);
  expect(await at('/users/confirm/abc/def')).toEqual([404, 'application/json']);
  expect(await at('/marketplace/orders')).toEqual([401, 'application/json']);
});
