import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import {
  disconnect,
  enter,
  link,
  linkWallet,
  newAccount,
  newWallet,
  tokenOf,
} from '#test/external-login.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { countMails, linkIn, mailTo } from '#test/mails.ts';
import { codeOf, protectedUser } from '#test/two-factor.ts';

const h = await harness();
await h.operator();
const RESET = 'ask for a password reset';

const untold = () => run(h.db, 'select user_id from access_changes', []);
const update = (as: Person, change: object) =>
  h.call('PUT /users/update_profile/{user_id}', {
    as,
    params: { user_id: as.user_id },
    body: { ...change, current_password: as.password },
  });

test('a mail notifies the user of every new log-in method, and how to remove it', async () => {
  const user = await h.user();
  await link(h, user, newAccount({ provider: 'google' }));
  expect(await mailTo(h, user.email)).toMatchObject({
    subject: 'A new way to log in to your Archipay account',
    text: expect.stringContaining('An external log-in was added: google.'),
  });
  const wallet = newWallet();
  await linkWallet(h, user, newAccount({ wallets: [wallet] }));
  const { text, html } = await mailTo(h, user.email);
  expect(text).toContain(wallet);
  expect(text).toContain(RESET);
  // The button leads to the page that requests a reset.
  const page = `${h.kernel.publicUrl()}/forgotten-password`;
  expect(text).toContain(`Link: ${page}`);
  expect(html).toMatch(new RegExp(`<a [^>]*href="${page}"[^>]*>Secure the account</a>`));
  expect((await fetch(page)).status).toBe(200);
  expect(await untold()).toEqual([]);
});

test('so does one of a removed method', async () => {
  const user = await h.user();
  const [first, second] = [newAccount({ provider: 'google' }), newAccount()];
  for (const account of [first, second]) await link(h, user, account);
  await disconnect(h, user, first.id);
  expect((await mailTo(h, user.email, /removed/)).text).toContain('was removed: google.');
});

test('so does one of a second factor that is enabled or disabled', async () => {
  const user = await protectedUser(h);
  expect((await mailTo(h, user.email, /switched on/)).text).toContain(RESET);
  const body = { token: codeOf(h, user.secret), password: user.password };
  await h.call('POST /2fa/disable', { as: user, body });
  expect((await mailTo(h, user.email, /switched off/)).text).toContain(RESET);
});

test('a new address is mailed to the old one, which no longer gets resets', async () => {
  const user = await h.user();
  const email = `new-${user.email}`;
  await update(user, { email });
  const { text } = await mailTo(h, user.email, /address was changed/);
  expect(text).toContain('operator');
  expect(text).not.toContain(email);
  expect((await mailTo(h, email)).subject).toBe('Confirm your e-mail address');
  await update(user, { phone: '+12025550199' });
  expect((await mailTo(h, email, /phone number/)).text).toContain(RESET);
  expect(await countMails(h, user.email)).toBe(1);
});

test('simultaneous changes are one mail', async () => {
  const user = await h.user();
  await update(user, { phone: '+12025550198', email: `both-${user.email}` });
  const { subject, text } = await mailTo(h, user.email);
  expect(subject).toBe('Your Archipay account was changed');
  expect(text).toContain('e-mail address of your account was changed');
  expect(text).toContain('phone number of your account was changed');
  expect(await countMails(h, user.email)).toBe(1);
});

test('a new password is mailed', async () => {
  const user = await h.user();
  await h.call('POST /password/request_reset', { body: { email: user.email } });
  const { token } = linkIn(await mailTo(h, user.email));
  await h.call('POST /password/reset', { body: { token, new_password: 'a new password' } });
  expect((await mailTo(h, user.email, /password was changed/)).text).toContain(RESET);
});

test('a change by SQL is mailed within a minute, too', async () => {
  const user = await h.user();
  const { user_id } = user;
  await run(h.db, `update users set password_hash = 'x' where user_id = $1`, [user_id]);
  expect(await countMails(h, user.email)).toBe(0);
  await h.advance(60);
  expect(await mailTo(h, user.email)).toMatchObject({
    subject: 'Your Archipay password was changed',
  });
  expect(await untold()).toEqual([]);
});

test('an undone change is not mailed, nor is one without effect', async () => {
  const user = await h.user();
  const undone = h.db.transaction().execute(async (tx) => {
    await run(tx, `update users set email = 'x@example.test' where user_id = $1`, [user.user_id]);
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  await update(user, { username: 'Renamed', email: user.email });
  await run(h.db, 'update users set password_hash = null where user_id = $1', [user.user_id]);
  await run(h.db, 'update users set phone = phone where user_id = $1', [user.user_id]);
  expect(await untold()).toEqual([]);
});

test('a new user by an external log-in gets a mail, where there is an address', async () => {
  const account = newAccount({ provider: 'google' });
  await enter(h, await tokenOf(h, account));
  expect(await mailTo(h, account.email ?? '')).toMatchObject({
    text: expect.stringContaining('opened for this address'),
  });
  const [, { data }] = await enter(
    h,
    await tokenOf(h, { id: 'did:privy:nameless', provider: 'farcaster' }),
  );
  expect(data.user.email).toMatch(/\.invalid$/);
  await h.advance(60);
  expect(await countMails(h, data.user.email)).toBe(0);
  expect(await untold()).toEqual([]);
});

test('other people’s names cannot write lines of their own', async () => {
  const user = await h.user();
  await h.db
    .insertInto('ext_identities')
    .values({ ext_user_id: 'x', user_id: user.user_id })
    .execute();
  const now = h.clock.now().toISOString();
  await h.db
    .insertInto('ext_mappings')
    .values({
      ext_user_id: 'x',
      user_id: user.user_id,
      auth_provider: 'x\nLink: https://thief.example',
      is_primary: true,
      operation: '00000000-0000-4000-8000-000000000000',
      connected_at: now,
      last_used: now,
    })
    .execute();
  await h.advance(60);
  const { text } = await mailTo(h, user.email);
  expect(text.match(/^Link: .*/gm)).toEqual([`Link: ${h.kernel.publicUrl()}/forgotten-password`]);
});

test('every user with unreported changes gets a mail, also many users', async () => {
  const users: Body[] = [];
  for (let n = 0; n < 5; n += 1) users.push(await h.user());
  await run(h.db, `update users set phone = '+12025550100' where user_id = any($1)`, [
    users.map(({ user_id }) => user_id),
  ]);
  await h.advance(60);
  for (const { email } of users) expect(await countMails(h, email)).toBe(1);
});
