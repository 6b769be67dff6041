import { expect, test } from 'vitest';
import { correcting } from '#test/adjustments.ts';
import { harness, type Person } from '#test/harness.ts';
import { linkIn, mailTo } from '#test/mails.ts';
import { protectedUser } from '#test/two-factor.ts';

/** A suspended user has no order or proposal left that takes effect later. */
const h = await harness({ mock: false, config: { PROFILE_OTP: 'off', SECOND_PERSON_DAYS: '0' } });
const DAY_S = 24 * 3600;
const reason = 'A thief has the session';

const stop = (as: Person, { user_id }: Person, more: object = {}) =>
  h.call('POST /admins/users/{user_id}/stop', {
    as,
    params: { user_id },
    body: { reason, ...more },
  });
const move = (as: Person, { user_id }: Person, email: string) =>
  h.call('POST /admins/users/{user_id}/move-address', {
    as,
    params: { user_id },
    body: { email, reason, current_password: as.password },
  });
const stopByHand = ({ user_id }: Person) =>
  h.db
    .updateTable('users')
    .set({ user_status: 'INACTIVE' })
    .where('user_id', '=', user_id)
    .execute();
const addressOf = async ({ user_id }: Person) =>
  (
    await h.db
      .selectFrom('users')
      .select('email')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
  ).email;
async function typesOf(object: string) {
  await h.kernel.events.settle();
  const { token } = await h.kernel.sessions.open(h.db, {
    user_id: (await h.operator()).user_id,
    method: 'password',
  });
  const [, { data }] = await h.call('GET /events', { as: { token }, query: { object } });
  return data.events.map(({ type }: { type: string }) => type);
}

test('a suspension voids the user’s orders and notifies the owners', async () => {
  const [thief, operator, user] = [await h.operator(), await h.operator(), await protectedUser(h)];
  const [status, { pending_change }] = await move(thief, user, `evil-${user.email}`);
  expect(status).toBe(202);
  const [stopped, { left }] = await stop(operator, thief);
  expect([stopped, left.orders_voided]).toEqual([
    200,
    [{ change_id: pending_change.change_id, user_id: user.user_id, kind: 'email' }],
  ]);
  expect((await mailTo(h, user.email, /called off/)).text).toContain('does not take effect');
  await h.advance(DAY_S + 60);
  await h.drain();
  expect(await addressOf(user)).toBe(user.email);
  expect(await typesOf(`pending_change:${pending_change.change_id}`)).toEqual([
    'pending_change.voided',
    'pending_change.ordered',
  ]);
});

test('an order of a user suspended by SQL, or a former admin, is not applied', async () => {
  for (const end of [
    stopByHand,
    ({ user_id }: Person) =>
      h.db.updateTable('users').set({ role: 'user' }).where('user_id', '=', user_id).execute(),
  ]) {
    const [thief, user] = [await h.operator(), await h.user()];
    await move(thief, user, `evil-${user.email}`);
    await end(thief);
    await h.advance(DAY_S + 60);
    await h.drain();
    expect(await addressOf(user)).toBe(user.email);
    expect((await mailTo(h, user.email, /called off/)).text).toContain('ask the operator');
  }
});

test('the link of a user suspended by SQL confirms nothing, and still refuses', async () => {
  const user = await h.user();
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  const email = `new-${user.email}`;
  await h.call('PUT /users/update_profile/{user_id}', {
    as: admin,
    params: { user_id: user.user_id },
    body: { email, current_password: admin.password },
  });
  const { token } = linkIn(await mailTo(h, user.email, /Confirm/));
  await stopByHand(admin);
  const decide = (decision: string) =>
    h.call('POST /users/confirm-change', { as: 'nobody', body: { token, decision } });
  expect((await decide('confirm'))[0]).toBe(400);
  expect(await addressOf(user)).toBe(user.email);
  expect((await decide('refuse'))[0]).toBe(200);
});

