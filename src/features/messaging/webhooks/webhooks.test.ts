import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import { admin, deliver, endpointOf, happening, receiver, tell, with1 } from '#test/webhooks.ts';

const h = await harness({ features: happening, config: { WEBHOOK_PRIVATE: 'refuse' } });
const URL = 'https://hooks.example.com/archipay';
const make = (as: Person, body: object = {}) =>
  h.call('POST /webhook-endpoints', { as, body: { url: URL, types: ['test.*'], ...body } });

test('an endpoint is made, read, changed and deleted', async () => {
  const as = await admin(h);
  const fields = { description: 'Orders', headers: { Authorization: 'Bearer x' }, rate_limit: 50 };
  const [status, { data }] = await make(as, fields);
  expect(status).toBe(201);
  expect(data).toMatchObject({
    client_id: as.client_id,
    url: URL,
    types: ['test.*'],
    description: 'Orders',
    payload: 'fat',
    ordering: 'object',
    concurrency: 8,
    rate_limit: 50,
    status: 'active',
    headers: ['Authorization'],
  });
  expect(data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { endpoint_id } = data;
  const { secret: _secret, ...shown } = data;
  expect(await with1(h, as, endpoint_id, ['GET', ''])).toEqual(shown);
  const [, list] = await h.call('GET /webhook-endpoints', { as });
  expect(list.data).toEqual({ endpoints: [shown], has_more: false, next_after: null });
  const changed = await with1(h, as, endpoint_id, [
    'PATCH',
    '',
    { types: ['*'], rate_limit: null, payload: 'thin' },
  ]);
  expect(changed).toMatchObject({ types: ['*'], rate_limit: null, payload: 'thin', url: URL });
  await with1(h, as, endpoint_id, ['DELETE', '']);
  await expect(with1(h, as, endpoint_id, ['GET', ''])).rejects.toThrow('404');
});

test('no secret is readable in the database, nor in an event or a log', async () => {
  const as = await admin(h);
  const header = 'the-token-of-their-gateway';
  const { secret } = await endpointOf(h, as, { url: URL, headers: { 'x-token': header } });
  await deliver(h);
  const rows = await Promise.all([
    h.db.selectFrom('webhooks.endpoints').selectAll().execute(),
    h.db.selectFrom('events.log').selectAll().execute(),
    h.db.selectFrom('activity_log').selectAll().execute(),
  ]);
  const kept = JSON.stringify(rows) + h.logs.join('\n');
  expect(kept).not.toContain(header);
  expect(kept).not.toContain(secret.slice('whsec_'.length));
});

test.each([
  ['http://hooks.example.com', 'must begin with https://'],
  ['https://127.0.0.1/x', 'leads to an address that is not public'],
  ['https://[::ffff:10.0.0.1]/x', 'leads to an address that is not public'],
  ['https://localhost/x', 'leads to an address that is not public'],
  ['https://me:secret@hooks.example.com', 'must not have a user name'],
  ['https://hooks.example.com:22', 'has a port that is not called'],
  ['hooks', 'is not an absolute URL'],
])('%s is refused, and why', async (url, why) => {
  const as = await admin(h);
  const [status, { error }] = await make(as, { url });
  expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(error.message).toContain(why);
  const { endpoint_id } = await endpointOf(h, as, { url: URL });
  await expect(with1(h, as, endpoint_id, ['PATCH', '', { url }])).rejects.toThrow(why);
});

test.each([
  [{ types: ['payment.vanished'] }, 'There is no type of event payment.vanished'],
  [{ types: [] }, 'types'],
  [{ types: ['*', '*'] }, 'types'],
  [{ types: ['Pay ment'] }, 'types'],
  [{ concurrency: 33 }, 'concurrency'],
  [{ rate_limit: 0 }, 'rate_limit'],
  [{ ordering: 'none' }, 'ordering'],
  [{ headers: { 'webhook-id': 'x' } }, 'headers must not have webhook-id'],
  [{ headers: { Host: 'x' } }, 'headers must not have Host'],
  [{ headers: { 'x-a': 'line\nbreak' } }, 'printable ASCII'],
  [
    { headers: Object.fromEntries([...Array(11).keys()].map((n) => [`x-${n}`, ''])) },
    'at the most',
  ],
])('%j is refused, and why', async (fields, why) => {
  const [status, { error }] = await make(await admin(h), fields);
  expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(JSON.stringify(error)).toContain(why);
});

test('a client has twenty endpoints at most, also by concurrent requests', async () => {
  const as = await admin(h);
  const answers = await Promise.all([...Array(25).keys()].map(() => make(as)));
  expect(answers.filter(([status]) => status === 201)).toHaveLength(20);
  const [, refused] = answers.find(([status]) => status !== 201) ?? [];
  expect(refused.error).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: 'A client has 20 webhook endpoints at the most',
  });
});

