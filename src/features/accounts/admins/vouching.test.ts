import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

/** Whose decision about a verification counts. */
const live = await harness({ mock: false });
const mock = await harness();

const approve = (h: typeof live, as: Person, { user_id }: Person) =>
  h.call('POST /admins/approve-kyc/{user_id}', { as, params: { user_id }, body: {} });
const admit = ({ client_id }: Person) =>
  live.db
    .updateTable('clients')
    .set({ client_status: 'ACTIVE' })
    .where('client_id', '=', client_id)
    .execute();
const made = async (as: Person, email: string) =>
  live.call('POST /admins/users', {
    as,
    body: {
      client_id: as.client_id,
      username: 'somebody',
      email,
      phone: '+12025550143',
      country_code: 'ID',
    },
  });

test('out of mock mode no admin approves their own verification, and a hint explains it', async () => {
  const admin = await live.user({ role: 'admin', ekyc_status: 'PENDING' });
  await admit(admin);
  const [status, body] = await approve(live, admin, admin);
  expect([status, body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  expect(body.hint).toMatch(/\/ekyc\/idv\/token/);
  const operator = await live.operator();
  expect(await approve(live, operator, operator)).toMatchObject([403, {}]);
});

test("a client's admin approves its users once the operator has approved the client", async () => {
  const admin = await live.user({ role: 'admin' });
  const user = await live.user({ client_id: admin.client_id, ekyc_status: 'PENDING' });
  const [status, body] = await approve(live, admin, user);
  expect([status, body.code]).toEqual([403, 'CLIENT_NOT_APPROVED']);
  await admit(admin);
  expect(await approve(live, admin, user)).toMatchObject([
    200,
    { user: { ekyc_status: 'APPROVED' } },
  ]);
});

test('users of a client without approval are not approved, here or at providers', async () => {
  const admin = await live.user({ role: 'admin' });
  const [status, pending] = await made(admin, 'pending@example.test');
  expect([status, pending.ekyc_status]).toEqual([201, 'PENDING']);
  const { kyc_status } = await live.db
    .selectFrom('psp_customers')
    .select('kyc_status')
    .where('user_id', '=', pending.user.user_id)
    .executeTakeFirstOrThrow();
  expect(kyc_status).toBe('PENDING');
  await admit(admin);
  expect((await made(admin, 'approved@example.test'))[1].ekyc_status).toBe('APPROVED');
});

test('in mock mode an admin approves any user of the own client, as the contract has it', async () => {
  const admin = await mock.user({ role: 'admin', ekyc_status: 'PENDING' });
  expect((await approve(mock, admin, admin))[0]).toBe(200);
});
