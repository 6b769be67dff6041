import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { foldTallies } from '#kernel/tallies/tallies.ts';
import { extauthSettings, externalLogin } from '#providers/extauth/adapter.ts';
import {
  disconnect,
  enter,
  link,
  linkWallet,
  newAccount,
  newWallet,
  tokenOf,
} from '#test/external-login.ts';
import { harness } from '#test/harness.ts';
import { healthCheck } from './health.ts';

const h = await harness();
const bare = await harness({
  config: { EXTAUTH_URL: 'http://127.0.0.1:9', EXTAUTH_VERIFICATION_KEY: 'no key' },
});
const denied = (status: number, code: string) => [status, { success: false, error: { code } }];
const DAY_S = 24 * 3600;

beforeEach(async () => {
  await h.sandbox('DELETE', '/faults');
});

test('a profile shows a user’s log-in methods', async () => {
  const user = await h.user();
  const wallet = newWallet();
  const [first, second] = [newAccount({ provider: 'google' }), newAccount({ wallets: [wallet] })];
  await link(h, user, first);
  await linkWallet(h, user, second);
  const [status, body] = await h.call('GET /extauth/auth/profile', { as: user });
  const at = expect.stringMatching(/Z$/);
  const common = { id: expect.any(Number), connected_at: at, last_used: at };
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      message: expect.any(String),
      data: {
        user_id: user.user_id,
        total_connected_accounts: 2,
        connected_accounts: [
          {
            ...common,
            ext_user_id: first.id,
            provider: 'google',
            auth_provider: 'google',
            wallet_address: null,
            is_primary: true,
            status: 'primary',
          },
          {
            ...common,
            ext_user_id: second.id,
            provider: 'wallet',
            auth_provider: 'wallet',
            wallet_address: wallet,
            is_primary: false,
            status: 'secondary',
          },
        ],
        primary_auth: { provider: 'google', connected_at: at },
      },
      security_info: { has_multiple_methods: true, can_remove_accounts: true },
      timestamp: at,
    },
  ]);
});

test('a profile without external log-ins is empty', async () => {
  const [status, body] = await h.call('GET /extauth/auth/profile', { as: await h.user() });
  expect([status, body.data, body.security_info]).toEqual([
    200,
    {
      user_id: expect.any(Number),
      total_connected_accounts: 0,
      connected_accounts: [],
      primary_auth: null,
    },
    { has_multiple_methods: false, can_remove_accounts: false },
  ]);
});

test('a log-in is recorded on its method', async () => {
  const user = await h.user();
  const account = newAccount({ wallets: [newWallet()] });
  await link(h, user, account);
  await linkWallet(h, user, account);
  await h.advance(60);
  await enter(h, await tokenOf(h, { ...account, provider: 'wallet' }));
  const [, { data }] = await h.call('GET /extauth/auth/profile', { as: user });
  const [byEmail, byWallet] = data.connected_accounts;
  expect(byEmail.last_used).toBe(byEmail.connected_at);
  expect(Date.parse(byWallet.last_used) - Date.parse(byWallet.connected_at)).toBeGreaterThan(
    59_000,
  );
});

test('only admins read another user’s profile, within their reach', async () => {
  const { client_id } = await h.client();
  const [user, peer] = [await h.user({ client_id }), await h.user({ client_id })];
  const admin = await h.user({ client_id, role: 'admin' });
  await link(h, user, newAccount());
  const read = (as: { token: string }, user_id: string | number) =>
    h.call('GET /extauth/auth/profile/{user_id}', { as, params: { user_id } });
  for (const as of [admin, await h.operator()]) {
    const [status, body] = await read(as, user.user_id);
    expect([status, body.data]).toMatchObject([
      200,
      { user_id: user.user_id, total_connected_accounts: 1 },
    ]);
  }
  expect(await read(peer, user.user_id)).toMatchObject(denied(403, 'FORBIDDEN'));
  const query = { user_id: user.user_id };
  expect(await h.call('GET /extauth/auth/profile', { as: peer, query })).toMatchObject(
    denied(403, 'FORBIDDEN'),
  );
  const stranger = await h.user({ role: 'admin' });
  for (const id of [user.user_id, 2_000_000_000])
    expect(await read(stranger, id)).toMatchObject(denied(404, 'USER_NOT_FOUND'));
  for (const id of ['abc', '0', '-1', '99999999999'])
    expect(await read(admin, id)).toMatchObject(denied(400, 'MISSING_USER_ID'));
});

