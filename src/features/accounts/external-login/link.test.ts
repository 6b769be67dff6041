import { beforeEach, expect, test } from 'vitest';
import {
  type Account,
  accountsOf,
  disconnect,
  enter,
  link,
  linkWallet,
  newAccount,
  newWallet,
  tokenOf,
} from '#test/external-login.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
await h.operator();
const denied = (status: number, code: string) => [status, { success: false, error: { code } }];
const statusesOf = (answers: [number, unknown][]) => answers.map(([status]) => status).sort();
const walletAccount = (wallets: string[], fields: Partial<Account> = {}) =>
  newAccount({ provider: 'wallet', wallets, ...fields });

beforeEach(async () => {
  await h.sandbox('DELETE', '/faults');
});

test('a linked account is another way to log in; the first is the primary', async () => {
  const user = await h.user();
  const [first, second] = [newAccount({ provider: 'google' }), newAccount()];
  const [status, body] = await link(h, user, first);
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      message: 'External account linked successfully',
      data: {
        user: {
          user_id: user.user_id,
          username: user.username,
          email: user.email,
          role: 'user',
          user_status: 'ACTIVE',
          created: expect.stringMatching(/Z$/),
        },
        ext_mapping: {
          id: expect.any(Number),
          ext_user_id: first.id,
          auth_provider: 'google',
          wallet_address: null,
          is_primary: true,
          created_at: expect.stringMatching(/Z$/),
        },
      },
      message_detail: expect.stringContaining('google'),
      timestamp: expect.stringMatching(/Z$/),
    },
  ]);
  const [, other] = await link(h, user, second);
  expect(other.data.ext_mapping.is_primary).toBe(false);
  for (const account of [first, second]) {
    const [, told] = await enter(h, await tokenOf(h, account));
    expect(told.data.user.user_id).toBe(user.user_id);
  }
});

test('an account that any user has linked is refused', async () => {
  const [user, other] = [await h.user(), await h.user()];
  const account = newAccount();
  await link(h, user, account);
  for (const as of [user, other])
    expect(await link(h, as, account)).toMatchObject(denied(409, 'MAPPING_EXISTS'));
  const registered = newAccount();
  await enter(h, await tokenOf(h, registered));
  expect(await link(h, user, registered)).toMatchObject(denied(409, 'MAPPING_EXISTS'));
});

test('of 20 users who link one account at once, one has it', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => h.user()));
  const account = newAccount();
  const answers = await Promise.all(users.map((as) => link(h, as, account)));
  expect(statusesOf(answers)).toEqual([200, ...Array(19).fill(409)]);
});

test('a concurrent link and first log-in leave one owner, and no user without a log-in', async () => {
  const user = await h.user();
  const account = newAccount();
  const token = await tokenOf(h, account);
  const [[linked], [entered, body]] = await Promise.all([
    h.call('POST /extauth/auth/link', { as: user, body: { ext_token: token } }),
    enter(h, token),
  ]);
  expect(entered).toBe(200);
  const mine = body.data.user.user_id === user.user_id;
  expect(linked).toBe(mine ? 200 : 409);
});

test('20 accounts linked at once leave one primary', async () => {
  const user = await h.user();
  const accounts = Array.from({ length: 20 }, () => newAccount());
  const answers = await Promise.all(accounts.map((account) => link(h, user, account)));
  expect(statusesOf(answers)).toEqual(Array(20).fill(200));
  const linked = await accountsOf(h, user);
  expect(linked.filter(({ is_primary }) => is_primary)).toHaveLength(1);
  expect(await link(h, user, newAccount())).toMatchObject(denied(400, 'LIMIT_EXCEEDED'));
});

test('the wallet that a token proves is linked: the first or the requested one', async () => {
  const user = await h.user();
  const [one, two, foreign] = [newWallet(), newWallet(), newWallet()];
  const account = newAccount({ wallets: [one, two] });
  const [status, body] = await linkWallet(h, user, account);
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      message: 'Wallet linked successfully',
      data: {
        user_id: user.user_id,
        wallet_address: one,
        ext_user_id: account.id,
        auth_provider: 'wallet',
        linked_at: expect.stringMatching(/Z$/),
      },
      instructions: expect.arrayContaining([expect.any(String)]),
      timestamp: expect.stringMatching(/Z$/),
    },
  ]);
  const asked = { wallet_address: two.toUpperCase().replace('0X', '0x') };
  const [, other] = await linkWallet(h, user, account, asked);
  expect(other.data.wallet_address).toBe(two);
  const none = denied(400, 'NO_WALLET_IN_TOKEN');
  expect(await linkWallet(h, user, newAccount())).toMatchObject(none);
  expect(await linkWallet(h, user, walletAccount([]))).toMatchObject(none);
  expect(await linkWallet(h, user, account, { wallet_address: foreign })).toMatchObject(none);
  expect(await accountsOf(h, user)).toMatchObject([
    { wallet_address: one, auth_provider: 'wallet', is_primary: true },
    { wallet_address: two, auth_provider: 'wallet', is_primary: false },
  ]);
});

