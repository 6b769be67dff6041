import { expect, test } from 'vitest';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { cardUser } from './cards.ts';
import { type Body, type CallOptions, harness } from './harness.ts';

const h = await harness();
const user = await h.user();
const params = { user_id: user.user_id };
await cardUser(h, user).topUp('10.00');
const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', { as: user, params });
const { wallet_id } = data.wallets[0];
for (let n = 0; n < 3; n += 1)
  await h.call('POST /crosschain/initiate', {
    as: user,
    body: {
      from_chain: 'sepolia',
      to_chain: 'amoy',
      token: 'USDC',
      amount: '1',
      user_id: user.user_id,
      recipient_address: '0x52908400098527886E0F7030069857D2E4169EE7',
    },
  });

/** Lists of new rows, and where their rows are. */
const LISTS: readonly [RouteId, CallOptions, (body: Body) => Body[]][] = [
  [
    'GET /wallets/fiat/{wallet_id}/transactions',
    { params: { wallet_id } },
    (body) => body.data.transactions,
  ],
  ['GET /card-checkout/card/history', { query: { wallet_id } }, (body) => body.data],
  ['GET /crosschain/history/{user_id}', { params }, (body) => body.data.transactions],
  ['GET /transactions/{user_id}/history', { params }, (body) => body.data.transactions],
  ['GET /events', {}, (body) => body.data.events],
];

const dayOf = (days: number): string =>
  new Date(h.clock.ms() + days * 86_400_000).toISOString().slice(0, 10);
const [yesterday, today, tomorrow] = [dayOf(-1), dayOf(0), dayOf(1)] as const;

test.each(LISTS)('%s takes a span of days as whole days', async (id, options, rowsOf) => {
  const [from, to] = id === 'GET /events' ? ['from', 'to'] : ['created_from', 'created_to'];
  const rows = async (query: Record<string, string>) => {
    const [status, body] = await h.call(id, {
      ...options,
      as: user,
      query: { ...options.query, ...query },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return rowsOf(body).length;
  };
  const all = await rows({});
  expect(all).toBeGreaterThan(0);
  expect(await rows({ [from]: today, [to]: today })).toBe(all);
  expect(await rows({ [to]: today })).toBe(all);
  expect(await rows({ [to]: yesterday })).toBe(0);
  expect(await rows({ [from]: tomorrow })).toBe(0);
  // At ten past four in UTC it is still the day before in Honolulu.
  const time_zone = 'Pacific/Honolulu';
  expect(await rows({ [from]: today, time_zone })).toBe(0);
  expect(await rows({ [from]: yesterday, [to]: yesterday, time_zone })).toBe(all);
  expect(await rows({ [from]: `${today}T00:00:00Z`, [to]: `${today}T23:59:59Z` })).toBe(all);
});

test('days without a time zone are those of the client', async () => {
  const [, { client }] = await h.call('POST /clients/create_with_admin', {
    body: {
      email: 'new-york@example.test',
      client_alias: 'New York',
      client_type: 'BUSINESS',
      country_code: 'US',
      phone: '(202) 555-0100',
    },
  });
  expect(client).toMatchObject({ phone: '+12025550100', time_zone: 'America/New_York' });
  const { client_id } = client;
  const member = await h.user({ client_id });
  const card = cardUser(h, member);
  await card.topUp('10.00');
  const [, wallets] = await h.call('GET /wallets/fiat/{user_id}', {
    as: member,
    params: { user_id: member.user_id },
  });
  const statement = async (query: Record<string, string>) => {
    const [, body] = await h.call('GET /wallets/fiat/{wallet_id}/transactions', {
      as: member,
      query,
      params: { wallet_id: wallets.data.wallets[0].wallet_id },
    });
    return body.data.transactions.length;
  };
  expect(await statement({ created_from: yesterday, created_to: yesterday })).toBe(1);
  expect(await statement({ created_from: today })).toBe(0);
  expect(await statement({ created_from: today, created_to: today, time_zone: 'UTC' })).toBe(1);
});

test.each([
  ['created_from', '2026-02-30'],
  ['created_to', '2026-13-01'],
  ['created_to', '30.11.2026'],
  ['time_zone', 'Asia/Atlantis'],
  ['time_zone', '+07:00'],
])('%s=%s is refused', async (name, value) => {
  const [status, body] = await h.call('GET /wallets/fiat/{wallet_id}/transactions', {
    as: user,
    params: { wallet_id },
    query: { [name]: value },
  });
  expect([status, body.error.details[0].field]).toEqual([400, name]);
});