test('counts are those of the admin’s client, and the operator’s those of all', async () => {
  const { client_id } = await h.client();
  const admin = await h.user({ client_id, role: 'admin' });
  const [one, two] = [await h.user({ client_id }), await h.user({ client_id })];
  const stats = (as: { token: string }) => h.call('GET /extauth/stats', { as });
  const [, nothing] = await stats(admin);
  expect(nothing.data).toEqual({
    overview: {
      total_ext_accounts: 0,
      unique_users: 0,
      primary_auth_methods: 0,
      accounts_per_user_avg: 0,
    },
    auth_methods: {},
    activity: { active_last_24h: 0, active_last_7d: 0, new_accounts_30d: 0 },
    recent_signups: [],
  });

  const old = newAccount();
  await link(h, one, old);
  await h.advance(31 * DAY_S);
  const [admin2, one2, two2] = await Promise.all(
    [admin, one, two].map(async ({ user_id }) => {
      const { token } = await h.kernel.sessions.open(h.db, { user_id, method: 'password' });
      return { token };
    }),
  );
  if (!admin2 || !one2 || !two2) throw new Error('Nobody is logged in');
  await link(h, one2, newAccount({ provider: 'google' }));
  await h.advance(2 * DAY_S - 60);
  const last = await h.kernel.sessions.open(h.db, { user_id: two.user_id, method: 'password' });
  await link(h, last, newAccount());
  const boss = await h.kernel.sessions.open(h.db, { user_id: admin.user_id, method: 'password' });
  const [status, body] = await stats(boss);
  const day = (offset: number) =>
    new Date(h.clock.now().getTime() - offset * 1000).toISOString().slice(0, 10);
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      message: expect.any(String),
      data: {
        overview: {
          total_ext_accounts: 3,
          unique_users: 2,
          primary_auth_methods: 2,
          accounts_per_user_avg: 1.5,
        },
        auth_methods: { email: 2, google: 1 },
        activity: { active_last_24h: 1, active_last_7d: 2, new_accounts_30d: 2 },
        recent_signups: [
          { date: day(0), new_accounts: 1 },
          { date: day(2 * DAY_S - 60), new_accounts: 1 },
        ],
      },
      generated_at: expect.stringMatching(/Z$/),
    },
  ]);
  const [, all] = await stats(await h.operator());
  expect(all.data.overview.total_ext_accounts).toBeGreaterThan(3);
  expect(await stats(last)).toMatchObject(denied(403, 'FORBIDDEN'));
});

test('the health names the configuration and every endpoint', async () => {
  const [status, body] = await h.call('GET /extauth/health', { as: await h.user() });
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      message: expect.any(String),
      data: {
        service: 'external-login',
        status: 'operational',
        version: expect.stringMatching(/^\d+\.\d+/),
        environment: 'test',
        configuration: {
          app_id: 'configured',
          app_secret: 'configured',
          verification_key: 'configured',
          database_connection: 'active',
        },
        endpoints: expect.arrayContaining(['POST /extauth/auth/login', 'GET /extauth/health']),
        timestamp: expect.stringMatching(/Z$/),
      },
      timestamp: expect.stringMatching(/Z$/),
    },
  ]);
  expect(body.data.endpoints).toHaveLength(8);
  expect(JSON.stringify(body)).not.toContain(h.kernel.config.EXTAUTH_APP_SECRET);
});

