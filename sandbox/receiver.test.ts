import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { admin, deliver, endpointOf, happening, later, tell, with1 } from '#test/webhooks.ts';

const h = await harness({ features: happening });
const settings = (body: object) => h.sandbox('POST', '/receiver-settings', body);
const arrivals = async (box: string) =>
  (await h.sandbox('GET', `/receiver?box=${box}`)).arrivals as Record<string, unknown>[];

/** An endpoint at a box of the sandbox, which knows its secret. */
async function boxed(box: string, behaviour: object = {}) {
  const as = await admin(h);
  const made = await endpointOf(h, as, { url: `${h.app.sandboxUrl()}/receiver/${box}` });
  await settings({ box, secret: made.secret, ...behaviour });
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  const { attempts } = await with1(h, as, made.endpoint_id, ['GET', '/attempts']);
  return { as, attempts, ...made };
}

test('the sandbox has a receiver that shows and verifies what arrives', async () => {
  const { endpoint_id } = await boxed('shop');
  const [arrived] = await arrivals('shop');
  expect(arrived).toMatchObject({ type: 'test.happened', verified: true, attempt: '1' });
  expect(await arrivals('another')).toEqual([]);
  await settings({ box: 'shop', secret: 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA==' });
  expect(endpoint_id).toBeDefined();
  const page = await fetch(`${h.app.sandboxUrl()}/receiver`, { headers: { accept: 'text/html' } });
  const text = await page.text();
  expect(text).toContain('shop: test.happened, try 1, verified');
  expect(text).toContain(`${h.app.sandboxUrl()}/receiver/my-box`);
  expect(text).toContain('webhook-signature: v1,');
});

test('what its secret has not signed is not verified, also when the clock was moved', async () => {
  const { as } = await boxed('moved');
  await later(h, 7200);
  await tell(h, as.client_id, 'a', 2);
  await deliver(h);
  await settings({ box: 'moved', secret: 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA==' });
  await tell(h, as.client_id, 'a', 3);
  await deliver(h);
  const verified = (await arrivals('moved')).map((one) => one['verified']);
  expect(verified).toEqual([false, true, true]);
});

test.each([
  ['fail', { answer: 'fail', status: 503 }, { status: 503, result: 'failed' }],
  ['gone', { answer: 'fail', status: 410 }, { status: 410, result: 'failed' }],
  ['redirect', { answer: 'redirect' }, { status: 302, error: 'Redirects are not followed' }],
  ['slow', { answer: 'slow', ms: 50 }, { status: 204, result: 'delivered' }],
  ['flood', { answer: 'flood' }, { status: 200, result: 'delivered' }],
])('it can be told to %s', async (box, behaviour, attempt) => {
  const { attempts } = await boxed(box, behaviour);
  expect(attempts).toMatchObject([attempt]);
  const [{ response }] = attempts;
  expect((response ?? '').length).toBeLessThanOrEqual(2048);
});
