import { expect, test } from 'vitest';
import { enter, link, newAccount, newWallet, tokenOf } from '#test/external-login.ts';
import { harness } from '#test/harness.ts';
import { codeOf, complete, protectedUser } from '#test/two-factor.ts';

const h = await harness();
await h.operator();
const { client_id } = await h.client({ country_code: 'ID' });
const key = await h.apiKey({ client_id });
const refusal = (code: string) => ({ success: false, error: { code } });

test('a new user is registered with the API key’s client and logged in', async () => {
  const account = newAccount({ email: 'Siti@Example.test' });
  const [status, body] = await enter(h, await tokenOf(h, account), key);
  const who = {
    user_id: expect.any(Number),
    username: 'siti',
    email: 'siti@example.test',
    role: 'user',
  };
  const proof = { ext_user_id: account.id, verified_at: expect.stringMatching(/Z$/) };
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      message: 'User registered and logged in successfully',
      requires_2fa: false,
      data: {
        user: { ...who, user_status: 'ACTIVE', created: expect.stringMatching(/Z$/) },
        auth: { method: 'email', is_new_user: true, ...proof },
        session: { ...who, auth_method: 'email', ...proof },
        token: expect.any(String),
      },
      timestamp: expect.stringMatching(/Z$/),
    },
  ]);
  const { user_id } = body.data.user;
  const row = await h.db
    .selectFrom('users')
    .selectAll()
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ client_id, role: 'user', password_hash: null });
  const params = { user_id };
  const [, wallets] = await h.call('GET /wallets/fiat/{user_id}', { as: body.data, params });
  expect(wallets.data.wallets).toMatchObject([{ currency: 'IDR' }]);
});

test('a later log-in is the same user, by any method and with any key', async () => {
  const account = newAccount();
  const [, first] = await enter(h, await tokenOf(h, account), key);
  const again = await tokenOf(h, { ...account, provider: 'google' });
  const [status, body] = await enter(h, again);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    message: 'Login successful',
    data: {
      user: first.data.user,
      auth: { method: 'google', is_new_user: false, ext_user_id: account.id },
      session: { auth_method: 'google' },
    },
  });
  const [, sessions] = await h.call('GET /sessions', { as: body.data });
  expect(sessions.data.map(({ method }: { method: string }) => method)).toEqual([
    'external',
    'external',
  ]);
});

test('a key without a client registers with the operator, as a user', async () => {
  const [, body] = await enter(h, await tokenOf(h, newAccount()));
  const row = await h.db
    .selectFrom('users')
    .select(['client_id', 'role'])
    .where('user_id', '=', body.data.user.user_id)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ client_id: 1, role: 'user' });
});

test('20 first log-ins at once make one user with one primary method', async () => {
  for (const account of [newAccount(), { id: 'did:privy:anon', provider: 'farcaster' }]) {
    const token = await tokenOf(h, account);
    const other = await h.apiKey({ client_id: (await h.client()).client_id });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => enter(h, token, i % 2 === 0 ? key : other)),
    );
    expect(answers.map(([status]) => status)).toEqual(Array(20).fill(200));
    const users = new Set(answers.map(([, { data }]) => data.user.user_id));
    expect(users.size).toBe(1);
    expect(answers.filter(([, { data }]) => data.auth.is_new_user)).toHaveLength(1);
    const mappings = await h.db
      .selectFrom('ext_mappings')
      .selectAll()
      .where('ext_user_id', '=', account.id)
      .execute();
    expect(mappings).toMatchObject([{ is_primary: true, user_id: [...users][0] }]);
    const wallets = await h.db
      .selectFrom('fiat_wallets')
      .select('wallet_id')
      .where('user_id', '=', [...users][0] ?? 0)
      .execute();
    expect(wallets).toHaveLength(1);
  }
});