test('admins manage those of their client, the operator all, others none', async () => {
  const as = await admin(h);
  const { endpoint_id } = await endpointOf(h, as, { url: URL });
  const plain = await h.user({ client_id: as.client_id });
  const foreign = await admin(h);
  const ways = ['GET', 'DELETE'].map((method) => [method, ''] as const);
  const acts = ['/pause', '/resume', '/test', '/rotate-secret'].map(
    (way) => ['POST', way, {}] as const,
  );
  const lists = ['/deliveries', '/attempts', '/attempts/1'].map((way) => ['GET', way] as const);
  for (const way of [...ways, ['PATCH', '', {}] as const, ...acts, ...lists]) {
    await expect(with1(h, foreign, endpoint_id, way)).rejects.toThrow(/^404 .*no such webhook/);
    await expect(with1(h, plain, endpoint_id, way)).rejects.toThrow(/^403/);
  }
  const [, none] = await h.call('GET /webhook-endpoints', { as: foreign });
  expect(none.data.endpoints).toEqual([]);
  expect((await make(foreign, { client_id: as.client_id }))[0]).toBe(404);
  const operator = await h.operator();
  expect(await with1(h, operator, endpoint_id, ['GET', ''])).toMatchObject({ endpoint_id });
  expect((await make(operator, { client_id: as.client_id }))[0]).toBe(201);
});

test('so do the keys that admins have made, while they are admins', async () => {
  const as = await admin(h);
  const { client_id, user_id } = as;
  const key = await h.apiKey({ client_id, user_id });
  const [status, { data }] = await h.call('POST /webhook-endpoints', {
    key,
    body: { url: URL, types: ['*'] },
  });
  expect([status, data?.client_id]).toEqual([201, client_id]);
  const plain = await h.user({ client_id });
  const narrow = { key: await h.apiKey({ client_id, user_id: plain.user_id }) };
  const { endpoint_id } = data;
  const read = (keyed: object) =>
    h.call('GET /webhook-endpoints/{endpoint_id}', { params: { endpoint_id }, ...keyed });
  expect((await read({ key }))[0]).toBe(200);
  expect((await read(narrow))[0]).toBe(404);
  const reading = await h.apiKey({ client_id, user_id, scopes: ['webhook-endpoints:read'] });
  expect((await read({ key: reading }))[0]).toBe(200);
  expect((await h.call('POST /webhook-endpoints', { key: reading, body: {} }))[0]).toBe(403);
  await h.db.updateTable('users').set({ role: 'user' }).where('user_id', '=', user_id).execute();
  expect((await read({ key }))[0]).toBe(404);
});

