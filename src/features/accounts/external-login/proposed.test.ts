import { beforeEach, expect, test } from 'vitest';
import { unlinked } from '#kernel/wording.ts';
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
import { harness, type Person } from '#test/harness.ts';
import { countMails, linkIn, mailTo } from '#test/mails.ts';

/** Links that an admin makes for another user. Out of mock mode, but for the last tests. */
const h = await harness({ mock: false });
const mock = await harness();
await h.operator();
const { client_id } = await h.client();
const denied = (status: number, code: string) => [status, { success: false, error: { code } }];
const CONFIRM = /Confirm/;

let user: Person;
let admin: Person;
let account: Account;
beforeEach(async () => {
  user = await h.user({ client_id });
  admin = await h.user({ client_id, role: 'admin' });
  account = newAccount({ provider: 'google', wallets: [newWallet()] });
});

const propose = (what = account, by = admin) => link(h, by, what, { user_id: user.user_id });
const decide = (token: string, decision: unknown = 'confirm') =>
  h.call('POST /users/confirm-change', { as: 'nobody', body: { token, decision } });
const mailed = async () => linkIn(await mailTo(h, user.email, CONFIRM));
const whoEnters = async (what = account) => (await enter(h, await tokenOf(h, what)))[1];

test('an admin’s link becomes a user’s log-in only with the user’s consent by mail', async () => {
  const [status, body] = await propose();
  expect([status, body]).toEqual([
    202,
    {
      success: true,
      message: expect.stringContaining('confirm'),
      data: {
        user: expect.objectContaining({ user_id: user.user_id, email: user.email }),
        pending_change: {
          change_id: expect.any(Number),
          kind: 'external-login',
          subject: account.id,
          created_at: expect.stringMatching(/Z$/),
          expires_at: expect.stringMatching(/Z$/),
          takes_effect_at: null,
        },
      },
      timestamp: expect.stringMatching(/Z$/),
    },
  ]);
  const { created_at, expires_at } = body.data.pending_change;
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(24 * 3600_000);
  expect(await whoEnters()).toMatchObject({ error: { code: 'CONFIRMATION_PENDING' } });
  expect(await accountsOf(h, user)).toEqual([]);
  expect(JSON.stringify(body)).not.toContain((await mailed()).token);

  const { token } = await mailed();
  expect(await decide(token)).toEqual([200, { message: expect.any(String) }]);
  expect((await whoEnters()).data.user.user_id).toBe(user.user_id);
  expect(await accountsOf(h, user)).toMatchObject([{ ext_user_id: account.id, is_primary: true }]);
});

test('the mail names the account and warns of confirming a stranger’s one', async () => {
  await propose();
  const { text } = await mailTo(h, user.email, CONFIRM);
  expect(text).toContain('google');
  expect(text).toContain(unlinked(account.email ?? ''));
  expect(text).toMatch(/only if/i);
});

