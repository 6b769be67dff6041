import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { localDay } from '#kernel/localised.ts';
import { banking } from '#test/banking.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { mailTo } from '#test/mails.ts';
import { protectedUser, codeOf as totpOf } from '#test/two-factor.ts';

const h = await harness();
const { confirm, give, holder, post, send, sums } = banking(h);
const DAY = 24 * 3600;
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

const close = (as: Person, more: object = {}) =>
  h.call('POST /profile/close', { as, body: { current_password: as.password, ...more } });
const keep = (as: Person) => h.call('POST /profile/close/cancel', { as });
const closingOf = async (as: Person) => (await h.call('GET /profile', { as }))[1].data.closing;
const statusOf = async ({ user_id }: Person) =>
  (
    await run<{ user_status: string }>(h.db, 'select user_status from users where user_id = $1', [
      user_id,
    ])
  )[0]?.user_status;

test('an empty account is closed in 14 days, by its password, and its owner is told', async () => {
  const as = await h.user();
  expect(codeOf(await close(as, { current_password: 'wrong' }))).toEqual([400, 'INVALID_PASSWORD']);
  const [status, { data }] = await close(as);
  expect([status, data.status]).toEqual([202, 'CLOSING']);
  const left = new Date(data.erases_at).getTime() - h.clock.now().getTime();
  expect(Math.round(left / 1000 / DAY)).toBe(14);
  expect(await closingOf(as)).toEqual({ erases_at: data.erases_at, items: [] });
  expect((await mailTo(h, as.email, /being closed/)).text).toContain(
    localDay('en', data.erases_at),
  );
  expect((await close(as))[1].data).toEqual(data);
});

test('with a second factor a closing takes a code of it', async () => {
  const as = await protectedUser(h);
  expect(codeOf(await close(as))).toEqual([400, 'VALIDATION_ERROR']);
  expect(codeOf(await close(as, { two_fa_token: '000000' }))).toEqual([400, 'INVALID_CODE']);
  await h.advance(30);
  expect((await close(as, { two_fa_token: totpOf(h, as.secret) }))[0]).toBe(202);
});

test('what is left in an account is named, and keeps it open', async () => {
  const { client_id } = await h.client();
  const as = await holder(client_id, '12.50');
  const other = await h.user({ client_id });
  await confirm(other);
  const held = await send(as, { to: { email: `x-${other.email}` }, amount: '2.00' });
  expect(held[0]).toBe(201);
  const asked = await post('POST /wallets/fiat/requests', as, {
    body: { wallet_id: as.wallet_id, amount: '1', to: { email: other.email } },
  });
  expect(asked[0]).toBe(201);
  const [status, { error }] = await close(as);
  expect([status, error?.code]).toEqual([409, 'ACCOUNT_NOT_EMPTY']);
  const items: Body[] = error?.details.items;
  expect(items.map(({ type }) => type).sort()).toEqual(['balance', 'hold', 'payment', 'request']);
  expect(items.find(({ type }) => type === 'balance')).toEqual({
    type: 'balance',
    id: String(as.wallet_id),
    amount: '12.50',
    currency: 'USD',
    href: `/wallets/fiat/${as.wallet_id}/explain`,
  });
  for (const { href } of items)
    expect((await h.call(`GET ${href}` as 'GET /profile', { as }))[0]).toBe(200);
  expect(await closingOf(as)).toBeNull();
  expect(codeOf(await keep(as))).toEqual([409, 'INVALID_STATUS']);
});

test('while an account is being closed it moves no money; log-in, reading and keeping it work', async () => {
  const { client_id } = await h.client();
  const as = await holder(client_id);
  await close(as);
  expect(codeOf(await send(as, { to: { user_id: 1 }, amount: '1.00' }))).toEqual([
    403,
    'ACCOUNT_CLOSING',
  ]);
  // In a dry run the refusal is told like any other.
  const dry = await h.call('POST /wallets/fiat/transfers', {
    as,
    query: { dry_run: 'true' },
    body: { from_wallet_id: as.wallet_id, to: { user_id: 1 }, amount: '1.00' },
  });
  expect([dry[0], dry[1].data.would.status]).toEqual([200, 403]);
  const logIn = { usernameoremail: as.email, password: as.password };
  expect((await h.call('POST /auth/login', { body: logIn }))[0]).toBe(200);
  expect((await h.call('GET /payments', { as }))[0]).toBe(200);
  expect((await h.call('POST /profile/exports', { as }))[0]).toBe(202);
  const [status, { data }] = await keep(as);
  expect([status, data.status]).toEqual([200, 'CANCELLED']);
  expect((await keep(as))[1].data).toEqual(data);
  expect(codeOf(await send(as, { to: { user_id: 1 }, amount: '1.00' }))).not.toEqual([
    403,
    'ACCOUNT_CLOSING',
  ]);
  await h.advance(15 * DAY);
  await h.drain();
  expect(await statusOf(as)).toBe('ACTIVE');
});

