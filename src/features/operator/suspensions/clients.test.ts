import { expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { harness, type Person } from '#test/harness.ts';
import { verifyCompany } from '../../accounts/clients/clients.ts';

const h = await harness();
const operator = await h.operator();
const why = { reason: 'Cards that were stolen' };

const order = (what: 'stop' | 'let-in', client_id: number, as: Person = operator, body = why) =>
  h.call(`POST /clients/{client_id}/${what}`, { as, params: { client_id }, body });
const logIn = ({ email, password }: Person) =>
  h.call('POST /auth/login', { body: { usernameoremail: email, password } });
const become = (client_id: number, client_status: string) =>
  h.db.updateTable('clients').set({ client_status }).where('client_id', '=', client_id).execute();
const statusOf = async (client_id: number) =>
  (
    await h.db
      .selectFrom('clients')
      .select('client_status')
      .where('client_id', '=', client_id)
      .executeTakeFirstOrThrow()
  ).client_status;
const told = async (client_id: number) => {
  await h.kernel.events.settle();
  const query = { type: 'client.*', object: `client:${client_id}` };
  const [, { data }] = await h.call('GET /events', { as: operator, query });
  return data.events.map(({ type }: { type: string }) => type).toReversed();
};
const audit = async (client_id: number) =>
  (
    await h.db
      .selectFrom('activity_log')
      .select(['action', 'actor_user_id', 'details'])
      .where('client_id', '=', client_id)
      .orderBy('id')
      .execute()
  ).map(({ action, actor_user_id, details }) => [action, actor_user_id, details]);

test.each(['PENDING', 'ACTIVE'])(
  'a client that was %s has that status again once reinstated',
  async (was) => {
    const admin = await h.user({ role: 'admin' });
    const { client_id } = admin;
    await become(client_id, was);
    const own = () => h.call('GET /sessions', { as: admin });
    expect((await own())[0]).toBe(200);
    const stopped = { is_stopped: true, stopped_by: operator.user_id, ...why };
    expect(await order('stop', client_id)).toMatchObject([
      200,
      { client_id, client_status: 'SUSPENDED', ...stopped, stopped_at: expect.any(String) },
    ]);
    // The very next request of this process.
    expect(await own()).toMatchObject([403, { code: 'ACCOUNT_NOT_ACTIVE' }]);
    expect((await logIn(admin))[0]).toBe(403);
    const free = { is_stopped: false, reason: null, stopped_by: null, stopped_at: null };
    const back = { reason: 'It was a mistake' };
    expect(await order('let-in', client_id, operator, back)).toMatchObject([
      200,
      { client_id, client_status: was, ...free },
    ]);
    expect((await own())[0]).toBe(200);
    expect((await logIn(admin))[0]).toBe(200);
    expect(await told(client_id)).toEqual(['client.stopped', 'client.let_in']);
    expect(await audit(client_id)).toEqual([
      ['CLIENT_STOPPED', operator.user_id, why],
      ['CLIENT_LET_IN', operator.user_id, back],
    ]);
  },
);

test('of twenty concurrent suspensions and twenty reinstatements one of each counts', async () => {
  const { client_id } = await h.client();
  const twenty = (what: 'stop' | 'let-in') =>
    Promise.all(Array.from({ length: 20 }, () => order(what, client_id)));
  for (const what of ['stop', 'let-in'] as const) {
    const answers = await twenty(what);
    const [first] = answers;
    for (const answer of answers) expect(answer).toEqual([200, first?.[1]]);
  }
  expect(await told(client_id)).toEqual(['client.stopped', 'client.let_in']);
  expect(await audit(client_id)).toHaveLength(2);
});

test('a review during a suspension decides the status afterwards', async () => {
  const { client_id } = await h.client();
  await order('stop', client_id);
  await transact(h.db, (tx) => verifyCompany(tx, client_id, 'APPROVED'));
  expect(await statusOf(client_id)).toBe('SUSPENDED');
  await order('let-in', client_id);
  expect(await statusOf(client_id)).toBe('ACTIVE');
  await order('stop', client_id);
  await transact(h.db, (tx) => verifyCompany(tx, client_id, 'REJECTED'));
  await order('let-in', client_id);
  expect(await statusOf(client_id)).toBe('PENDING');
});

test('the endpoint reinstates a client that SQL suspended, with its earlier status', async () => {
  const { client_id } = await h.client();
  await become(client_id, 'ACTIVE');
  await become(client_id, 'whatever else');
  const unknown = { is_stopped: true, reason: null, stopped_by: null, stopped_at: null };
  expect(await order('stop', client_id)).toMatchObject([200, unknown]);
  await order('let-in', client_id);
  expect(await statusOf(client_id)).toBe('ACTIVE');
});

test('without a kept status the review of the company decides a reinstatement', async () => {
  for (const [ekyb_status, became] of [
    ['APPROVED', 'ACTIVE'],
    ['PENDING', 'PENDING'],
  ] as const) {
    const { client_id } = await h.client();
    await become(client_id, 'SUSPENDED');
    const before = { ekyb_status, status_before_stop: null };
    await h.db.updateTable('clients').set(before).where('client_id', '=', client_id).execute();
    await order('let-in', client_id);
    expect(await statusOf(client_id)).toBe(became);
  }
});

test('only the operator suspends clients, and never its own', async () => {
  const admin = await h.user({ role: 'admin' });
  const user = await h.user({ client_id: admin.client_id });
  for (const what of ['stop', 'let-in'] as const)
    for (const as of [admin, user])
      expect(await order(what, admin.client_id, as)).toMatchObject([403, { code: 'FORBIDDEN' }]);
  expect(await order('stop', 1)).toMatchObject([403, { code: 'FORBIDDEN' }]);
  expect((await h.call('GET /sessions', { as: operator }))[0]).toBe(200);
  const nowhere = { code: 'CLIENT_NOT_FOUND' };
  expect(await order('stop', 9_999_999)).toMatchObject([404, nowhere]);
  expect(await order('let-in', 9_999_999)).toMatchObject([404, nowhere]);
  for (const reason of ['', '  ', 'x'.repeat(501)])
    expect((await order('stop', admin.client_id, operator, { reason }))[0]).toBe(400);
});

test('a timeline shows that a client and its users are suspended, and why', async () => {
  const admin = await h.user({ role: 'admin' });
  await order('stop', admin.client_id);
  const found = async (q: string) => {
    const [, { data }] = await h.call('GET /desk/timeline', { as: operator, query: { q } });
    return data;
  };
  const { people, clients } = await found(admin.email);
  expect(people).toMatchObject([{ user_id: admin.user_id, is_stopped: false, reason: null }]);
  const stopped = { client_id: admin.client_id, is_stopped: true, ...why };
  expect(clients).toMatchObject([stopped]);
  expect((await found(clients[0].client_code)).clients).toMatchObject([stopped]);
  expect((await found(clients[0].email)).clients).toMatchObject([stopped]);
});
