import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();

let serial = 0;
const create = (as: Person) => {
  serial += 1;
  const [username, email] = [`person-${serial}`, `person-${serial}@example.test`];
  const body = { client_id: as.client_id, username, email, phone: '+15550123', country_code: 'US' };
  return h.call('POST /admins/users', { as, body });
};

test('an admin reads the actions of admins on their client, page by page', async () => {
  const as = await h.user({ role: 'admin' });
  for (let n = 0; n < 3; n += 1) await create(as);
  await h.call('POST /clients/create-instance', { as, body: { instance_name: 'x' } });
  await create(await h.user({ role: 'admin' }));
  const audit = async (query: Record<string, string | number>) =>
    (await h.call('GET /admins/audit', { as, query }))[1];
  const first = await audit({ limit: 3 });
  expect(first.entries.map(({ action }: { action: string }) => action)).toEqual([
    'INSTANCE_CREATE',
    'ADMIN_CREATE_USER',
    'ADMIN_CREATE_USER',
  ]);
  expect(first).toMatchObject({ has_more: true, next_before: first.entries[2].id });
  expect(first.entries[0]).toMatchObject({
    client_id: as.client_id,
    actor_user_id: as.user_id,
    actor_username: as.username,
    details: { instance_name: 'x' },
  });
  const rest = await audit({ limit: 3, before: first.next_before });
  expect(rest).toMatchObject({ entries: [{ action: 'ADMIN_CREATE_USER' }], has_more: false });
  expect((await audit({ action: 'INSTANCE_CREATE' })).entries).toHaveLength(1);
  const [, all] = await h.call('GET /admins/audit', { as: await h.operator() });
  expect(new Set(all.entries.map((e: { client_id: number }) => e.client_id)).size).toBeGreaterThan(
    1,
  );
  const bad = await h.call('GET /admins/audit', { as, query: { action: "x' or 1=1" } });
  expect(bad[0]).toBe(400);
});

test('admins cannot read users’ own actions', async () => {
  const as = await h.user({ role: 'admin' });
  const user = await h.user({ client_id: as.client_id });
  for (const by of [user, as]) await h.call('POST /keys/sdk-key', { as: by, body: {} });
  const [, { entries }] = await h.call('GET /admins/audit', { as });
  expect(entries).toMatchObject([{ action: 'API_KEY_CREATED', actor_user_id: as.user_id }]);
  expect((await h.call('GET /admins/audit', { as: user }))[0]).toBe(403);
});

test('the whole log is available as a table', async () => {
  const as = await h.user({ role: 'admin' });
  for (let n = 0; n < 2; n += 1) await create(as);
  const headers = { accept: 'text/csv' };
  const { status, body } = await h.send('GET /admins/audit', { as, headers });
  const [head, ...rows] = String(body).trimEnd().split('\r\n');
  expect([status, head]).toEqual([
    200,
    'id,action,client_id,actor_user_id,actor_username,subject_user_id,details,ip,user_agent,request_id,at',
  ]);
  expect(rows.map((row) => row.split(',')[1])).toEqual(['ADMIN_CREATE_USER', 'ADMIN_CREATE_USER']);
});
