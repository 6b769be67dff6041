import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { harness } from '#test/harness.ts';
import { linkOf, mailTo } from '#test/mails.ts';
import { nextClientCode } from './store.ts';

const h = await harness();
const CREATE = 'POST /clients/create_with_admin';

let serial = 0;
const request = (fields: object = {}) => {
  serial += 1;
  return {
    email: `founder-${serial}@example.test`,
    client_alias: `Company ${serial}`,
    client_type: 'BUSINESS',
    country_code: 'SG',
    phone: '+6561234567',
    ...fields,
  };
};
const create = (fields?: object, headers?: Record<string, string>) =>
  h.call(CREATE, { body: request(fields), ...(headers && { headers }) });

const PSPS = { ID: 11, SG: 2, US: 4, IN: 3, AU: 6, VN: 10 };

test('a client comes with an active admin, whose password is mailed with the log-in address', async () => {
  const body = request({ client_status: 'ACTIVE' });
  const [status, answer] = await h.call(CREATE, { body });
  expect(status).toBe(201);
  const month = h.clock.now().toISOString().slice(0, 7).replace('-', '');
  expect(answer).toEqual({
    message: expect.any(String),
    client: {
      client_id: expect.any(Number),
      client_code: expect.stringMatching(new RegExp(`^CL-${month}-\\d{4}$`)),
      email: body.email,
      client_alias: body.client_alias,
      client_type: 'BUSINESS',
      client_status: 'ACTIVE',
      ekyc_status: 'PENDING',
      country_code: 'SG',
      psp_id: 2,
      time_zone: 'Asia/Singapore',
      phone: body.phone,
    },
    admin_user: {
      user_id: expect.any(Number),
      client_id: answer.client.client_id,
      username: body.client_alias,
      email: body.email,
      phone: body.phone,
      role: 'admin',
      user_status: 'ACTIVE',
      ekyc_status: 'PENDING',
    },
    ekyc_status: 'PENDING',
  });
  const mail = await mailTo(h, body.email, /^Welcome/);
  const [, password = ''] = /^Password: (\S{10})$/m.exec(mail.text) ?? [];
  expect(mail.text).toMatch(/^Link: https?:\/\/\S+$/m);
  const [loggedIn, session] = await h.call('POST /auth/login', {
    body: { usernameoremail: body.email, password },
  });
  expect([loggedIn, session.data.user.role]).toEqual([200, 'admin']);
  const [wallet] = await h.db
    .selectFrom('fiat_wallets')
    .select('currency')
    .where('user_id', '=', answer.admin_user.user_id)
    .execute();
  expect(wallet?.currency).toBe('SGD');
  expect(h.logs.join('\n')).not.toContain(password);
});

test('the page at the log-in address of the mail is there', async () => {
  const body = request();
  await h.call(CREATE, { body });
  const reply = await fetch(linkOf(await mailTo(h, body.email, /^Welcome/)));
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Log in')]);
});

test.each(Object.entries(PSPS))('a client in %s gets PSP %i', async (country_code, psp_id) => {
  const [status, { client }] = await create({ country_code: country_code.toLowerCase() });
  expect([status, client.psp_id, client.country_code]).toEqual([201, psp_id, country_code]);
});

test('a country without a PSP, or without a fiat PSP, is refused', async () => {
  const refusal = [400, { error: expect.any(String), code: 'NO_PSP_FOR_COUNTRY' }];
  expect(await create({ country_code: 'BR' })).toMatchObject(refusal);
  await run(
    h.db,
    `insert into psps (psp_id, psp_name, psp_type, country_code, country_name)
     values (900, 'COINS', 'CRYPTO_PSP', 'BR', 'Brazil')`,
    [],
  );
  expect(await create({ country_code: 'BR' })).toMatchObject(refusal);
});

test('among several PSPs of a country priority decides, then age', async () => {
  await run(
    h.db,
    `insert into psps (psp_id, psp_name, country_code, country_name, priority, created_at)
     values (901, 'B', 'NZ', 'New Zealand', 5, '2025-02-01'),
            (902, 'A', 'NZ', 'New Zealand', 5, '2025-01-01'),
            (903, 'C', 'NZ', 'New Zealand', 9, '2024-01-01')`,
    [],
  );
  expect((await create({ country_code: 'NZ' }))[1].client.psp_id).toBe(902);
});

test.each(['email', 'client_alias', 'client_type', 'country_code', 'phone'])(
  'without %s nothing is created',
  async (field) => {
    const body: Record<string, unknown> = request();
    delete body[field];
    const [status, answer] = await h.call(CREATE, { body });
    expect([status, answer.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.error).toContain(field);
    expect(answer.details).toEqual([{ field, message: 'is required' }]);
  },
);

test.each([
  { email: 'nobody' },
  { email: 7 },
  { country_code: 'IDN' },
  { phone: 'call me' },
  { client_alias: '  ' },
  { client_alias: 'two\nlines' },
  { client_alias: 'x'.repeat(101) },
  { client_type: null },
  { client_status: '' },
])('%j is refused and nothing is stored', async (fields) => {
  const clients = () => h.db.selectFrom('clients').select('client_id').execute();
  const before = await clients();
  const [status, answer] = await create(fields);
  expect([status, answer.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(await clients()).toEqual(before);
});

test('an e-mail address belongs to one client, in every spelling', async () => {
  const { email } = request();
  expect((await create({ email }))[0]).toBe(201);
  expect(await create({ email: email.toUpperCase() })).toMatchObject([
    409,
    { error: 'Email already used by another client', code: 'EMAIL_IN_USE' },
  ]);
});

test('twenty concurrent creations get twenty codes without a gap', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
  expect(answers.map(([status]) => status)).toEqual(Array(20).fill(201));
  const numbers = answers.map(([, { client }]) => Number(client.client_code.slice(-4)));
  numbers.sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => (numbers[0] ?? 0) + i));
});

