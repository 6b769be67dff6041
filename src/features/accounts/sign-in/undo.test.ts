import { beforeEach, expect, test } from 'vitest';
import {
  accountsOf,
  enter,
  link,
  linkWallet,
  newAccount,
  newWallet,
  tokenOf,
} from '#test/external-login.ts';
import { harness, type Person } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';
import { codeOf, logIn } from '#test/two-factor.ts';

/** A thief's additions to an account, and how its owner removes them. */
const h = await harness({ mock: false });
await h.operator();
const NEW = 'a new password';
const DAY_S = 24 * 3600;

let owner: Person;
beforeEach(async () => {
  owner = await h.user();
});

async function resetMail(user = owner) {
  await h.call('POST /password/request_reset', { body: { email: user.email } });
  return mailTo(h, user.email, /^Reset/);
}
const pageOf = async (address: string) => (await fetch(address)).text();
async function reset(more: object = {}, user = owner) {
  const { token } = linkIn(await resetMail(user));
  const body = { token, new_password: NEW, ...more };
  return h.call('POST /password/reset', { as: 'nobody', body });
}
const back = async (user = owner) =>
  (await logIn(h, { ...user, password: NEW }))[1] as {
    requires_2fa: boolean;
    data: { token: string };
  };
async function enableSecondFactor(as: Person, current_password = as.password) {
  const [, { data }] = await h.call('POST /2fa/setup', { as, body: { current_password } });
  const token = codeOf(h, data.secret);
  const body = { token, current_password };
  expect((await h.call('POST /2fa/enable', { as, body }))[0]).toBe(200);
}
const makeKey = async (as: Person): Promise<string> =>
  (await h.call('POST /keys/sdk-key', { as, body: {} }))[1].api_key;
const works = async (key: string) => (await h.call('GET /xwishlist/count', { key }))[0] === 200;

test('mail and page list additions; undone, none is left and the owner is in again', async () => {
  const wallet = newWallet();
  const [google, account] = [
    newAccount({ provider: 'google' }),
    newAccount({ provider: 'farcaster', wallets: [wallet] }),
  ];
  await link(h, owner, google);
  await linkWallet(h, owner, account);
  const key = await makeKey(owner);
  await enableSecondFactor(owner);

  const mail = await resetMail();
  const page = await pageOf(linkIn(mail).link);
  for (const told of [mail.text, page]) {
    expect(told).toContain('log-in with google');
    expect(told).toContain(`log-in with ${wallet}`);
    expect(told).toContain('two-factor authentication');
    expect(told).toContain(`API key ${key.slice(0, 10)}`);
  }
  expect(page).toContain('<input name="undo" type="checkbox">');
  const body = { token: linkIn(mail).token, new_password: NEW, undo: true };
  const [status, { message }] = await h.call('POST /password/reset', { as: 'nobody', body });
  expect([status, message]).toEqual([200, expect.stringContaining('removed')]);

  const { requires_2fa, data } = await back();
  expect(requires_2fa).toBe(false);
  expect(await accountsOf(h, data)).toEqual([]);
  for (const one of [google, account]) {
    const [, entered] = await enter(h, await tokenOf(h, one));
    expect(entered.data.user.user_id).not.toBe(owner.user_id);
  }
  expect(await works(key)).toBe(false);
  const { text } = await mailTo(h, owner.email, /account was changed/);
  for (const told of ['password was changed', 'removed: google', 'switched off'])
    expect(text).toContain(told);
});

test('without the owner’s consent everything stays', async () => {
  const account = newAccount();
  await link(h, owner, account);
  const key = await makeKey(owner);
  await enableSecondFactor(owner);
  for (const more of [{}, { undo: false }]) expect((await reset(more))[0]).toBe(200);
  expect((await back()).requires_2fa).toBe(true);
  const [, { data }] = await enter(h, await tokenOf(h, account));
  expect(data.user.user_id).toBe(owner.user_id);
  expect(await works(key)).toBe(true);
  for (const undo of ['yes', 'true', 1, null]) expect((await reset({ undo }))[0]).toBe(400);
});

test('methods from before the last reset are neither listed nor undone', async () => {
  const [old, recent] = [newAccount({ provider: 'google' }), newAccount({ provider: 'twitter' })];
  await link(h, owner, old);
  const key = await makeKey(owner);
  await h.advance(60);
  expect((await reset())[0]).toBe(200);
  await h.advance(60);
  const { data } = await back();
  await link(h, { token: data.token }, recent);
  const { text } = await resetMail();
  expect(text).toContain('twitter');
  expect(text).not.toContain('google');
  expect(text).not.toContain('API key');
  expect((await reset({ undo: true }))[0]).toBe(200);
  const after = (await back()).data;
  expect(await accountsOf(h, after)).toMatchObject([{ ext_user_id: old.id, is_primary: true }]);
  expect(await works(key)).toBe(true);
});