test('a wallet is linked once, in every spelling and for every user', async () => {
  const [user, other] = [await h.user(), await h.user()];
  const wallet = newWallet();
  const account = newAccount({ wallets: [wallet] });
  expect((await linkWallet(h, user, account))[0]).toBe(200);
  const taken = denied(409, 'WALLET_ALREADY_LINKED');
  for (const as of [user, other]) expect(await linkWallet(h, as, account)).toMatchObject(taken);
  const spelled = newAccount({ wallets: [wallet.toLowerCase()] });
  expect(await linkWallet(h, other, spelled)).toMatchObject(taken);
  expect(await link(h, other, walletAccount([wallet]))).toMatchObject(taken);
  // Another wallet of an account that another user has.
  const more = { ...account, wallets: [newWallet()] };
  expect(await linkWallet(h, other, more)).toMatchObject(denied(409, 'MAPPING_EXISTS'));
  expect(await accountsOf(h, other)).toEqual([]);
});

test('addresses that are not hexadecimal differ by the case of their letters', async () => {
  const [user, other] = [await h.user(), await h.user()];
  const address = 'DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK';
  expect((await linkWallet(h, user, newAccount({ wallets: [address] })))[0]).toBe(200);
  const swapped = address.replace('DYw', 'dyW');
  expect((await linkWallet(h, other, newAccount({ wallets: [swapped] })))[0]).toBe(200);
});

test('of 20 users who link one wallet at once, one has it', async () => {
  const wallet = newWallet();
  const users = await Promise.all(Array.from({ length: 20 }, () => h.user()));
  const answers = await Promise.all(
    users.map((as) => linkWallet(h, as, newAccount({ wallets: [wallet] }))),
  );
  expect(statusesOf(answers)).toEqual([200, ...Array(19).fill(409)]);
});

test('a link whose answer a crash lost is answered again, and a day later is a new one', async () => {
  const user = await h.user();
  const account = newAccount({ wallets: [newWallet()] });
  const ext_token = await tokenOf(h, account);
  for (const id of ['POST /extauth/auth/link', 'POST /extauth/auth/link-wallet'] as const) {
    const headers = { 'idempotency-key': 'once' };
    const attempt = () => h.call(id, { as: user, body: { ext_token }, headers });
    const [, first] = await attempt();
    // As if the process had died before it could keep the answer.
    const lost = { answer: null, status: null, lease_until: '2000-01-01T00:00:00Z' };
    await h.db.updateTable('idempotency_keys').set(lost).execute();
    const [status, second] = await attempt();
    expect([status, second.data]).toEqual([200, first.data]);

    await h.db.deleteFrom('idempotency_keys').execute();
    const fresh = newAccount({ wallets: [newWallet()] });
    const body = { ext_token: await tokenOf(h, fresh) };
    const [, third] = await h.call(id, { as: user, body, headers });
    expect(JSON.stringify(third)).toContain(fresh.id);
    await h.db.deleteFrom('idempotency_keys').execute();
  }
  expect(await accountsOf(h, user)).toHaveLength(4);
});

test('a disconnected account logs in no longer, and the oldest other one is the primary', async () => {
  const user = await h.user();
  const [first, second, third] = [newAccount(), newAccount({ provider: 'google' }), newAccount()];
  for (const account of [first, second, third]) await link(h, user, account);
  const [status, body] = await disconnect(h, user, first.id);
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      message: 'External account disconnected successfully',
      data: {
        user_id: user.user_id,
        disconnected_provider: 'email',
        ext_user_id: first.id,
        disconnected_at: expect.stringMatching(/Z$/),
      },
      security_notice: expect.any(String),
      timestamp: expect.stringMatching(/Z$/),
    },
  ]);
  expect(await accountsOf(h, user)).toMatchObject([
    { ext_user_id: second.id, is_primary: true },
    { ext_user_id: third.id, is_primary: false },
  ]);
  const [, entered] = await enter(h, await tokenOf(h, first));
  expect(entered.data).toMatchObject({ auth: { is_new_user: true } });
  expect(entered.data.user.user_id).not.toBe(user.user_id);
});

test('a disconnection must be confirmed, word by word', async () => {
  const user = await h.user();
  const account = newAccount();
  await link(h, user, account);
  for (const confirmation of [undefined, '', 'DISCONNECT', 'disconnect ', 'yes', true, null])
    expect(await disconnect(h, user, account.id, { confirmation })).toMatchObject([
      400,
      {
        error: { code: 'CONFIRMATION_REQUIRED', instruction: expect.stringMatching('disconnect') },
      },
    ]);
  for (const ext_user_id of [undefined, '', 7]) {
    expect(await disconnect(h, user, account.id, { ext_user_id })).toMatchObject(
      denied(400, 'VALIDATION_ERROR'),
    );
    // A deletion without confirmation is refused as that before any other fault.
    const both = { ext_user_id, confirmation: 'no', user_id: 'x' };
    expect(await disconnect(h, user, account.id, both)).toMatchObject(
      denied(400, 'CONFIRMATION_REQUIRED'),
    );
  }
  expect(await accountsOf(h, user)).toHaveLength(1);
});

