import { describe, expect, test } from 'vitest';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { enter, newAccount, tokenOf } from '#test/external-login.ts';
import { type CallOptions, harness, type Person } from '#test/harness.ts';

const live = await harness({ mock: false });
const FAMILIES: readonly RouteId[] = [
  'GET /sessions',
  'GET /wallets/fiat/{user_id}',
  'GET /onchain/history/{user_id}',
  'GET /marketplace/orders',
  'GET /exchange/conversion/pending',
  'GET /events',
  'POST /mcp/create-order',
  'POST /mcp-server',
  'POST /agent/wallets/process',
];
const DIFFERENT = 'API key and log-in are of different organisations';
const logIn = (h: typeof live, { email, password }: Person, options: CallOptions) =>
  h.call('POST /auth/login', { ...options, body: { usernameoremail: email, password } });

describe('out of mock mode', async () => {
  const [admin, stranger] = [
    await live.user({ role: 'admin' }),
    await live.user({ role: 'admin' }),
  ] as const;
  const key = await live.apiKey(stranger);

  test.each(FAMILIES)('a key of one client opens %s to no user of another', async (id) => {
    const call = {
      params: { user_id: admin.user_id },
      body: id.startsWith('POST') ? {} : undefined,
    };
    const [status, body] = await live.call(id, { ...call, key, as: admin });
    expect(status).toBe(403);
    expect(JSON.stringify(body)).toContain(DIFFERENT);
    const [own] = await live.call(id, { ...call, key: await live.apiKey(admin), as: admin });
    expect(own).not.toBe(403);
  });

  test('neither does an operator’s admin act by it', async () => {
    const operator = await live.operator();
    expect(await live.call('GET /sessions', { key, as: operator })).toMatchObject([403, {}]);
  });

  test('it opens no log-in of another’s user, which only the right password is told', async () => {
    expect(await logIn(live, admin, { key })).toMatchObject([403, { error: DIFFERENT }]);
    expect((await logIn(live, { ...admin, password: 'wrong' }, { key }))[0]).toBe(401);
    expect((await logIn(live, stranger, { key }))[0]).toBe(200);
    const account = newAccount();
    const own = await live.apiKey(admin);
    expect((await enter(live, await tokenOf(live, account), own))[0]).toBe(200);
    const [status] = await enter(live, await tokenOf(live, account), key);
    expect(status).toBe(403);
  });

  test('members of the rewards app belong to no client, and come by whatever key', async () => {
    const operator = await live.operator();
    for (const app of [await live.apiKey(operator), await live.apiKey(), live.key])
      expect((await live.call('GET /sessions', { key: app, as: admin }))[0]).toBe(200);
    const member = await live.kernel.sessions.open(live.db, {
      userx_id: await newMember(),
      method: 'phone',
    });
    expect((await live.call('GET /xprofiles/getme', { key, as: member }))[0]).toBe(200);
  });
});

async function newMember(): Promise<number> {
  const made = live.db.insertInto('userx').values({ phonex: '+12025550155' });
  return (await made.returning('userx_id').executeTakeFirstOrThrow()).userx_id;
}

test('in mock mode any key comes with any log-in, as the contract has it', async () => {
  const mock = await harness();
  const user = await mock.user();
  const key = await mock.apiKey(await mock.user());
  expect((await mock.call('GET /sessions', { key, as: user }))[0]).toBe(200);
  expect((await logIn(mock, user, { key }))[0]).toBe(200);
});
