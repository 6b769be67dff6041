import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { harness, type Person } from '#test/harness.ts';
import { mailTo } from '#test/mails.ts';

const h = await harness();
const CREATE = 'POST /admins/users';

let serial = 0;
const request = (client_id: number, fields: object = {}) => {
  serial += 1;
  return {
    client_id,
    username: `person-${serial}`,
    email: `person-${serial}@example.test`,
    phone: '+15550123',
    country_code: 'US',
    ...fields,
  };
};
const create = (as: Person, fields: object = {}) =>
  h.call(CREATE, { as, body: request(as.client_id, fields) });
const approve = (as: Person, user_id: number | string) =>
  h.call('POST /admins/approve-kyc/{user_id}', { as, params: { user_id } });
const read = (as: Person, user_id: number | string) =>
  h.call('GET /admins/users/{user_id}', { as, params: { user_id } });
const actions = async (user_id: number) =>
  (
    await h.db
      .selectFrom('activity_log')
      .selectAll()
      .where('subject_user_id', '=', user_id)
      .orderBy('id')
      .execute()
  ).map(({ action, actor_user_id }) => [action, actor_user_id]);

test('an admin creates a verified user, who logs in with the temporary password of the mail', async () => {
  const as = await h.user({ role: 'admin' });
  const body = request(as.client_id, { is_wishlist: true });
  const [status, answer] = await h.call(CREATE, { as, body });
  expect([status, answer]).toEqual([
    201,
    {
      message: expect.any(String),
      user: {
        user_id: expect.any(Number),
        username: body.username,
        email: body.email,
        phone: body.phone,
        role: 'user',
        user_status: 'ACTIVE',
        created: expect.stringMatching(/Z$/),
        updated: expect.stringMatching(/Z$/),
        is_wishlist: true,
      },
      temp_password: expect.stringMatching(/^User\d{13}!$/),
      ekyc_status: 'APPROVED',
    },
  ]);
  const mail = await mailTo(h, body.email, /^Welcome/);
  expect(mail.text).toContain(`\nPassword: ${answer.temp_password}\n`);
  const [loggedIn, session] = await h.call('POST /auth/login', {
    body: { usernameoremail: body.email, password: answer.temp_password },
  });
  expect([loggedIn, session.data.user.ekyc_status]).toEqual([200, 'APPROVED']);
  expect(await actions(answer.user.user_id)).toContainEqual(['ADMIN_CREATE_USER', as.user_id]);
  expect(h.logs.join('\n')).not.toContain(answer.temp_password);
});

test('role and wishlist have defaults, and an admin may be created', async () => {
  const as = await h.user({ role: 'admin' });
  expect((await create(as))[1].user).toMatchObject({ role: 'user', is_wishlist: false });
  expect((await create(as, { role: 'admin' }))[1].user.role).toBe('admin');
});