test('every endpoint that moves money is stopped by its declaration', async () => {
  const as = await h.user();
  await close(as);
  const moving = h.app.features.routes.filter(
    ({ endpoint }) => endpoint.movesMoney && endpoint.auth === 'user',
  );
  expect(moving.length).toBeGreaterThan(20);
  const codes = new Set<string>();
  for (const { id, endpoint } of moving) {
    const caller = { closing: true } as never;
    const { refuseWhileClosing } = await import('#kernel/access/account-closing.ts');
    expect(() => refuseWhileClosing(endpoint, caller)).toThrow('being closed');
    codes.add(id);
  }
  expect(codes).toContain('POST /wallets/fiat/transfers');
});

test('the last admin of an organisation cannot close, also of two at once', async () => {
  const { client_id } = await h.client();
  const [one, two] = [
    await h.user({ client_id, role: 'admin' }),
    await h.user({ client_id, role: 'admin' }),
  ];
  const answers = await Promise.all([close(one), close(two)]);
  expect(answers.map(codeOf).sort()).toEqual([
    [202, undefined],
    [409, 'LAST_ADMIN'],
  ]);
});

test('of twenty closings at once one begins, and all say the same', async () => {
  const as = await h.user();
  const answers = await Promise.all(Array.from({ length: 20 }, () => close(as)));
  const begun = answers.filter(([status]) => status === 202);
  expect(new Set(begun.map(([, { data }]) => data.erases_at)).size).toBe(1);
  expect(answers.map(([status]) => status).every((one) => one === 202 || one === 429)).toBe(true);
  const told = await run(
    h.db,
    `select from events.outbox where type = 'user.closing' and user_id = $1
     union all select from events.log where type = 'user.closing' and user_id = $1`,
    [as.user_id],
  );
  expect(told).toHaveLength(1);
});

test('closing and paying at once loses no money', async () => {
  const { client_id } = await h.client();
  for (let n = 0; n < 10; n += 1) {
    const [as, other] = [await holder(client_id), await holder(client_id, '5')];
    await confirm(as);
    const [closed, paid] = await Promise.all([
      close(as),
      send(other, { to: { user_id: as.user_id }, amount: '5.00' }),
    ]);
    expect(paid[0]).toBe(201);
    if (closed[0] === 202) {
      await h.advance(14 * DAY + 1);
      await h.drain();
      // The money is in the way of the erasure, and its owner is told and can take it.
      expect(await statusOf(as)).toBe('ACTIVE');
      await logInAgain(h, as);
      expect((await closingOf(as)).items).toMatchObject([{ type: 'balance', amount: '5.00' }]);
      expect((await mailTo(h, as.email, /cannot be closed yet/)).text).toContain('USD 5.00');
      expect((await keep(as))[0]).toBe(200);
    } else expect(codeOf(closed)).toEqual([409, 'ACCOUNT_NOT_EMPTY']);
  }
  expect(await sums()).toEqual([]);
});

test('what comes in meanwhile is found at the erasure, and the closing goes on', async () => {
  const as = await h.user();
  await close(as);
  await give(as.user_id, '3');
  await h.advance(14 * DAY + 1);
  await h.drain();
  await logInAgain(h, as);
  expect((await closingOf(as)).items).toMatchObject([
    { type: 'balance', amount: '3.00', currency: 'USD' },
  ]);
  await run(h.db, `update account_closings set looks_at = service_now() where user_id = $1`, [
    as.user_id,
  ]);
  const key = { 'idempotency-key': randomUUID() };
  const body = { from_wallet_id: 1, to: { user_id: 1 }, amount: '1' };
  const refused = await h.call('POST /wallets/fiat/transfers', { as, body, headers: key });
  expect(codeOf(refused)).toEqual([403, 'ACCOUNT_CLOSING']);
  expect(await statusOf(as)).toBe('ACTIVE');
});
