import { beforeEach, describe, expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { converting } from '#test/conversions.ts';
import { enter, newAccount, tokenOf } from '#test/external-login.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { codeOf, complete, protectedUser } from '#test/two-factor.ts';
import { deliver, endpointOf, happening, receiver, tell } from '#test/webhooks.ts';
import { verifyCompany } from './approve.ts';

const h = await harness({ features: happening });
let admin: Person;
let key: string;
beforeEach(async () => {
  admin = await h.user({ role: 'admin' });
  key = await h.apiKey(admin);
});

const become = (client_status: string, { client_id } = admin) =>
  h.db.updateTable('clients').set({ client_status }).where('client_id', '=', client_id).execute();
const logIn = ({ email, password }: Person, options: { key?: string } = {}) =>
  h.call('POST /auth/login', { ...options, body: { usernameoremail: email, password } });
/** Once every process knows of it. */
const answers = (call: () => Promise<[number, unknown]>, status: number) =>
  expect.poll(async () => (await call())[0]).toBe(status);
const STOPPED = { code: 'ACCOUNT_NOT_ACTIVE', hint: expect.stringContaining('stopped') };

describe.each(['SUSPENDED', 'INACTIVE', 'whatever else'])('of a client that is %s', (status) => {
  test('every key is refused, with any log-in beside it', async () => {
    const member = await h.call('POST /xusers/login', { key, body: { phone: '+12025550177' } });
    const asMember = () => h.call('GET /xprofiles/getme', { key, as: member[1] });
    const alone = () => h.call('POST /auth/login', { key, body: {} });
    const own = () => h.call('GET /sessions', { key, as: admin });
    expect([(await asMember())[0], (await alone())[0], (await own())[0]]).toEqual([200, 400, 200]);
    await become(status);
    for (const call of [asMember, alone, own]) {
      await answers(call, 403);
      expect((await call())[1]).toMatchObject(STOPPED);
    }
    const wishlist = await h.call('GET /xwishlist/count', { key });
    expect(wishlist).toMatchObject([403, STOPPED]);
  });

  test('every open log-in is refused, with any key, and no new one opens', async () => {
    const user = await h.user({ client_id: admin.client_id });
    const calls = [admin, user].map((as) => () => h.call('GET /sessions', { as }));
    for (const call of calls) await answers(call, 200);
    await become(status);
    for (const call of calls) await answers(call, 403);
    expect((await calls[0]?.())?.[1]).toMatchObject(STOPPED);
    for (const person of [admin, user]) expect(await logIn(person)).toMatchObject([403, STOPPED]);
    expect(await logIn({ ...user, password: 'wrong' })).toMatchObject([401, {}]);
  });
});

test.each(['PENDING', 'ACTIVE'])('a client that is %s is reinstated', async (status) => {
  await become(status);
  expect((await logIn(admin, { key }))[0]).toBe(200);
  expect((await h.call('GET /sessions', { key, as: admin }))[0]).toBe(200);
});

test('a reinstated client has its earlier keys and log-ins', async () => {
  const call = () => h.call('GET /sessions', { key, as: admin });
  await become('SUSPENDED');
  await answers(call, 403);
  await become('ACTIVE');
  await answers(call, 200);
});

test('an account elsewhere of the same name and password still logs in', async () => {
  const there = await h.user({ email: admin.email, password: admin.password });
  await become('SUSPENDED');
  expect(await logIn(admin)).toMatchObject([200, { data: { user: { user_id: there.user_id } } }]);
});

test('a log-in that waits for its second factor cannot be finished', async () => {
  const user = await protectedUser(h);
  expect(await logIn(user)).toMatchObject([200, { requires_2fa: true }]);
  await become('SUSPENDED', user);
  expect(await complete(h, user, codeOf(h, user.secret, 1))).toMatchObject([403, STOPPED]);
});

test('an external log-in neither logs in nor registers a user', async () => {
  const account = newAccount();
  expect((await enter(h, await tokenOf(h, account), key))[0]).toBe(200);
  await become('SUSPENDED');
  const refused = { error: { code: 'ACCOUNT_NOT_ACTIVE' } };
  expect(await enter(h, await tokenOf(h, account))).toMatchObject([403, refused]);
  await answers(() => h.call('POST /auth/login', { key, body: {} }), 403);
  expect(await enter(h, await tokenOf(h, newAccount()), key)).toMatchObject([403, refused]);
});

test('the daily run no longer converts its rupiah', async () => {
  const { as } = await converting(h, { rupiah: '300000', network: 'POLYGON' });
  const operator = await h.operator();
  const pending = async () => {
    const [, body] = await h.call('GET /exchange/conversion/pending', { as: operator });
    const { users } = body.data;
    return users.find((one: Body) => one.user_id === as.user_id).eligible_for_conversion;
  };
  expect(await pending()).toBe(true);
  await become('SUSPENDED', as);
  expect(await pending()).toBe(false);
  const runDaily = async () =>
    (await h.call('POST /exchange/conversion/run-daily', { as: operator }))[1].data.jobs_created;
  expect(await runDaily()).toBe(0);
  await become('ACTIVE', as);
  expect(await runDaily()).toBe(1);
});

test('an approval of its company does not reinstate it', async () => {
  await become('SUSPENDED');
  await transact(h.db, (tx) => verifyCompany(tx, admin.client_id, 'APPROVED'));
  expect(await logIn(admin)).toMatchObject([403, STOPPED]);
});

test('webhooks are not sent, and continue where they were once it is reinstated', async () => {
  const shop = await receiver();
  await endpointOf(h, admin, { url: shop.url, types: ['test.happened'] });
  await tell(h, admin.client_id, 'a', 1);
  await deliver(h);
  await become('SUSPENDED');
  await tell(h, admin.client_id, 'a', 2);
  await deliver(h);
  expect(shop.arrivals.map(({ nth }) => nth)).toEqual([1]);
  await become('ACTIVE');
  await deliver(h);
  expect(shop.arrivals.map(({ nth }) => nth)).toEqual([1, 2]);
});