test('a client’s suspension voids its admins’ proposals for good', async () => {
  const [operator, user] = [await h.operator(), await h.user()];
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  const email = `new-${user.email}`;
  await h.call('PUT /users/update_profile/{user_id}', {
    as: admin,
    params: { user_id: user.user_id },
    body: { email, current_password: admin.password },
  });
  const { token } = linkIn(await mailTo(h, user.email, /Confirm/));
  const { change_id } = await h.db
    .selectFrom('pending_changes')
    .select('change_id')
    .where('proposed_by', '=', admin.user_id)
    .executeTakeFirstOrThrow();
  const params = { client_id: user.client_id };
  const order = (what: 'stop' | 'let-in') =>
    h.call(`POST /clients/{client_id}/${what}`, { as: operator, params, body: { reason } });
  const orders_voided = [{ change_id, user_id: user.user_id, kind: 'email' }];
  expect(await order('stop')).toMatchObject([200, { left: { orders_voided } }]);
  expect(await order('stop')).toMatchObject([200, { left: { orders_voided: [] } }]);
  const [again, standing] = await order('let-in');
  expect([again, standing.left]).toEqual([200, undefined]);
  const body = { token, decision: 'confirm' };
  expect((await h.call('POST /users/confirm-change', { as: 'nobody', body }))[0]).toBe(400);
  expect(await addressOf(user)).toBe(user.email);
  expect((await typesOf(`pending_change:${change_id}`))[0]).toBe('pending_change.voided');
});

test('the back office lists all orders in pages, and an operator cancels one', async () => {
  const operator = await h.operator();
  const users = [await h.user(), await h.user(), await h.user()];
  for (const user of users) await move(operator, user, `moved-${user.email}`);
  const page = async (query: Record<string, number>) =>
    (await h.call('GET /desk/orders', { as: operator, query }))[1].data;
  const first = await page({ limit: 2 });
  expect(first.orders).toMatchObject([
    { user_id: users[2]?.user_id, ordered_by: operator.user_id, kind: 'email' },
    { user_id: users[1]?.user_id },
  ]);
  const next = await page({ limit: 2, before: first.pagination.next_before });
  expect(next.orders[0]).toMatchObject({ user_id: users[0]?.user_id });
  const [{ user_id, change_id }] = first.orders;
  const params = { user_id, change_id };
  const id = 'DELETE /users/{user_id}/pending-changes/{change_id}' as const;
  expect((await h.call(id, { as: operator, params }))[0]).toBe(200);
  expect((await page({ limit: 1 })).orders[0].user_id).toBe(users[1]?.user_id);
  expect((await h.call('GET /desk/orders', { as: users[0] as Person }))[0]).toBe(403);
});

test('a suspended admin’s proposals cannot be booked', async () => {
  const { ada, ben, propose, decide, walletOf } = await correcting(h);
  const { wallet_id, currency } = await walletOf(await h.user());
  const wish = { kind: 'adjustment', direction: 'credit', wallet_id, currency, amount: '5' };
  const [, { data }] = await propose(ada, wish);
  const [, { left }] = await stop(ben, ada);
  expect(left.proposals_voided).toEqual([data.adjustment_id]);
  expect(await decide(ben, 'approve', data)).toMatchObject([
    400,
    { error: { details: { status: 'VOIDED' } } },
  ]);
  expect(await typesOf(`adjustment:${data.adjustment_id}`)).toEqual([
    'adjustment.voided',
    'adjustment.proposed',
  ]);
});

test('a suspension pauses webhook endpoints, and lists keys or ends them on request', async () => {
  const thief = await h.user({ role: 'admin' });
  const admin = await h.user({ role: 'admin', client_id: thief.client_id });
  const body = { url: 'https://thief.example/hook', types: ['*'] };
  const [made, { data }] = await h.call('POST /webhook-endpoints', { as: thief, body });
  expect(made).toBeLessThan(300);
  const key = await h.apiKey({ client_id: thief.client_id, user_id: thief.user_id });
  const [, { left }] = await stop(admin, thief);
  const { endpoint_id } = data;
  expect(left.webhook_endpoints).toMatchObject([{ endpoint_id, status: 'paused' }]);
  expect(left.keys).toHaveLength(1);
  const params = { endpoint_id };
  const resumed = await h.call('POST /webhook-endpoints/{endpoint_id}/resume', {
    as: admin,
    params,
    body: {},
  });
  expect(resumed).toMatchObject([200, { data: { status: 'active' } }]);
  expect((await h.call('GET /sessions', { key, as: admin }))[0]).toBe(200);
  const [again, ended] = await stop(admin, thief, { end_keys: true });
  expect([again, ended.left.keys_ended, ended.left.keys]).toEqual([200, 1, []]);
  expect((await h.call('GET /sessions', { key, as: admin }))[0]).toBe(401);
});