test('the last account stays, whatever wallets it has', async () => {
  const user = await h.user();
  const account = newAccount({ wallets: [newWallet()] });
  await link(h, user, account);
  await linkWallet(h, user, account);
  const [, profile] = await h.call('GET /extauth/auth/profile', { as: user });
  expect(profile.security_info).toEqual({ has_multiple_methods: true, can_remove_accounts: false });
  const last = denied(400, 'CANNOT_DISCONNECT_PRIMARY');
  expect(await disconnect(h, user, account.id)).toMatchObject(last);
  const other = newAccount();
  await link(h, user, other);
  expect((await disconnect(h, user, account.id))[0]).toBe(200);
  expect(await accountsOf(h, user)).toMatchObject([{ ext_user_id: other.id, is_primary: true }]);
});

test('concurrent disconnections leave one account, which is the primary', async () => {
  const user = await h.user();
  const accounts = Array.from({ length: 8 }, () => newAccount());
  for (const account of accounts) await link(h, user, account);
  const answers = await Promise.all(accounts.map(({ id }) => disconnect(h, user, id)));
  expect(statusesOf(answers)).toEqual([...Array(7).fill(200), 400]);
  expect(await accountsOf(h, user)).toMatchObject([{ is_primary: true }]);
});

test('a user disconnects only their own accounts', async () => {
  const [owner, thief] = [await h.user(), await h.user()];
  const account = newAccount();
  await link(h, owner, account);
  for (const id of [account.id, 'did:privy:nobody'])
    expect(await disconnect(h, thief, id)).toMatchObject(denied(404, 'AUTH_NOT_FOUND'));
  expect(await accountsOf(h, owner)).toHaveLength(1);
});

test('only admins name another user, within their reach', async () => {
  const { client_id } = await h.client();
  const [user, peer] = [await h.user({ client_id }), await h.user({ client_id })];
  const admin = await h.user({ client_id, role: 'admin' });
  const stranger = await h.user({ role: 'admin' });
  const { user_id } = user;
  const account = newAccount({ wallets: [newWallet()] });
  const tries = (as: { token: string }) => [
    link(h, as, account, { user_id }),
    linkWallet(h, as, account, { user_id }),
    disconnect(h, as, account.id, { user_id }),
  ];
  for (const answer of await Promise.all(tries(peer)))
    expect(answer).toMatchObject(denied(403, 'FORBIDDEN'));
  for (const answer of await Promise.all(tries(stranger)))
    expect(answer).toMatchObject(denied(404, 'USER_NOT_FOUND'));
  for (const answer of [await link(h, user, account, { user_id: 2_000_000_000 })])
    expect(answer).toMatchObject(denied(403, 'FORBIDDEN'));
  expect((await link(h, admin, account, { user_id: String(user_id) }))[0]).toBe(200);
  await link(h, await h.operator(), newAccount(), { user_id });
  expect((await disconnect(h, admin, account.id, { user_id }))[0]).toBe(200);
  const log = await h.db
    .selectFrom('activity_log')
    .select(['action', 'client_id', 'actor_user_id', 'subject_user_id'])
    .where('subject_user_id', '=', user_id)
    .orderBy('id')
    .execute();
  expect(log).toMatchObject([
    { action: 'EXTERNAL_LOGIN_LINKED', client_id, actor_user_id: admin.user_id },
    { action: 'EXTERNAL_LOGIN_LINKED', client_id },
    { action: 'EXTERNAL_LOGIN_DISCONNECTED', client_id, actor_user_id: admin.user_id },
  ]);
});

test.each([0, -1, 'abc', null, true, '', 1.5])('%j is no user id', async (user_id) => {
  const as = await h.user();
  const missing = denied(400, 'MISSING_USER_ID');
  expect(await link(h, as, newAccount(), { user_id })).toMatchObject(missing);
  expect(await disconnect(h, as, 'did:privy:1', { user_id })).toMatchObject(missing);
});

test('while the provider is unreachable, nothing is linked', async () => {
  const as = await h.user();
  const token = await tokenOf(h, newAccount({ kind: 'access', wallets: [newWallet()] }));
  for (const kind of ['refuse', 'drop', 'error', 'commit-then-drop'])
    for (const id of ['POST /extauth/auth/link', 'POST /extauth/auth/link-wallet'] as const) {
      await h.sandbox('POST', '/faults', { provider: 'extauth', kind, times: 2 });
      const answer = await h.call(id, { as, body: { ext_token: token } });
      expect(answer).toMatchObject(denied(503, 'PROVIDER_UNAVAILABLE'));
      await h.sandbox('DELETE', '/faults');
    }
  expect(await accountsOf(h, as)).toEqual([]);
});