test('the health is degraded while the provider cannot be reached, and recovers', async () => {
  const as = await h.user();
  const statusOf = async () => {
    await h.advance(31);
    const [, { data }] = await h.call('GET /extauth/health', { as });
    return [data.status, data.issues];
  };
  await h.sandbox('POST', '/faults', { provider: 'extauth', kind: 'error', times: 100 });
  expect(await statusOf()).toEqual(['degraded', ['the provider cannot be reached']]);
  await h.sandbox('DELETE', '/faults');
  expect(await statusOf()).toEqual(['operational', undefined]);
  expect((await bare.call('GET /extauth/health', { as: await bare.user() }))[1].data).toMatchObject(
    { status: 'degraded', configuration: { verification_key: 'configured' } },
  );
});

test('an invalid key of ours makes the log-in unavailable, and the provider is not blamed', async () => {
  await bare.operator();
  const token = await tokenOf(bare, newAccount());
  expect(await enter(bare, token)).toMatchObject(denied(503, 'PROVIDER_NOT_CONFIGURED'));
  expect(bare.logs.join('')).toContain('external login is not set up');
});

test('missing configuration makes the health degraded, and is named', async () => {
  const { kernel, clock } = h;
  const config = { ...kernel.config, EXTAUTH_APP_ID: '', EXTAUTH_APP_SECRET: '' };
  const url = () => `${h.app.sandboxUrl()}/extauth`;
  const external = externalLogin(extauthSettings(config, clock, url));
  const check = healthCheck({ clock, config, log: kernel.log, external });
  expect(await check(h.db, [])).toMatchObject({
    status: 'degraded',
    configuration: { app_id: 'missing', app_secret: 'missing', verification_key: 'missing' },
    issues: ['app_id', 'app_secret', 'verification_key'].map((name) => `${name} is not configured`),
  });
});

test('credentials that the provider refuses make the health degraded', async () => {
  const { kernel, clock } = h;
  const config = { ...kernel.config, EXTAUTH_APP_SECRET: 'another secret' };
  const url = () => `${h.app.sandboxUrl()}/extauth`;
  const external = externalLogin(extauthSettings(config, clock, url));
  const check = healthCheck({ clock, config, log: kernel.log, external });
  const { status, issues } = await check(h.db, []);
  expect([status, issues]).toEqual(['degraded', ['the provider refuses app_id and app_secret']]);
});

test('without the table there are neither health nor counts, and no internals leak', async () => {
  const admin = await bare.user({ role: 'admin' });
  await sql`alter table ext_mappings rename to ext_mappings_away`.execute(bare.db);
  await sql`alter table tallies rename to tallies_away`.execute(bare.db);
  const broken = [
    ['GET /extauth/health', 'HEALTH_CHECK_FAILED'],
    ['GET /extauth/stats', 'STATS_ERROR'],
  ] as const;
  for (const [id, code] of broken) {
    const answer = await bare.call(id, { as: admin });
    expect(answer).toMatchObject(denied(500, code));
    expect(JSON.stringify(answer)).not.toMatch(/ext_mappings|tallies/);
  }
  const [, health] = await bare.call('GET /extauth/health', { as: admin });
  expect(health.error.details).toEqual({ database_connection: 'failed' });
  await sql`alter table ext_mappings_away rename to ext_mappings`.execute(bare.db);
  await sql`alter table tallies_away rename to tallies`.execute(bare.db);
  expect((await disconnect(bare, admin, 'did:privy:1'))[0]).toBe(404);
});

test('counts of external log-ins match the rows after every change', async () => {
  const admin = await h.user({ role: 'admin' });
  const user = await h.user({ client_id: admin.client_id });
  const [first, second] = [newAccount({ provider: 'google' }), newAccount()];
  await link(h, user, first);
  await link(h, user, second);
  const counted = async () => (await h.call('GET /extauth/stats', { as: admin }))[1].data;
  expect(await counted()).toMatchObject({
    overview: { total_ext_accounts: 2, unique_users: 1 },
    auth_methods: { google: 1, email: 1 },
  });
  expect((await disconnect(h, user, first.id))[0]).toBe(200);
  await foldTallies(h.db, h.clock.now());
  expect(await counted()).toMatchObject({
    overview: { total_ext_accounts: 1, unique_users: 1, primary_auth_methods: 1 },
    auth_methods: { email: 1 },
    activity: { active_last_24h: 1, active_last_7d: 1, new_accounts_30d: 1 },
  });
});
