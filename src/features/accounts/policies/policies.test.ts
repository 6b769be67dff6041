import { expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness();

type Act = 'publish' | 'retire';

const write = (as: Person, body: object): Promise<[number, Body]> =>
  h.call('POST /policies', { as, body });
const act = (as: Person, what: Act, { policy_id, version }: Body): Promise<[number, Body]> =>
  h.call(`POST /policies/{policy_id}/${what}`, { as, params: { policy_id }, body: { version } });
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

/** A client with two admins and a user. */
async function team() {
  const { client_id } = await h.client();
  const ada = await h.user({ role: 'admin', client_id });
  const ben = await h.user({ role: 'admin', client_id });
  const user = await h.user({ client_id });
  return { client_id, ada, ben, user };
}

/** A published policy. */
async function published({ ada, ben }: { ada: Person; ben: Person }, body: object) {
  const [status, { data }] = await write(ada, { name: 'A rule', ...body });
  expect(status).toBe(201);
  const [, told] = await act(ben, 'publish', data);
  expect(told.data.status).toBe('PUBLISHED');
  return told.data;
}

let serial = 0;
const decide = (user: Person, units = 100n, more = {}) => {
  serial += 1;
  const operation = `test-${serial}`;
  return transact(h.db, (tx) =>
    h.kernel.policies.decide(tx, {
      kind: 'withdrawal',
      op: 'a_test',
      operation,
      client_id: user.client_id,
      user_id: user.user_id,
      amount: { asset: 'USD', units },
      ...more,
    }),
  );
};
const LIMIT = (per: string, count = 10) => ({
  applies_to: ['withdrawal'],
  then: { limit: { count, per, window: '1d' } },
});
const DENY = (when: string, kind = 'withdrawal') => ({
  applies_to: [kind],
  when,
  then: { deny: { message: 'Not from here' } },
});

test('a draft decides nothing, and a published policy does at once', async () => {
  const people = await team();
  const [, { data: draft }] = await write(people.ada, { name: 'A', ...DENY('usd_cents > 500') });
  expect(draft).toMatchObject({ status: 'DRAFT', version: 1, edited_by: people.ada.user_id });
  await decide(people.user, 1000n);
  const [, { data }] = await act(people.ben, 'publish', draft);
  expect(data).toMatchObject({ status: 'PUBLISHED', version: 2 });
  await decide(people.user, 500n);
  await expect(decide(people.user, 1000n)).rejects.toMatchObject({
    code: 'POLICY_DENIED',
    status: 403,
    message: 'Not from here',
    details: { policy_id: draft.policy_id, name: 'A', unmet: 'Not from here' },
  });
  expect((await act(people.ben, 'retire', data))[1].data.status).toBe('RETIRED');
  await decide(people.user, 1000n);
});

test('no admin publishes what they edited last, nor with an account made since', async () => {
  const { ada, ben, client_id } = await team();
  const [, { data }] = await write(ada, { name: 'A', ...DENY('usd_cents > 500') });
  expect(codeOf(await act(ada, 'publish', data))).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  await h.advance(60);
  const newcomer = await h.user({ role: 'admin', client_id });
  expect(codeOf(await act(newcomer, 'publish', data))).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  const [, edited] = await h.call('PATCH /policies/{policy_id}', {
    as: ben,
    params: data,
    body: { priority: 5, version: 1 },
  });
  expect(edited.data).toMatchObject({ priority: 5, version: 2, edited_by: ben.user_id });
  expect(codeOf(await act(ben, 'publish', edited.data))).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  expect(codeOf(await act(ada, 'publish', data))).toEqual([409, 'VERSION_CONFLICT']);
  expect((await act(ada, 'publish', edited.data))[0]).toBe(200);
  const patched = await h.call('PATCH /policies/{policy_id}', {
    as: ada,
    params: data,
    body: { name: 'B' },
  });
  expect(codeOf(patched)).toEqual([409, 'INVALID_STATUS']);
});

test('the one admin of a client publishes a day later, and is mailed', async () => {
  const { client_id } = await h.client();
  const ada = await h.user({ role: 'admin', client_id });
  const [, { data }] = await write(ada, { name: 'Alone', ...DENY('usd_cents > 500') });
  const [status, asked] = await act(ada, 'publish', data);
  expect([status, asked.data.status, asked.data.takes_effect.act]).toEqual([
    200,
    'DRAFT',
    'publish',
  ]);
  await h.drain();
  expect(JSON.stringify(await h.messages(ada.email))).toContain('Alone');
  await h.advance(25 * 3600);
  await h.drain();
  const found = await h.db
    .selectFrom('policies')
    .select(['status', 'pending'])
    .where('name', '=', 'Alone')
    .execute();
  expect(found).toEqual([{ status: 'PUBLISHED', pending: null }]);
});

test.each([
  [{ ...DENY('usd_cents > '), name: 'x' }, 'when', 'line 1, column'],
  [{ ...DENY('nothing == 1'), name: 'x' }, 'when', 'Unknown variable: nothing'],
  [{ ...DENY('amount_minor > 0'), name: 'x' }, 'when', 'would lock everybody out'],
  [{ ...DENY('user.role in ["user", "admin"]'), name: 'x' }, 'when', 'would lock everybody out'],
  [{ applies_to: ['conversion'], then: { hold_s: 60 }, name: 'x' }, 'when', 'lock everybody out'],
  [{ applies_to: ['batch'], then: {}, name: 'x' }, 'then', 'exactly one of'],
  [
    { applies_to: ['batch'], then: { step_up: true, hold_s: 60 }, name: 'x' },
    'then',
    'exactly one of',
  ],
  [
    { applies_to: ['batch'], then: { limit: { per: 'user', window: '1d' } }, name: 'x' },
    'then.limit',
    'either amount or count',
  ],
  [
    { applies_to: ['batch'], then: { approve: { count: 3, roles: ['admin'] } }, name: 'x' },
    'then.approve.count',
    'more than the 2 who may approve',
  ],
])('a policy that is wrong is refused with the field: %j', async (body, field, said) => {
  const { ada } = await team();
  const [status, { error }] = await write(ada, body);
  expect([status, error.code, error.details[0].field]).toEqual([400, 'VALIDATION_ERROR', field]);
  expect(error.message).toContain(said);
  const left = await h.db.selectFrom('policies').select('serial').where('name', '=', 'x').execute();
  expect(left).toEqual([]);
});

test('fifty payments at once never pass a limit, and what fails gives back', async () => {
  const people = await team();
  const { policy_id } = await published(people, LIMIT('client', 7));
  const tries = await Promise.allSettled(Array.from({ length: 50 }, () => decide(people.user)));
  const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toHaveLength(43);
  expect(refused[0]).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    status: 400,
    details: { limit_id: policy_id, limit: '7', used: '7', currency: null },
  });
  const [sum] = await h.db
    .selectFrom('policy_sums')
    .select('count')
    .where('subject', '=', `client:${people.client_id}`)
    .execute();
  expect(Number(sum?.count)).toBe(7);
});

