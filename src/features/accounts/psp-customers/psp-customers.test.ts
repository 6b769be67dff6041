import { beforeEach, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();
beforeEach(() => h.sandbox('DELETE', '/faults'));

let serial = 0;
const createClient = (fields: object = {}) => {
  serial += 1;
  return h.call('POST /clients/create_with_admin', {
    body: {
      email: `direktur-${serial}@example.test`,
      client_alias: `PT Maju ${serial}`,
      client_type: 'BUSINESS',
      country_code: 'ID',
      phone: '+6281234567890',
      ...fields,
    },
  });
};
const createUser = (as: Person, fields: object = {}) => {
  serial += 1;
  return h.call('POST /admins/users', {
    as,
    body: {
      client_id: as.client_id,
      username: `Siti ${serial}`,
      email: `siti-${serial}@example.test`,
      phone: '+6281234567891',
      country_code: 'ID',
      ...fields,
    },
  });
};
const indonesianAdmin = async () =>
  h.user({ role: 'admin', client_id: (await h.client({ country_code: 'ID' })).client_id });
const read = (as: Person, user_id: number) =>
  h.call('GET /admins/users/{user_id}', { as, params: { user_id } });
const fault = (kind: string, times = 1, ms?: number) =>
  h.sandbox('POST', '/faults', { provider: 'psp-a', kind, times, ...(ms && { ms }) });
const rowsOf = (client_id: number) =>
  h.db
    .selectFrom('psp_customers')
    .selectAll()
    .where('client_id', '=', client_id)
    .orderBy('id')
    .execute();

interface AtProvider {
  id: string;
  type: string;
  kyc?: string;
}
/** The provider's own records of our rows. */
async function atProvider(client_id: number): Promise<AtProvider[]> {
  const references = (await rowsOf(client_id)).map(({ reference_id }) => reference_id);
  return run<AtProvider>(
    h.db,
    `select data->>'id' as id, data->>'type' as type, data->'metadata'->>'kyc_status' as kyc
       from sandbox.records
      where provider = 'psp-a' and kind = 'customer' and data->>'reference_id' = any($1)`,
    [references],
  );
}

/** Lets every pause of a failing job pass, and fails once more. */
async function outwait() {
  for (let n = 0; n < 3; n += 1) {
    await h.advance(3 * 3600);
    await h.drain();
  }
}

test('an Indonesian client and its admin become customers of PSP A at once', async () => {
  const [status, { client, psp_a_integration }] = await createClient();
  expect(status).toBe(201);
  const active = (customer_type: string) => ({
    status: 'ACTIVE',
    customer_id: expect.stringMatching(/^cust-/),
    customer_type,
  });
  expect(psp_a_integration).toEqual({
    psp_provider: 'PSP_A',
    business_customer: active('BUSINESS'),
    admin_customer: active('INDIVIDUAL'),
  });
  const known = await atProvider(client.client_id);
  expect(known.map(({ id }) => id).sort()).toEqual(
    [
      psp_a_integration.business_customer.customer_id,
      psp_a_integration.admin_customer.customer_id,
    ].sort(),
  );
});

test('elsewhere there are no customers', async () => {
  const [, answer] = await createClient({ country_code: 'SG' });
  expect(answer).not.toHaveProperty('psp_a_integration');
  expect(await rowsOf(answer.client.client_id)).toEqual([]);
});

test('a user created for Indonesia becomes one too, with their verification', async () => {
  const as = await indonesianAdmin();
  const [status, { user, psp_a_integration }] = await createUser(as);
  expect([status, psp_a_integration]).toEqual([
    201,
    {
      psp_provider: 'PSP_A',
      customer_status: 'ACTIVE',
      customer_id: expect.stringMatching(/^cust-/),
      customer_type: 'INDIVIDUAL',
      database_id: expect.any(Number),
    },
  ]);
  expect(await atProvider(as.client_id)).toMatchObject([{ kyc: 'APPROVED' }]);
  expect((await read(as, user.user_id))[1].psp_a_integration).toEqual({
    country_code: 'ID',
    psp_provider: 'PSP_A',
    customer_info: {
      customer_id: psp_a_integration.customer_id,
      customer_type: 'INDIVIDUAL',
      status: 'ACTIVE',
      created_at: expect.stringMatching(/Z$/),
    },
  });
});

test('an Indonesian user who is no customer has no customer information', async () => {
  const as = await indonesianAdmin();
  expect((await read(as, as.user_id))[1].psp_a_integration).toEqual({
    country_code: 'ID',
    psp_provider: 'PSP_A',
    customer_info: null,
  });
});

test('an approval is reported to the provider', async () => {
  const [, { client, admin_user }] = await createClient();
  const as = await h.operator();
  const [status, body] = await h.call('POST /admins/approve-kyc/{user_id}', {
    as,
    params: { user_id: admin_user.user_id },
  });
  expect([status, body.psp_a_info]).toEqual([
    200,
    { country_code: 'ID', psp_provider: 'PSP_A', kyc_approved_in_platform: true },
  ]);
  await h.drain();
  const told = (await atProvider(client.client_id)).find(({ type }) => type === 'INDIVIDUAL');
  expect(told?.kyc).toBe('APPROVED');
});

test.each(['refuse', 'drop', 'commit-then-drop', 'error'])(
  'a provider that fails with %s fails no creation, and has each customer once in the end',
  async (kind) => {
    await fault(kind, 6);
    const [status, { client, psp_a_integration }] = await createClient();
    expect([status, psp_a_integration.business_customer]).toMatchObject([
      201,
      { customer_type: 'BUSINESS' },
    ]);
    await h.sandbox('DELETE', '/faults');
    await outwait();
    const rows = await rowsOf(client.client_id);
    expect(rows).toMatchObject([{ status: 'ACTIVE' }, { status: 'ACTIVE' }]);
    const known = await atProvider(client.client_id);
    expect(known.map(({ id }) => id).sort()).toEqual(rows.map((row) => row.customer_id).sort());
  },
);

test('a provider that is back after hours gets the customer, and a later approval', async () => {
  await fault('error', 1000);
  const as = await indonesianAdmin();
  const [status, { user, psp_a_integration }] = await createUser(as);
  expect([status, psp_a_integration]).toMatchObject([
    201,
    { customer_status: 'PENDING', customer_id: null },
  ]);
  await outwait();
  expect(await rowsOf(as.client_id)).toMatchObject([
    { status: 'PENDING', customer_id: null, last_error: expect.any(String) },
  ]);
  const shown = async () => (await read(as, user.user_id))[1].psp_a_integration.customer_info;
  // A user whom the provider does not have yet is no customer.
  expect(await shown()).toBeNull();
  await h.sandbox('DELETE', '/faults');
  await outwait();
  expect(await shown()).toMatchObject({ customer_id: expect.stringMatching(/^cust-/) });
  expect(await rowsOf(as.client_id)).toMatchObject([
    { status: 'ACTIVE', kyc_synced: 'APPROVED', failures: 0, last_error: null },
  ]);
  expect(await atProvider(as.client_id)).toMatchObject([{ kyc: 'APPROVED' }]);
});

test('a slow provider does not delay an answer for long', async () => {
  await fault('delay', 2, 60_000);
  const [status, { client, psp_a_integration }] = await createClient();
  // The provider has not finished its first answer.
  expect(await atProvider(client.client_id)).toEqual([]);
  expect([status, psp_a_integration]).toMatchObject([
    201,
    { business_customer: { status: 'PENDING', customer_id: null } },
  ]);
  await outwait();
  expect(await rowsOf(client.client_id)).toMatchObject([
    { status: 'ACTIVE' },
    { status: 'ACTIVE' },
  ]);
});

test('a customer that the provider refuses is FAILED, and tried again', async () => {
  const [, { client, admin_user }] = await createClient({ country_code: 'SG' });
  const { client_id } = client;
  // Too long a reference for the provider.
  await transact(h.db, async (tx) => {
    await tx
      .insertInto('psp_customers')
      .values({
        client_id,
        user_id: admin_user.user_id,
        psp_provider: 'PSP_A',
        customer_type: 'INDIVIDUAL',
        reference_id: 'x'.repeat(300),
      })
      .execute();
  });
  await run(h.db, 'update users set updated = now() where user_id = $1', [admin_user.user_id]);
  const body = {
    user_id: admin_user.user_id,
    ekyc_status: 'REJECTED',
    ekyc_verified_at: '2026-01-01T00:00:00Z',
    country_code: 'ID',
  };
  expect((await h.call('POST /users/psp_update', { body }))[0]).toBe(200);
  await h.drain();
  expect(await rowsOf(client_id)).toMatchObject([{ status: 'FAILED', customer_id: null }]);
  await h.db
    .updateTable('psp_customers')
    .set({ reference_id: 'short-enough' })
    .where('client_id', '=', client_id)
    .execute();
  await outwait();
  expect(await rowsOf(client_id)).toMatchObject([{ status: 'ACTIVE', kyc_synced: 'REJECTED' }]);
});

test('an existing customer stays ACTIVE when the provider refuses later reports', async () => {
  const as = await indonesianAdmin();
  const [, { user }] = await createUser(as);
  await outwait();
  await h.db
    .updateTable('psp_customers')
    .set({ customer_id: 'unknown-there' })
    .where('user_id', '=', user.user_id)
    .execute();
  const body = {
    user_id: user.user_id,
    ekyc_status: 'REJECTED',
    ekyc_verified_at: '2026-01-01T00:00:00Z',
    country_code: 'ID',
  };
  expect((await h.call('POST /users/psp_update', { body }))[0]).toBe(200);
  await h.drain();
  expect(await rowsOf(as.client_id)).toMatchObject([
    { status: 'ACTIVE', kyc_synced: 'APPROVED', last_error: expect.any(String) },
  ]);
});

test('a customer that is planned many times at once exists once', async () => {
  const as = await indonesianAdmin();
  const body = { client_id: as.client_id };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => createUser(as, { ...body, email: 'satu@example.test' })),
  );
  expect(answers.map(([status]) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
  await outwait();
  expect(await rowsOf(as.client_id)).toHaveLength(1);
  expect(await atProvider(as.client_id)).toHaveLength(1);
});

test('of decisions in quick succession the provider ends up with the last', async () => {
  const as = await indonesianAdmin();
  const [, { user }] = await createUser(as);
  for (const ekyc_status of ['PENDING', 'REJECTED', 'PENDING', 'APPROVED', 'REJECTED'])
    await h.call('POST /users/psp_update', {
      body: {
        user_id: user.user_id,
        ekyc_status,
        ekyc_verified_at: '2026-01-01T00:00:00Z',
        country_code: 'ID',
      },
    });
  await outwait();
  expect(await atProvider(as.client_id)).toMatchObject([{ kyc: 'REJECTED' }]);
});
