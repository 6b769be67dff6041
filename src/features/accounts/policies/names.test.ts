import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness();
const { client_id } = await h.client();
const ada = await h.user({ role: 'admin', client_id });
const ben = await h.user({ role: 'admin', client_id });

const RULE = {
  name: 'Nothing at night',
  applies_to: ['withdrawal'],
  when: 'time.hour < 5',
  then: { deny: { message: 'Not at night' } },
};
const write = (as: Person, more: object): Promise<[number, Body]> =>
  h.call('POST /policies', { as, body: { ...RULE, ...more } });
const patch = (as: Person, policy_id: string, body: object): Promise<[number, Body]> =>
  h.call('PATCH /policies/{policy_id}/metadata', { as, params: { policy_id }, body });

/** The events of a policy so far, oldest first. */
async function emitted(policy_id: string) {
  await h.kernel.events.settle();
  return run<{ type: string; client_id: number; status: string; reference: string | null }>(
    h.db,
    `select type, client_id, data->>'status' as status, data->>'reference' as reference
     from events.log where object_type = 'policy' and object_id = $1 order by position`,
    [policy_id],
  );
}

test('a policy has the names that its maker gives it, once for a client', async () => {
  const names = { reference: 'night-1', metadata: { owner: 'risk' } };
  const [status, { data }] = await write(ada, names);
  expect([status, data.reference, data.metadata]).toEqual([201, 'night-1', { owner: 'risk' }]);
  const params = { policy_id: data.policy_id };
  expect((await h.call('GET /policies/{policy_id}', { as: ben, params }))[1].data).toEqual(data);
  const [again, { error }] = await write(ada, names);
  expect([again, error.code, error.details]).toEqual([
    409,
    'REFERENCE_IN_USE',
    { id: data.policy_id },
  ]);
});

test('the metadata of a policy changes also after its end, by the admins of its client', async () => {
  const [, { data }] = await write(ada, { metadata: { a: '1', b: '2' } });
  const { policy_id } = data;
  const [, { data: published }] = await h.call('POST /policies/{policy_id}/publish', {
    as: ben,
    params: { policy_id },
    body: { version: data.version },
  });
  await h.call('POST /policies/{policy_id}/retire', {
    as: ben,
    params: { policy_id },
    body: { version: published.version },
  });
  const [status, changed] = await patch(ben, policy_id, { metadata: { a: null, c: '3' } });
  expect([status, changed.data.status, changed.data.metadata]).toEqual([
    200,
    'RETIRED',
    { b: '2', c: '3' },
  ]);
  const [late, { error }] = await patch(ada, policy_id, { metadata: { a: '9' }, version: 1 });
  expect([late, error.code, error.details]).toEqual([409, 'VERSION_CONFLICT', { version: 2 }]);
  const other = await h.user({ role: 'admin', client_id: (await h.client()).client_id });
  expect((await patch(other, policy_id, { metadata: { a: '9' } }))[0]).toBe(404);
  const user = await h.user({ client_id });
  expect((await patch(user, policy_id, { metadata: { a: '9' } }))[0]).toBe(403);
});

test('each change of a policy is one event to its client', async () => {
  const [, { data }] = await write(ada, { reference: 'night-2' });
  const { policy_id } = data;
  const as = ben;
  const params = { policy_id };
  await h.call('PATCH /policies/{policy_id}', { as: ada, params, body: { priority: 4 } });
  await h.call('POST /policies/{policy_id}/publish', { as, params, body: { version: 2 } });
  await h.call('POST /policies/{policy_id}/publish', { as, params, body: { version: 2 } });
  const seen = await emitted(policy_id);
  expect(seen.map(({ type, status }) => [type, status])).toEqual([
    ['policy.created', 'DRAFT'],
    ['policy.changed', 'DRAFT'],
    ['policy.published', 'PUBLISHED'],
  ]);
  for (const one of seen) expect([one.client_id, one.reference]).toEqual([client_id, 'night-2']);
});

test('a policy of all clients, and what the operator calls it, reach no client', async () => {
  const operator = await h.operator();
  const [status, { data }] = await write(operator, { reference: 'all-1', metadata: { a: 'b' } });
  expect([status, data.client_id, data.reference]).toEqual([201, null, 'all-1']);
  expect((await emitted(data.policy_id)).map((one) => one.client_id)).toEqual([1]);
  expect((await patch(ada, data.policy_id, { metadata: {} }))[0]).toBe(404);
});

test('a draft that is deleted leaves its events', async () => {
  const [, { data }] = await write(ada, {});
  const params = { policy_id: data.policy_id };
  await h.call('DELETE /policies/{policy_id}', { as: ada, params });
  expect((await emitted(data.policy_id)).map(({ type }) => type)).toEqual([
    'policy.created',
    'policy.deleted',
  ]);
});

test('the one admin of a client announces a policy, which is an event before and after the day', async () => {
  const sole = await h.user({ role: 'admin', client_id: (await h.client()).client_id });
  const [, { data }] = await write(sole, {});
  const params = { policy_id: data.policy_id };
  await h.call('POST /policies/{policy_id}/publish', { as: sole, params, body: { version: 1 } });
  for (const seconds of [25 * 3600, 61]) {
    await h.advance(seconds);
    await h.drain();
  }
  expect((await emitted(data.policy_id)).map(({ type, status }) => [type, status])).toEqual([
    ['policy.created', 'DRAFT'],
    ['policy.announced', 'DRAFT'],
    ['policy.published', 'PUBLISHED'],
  ]);
});