test.each(['client_id', 'username', 'email', 'phone', 'country_code'])(
  'without %s no user is created',
  async (field) => {
    const as = await h.user({ role: 'admin' });
    const body: Record<string, unknown> = request(as.client_id);
    delete body[field];
    const [status, answer] = await h.call(CREATE, { as, body });
    expect([status, answer.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.error).toContain(field);
  },
);

test.each([
  { role: 'root' },
  { is_wishlist: 'yes' },
  { client_id: -1 },
  { email: 'x' },
  { username: 'a\r\nLink: http://evil.example' },
  { phone: {} },
])('%j is refused', async (fields) => {
  const as = await h.user({ role: 'admin' });
  expect(await create(as, fields)).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
});

test('an e-mail address is registered once under a client, and may be under another', async () => {
  const as = await h.user({ role: 'admin' });
  const email = 'twice@example.test';
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(as, { email })));
  expect(answers.map(([status]) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
  expect(answers.find(([status]) => status === 400)?.[1]).toMatchObject({
    error: 'Email already registered under this client',
    code: 'EMAIL_EXISTS',
  });
  expect((await create(await h.user({ role: 'admin' }), { email }))[0]).toBe(201);
});

test('a client that is unknown or out of reach is 404; the operator reaches all', async () => {
  const as = await h.user({ role: 'admin' });
  const { client_id } = await h.client();
  const missing = [404, { error: 'Client not found', code: 'CLIENT_NOT_FOUND' }];
  expect(await create(as, { client_id })).toMatchObject(missing);
  expect(await create(as, { client_id: 999_999 })).toMatchObject(missing);
  expect((await create(await h.operator(), { client_id }))[0]).toBe(201);
  expect((await create(as, { country_code: 'XX' }))[1].code).toBe('NO_PSP_FOR_COUNTRY');
});

test('a repetition after a crash answers the same user and the same password', async () => {
  const as = await h.user({ role: 'admin' });
  const body = request(as.client_id);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await h.call(CREATE, { as, body, headers });
  await run(
    h.db,
    `update idempotency_keys set status = null, answer = null,
       lease_until = now() - interval '1 hour'`,
    [],
  );
  expect(await h.call(CREATE, { as, body, headers })).toEqual(first);
  await h.drain();
  expect(await h.messages(body.email)).toHaveLength(1);
  const { rows } = await h.kernel.pool.query('select sealed_password from account_creations');
  expect(JSON.stringify(rows)).not.toContain(first[1].temp_password);
});

test('a request’s creation is forgotten when its answer is no longer repeated', async () => {
  await create(await h.user({ role: 'admin' }));
  await h.advance(27 * 3600);
  await h.drain();
  expect(await h.db.selectFrom('account_creations').selectAll().execute()).toEqual([]);
});

test('admins are listed newest first, each client its own', async () => {
  const first = await h.user({ role: 'admin', ekyc_status: 'APPROVED' });
  const second = await h.user({ role: 'admin', client_id: first.client_id });
  await h.user({ client_id: first.client_id });
  const [status, body] = await h.call('GET /admins/list', { as: first });
  const shown = ({ user_id, username, email }: Person, kyc_status: string) => ({
    user_id,
    username,
    email,
    user_status: 'ACTIVE',
    kyc_status,
  });
  expect([status, body]).toEqual([
    200,
    { admins: [shown(second, 'PENDING'), shown(first, 'APPROVED')] },
  ]);
  const page = (query: Record<string, number>) => h.call('GET /admins/list', { as: first, query });
  expect(await page({ limit: 1 })).toEqual([200, { admins: [shown(second, 'PENDING')] }]);
  expect(await page({ before: second.user_id })).toEqual([
    200,
    { admins: [shown(first, 'APPROVED')] },
  ]);
  const [, all] = await h.call('GET /admins/list', { as: await h.operator() });
  const ids = all.admins.map(({ user_id }: Person) => user_id);
  expect(ids).toEqual(expect.arrayContaining([first.user_id, second.user_id]));
});

test('a client without admins has an empty list, which is a 404', async () => {
  const { client_id } = await h.client();
  const route = h.app.features.routes.find(({ id }) => id === 'GET /admins/list');
  const caller = { user_id: 0, client_id, role: 'admin', operator: false };
  const answer = await route?.endpoint.handler({ caller, query: {}, db: h.db } as never);
  expect(answer).toMatchObject({ status: 404, body: { admins: [] } });
});

test('an approval activates and verifies a pending user, and is logged', async () => {
  const as = await h.user({ role: 'admin' });
  const user = await h.user({ client_id: as.client_id, ekyc_status: 'PENDING' });
  await h.db
    .updateTable('users')
    .set({ user_status: 'PENDING' })
    .where('user_id', '=', user.user_id)
    .execute();
  const [status, body] = await approve(as, user.user_id);
  expect([status, body]).toEqual([
    200,
    {
      message: expect.any(String),
      user: {
        user_id: user.user_id,
        username: user.username,
        email: user.email,
        ekyc_status: 'APPROVED',
        user_status: 'ACTIVE',
      },
    },
  ]);
  const [, { user: now, psp_a_integration }] = await read(as, user.user_id);
  expect(now).toMatchObject({ ekyc_status: 'APPROVED', user_status: 'ACTIVE' });
  expect(now.ekyc_verified_at).toMatch(/Z$/);
  expect(psp_a_integration).toBeNull();
  expect(await actions(user.user_id)).toEqual([['ADMIN_APPROVE_KYC', as.user_id]]);
  // A second approval changes nothing, not even the time.
  expect((await approve(as, user.user_id))[0]).toBe(200);
  expect((await read(as, user.user_id))[1].user.ekyc_verified_at).toBe(now.ekyc_verified_at);
  const history = await h.db
    .selectFrom('verification_history')
    .select('status')
    .where('user_id', '=', user.user_id)
    .execute();
  expect(history).toEqual([{ status: 'APPROVED' }]);
  expect(await actions(user.user_id)).toEqual([['ADMIN_APPROVE_KYC', as.user_id]]);
});

test('of concurrent approvals one counts, and a blocked user stays blocked', async () => {
  const as = await h.user({ role: 'admin' });
  const user = await h.user({ client_id: as.client_id, ekyc_status: 'PENDING' });
  const all = await Promise.all(Array.from({ length: 8 }, () => approve(as, user.user_id)));
  expect(all.map(([status]) => status)).toEqual(Array(8).fill(200));
  expect(await actions(user.user_id)).toEqual([['ADMIN_APPROVE_KYC', as.user_id]]);
  await h.db
    .updateTable('users')
    .set({ user_status: 'INACTIVE' })
    .where('user_id', '=', user.user_id)
    .execute();
  expect(await approve(as, user.user_id)).toMatchObject([
    200,
    { user: { ekyc_status: 'APPROVED', user_status: 'INACTIVE' } },
  ]);
  expect((await read(as, user.user_id))[1].user.user_status).toBe('INACTIVE');
});

test('the approval of a client’s admin approves the client, wherever it is shown', async () => {
  const operator = await h.operator();
  const admin = await h.user({ role: 'admin', ekyc_status: 'PENDING' });
  const user = await h.user({ client_id: admin.client_id, ekyc_status: 'PENDING' });
  const shown = async () => {
    const body = { usernameoremail: admin.email, password: admin.password };
    const [, login] = await h.call('POST /auth/login', { body });
    const [, [listed]] = await h.call('GET /clients', { as: admin });
    await h.call('POST /clients/create-instance', { as: admin, body: { instance_name: 'One' } });
    const [, { instances }] = await h.call('GET /clients/my-instances', { as: admin });
    return [login.data.client, listed, instances[0]].map(({ ekyc_status }) => ekyc_status);
  };
  await approve(operator, user.user_id);
  expect(await shown()).toEqual(['PENDING', 'PENDING', 'PENDING']);
  await approve(operator, admin.user_id);
  expect(await shown()).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
});

test('a person’s approval does not reverse the decision about their company', async () => {
  const admin = await h.user({ role: 'admin', ekyc_status: 'PENDING' });
  await h.db
    .updateTable('clients')
    .set({ ekyc_status: 'REJECTED', ekyb_status: 'REJECTED' })
    .where('client_id', '=', admin.client_id)
    .execute();
  expect((await approve(admin, admin.user_id))[0]).toBe(200);
  const [, [client]] = await h.call('GET /clients', { as: admin });
  expect(client.ekyc_status).toBe('REJECTED');
});

test('an unknown, unreachable or rejected user cannot be approved', async () => {
  const as = await h.user({ role: 'admin' });
  const denied = [404, { error: 'User not found or cannot be approved' }];
  const rejected = await h.user({ client_id: as.client_id, ekyc_status: 'REJECTED' });
  const foreign = await h.user({ ekyc_status: 'PENDING' });
  for (const user_id of [999_999, rejected.user_id, foreign.user_id])
    expect(await approve(as, user_id)).toMatchObject(denied);
  expect((await approve(as, 'abc'))[0]).toBe(400);
  expect((await approve(foreign, foreign.user_id))[0]).toBe(403);
  expect(await actions(foreign.user_id)).toEqual([]);
});

test('an admin reads users of the own client only', async () => {
  const as = await h.user({ role: 'admin' });
  const user = await h.user({ client_id: as.client_id });
  const [status, body] = await read(as, user.user_id);
  expect(status).toBe(200);
  expect(body.user).toMatchObject({
    user_id: user.user_id,
    client_id: as.client_id,
    client_type: 'BUSINESS',
    country_code: 'US',
    ekyc_status: 'Not yet Submit',
    ekyc_verified_at: null,
  });
  expect(JSON.stringify(body)).not.toMatch(/password/i);
  const foreign = await h.user();
  const missing = [404, { error: 'User not found' }];
  expect(await read(as, foreign.user_id)).toMatchObject(missing);
  expect(await read(as, 999_999)).toMatchObject(missing);
  expect((await read(as, '0'))[0]).toBe(400);
  expect((await read(await h.operator(), foreign.user_id))[0]).toBe(200);
});

test('an admin sees both verifications of a user, and their deciders', async () => {
  const as = await h.user({ role: 'admin' });
  const { user_id } = await h.user({ client_id: as.client_id });
  const at = '2026-03-04T05:06:07.000Z';
  const verification = { user_id, status: 'APPROVED', verified_at: at, provider: 'IDV' };
  await h.db
    .insertInto('verifications')
    .values([
      { ...verification, kind: 'KYC', applicant_id: `person-${user_id}` },
      { ...verification, kind: 'KYB', applicant_id: `company-${user_id}` },
    ])
    .execute();
  expect((await read(as, user_id))[1].user).toMatchObject({
    ekyc_status: 'APPROVED',
    ekyc_verified_at: at,
    ekyc_provider: 'IDV',
    ekyc_applicant_id: `person-${user_id}`,
    ekyb_status: 'APPROVED',
    ekyb_verified_at: at,
    ekyb_applicant_id: `company-${user_id}`,
  });
});