test('policies of one client are nothing to another, and the operator’s apply to all', async () => {
  const [mine, other] = [await team(), await team()];
  const rule = await published(mine, DENY('usd_cents > 500'));
  await decide(other.user, 1000n);
  const read = await h.call('GET /policies/{policy_id}', { as: other.ada, params: rule });
  expect(codeOf(read)).toEqual([404, 'NOT_FOUND']);
  const listed = await h.call('GET /policies', { as: other.ada });
  expect(listed[1].data.items).toEqual([]);
  const operator = await h.operator();
  const [, all] = await h.call('GET /policies', { as: operator, query: { status: 'PUBLISHED' } });
  expect(all.data.items.map(({ client_id }: Body) => client_id)).toContain(null);
  expect((await h.call('GET /policies', { as: mine.user }))[0]).toBe(403);
});

test('a simulation names the deciding policy and why others do not apply, and counts nothing', async () => {
  const people = await team();
  const rule = await published(people, DENY('usd_cents > 500 && currency == "USD"'));
  const body = { operation: { kind: 'withdrawal', amount: '9', currency: 'USD' } };
  const ask = (amount: string) =>
    h.call('POST /policies/simulate', {
      as: people.ada,
      body: { operation: { ...body.operation, amount, user_id: people.user.user_id } },
    });
  const [status, denied] = await ask('9');
  expect([status, denied.data.verdict]).toEqual([200, 'DENY']);
  expect(denied.data.decided_by).toMatchObject({ policy_id: rule.policy_id, matched: true });
  const [, allowed] = await ask('4');
  expect(allowed.data).toMatchObject({ verdict: 'ALLOW', decided_by: null });
  expect(
    allowed.data.others.find(({ policy_id }: Body) => policy_id === rule.policy_id),
  ).toMatchObject({ matched: false, unmet: 'usd_cents > 500' });
  const sums = h.db.selectFrom('policy_sums').select('tally');
  const own = sums.where('subject', '=', `user:${people.user.user_id}`);
  expect(await own.execute()).toEqual([]);
});
