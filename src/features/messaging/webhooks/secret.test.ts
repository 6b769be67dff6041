import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import {
  admin,
  deliver,
  endpointOf,
  happening,
  isSignedBy,
  receiver,
  tell,
  with1,
} from '#test/webhooks.ts';

/** Out of mock mode, where a session alone opens nothing. */
const h = await harness({ mock: false, features: happening });
const FIVE_MINUTES = 5 * 60 + 1;
const URL = 'https://hooks.example.com/archipay';

const reveal = (as: Person, endpoint_id: string, body: object = {}) =>
  h.call('POST /webhook-endpoints/{endpoint_id}/reveal-secret', {
    as,
    params: { endpoint_id },
    body,
  });

test('an admin with a fresh proof sees the secret again, and it is the one that signs', async () => {
  const as = await admin(h);
  const shop = await receiver();
  const { endpoint_id, secret } = await endpointOf(h, as, { url: shop.url });
  await h.advance(FIVE_MINUTES);
  expect(await reveal(as, endpoint_id)).toMatchObject([
    403,
    { error: { code: 'FRESH_LOGIN_REQUIRED' } },
  ]);
  expect(await reveal(as, endpoint_id, { current_password: 'a guess' })).toMatchObject([
    400,
    { error: { code: 'INVALID_PASSWORD' } },
  ]);
  expect(await reveal(as, endpoint_id, { two_fa_token: '123456' })).toMatchObject([
    400,
    { error: { code: 'INVALID_CODE' } },
  ]);
  const [status, { data }] = await reveal(as, endpoint_id, { current_password: as.password });
  expect(status).toBe(200);
  expect(data).toEqual({ endpoint_id, secrets: [{ secret, not_after: null }] });
  await tell(h, as.client_id, 1, 1);
  await deliver(h);
  const [arrival] = shop.arrivals;
  expect(arrival && isSignedBy(arrival, data.secrets[0].secret)).toBe(true);
});

test('after a rotation the answer has both secrets, while both sign', async () => {
  const as = await admin(h);
  const { endpoint_id, secret } = await endpointOf(h, as, { url: URL });
  const path = ['POST', '/rotate-secret', { overlap_seconds: 100 }] as const;
  const next = await with1(h, as, endpoint_id, path);
  const proof = { current_password: as.password };
  const [, first] = await reveal(as, endpoint_id, proof);
  expect(first.data.secrets).toEqual([
    { secret: next.secret, not_after: null },
    { secret, not_after: next.old_secret_until },
  ]);
  await h.advance(101);
  const [, later] = await reveal(as, endpoint_id, proof);
  expect(later.data.secrets).toEqual([{ secret: next.secret, not_after: null }]);
});

test('users, keys and other clients’ admins do not see the secret', async () => {
  const as = await admin(h);
  const { endpoint_id } = await endpointOf(h, as, { url: URL });
  const { client_id } = as;
  const user = await h.user({ client_id });
  expect((await reveal(user, endpoint_id, { current_password: user.password }))[0]).toBe(403);
  const stranger = await admin(h);
  expect(
    await reveal(stranger, endpoint_id, { current_password: stranger.password }),
  ).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
  const key = await h.apiKey({ client_id, user_id: as.user_id });
  const params = { endpoint_id };
  const [status] = await h.call('POST /webhook-endpoints/{endpoint_id}/reveal-secret', {
    key,
    params,
    body: {},
  });
  expect(status).toBe(401);
});

test('the audit log has who saw which endpoint’s secret; no log has the secret', async () => {
  const as = await admin(h);
  const { endpoint_id, secret } = await endpointOf(h, as, { url: URL });
  await reveal(as, endpoint_id, { current_password: as.password });
  const rows = await h.db
    .selectFrom('activity_log')
    .selectAll()
    .where('action', '=', 'WEBHOOK_SECRET_REVEALED')
    .where('client_id', '=', as.client_id)
    .execute();
  expect(rows).toMatchObject([{ details: { endpoint_id, url: URL } }]);
  expect(JSON.stringify(rows) + h.logs.join('\n')).not.toContain(secret.slice('whsec_'.length));
});