test('a key of the operator’s manages those of all, as its admin does, and no longer than that', async () => {
  const as = await admin(h);
  const { endpoint_id } = await endpointOf(h, as, { url: URL });
  const { client_id, user_id } = await h.operator();
  const key = await h.apiKey({ client_id, user_id });
  const plain = await h.user({ client_id });
  const listed = async (keyed: object, query = {}) => {
    const [status, body] = await h.call('GET /webhook-endpoints', { ...keyed, query });
    expect(status).toBe(200);
    return body.data.endpoints.map((one: { endpoint_id: string }) => one.endpoint_id);
  };
  const read = async (keyed: object) =>
    (
      await h.call('GET /webhook-endpoints/{endpoint_id}', { params: { endpoint_id }, ...keyed })
    )[0];
  expect(await listed({ key })).toContain(endpoint_id);
  expect(await listed({ key }, { client_id: as.client_id })).toEqual([endpoint_id]);
  expect(await read({ key })).toBe(200);
  const body = { url: URL, types: ['*'], client_id: as.client_id };
  const [status, { data }] = await h.call('POST /webhook-endpoints', { key, body });
  expect([status, data?.client_id]).toEqual([201, as.client_id]);

  const foreign = await admin(h);
  const others = [
    { key: await h.apiKey({ client_id, user_id: plain.user_id }) },
    { key: await h.apiKey({ client_id: foreign.client_id, user_id: foreign.user_id }) },
    // Of the operator's client, and yet by an admin of another.
    { key: await h.apiKey({ client_id, user_id: foreign.user_id }) },
  ];
  for (const other of others) {
    expect(await listed(other)).toEqual([]);
    expect(await listed(other, { client_id: as.client_id })).toEqual([]);
    expect(await read(other)).toBe(404);
    expect((await h.call('POST /webhook-endpoints', { ...other, body }))[0]).toBe(404);
  }
  await h.db.updateTable('users').set({ role: 'user' }).where('user_id', '=', user_id).execute();
  expect([await listed({ key }), await read({ key })]).toEqual([[], 404]);
});

test('a resend of another client’s event, or of an unknown one, is refused', async () => {
  const as = await admin(h);
  const { endpoint_id } = await endpointOf(h, as, { url: URL });
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  const { events } = await h.db
    .selectFrom('events.log')
    .select(({ fn }) => fn.countAll<number>().as('events'))
    .executeTakeFirstOrThrow();
  expect(Number(events)).toBeGreaterThan(0);
  const { deliveries } = await with1(h, as, endpoint_id, ['GET', '/deliveries']);
  const event_id = deliveries[0]?.event_id;
  const resend = (who: Person, id: string, body: object = {}) =>
    h.call('POST /events/{event_id}/resend', { as: who, params: { event_id: id }, body });
  expect((await resend(await admin(h), event_id))[0]).toBe(404);
  expect((await resend(as, 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV'))[0]).toBe(404);
  expect((await resend(as, 'nonsense'))[0]).toBe(404);
  const foreign = await endpointOf(h, await admin(h), { url: URL });
  expect((await resend(as, event_id, { endpoint_id: foreign.endpoint_id }))[0]).toBe(404);
});

test('an endpoint whose address has become private gets nothing, and is disabled', async () => {
  const as = await admin(h);
  const shop = await receiver();
  const { endpoint_id } = await endpointOf(h, as, { url: URL });
  // As if its name led elsewhere by now.
  await h.db
    .updateTable('webhooks.endpoints')
    .set({ url: shop.url.replace('http', 'https') })
    .where('endpoint_id', '=', endpoint_id)
    .execute();
  await tell(h, as.client_id, 'a', 1);
  await deliver(h);
  expect(shop.arrivals).toEqual([]);
  expect(await with1(h, as, endpoint_id, ['GET', ''])).toMatchObject({
    status: 'disabled',
    disabled_why: 'not_public',
  });
});

test('replays have an order and an end', async () => {
  const as = await admin(h);
  const { endpoint_id } = await endpointOf(h, as, { url: URL });
  const [from, to] = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'];
  const replay = (body: object) => with1(h, as, endpoint_id, ['POST', '/replay', body]);
  await expect(replay({ from: to, to: from })).rejects.toThrow('from must be before to');
  await expect(replay({ from, to, types: ['x.y'] })).rejects.toThrow('There is no type');
  expect(await replay({ from, to })).toMatchObject({ events: 0 });
  await with1(h, as, endpoint_id, ['POST', '/pause', {}]);
  await expect(replay({ from, to })).rejects.toThrow('resume it first');
});