test('of many concurrent clicks one confirms', async () => {
  await propose();
  const { token } = await mailed();
  const answers = await Promise.all(Array.from({ length: 8 }, () => decide(token)));
  expect(answers.map(([status]) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
  expect(await accountsOf(h, user)).toHaveLength(1);
});

test('a refused, lapsed or withdrawn proposal links nothing and frees the account', async () => {
  const ends: ((token: string, change_id: number) => Promise<unknown>)[] = [
    (token) => decide(token, 'refuse'),
    (_, change_id) =>
      h.call('DELETE /users/{user_id}/pending-changes/{change_id}', {
        as: admin,
        params: { user_id: user.user_id, change_id },
      }),
    () => h.advance(24 * 3600 + 1),
  ];
  for (const end of ends) {
    const what = newAccount();
    const [, { data }] = await propose(what);
    const { token } = await mailed();
    await end(token, data.pending_change.change_id);
    expect(await decide(token)).toMatchObject([400, { code: 'INVALID_TOKEN' }]);
    expect((await whoEnters(what)).data).toMatchObject({ auth: { is_new_user: true } });
  }
  const fresh = await h.kernel.sessions.open(h.db, { user_id: user.user_id, method: 'password' });
  expect(await accountsOf(h, fresh)).toEqual([]);
});

test('a wallet waits in the same way, also one of an account that is the user’s', async () => {
  expect((await linkWallet(h, admin, account, { user_id: user.user_id }))[0]).toBe(202);
  expect(await accountsOf(h, user)).toEqual([]);
  await decide((await mailed()).token);
  const [wallet] = account.wallets ?? [];
  expect(await accountsOf(h, user)).toMatchObject([
    { wallet_address: wallet, auth_provider: 'wallet', ext_user_id: account.id },
  ]);
  const more = { ...account, wallets: [newWallet()] };
  expect((await linkWallet(h, admin, more, { user_id: user.user_id }))[0]).toBe(202);
  expect(await accountsOf(h, user)).toHaveLength(1);
  await decide((await mailed()).token);
  expect(await accountsOf(h, user)).toHaveLength(2);
});

test('an account of another user is refused at once, or at the end if taken meanwhile', async () => {
  const [first, second] = [newAccount(), newAccount()];
  const other = await h.user();
  await link(h, other, first);
  expect(await propose(first)).toMatchObject(denied(409, 'MAPPING_EXISTS'));
  await propose(second);
  const { token } = await mailed();
  expect((await link(h, other, second))[0]).toBe(200);
  expect(await decide(token)).toMatchObject([409, { code: 'MAPPING_EXISTS' }]);
  expect(await accountsOf(h, user)).toEqual([]);
});

test('of repeated proposals only the newest link counts', async () => {
  await propose();
  const first = await mailed();
  await propose();
  const second = await mailed();
  expect(second.token).not.toBe(first.token);
  expect((await decide(first.token))[0]).toBe(400);
  expect((await decide(second.token))[0]).toBe(200);
});

test('proposals cannot flood a user’s mailbox', async () => {
  const answers: number[] = [];
  for (let n = 0; n < 13; n += 1) answers.push((await propose(newAccount()))[0]);
  expect(answers.filter((status) => status === 202)).toHaveLength(5);
  expect(await countMails(h, user.email)).toBe(5);
});

test('the operator’s admins are no exception, and neither is an admin among admins', async () => {
  const operator = await h.operator();
  expect((await propose(account, operator))[0]).toBe(202);
  const peer = await h.user({ client_id, role: 'admin' });
  const answer = await link(h, admin, newAccount(), { user_id: peer.user_id });
  expect(answer[0]).toBe(202);
  expect((await link(h, admin, newAccount(), { user_id: admin.user_id }))[0]).toBe(200);
});

test('a proposal and its outcome are logged', async () => {
  await propose();
  await decide((await mailed()).token);
  await propose(newAccount());
  await decide((await mailed()).token, 'refuse');
  const log = await h.db
    .selectFrom('activity_log')
    .select(['action', 'actor_user_id', 'client_id'])
    .where('subject_user_id', '=', user.user_id)
    .orderBy('id')
    .execute();
  expect(log).toEqual([
    { action: 'CHANGE_PROPOSED', actor_user_id: admin.user_id, client_id },
    { action: 'CHANGE_CONFIRMED', actor_user_id: null, client_id },
    { action: 'CHANGE_PROPOSED', actor_user_id: admin.user_id, client_id },
    { action: 'CHANGE_REFUSED', actor_user_id: null, client_id },
  ]);
});

test('in mock mode it takes effect at once, by the contract, and the user is notified', async () => {
  const victim = await mock.user();
  const chief = await mock.user({ role: 'admin', client_id: victim.client_id });
  const mine = newAccount({ provider: 'google' });
  expect((await link(mock, chief, mine, { user_id: victim.user_id }))[0]).toBe(200);
  const [, body] = await enter(mock, await tokenOf(mock, mine));
  expect(body.data.user.user_id).toBe(victim.user_id);
  expect((await mailTo(mock, victim.email)).text).toContain('google');
});

test('a user’s own link needs no mail, and can be removed', async () => {
  const [first, second] = [newAccount(), newAccount()];
  expect((await link(h, user, first))[0]).toBe(200);
  expect((await link(h, user, second))[0]).toBe(200);
  expect((await disconnect(h, user, first.id))[0]).toBe(200);
});
