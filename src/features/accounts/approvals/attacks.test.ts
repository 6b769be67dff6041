import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { Approval } from '#kernel/policies/approval-store.ts';
import { transact } from '#kernel/transact.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { logInAgain } from '#test/log-in-again.ts';
import { clientWithPolicies } from '#test/policies.ts';

const ended: string[] = [];
const faulty = new Set<string>();
const note =
  (what: string) =>
  async (_: unknown, { object_id }: Approval) => {
    if (faulty.delete(object_id)) throw new Error('its money cannot be given back now');
    ended.push(`${object_id} ${what}`);
  };
const subject = { object: 'thing', approved: note('approved'), cancelled: note('cancelled') };
const h = await harness({ features: () => [{ name: 'things', approvals: [subject] }] });
const { client_id, ada, ben, publish } = await clientWithPolicies(h);
const operator = await h.operator();
const outsider = await h.user({ role: 'admin' });

await publish({ applies_to: ['transfer'], then: { approve: { count: 2 } } });
await publish({ applies_to: ['refund'], then: { approve: { count: 1, roles: ['admin'] } } });

let serial = 0;
async function waiting(
  by: Person,
  { kind = 'transfer' }: { kind?: 'transfer' | 'refund' } = {},
): Promise<Body> {
  serial += 1;
  const id = `thing-${serial}`;
  await transact(h.db, (tx) =>
    h.kernel.policies.decide(tx, {
      kind,
      op: 'a_test',
      operation: id,
      client_id: by.client_id,
      user_id: by.user_id,
      amount: { asset: 'USD', units: 100n },
      object: { type: 'thing', id, summary: id, content: { id } },
    }),
  );
  const [, { data }] = await h.call('GET /approvals', { as: operator, query: { limit: 1 } });
  return data.items[0];
}

const act = (
  as: Person,
  what: 'approve' | 'reject',
  { approval_id, content_hash, version }: Body,
): Promise<[number, Body]> =>
  h.call(`POST /approvals/{approval_id}/${what}`, {
    as,
    params: { approval_id },
    body: { version, content_hash },
  });
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
const read = async ({ approval_id }: Body): Promise<Body> =>
  (await h.call('GET /approvals/{approval_id}', { as: operator, params: { approval_id } }))[1].data;
const stop = (
  path: 'POST /admins/users/{user_id}/stop' | 'POST /clients/{client_id}/stop',
  id: number,
) =>
  h.call(path, {
    as: operator,
    params: { user_id: id, client_id: id },
    body: { reason: 'A test' },
  });

test('what a stopped maker left cannot be approved, and is cancelled, one failure or not', async () => {
  const maker = await h.user({ client_id });
  const asked = [await waiting(maker), await waiting(maker), await waiting(maker)];
  const [first] = asked as [Body];
  await act(ada, 'approve', first);
  faulty.add(first.object.id);
  expect((await stop('POST /admins/users/{user_id}/stop', maker.user_id))[0]).toBe(200);
  const late = await act(ben, 'approve', await read(first));
  expect(codeOf(late)).toEqual([409, 'INVALID_STATUS']);
  expect(late[1].error.details).toMatchObject({ status: 'CANCELLED' });
  await h.drain();
  await h.advance(60);
  await h.drain();
  for (const one of asked) {
    expect((await read(one)).status).toBe('CANCELLED');
    expect(ended.filter((line) => line === `${one.object.id} cancelled`)).toHaveLength(1);
  }
});

test('what a reinstated maker makes since stays, and a stopped client’s is cancelled', async () => {
  const other = await h.client();
  const maker = await h.user({ client_id: other.client_id });
  await h.db
    .updateTable('policies')
    .set({ client_id: null })
    .where('client_id', '=', client_id)
    .execute();
  const before = await waiting(maker);
  await stop('POST /clients/{client_id}/stop', other.client_id);
  await h.advance(1);
  const [status] = await h.call('POST /clients/{client_id}/let-in', {
    as: operator,
    params: { client_id: other.client_id },
    body: { reason: 'A test' },
  });
  expect(status).toBe(200);
  const since = await waiting(maker);
  await h.drain();
  expect((await read(before)).status).toBe('CANCELLED');
  expect((await read(since)).status).toBe('PENDING');
  await h.db
    .updateTable('policies')
    .set({ client_id })
    .where('client_id', 'is', null)
    .where('name', '=', 'P')
    .execute();
});

test('of many at once each person counts once, and it goes on once', async () => {
  const asked = await waiting(await h.user({ client_id }));
  const tries = (as: Person, of: Body) =>
    Promise.all(Array.from({ length: 10 }, () => act(as, 'approve', of)));
  for (const [status] of await tries(ada, asked)) expect(status).toBe(200);
  const once = await read(asked);
  expect(once).toMatchObject({ status: 'PENDING', version: 2 });
  expect(once.approvals).toHaveLength(1);
  for (const [status] of await tries(ben, once)) expect(status).toBe(200);
  expect(ended.filter((line) => line === `${asked.object.id} approved`)).toHaveLength(1);
});

test('an approval and a rejection at once have one end', async () => {
  for (let n = 0; n < 5; n += 1) {
    const asked = await waiting(await h.user({ client_id }), { kind: 'refund' });
    const both = await Promise.all([act(ada, 'approve', asked), act(ben, 'reject', asked)]);
    expect(both.map(([status]) => status).sort()).toEqual([200, 409]);
    const ends = ended.filter((line) => line.startsWith(`${asked.object.id} `));
    expect(ends).toHaveLength(1);
  }
});

test('an outsider sees nothing of it and decides nothing', async () => {
  const maker = await h.user({ client_id });
  const asked = await waiting(maker);
  for (const what of ['approve', 'reject'] as const) {
    expect(codeOf(await act(outsider, what, asked))).toEqual([404, 'NOT_FOUND']);
    expect((await act(maker, what, asked))[0]).toBe(403);
  }
  const [, { data }] = await h.call('GET /approvals', { as: outsider });
  expect(data.items).toEqual([]);
  const params = { approval_id: asked.approval_id };
  expect((await h.call('GET /approvals/{approval_id}', { as: outsider, params }))[0]).toBe(404);
  const bare = { as: ada, params, body: { content_hash: asked.content_hash } };
  expect((await h.call('POST /approvals/{approval_id}/approve', bare))[0]).toBe(400);
});

test('where only the client’s admins approve, the operator does not', async () => {
  const asked = await waiting(await h.user({ client_id }), { kind: 'refund' });
  expect(codeOf(await act(operator, 'approve', asked))).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  expect((await act(ada, 'approve', asked))[1].data.status).toBe('APPROVED');
});

test('an admin’s own request is not approved by them, by SQL neither', async () => {
  const asked = await waiting(ada);
  expect(codeOf(await act(ada, 'approve', asked))).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  const insert = (by: Person) =>
    run(
      h.db,
      `insert into approval_votes (approval_id, user_id, is_approval)
       select approval_id, $2, true from approvals where object_id = $1`,
      [asked.object.id, by.user_id],
    );
  for (const by of [ada, outsider, await h.user({ client_id })])
    await expect(insert(by)).rejects.toThrow('may not decide');
  expect((await read(asked)).approvals).toEqual([]);
});

test('no decision counts after 72 hours', async () => {
  const asked = await waiting(await h.user({ client_id }));
  await h.advance(72 * 3600);
  const late = await act(await logInAgain(h, ada), 'approve', asked);
  expect(codeOf(late)).toEqual([409, 'INVALID_STATUS']);
  expect(late[1].error.details).toMatchObject({ status: 'EXPIRED', allowed: ['PENDING'] });
});