test('a repeated first log-in creates no user, and needs its own token', async () => {
  const token = await tokenOf(h, newAccount());
  const once = () =>
    h.send('POST /extauth/auth/login', {
      key,
      body: { ext_token: token },
      headers: { 'idempotency-key': 'first-log-in' },
    });
  const first = await once();
  expect(first.status).toBe(200);
  expect((await once()).body).toEqual(first.body);
  const users = await h.db.selectFrom('users').select('user_id').execute();
  expect(users.filter(({ user_id }) => user_id >= first.body.data.user.user_id)).toHaveLength(1);
});

test('a user without an address gets one that reaches no mailbox', async () => {
  const wallet = newWallet();
  const [, body] = await enter(
    h,
    await tokenOf(h, { id: 'did:privy:w1', provider: 'wallet', wallets: [wallet] }),
    key,
  );
  expect(body.data.user).toMatchObject({
    username: expect.stringMatching(/^ext-[0-9a-f]{8}$/),
    email: expect.stringMatching(/^ext-[0-9a-f]{32}@external\.invalid$/),
  });
  expect(body.data.auth.method).toBe('wallet');
});

test('another user’s address or wallet is never taken over', async () => {
  const owner = await h.user({ client_id });
  const same = newAccount({ email: owner.email.toUpperCase() });
  const denied = [409, refusal('ACCOUNT_EXISTS')];
  expect(await enter(h, await tokenOf(h, same), key)).toMatchObject(denied);
  // The same address in another client belongs to another user.
  const elsewhere = await h.apiKey({ client_id: (await h.client()).client_id });
  expect((await enter(h, await tokenOf(h, same), elsewhere))[0]).toBe(200);

  const wallet = newWallet();
  await link(h, owner, newAccount({ provider: 'wallet', wallets: [wallet] }));
  const thief = { provider: 'wallet', wallets: [wallet.toLowerCase()], email: 'w@example.test' };
  expect(await enter(h, await tokenOf(h, newAccount(thief)), key)).toMatchObject(denied);
  const left = await h.db.selectFrom('users').where('email', '=', thief.email).execute();
  expect(left).toEqual([]);
});

test('an existing user logs in, links, and then logs in through the provider', async () => {
  const owner = await h.user({ client_id });
  const account = newAccount({ email: owner.email });
  expect((await enter(h, await tokenOf(h, account), key))[0]).toBe(409);
  expect((await link(h, owner, account))[0]).toBe(200);
  const [status, body] = await enter(h, await tokenOf(h, account), key);
  expect([status, body.data.user.user_id, body.data.auth.is_new_user]).toEqual([
    200,
    owner.user_id,
    false,
  ]);
});

test('an inactive or rejected user is refused, and gets no session', async () => {
  for (const user_status of ['INACTIVE', 'PENDING'] as const) {
    const user = await h.user();
    const account = newAccount();
    await link(h, user, account);
    await h.db
      .updateTable('users')
      .set({ user_status })
      .where('user_id', '=', user.user_id)
      .execute();
    expect(await enter(h, await tokenOf(h, account))).toMatchObject([
      403,
      refusal('ACCOUNT_NOT_ACTIVE'),
    ]);
  }
  const rejected = await h.user({ ekyc_status: 'REJECTED' });
  const account = newAccount();
  await link(h, rejected, account);
  expect((await enter(h, await tokenOf(h, account)))[0]).toBe(403);
  const sessions = await h.db
    .selectFrom('sessions')
    .where('user_id', '=', rejected.user_id)
    .where('method', '=', 'external')
    .selectAll()
    .execute();
  expect(sessions).toEqual([]);
});

test('the provider’s proof does not replace a second factor', async () => {
  const user = await protectedUser(h);
  const account = newAccount();
  await link(h, user, account);
  const [status, body] = await enter(h, await tokenOf(h, account));
  expect([status, body.requires_2fa]).toEqual([200, true]);
  expect(Object.keys(body.data).sort()).toEqual(['auth', 'user']);
  const [done, told] = await complete(h, user, codeOf(h, user.secret));
  expect([done, told.data.user.user_id]).toEqual([200, user.user_id]);
});
