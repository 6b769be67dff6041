import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();

let serial = 0;
async function instance(as: Person, instance_name = `instance-${++serial}`) {
  const [status, body] = await h.call('POST /clients/create-instance', {
    as,
    body: { instance_name },
  });
  expect(status).toBe(201);
  return body.instance;
}
const rename = (as: Person, instance_id: number | string, body: object = { alias: 'Shop' }) =>
  h.call('PUT /clients/{instance_id}/update-alias', { as, params: { instance_id }, body });
const remove = (as: Person, instance_id: number | string) =>
  h.call('DELETE /clients/clients/{instance_id}', { as, params: { instance_id } });
const mine = async (as: Person) => (await h.call('GET /clients/my-instances', { as }))[1].instances;

test('an admin creates an instance and finds it among the client’s', async () => {
  const as = await h.user({ role: 'admin' });
  const [status, body] = await h.call('POST /clients/create-instance', {
    as,
    body: { instance_name: 'web-shop' },
  });
  expect(status).toBe(201);
  expect(body).toEqual({
    message: expect.any(String),
    instance: {
      instance_id: expect.any(Number),
      client_id: as.client_id,
      instance_name: 'web-shop',
      client_alias: null,
      instance_status: 'ACTIVE',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    },
  });
  expect(await h.call('GET /clients/my-instances', { as })).toEqual([
    200,
    {
      instances: [
        {
          instance_id: body.instance.instance_id,
          client_id: as.client_id,
          instance_name: 'web-shop',
          client_alias: null,
          instance_status: 'ACTIVE',
          ekyc_status: 'PENDING',
          client_code: expect.stringMatching(/^CL-/),
          country_code: 'US',
        },
      ],
    },
  ]);
});

test.each([{}, { instance_name: '' }, { instance_name: ' ' }, { instance_name: 5 }])(
  'an instance without a valid name is refused: %j',
  async (body) => {
    const as = await h.user({ role: 'admin' });
    expect(await h.call('POST /clients/create-instance', { as, body })).toMatchObject([
      400,
      { error: 'Instance name is required', details: [{ field: 'instance_name' }] },
    ]);
    expect(await mine(as)).toEqual([]);
  },
);

test('a name is unique within a client, also for concurrent requests, and free in others', async () => {
  const as = await h.user({ role: 'admin' });
  const make = (who: Person) =>
    h.call('POST /clients/create-instance', { as: who, body: { instance_name: 'main' } });
  const answers = await Promise.all(Array.from({ length: 10 }, () => make(as)));
  expect(answers.map(([status]) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  expect(answers.find(([status]) => status === 409)?.[1]).toMatchObject({
    error: 'Instance name already exists for this client',
  });
  expect((await make(await h.user({ role: 'admin' })))[0]).toBe(201);
});

test('an alias is changed, and needs both the alias and the instance', async () => {
  const as = await h.user({ role: 'admin' });
  const { instance_id } = await instance(as);
  expect(await rename(as, instance_id)).toEqual([200, { message: expect.any(String) }]);
  expect((await mine(as))[0].client_alias).toBe('Shop');
  const refused = [400, { error: 'Alias and instance ID are required' }];
  expect(await rename(as, instance_id, {})).toMatchObject(refused);
  expect(await rename(as, 'abc')).toMatchObject(refused);
  expect((await mine(as))[0].client_alias).toBe('Shop');
});

test('only admins of the owning client change or delete an instance, not even the operator', async () => {
  const owner = await h.user({ role: 'admin' });
  const { instance_id } = await instance(owner);
  for (const stranger of [await h.user({ role: 'admin' }), await h.operator()]) {
    expect(await rename(stranger, instance_id)).toMatchObject([403, { code: 'ACCESS_DENIED' }]);
    expect(await remove(stranger, instance_id)).toMatchObject([404, { code: 'NOT_FOUND' }]);
  }
  const user = await h.user({ client_id: owner.client_id });
  expect((await remove(user, instance_id))[0]).toBe(403);
  expect(await mine(owner)).toHaveLength(1);
});

test('an unknown instance answers like one of another client', async () => {
  const as = await h.user({ role: 'admin' });
  const other = await instance(await h.user({ role: 'admin' }));
  const strip = ([status, { request_id, ...body }]: [number, Record<string, unknown>]) => [
    status,
    body,
  ];
  expect(strip(await rename(as, 999_999))).toEqual(strip(await rename(as, other.instance_id)));
  expect(strip(await remove(as, 999_999))).toEqual(strip(await remove(as, other.instance_id)));
});

test('a deleted instance is gone for good, and its name is free again', async () => {
  const as = await h.user({ role: 'admin' });
  const { instance_id, instance_name } = await instance(as);
  expect(await remove(as, instance_id)).toEqual([200, { message: expect.any(String) }]);
  expect(await remove(as, instance_id)).toMatchObject([
    404,
    { error: 'Instance not found or not in your client' },
  ]);
  expect((await remove(as, 'x'))[0]).toBe(400);
  await instance(as, instance_name);
});

test('deleting a client deletes its instances', async () => {
  const { client_id } = await h.client();
  await h.db
    .insertInto('instances')
    .values({ client_id, instance_name: 'x', folded_name: 'x' })
    .execute();
  await h.db.deleteFrom('clients').where('client_id', '=', client_id).execute();
  const left = h.db.selectFrom('instances').selectAll().where('client_id', '=', client_id);
  expect(await left.execute()).toEqual([]);
});

test('an instance of a deleted client is refused as that', async () => {
  const route = (id: string) => h.app.features.routes.find((known) => known.id === id)?.endpoint;
  const caller = { ...(await h.user({ role: 'admin' })), client_id: 999_999 } as never;
  const call = { caller, db: h.db, query: {}, body: { instance_name: 'x' } } as never;
  await expect(route('GET /clients/my-instances')?.handler(call)).rejects.toMatchObject({
    status: 404,
    message: 'Client not found for this user',
  });
  await expect(route('POST /clients/create-instance')?.handler(call)).rejects.toMatchObject({
    status: 404,
  });
});

test('names that look the same are the same, and are stored composed', async () => {
  const as = await h.user({ role: 'admin' });
  const create = (instance_name: string) =>
    h.call('POST /clients/create-instance', { as, body: { instance_name } });
  expect((await create('Prod'))[0]).toBe(201);
  for (const same of ['Prod ', 'prod', ' PROD', 'Ｐrod'])
    expect((await create(same))[0], same).toBe(409);
  expect((await create('Prod\u200b'))[0]).toBe(400);
  const [status, { instance }] = await create(' Pro\u0308d ');
  expect([status, instance.instance_name]).toEqual([201, 'Pröd']);
  expect((await create('PRÖD'))[0]).toBe(409);
});
