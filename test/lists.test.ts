import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { countedNext } from '#kernel/http/declare/page.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { cardUser } from './cards.ts';
import { type Body, type CallOptions, harness } from './harness.ts';

const h = await harness({ config: { CORS_ORIGINS: 'https://shop.example' } });
const { client_id } = await h.client();
const admin = await h.user({ role: 'admin', client_id });
const operator = await h.operator();
const user = await h.user({ client_id });
const friend = { phone: '+6281230001000' };
const [, { token }] = await h.call('POST /xusers/login', { body: friend });
const member = { token };

/** At least three rows for each of the lists below. */
for (let n = 1; n <= 3; n += 1) {
  await h.user({ role: 'admin', client_id });
  await h.client();
  const instance = { instance_name: `shop ${n}` };
  await h.call('POST /clients/create-instance', { as: admin, body: instance });
  await h.call('POST /keys/sdk-key', { as: user, body: {} });
  await h.kernel.sessions.open(h.db, { user_id: user.user_id, method: 'password' });
  await cardUser(h, user).topUp('10.00');
  const params = { user_id: (await h.user({ client_id, ekyc_status: 'PENDING' })).user_id };
  await h.call('POST /admins/approve-kyc/{user_id}', { as: admin, params });
  await h.call('POST /users/psp_update', {
    body: {
      user_id: user.user_id,
      country_code: 'US',
      ekyc_verified_at: '2026-01-01',
      ekyc_status: n === 2 ? 'PENDING' : 'APPROVED',
    },
  });
  await h.call('POST /2fa/setup', { as: user, body: {} });
  const [, other] = await h.call('POST /xusers/login', { body: { phone: `+628123000200${n}` } });
  const body = { inviter_phone: friend.phone };
  await h.call('POST /xreff/add-inviter', { as: other, body });
  await h.call('POST /xsocial/claim', { as: member, body: { platform: `platform_${n}` } });
}
const params = { user_id: user.user_id };
const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', { as: user, params });
const { wallet_id } = data.wallets[0];

/** Every list that is cut, its caller, and where its rows are. */
const LISTS: readonly [RouteId, CallOptions, (body: Body) => Body[]][] = [
  ['GET /clients', { as: operator }, (body) => body],
  ['GET /clients/my-instances', { as: admin }, (body) => body.instances],
  ['GET /users/users', { as: admin, query: { client_id } }, (body) => body],
  ['GET /admins/list', { as: admin }, (body) => body.admins],
  ['GET /admins/audit', { as: admin }, (body) => body.entries],
  ['GET /keys/sdk-key', { as: user }, (body) => body.data],
  ['GET /sessions', { as: user }, (body) => body.data],
  ['GET /2fa/audit', { as: user }, (body) => body.data],
  ['GET /ekyc/history/{user_id}', { as: user, params }, (body) => body.history],
  ['GET /xusers/notifications', { as: member }, (body) => body.notifications],
  ['GET /xreff/invited-friends', { as: member }, (body) => body.invited],
  ['GET /card-checkout/card/history', { as: user, query: { wallet_id } }, (body) => body.data],
  [
    'GET /wallets/fiat/{wallet_id}/transactions',
    { as: user, params: { wallet_id } },
    (body) => body.data.transactions,
  ],
];

test('lists that the contract counts by offset or page link to the next page, too', async () => {
  const counted = [
    [{ pagination: { total: 5, limit: 2, offset: 2, has_more: true } }, { offset: 4 }],
    [
      { data: { pagination: { limit: 2, offset: 0, has_more: true, as_of: 'now' } } },
      { offset: 2, as_of: 'now' },
    ],
    [{ pagination: { page: 1, limit: 10, total: 11 } }, { page: 2 }],
    [{ pagination: { page: 2, limit: 10, total: 20 } }, undefined],
    [{ pagination: { total: 4, limit: 2, offset: 2, has_more: false } }, undefined],
    [{ data: [] }, undefined],
  ] as const;
  for (const [body, goesOn] of counted) expect(countedNext(body)).toEqual(goesOn);
  for (let n = 0; n < 3; n += 1)
    await h.call('POST /crosschain/initiate', {
      as: user,
      body: {
        from_chain: 'sepolia',
        to_chain: 'amoy',
        token: 'USDC',
        user_id: user.user_id,
        amount: '1',
        recipient_address: '0x00000000000000000000000000000000000a11ce',
      },
    });
  const first = await h.send('GET /crosschain/history/{user_id}', {
    as: user,
    params,
    query: { limit: 2 },
  });
  const address = new URL(next(first.headers) ?? '');
  expect(Object.fromEntries(address.searchParams)).toEqual({ limit: '2', offset: '2' });
  const last = await h.send('GET /crosschain/history/{user_id}', {
    as: user,
    params,
    query: Object.fromEntries(address.searchParams),
  });
  expect(last.body.data.transactions).toHaveLength(1);
  expect(last.headers.get('link')).toBeNull();
});

const next = (headers: Headers): string | undefined =>
  /^<(http[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

test.each(LISTS)(
  '%s says where it goes on, until it was shown as a whole',
  async (id, options, rowsOf) => {
    const whole = await h.send(id, options);
    const rows = rowsOf(whole.body);
    expect(rows.length).toBeGreaterThan(2);
    expect(whole.headers.get('link'), 'nothing is left out').toBeNull();

    const page = await h.send(id, { ...options, query: { ...options.query, limit: 2 } });
    const seen = [...rowsOf(page.body)];
    let address = next(page.headers);
    expect(address, 'a cut list').toBeDefined();
    while (address !== undefined) {
      const reply = await fetch(address, {
        headers: {
          'x-api-key': h.key,
          authorization: `Bearer ${(options.as as { token: string }).token}`,
        },
      });
      expect(reply.status).toBe(200);
      const more = rowsOf(await reply.json());
      expect(more.length).toBeGreaterThan(0);
      seen.push(...more);
      address = next(reply.headers);
    }
    expect(seen).toEqual(rows);

    const exact = { ...options.query, limit: rows.length };
    const full = await h.send(id, { ...options, query: exact });
    expect(full.headers.get('link'), 'just as many as there are').toBeNull();
  },
);

test('a page in a browser may read the link to the next page', async () => {
  const headers = { origin: 'https://shop.example' };
  const { headers: answer } = await h.send('GET /clients', { as: operator, headers });
  expect(answer.get('access-control-expose-headers')?.split(/, */)).toContain('link');
});

test('the link to the next page uses the service’s public address', async () => {
  const known = await harness({ config: { PUBLIC_URL: 'https://pay.example/gate/' } });
  const as = await known.operator();
  for (let n = 0; n < 2; n += 1) await known.client();
  const { port } = known.app.server.server.address() as AddressInfo;
  const reply = await fetch(`http://127.0.0.1:${port}/api/clients?limit=1`, {
    headers: {
      'x-api-key': known.key,
      authorization: `Bearer ${as.token}`,
      'x-forwarded-host': 'evil.example',
    },
  });
  const [{ client_id: last }] = (await reply.json()) as Body;
  expect(next(reply.headers)).toBe(`https://pay.example/gate/api/clients?limit=1&before=${last}`);
});