test('the oldest remaining method becomes the primary; a new wallet alone is removed', async () => {
  const kept = newAccount({ provider: 'google', wallets: [newWallet()] });
  await link(h, owner, kept);
  await h.advance(60);
  await reset();
  await h.advance(60);
  const { data } = await back();
  await linkWallet(h, data as unknown as Person, kept);
  for (const [is_primary, is] of [
    [false, 'is'],
    [true, 'is not'],
  ] as const)
    await h.db
      .updateTable('ext_mappings')
      .set({ is_primary })
      .where('user_id', '=', owner.user_id)
      .where('wallet_address', is, null)
      .execute();
  await reset({ undo: true });
  expect(await accountsOf(h, (await back()).data)).toMatchObject([
    { ext_user_id: kept.id, wallet_address: null, is_primary: true },
  ]);
});

test('the method of the registration is no addition', async () => {
  const account = newAccount();
  const [, { data }] = await enter(h, await tokenOf(h, account));
  const user = { ...owner, ...data.user, ...data } as Person;
  await link(h, user, newAccount({ provider: 'google' }));
  const { text } = await resetMail(user);
  expect(text).toContain('google');
  expect(text).not.toContain('log-in with email');
  await reset({ undo: true }, user);
  expect(await accountsOf(h, (await back(user)).data)).toMatchObject([{ ext_user_id: account.id }]);
});

test('a second factor of a week ago cannot be undone by mail', async () => {
  await enableSecondFactor(owner);
  await h.advance(7 * DAY_S + 1);
  const mail = await resetMail();
  expect(mail.text).not.toContain('two-factor');
  expect(await pageOf(linkIn(mail).link)).not.toContain('undo');
  const body = { token: linkIn(mail).token, new_password: NEW, undo: true };
  expect((await h.call('POST /password/reset', { as: 'nobody', body }))[0]).toBe(200);
  expect((await back()).requires_2fa).toBe(true);
});

test('without additions neither mail nor page mentions any', async () => {
  const mail = await resetMail();
  // The token is hexadecimal, and may spell it.
  expect(mail.text.replace(linkIn(mail).token, '')).not.toContain('added');
  expect(await pageOf(linkIn(mail).link)).not.toContain('undo');
  expect((await reset({ undo: true }))[0]).toBe(200);
});

test('an admin’s proposals are removed with it, too', async () => {
  const admin = await h.user({ role: 'admin', client_id: owner.client_id });
  await link(h, admin, newAccount(), { user_id: owner.user_id });
  const { token } = linkIn(await mailTo(h, owner.email, /^Confirm/));
  await reset({ undo: true });
  const body = { token, decision: 'confirm' };
  expect((await h.call('POST /users/confirm-change', { as: 'nobody', body }))[0]).toBe(400);
});

test('a thief who logs in during the reset is out afterwards', async () => {
  const account = newAccount({ provider: 'google' });
  await link(h, owner, account);
  const { token } = linkIn(await resetMail());
  const ext_token = await tokenOf(h, account);
  const [[done], ...entered] = await Promise.all([
    h.call('POST /password/reset', {
      as: 'nobody',
      body: { token, new_password: NEW, undo: true },
    }),
    ...Array.from({ length: 10 }, () => enter(h, ext_token)),
  ]);
  expect(done).toBe(200);
  for (const [status, { data }] of entered) {
    expect(status).toBe(200);
    if (data.user.user_id !== owner.user_id) continue;
    const [used] = await h.call('GET /sessions', { as: { token: data.token } });
    expect(used).toBe(401);
  }
  expect(await accountsOf(h, (await back()).data)).toEqual([]);
});

test('many additions are counted, and the first twenty named', async () => {
  const created_at = h.clock.now().toISOString();
  await h.db
    .insertInto('api_keys')
    .values(
      Array.from({ length: 23 }, (_, n) => ({
        key_hash: Buffer.alloc(32, `${owner.user_id} ${n}`),
        key_prefix: `ak_${n}`,
        key_suffix: 'x',
        user_id: owner.user_id,
        created_at,
      })),
    )
    .execute();
  const { text } = await resetMail();
  expect(text.match(/^- API key/gm)).toHaveLength(20);
  expect(text).toContain('and 3 more');
});