test('the sequence continues after 9999 and restarts with a month', async () => {
  const next = new Date(h.clock.now().getTime());
  await run(
    h.db,
    `insert into clients (client_code, email, client_alias, client_type, country_code, phone)
     values ($1, 'ten-thousand@example.test', 'x', 'x', 'SG', '+651')`,
    [`CL-${next.toISOString().slice(0, 7).replace('-', '')}-9999`],
  );
  expect((await create())[1].client.client_code).toMatch(/-10000$/);
  expect((await create())[1].client.client_code).toMatch(/-10001$/);
});

test('of ten creations with one e-mail address one succeeds', async () => {
  const { email } = request();
  const answers = await Promise.all(Array.from({ length: 10 }, () => create({ email })));
  expect(answers.map(([status]) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
});

test('a repeated Idempotency-Key answers the same client, and mails once', async () => {
  const body = request();
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => h.call(CREATE, { body, headers });
  const first = await send();
  expect(await send()).toEqual(first);
  await h.drain();
  expect(await h.messages(body.email)).toHaveLength(1);
});

test('a repetition finds the client of an attempt that died before its answer', async () => {
  const body = request();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await h.call(CREATE, { body, headers });
  // As after a crash between the creation and the storing of its answer.
  await run(
    h.db,
    `update idempotency_keys set status = null, answer = null,
       lease_until = now() - interval '1 hour'
     where scope in (select scope from idempotency_keys order by created_at desc limit 1)`,
    [],
  );
  expect(await h.call(CREATE, { body, headers })).toEqual(first);
  await h.drain();
  expect(await h.messages(body.email)).toHaveLength(1);
});

test('creations are in the activity log, without the password', async () => {
  const [, { admin_user }] = await create();
  const rows = await h.db
    .selectFrom('activity_log')
    .selectAll()
    .where('subject_user_id', '=', admin_user.user_id)
    .execute();
  expect(rows).toMatchObject([
    { action: 'CLIENT_CREATE', client_id: admin_user.client_id, details: { country_code: 'SG' } },
  ]);
  expect(Object.keys(rows[0]?.details as object)).not.toContain('password');
});

test('an unexpected error leaves nothing behind and has the contract’s words', async () => {
  await run(h.db, 'alter table messages rename to messages_away', []);
  const { email } = request();
  const [status, answer] = await create({ email });
  await run(h.db, 'alter table messages_away rename to messages', []);
  expect([status, answer.error]).toEqual([500, 'Failed to create Client']);
  expect(await h.db.selectFrom('users').where('email', '=', email).selectAll().execute()).toEqual(
    [],
  );
  expect((await create({ email }))[0]).toBe(201);
});

test('admins list their own client, the operator all of them, newest first', async () => {
  const admin = await h.user({ role: 'admin' });
  const [status, own] = await h.call('GET /clients', { as: admin });
  expect(status).toBe(200);
  expect(own).toEqual([
    expect.objectContaining({
      client_id: admin.client_id,
      client_code: expect.any(String),
      created: expect.stringMatching(/Z$/),
      updated: expect.stringMatching(/Z$/),
    }),
  ]);
  const operator = await h.operator();
  const [, all] = await h.call('GET /clients', { as: operator });
  const ids = all.map(({ client_id }: { client_id: number }) => client_id);
  expect(ids).toEqual([...ids].sort((a: number, b: number) => b - a));
  expect(ids).toContain(admin.client_id);
  const [, page] = await h.call('GET /clients', {
    as: operator,
    query: { limit: 1, before: ids[0] },
  });
  expect(page.map(({ client_id }: { client_id: number }) => client_id)).toEqual([ids[1]]);
});

test('users list no clients, and a wrong page is refused', async () => {
  expect((await h.call('GET /clients', { as: await h.user() }))[0]).toBe(403);
  const as = await h.user({ role: 'admin' });
  expect((await h.call('GET /clients', { as, query: { limit: 0 } }))[0]).toBe(400);
});

test('clients are numbered on after the ten-thousandth of a month', async () => {
  const month = h.clock.now().toISOString().slice(0, 7).replace('-', '');
  const highest = { client_code: `CL-${month}-10009` };
  const { client_id } = await h.client();
  await h.db.updateTable('clients').set(highest).where('client_id', '=', client_id).execute();
  expect(await transact(h.db, (tx) => nextClientCode(tx, h.clock.now()))).toBe(`CL-${month}-10010`);
});
