import { expect, test } from 'vitest';
import type { Approval } from '#kernel/policies/approval-store.ts';
import { changeApprovedContent, dropApproval } from '#kernel/policies/approvals.ts';
import { transact } from '#kernel/transact.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { clientWithPolicies } from '#test/policies.ts';

const ended: string[] = [];
const note =
  (what: string) =>
  async (_: unknown, { object_id }: Approval) => {
    ended.push(`${object_id} ${what}`);
  };
const h = await harness({
  features: () => [
    {
      name: 'things',
      approvals: [{ object: 'thing', approved: note('approved'), cancelled: note('cancelled') }],
    },
  ],
});
const { client_id, ada, ben, publish } = await clientWithPolicies(h);
const cleo = await h.user({ role: 'admin', client_id });
const user = await h.user({ client_id });
await publish({ applies_to: ['transfer'], then: { approve: { count: 2 } } });

/** Something that waits for two people; answers its approval. */
async function waiting(id: string, by: Person = user, receiver?: number): Promise<Body> {
  const decision = await transact(h.db, (tx) =>
    h.kernel.policies.decide(tx, {
      kind: 'transfer',
      op: 'a_test',
      operation: id,
      client_id,
      user_id: by.user_id,
      amount: { asset: 'USD', units: 100n },
      object: { type: 'thing', id, summary: `Thing ${id}`, content: { amount: '1.00' }, receiver },
    }),
  );
  expect(decision.approval_id).toBeDefined();
  const [, { data }] = await h.call('GET /approvals', { as: ada, query: { limit: 1 } });
  return data.items[0];
}

const decideOn = (
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

test('it goes on when two people have approved it, each counted once', async () => {
  const asked = await waiting('one');
  expect(asked).toMatchObject({ status: 'PENDING', needed: 2, approvals: [], version: 1 });
  const [, first] = await decideOn(ada, 'approve', asked);
  expect(first.data).toMatchObject({ status: 'PENDING', version: 2 });
  expect((await decideOn(ada, 'approve', first.data))[1].data.approvals).toHaveLength(1);
  expect(codeOf(await decideOn(ben, 'approve', asked))).toEqual([409, 'VERSION_CONFLICT']);
  const [, second] = await decideOn(ben, 'approve', first.data);
  expect(second.data).toMatchObject({ status: 'APPROVED' });
  expect(ended).toContain('one approved');
  expect(codeOf(await decideOn(cleo, 'reject', second.data))).toEqual([409, 'INVALID_STATUS']);
});

test('neither its maker, nor its receiver, nor a newer account decides about it', async () => {
  const asked = await waiting('two', ada, ben.user_id);
  const refused = [403, 'SECOND_PERSON_REQUIRED'];
  expect(codeOf(await decideOn(ada, 'approve', asked))).toEqual(refused);
  expect(codeOf(await decideOn(ben, 'approve', asked))).toEqual(refused);
  await h.advance(60);
  const newer = await h.user({ role: 'admin', client_id });
  expect(codeOf(await decideOn(newer, 'approve', asked))).toEqual(refused);
  const other = await h.client();
  const stranger = await h.user({ role: 'admin', client_id: other.client_id });
  expect(codeOf(await decideOn(stranger, 'approve', asked))).toEqual([404, 'NOT_FOUND']);
});

test('another content is refused, and one rejection cancels it', async () => {
  const asked = await waiting('three');
  const changed = { ...asked, content_hash: 'a'.repeat(64) };
  expect(codeOf(await decideOn(ada, 'approve', changed))).toEqual([409, 'CONTENT_CHANGED']);
  expect((await decideOn(ada, 'reject', asked))[1].data.status).toBe('REJECTED');
  expect(ended).toContain('three cancelled');
});

test('an edit of the content drops what was approved before, and its owner may call it off', async () => {
  const asked = await waiting('five');
  const [, first] = await decideOn(ada, 'approve', asked);
  await transact(h.db, (tx) =>
    changeApprovedContent(tx, { type: 'thing', id: 'five', summary: 'Other', content: ['2.00'] }),
  );
  expect(codeOf(await decideOn(ben, 'approve', first.data))).toEqual([409, 'CONTENT_CHANGED']);
  const params = { approval_id: asked.approval_id };
  const [, { data }] = await h.call('GET /approvals/{approval_id}', { as: ada, params });
  expect(data).toMatchObject({ approvals: [], summary: 'Other', status: 'PENDING' });
  await transact(h.db, (tx) => dropApproval(tx, { type: 'thing', id: 'five' }, h.clock.now()));
  expect(codeOf(await decideOn(ben, 'approve', data))).toEqual([409, 'INVALID_STATUS']);
});

test('what waits for 72 hours expires, and is cancelled', async () => {
  const asked = await waiting('four');
  await h.advance(72 * 3600 + 61);
  await h.drain();
  const [, { data }] = await h.call('GET /approvals/{approval_id}', {
    as: await h.operator(),
    params: asked,
  });
  expect(data.status).toBe('EXPIRED');
  expect(ended).toContain('four cancelled');
});
