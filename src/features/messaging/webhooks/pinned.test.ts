import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { catalogueOf } from '#kernel/events/catalogue.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvent } from '#kernel/events/event-type.ts';
import type { EarlierShape } from '#kernel/events/versions.ts';
import { transact } from '#kernel/transact.ts';
import { harness, type Person } from '#test/harness.ts';
import { admin, deliver, endpointOf, receiver, verified, with1 } from '#test/webhooks.ts';

const First = Type.Object({ name: Type.String(), price: Type.String() });
const Second = Type.Object({ full_name: Type.String(), price: Type.String() });
const Third = Type.Object({
  full_name: Type.String(),
  amount: Type.String(),
  asset: Type.String(),
});

/** A type that was told otherwise twice before. */
const earlier: readonly EarlierShape[] = [
  {
    version: 2,
    schema: Second,
    example: { full_name: 'Ann Lee', price: '5 USD' },
    down: ({ amount, asset, ...data }) => ({ ...data, price: `${amount} ${asset}` }),
  },
  {
    version: 1,
    schema: First,
    example: { name: 'Ann', price: '5 USD' },
    down: ({ full_name, ...data }) => ({ ...data, name: String(full_name).split(' ')[0] }),
  },
];
const told = { summary: 'A widget was sold', since: '2026-11' };
const now = { full_name: 'Ann Lee', amount: '5', asset: 'USD' };
const sold = defineEvent('widget.sold', {
  ...told,
  version: 3,
  schema: Third,
  example: now,
  earlier,
});

const h = await harness({ features: () => [{ name: 'widgets', events: [sold] }] });
const sell = (client_id: number) =>
  transact(h.db, async (tx) => {
    const previous = { full_name: 'Ann Loo', secret: 'x' };
    emit(tx, sold, { client_id, id: 7, data: now, previous });
  });
const bodyOf = (shape: number) =>
  [
    { name: 'Ann', price: '5 USD', previous: {} },
    { full_name: 'Ann Lee', price: '5 USD', previous: { full_name: 'Ann Loo' } },
    { ...now, previous: { full_name: 'Ann Loo', secret: 'x' } },
  ][shape - 1];

/** An endpoint, what it was sent of a sale, and what its attempt says was sent. */
async function soldTo(as: Person, fields: object, before?: (id: string) => Promise<unknown>) {
  const shop = await receiver();
  const { endpoint_id, secret, ...made } = await endpointOf(h, as, {
    url: shop.url,
    types: ['widget.*'],
    ...fields,
  });
  await before?.(endpoint_id);
  await sell(as.client_id);
  await deliver(h);
  const [arrival] = shop.arrivals;
  if (!arrival) throw new Error('Nothing has arrived');
  const { attempts } = await with1(h, as, endpoint_id, ['GET', '/attempts']);
  const path = `/attempts/${attempts[0].attempt_id}`;
  const { request_body } = await with1(h, as, endpoint_id, ['GET', path]);
  expect(request_body).toBe(arrival.text);
  return { made, endpoint_id, shop, body: verified(arrival, secret) };
}

test.each([1, 2, 3])(
  'an endpoint that is pinned to version %i of a type gets that shape, signed',
  async (version) => {
    const as = await admin(h);
    const { made, body } = await soldTo(as, { schema_versions: { 'widget.sold': version } });
    expect(made.schema_versions).toEqual({ 'widget.sold': version });
    expect(body).toMatchObject({ type: 'widget.sold', schema_version: version });
    expect(body.data).toEqual(bodyOf(version));
  },
);

test('a new endpoint is pinned to the present versions, and an old one keeps its own', async () => {
  const as = await admin(h);
  const { made, body } = await soldTo(as, {});
  expect(made.schema_versions).toEqual({ 'widget.sold': 3 });
  expect(body.data).toEqual(bodyOf(3));
  // Made when there was one version of it: nothing was written down.
  const old = await soldTo(as, {}, (id) =>
    h.kernel.pool.query(
      `update webhooks.endpoints set schema_versions = '{}' where endpoint_id = $1`,
      [id],
    ),
  );
  expect(old.body).toMatchObject({ schema_version: 1, data: bodyOf(1) });
});

test('its owner moves it on, and the next delivery is in the new shape', async () => {
  const as = await admin(h);
  const pins = { 'widget.sold': 1 };
  const { endpoint_id, shop } = await soldTo(as, { schema_versions: pins, description: 'Shop' });
  const change = { schema_versions: { 'widget.sold': 2 } };
  const changed = await with1(h, as, endpoint_id, ['PATCH', '', change]);
  expect(changed).toMatchObject({ ...change, description: 'Shop' });
  await sell(as.client_id);
  await deliver(h);
  expect(shop.arrivals.map(({ body }) => body.schema_version)).toEqual([1, 2]);
  expect(shop.arrivals[1]?.body.data).toEqual(bodyOf(2));
});

test('a thin event says the version that its endpoint knows', async () => {
  const as = await admin(h);
  const pins = { 'widget.sold': 2 };
  const { body } = await soldTo(as, { schema_versions: pins, payload: 'thin' });
  expect(body).toMatchObject({ schema_version: 2 });
  expect(body.data).toBeUndefined();
});

test.each([
  [{ 'widget.sold': 4 }, 'schema_versions.widget.sold must be 3 or 2 or 1'],
  [{ 'widget.lost': 1 }, 'There is no type of event widget.lost'],
  [{ 'widget.sold': 0 }, 'schema_versions'],
  [{ 'widget.sold': 1.5 }, 'schema_versions'],
])('%j is refused, and why', async (schema_versions, why) => {
  const as = await admin(h);
  const body = { url: 'https://hooks.example.com/x', types: ['*'], schema_versions };
  const [status, { error }] = await h.call('POST /webhook-endpoints', { as, body });
  expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(error.message).toContain(why);
});

test('GET /event-types has the versions of a type, with schemas and examples', async () => {
  const [, { data }] = await h.call('GET /event-types');
  const type = data.event_types.find((one: { type: string }) => one.type === 'widget.sold');
  expect(type).toMatchObject({
    schema_version: 3,
    earlier: [
      { schema_version: 2, example: { full_name: 'Ann Lee', price: '5 USD' } },
      { schema_version: 1, example: { name: 'Ann', price: '5 USD' } },
    ],
  });
});

test('versions are in order, and types of a name have one way back', () => {
  const define = (version: number, shapes: readonly EarlierShape[]) =>
    defineEvent('widget.sold', { ...told, version, schema: Third, example: now, earlier: shapes });
  expect(() => define(3, earlier.slice(1))).toThrow('in order');
  expect(() => define(1, earlier)).toThrow('in order');
  expect(() => catalogueOf([define(3, earlier), define(3, [...earlier])])).toThrow('two ways back');
  expect(() => catalogueOf([define(3, earlier), define(3, earlier)])).not.toThrow();
});
