import { expect } from 'vitest';
import type { PolicyOperation } from '#kernel/policies/operation.ts';
import { transact } from '#kernel/transact.ts';
import type { Body, Harness, Person } from './harness.ts';

/** A client with two admins, of whom one writes its policies and the other publishes them. */
export async function clientWithPolicies(h: Harness) {
  const { client_id } = await h.client();
  const ada = await h.user({ role: 'admin', client_id });
  const ben = await h.user({ role: 'admin', client_id });
  const draft = async (body: object): Promise<Body> => {
    const written = { name: 'A rule', ...body };
    const [status, { data }] = await h.call('POST /policies', { as: ada, body: written });
    expect([status, data.version]).toEqual([201, 1]);
    return data;
  };
  const publish = async (body: object): Promise<Body> => {
    const given = { as: ben, params: await draft(body), body: { version: 1 } };
    const [status, { data }] = await h.call('POST /policies/{policy_id}/publish', given);
    expect(status).toBe(200);
    return data;
  };
  return { client_id, ada, ben, draft, publish };
}

/** What the policies say of five USDC that a person sends to an address. */
export const decideOnSend = (
  h: Harness,
  { client_id, user_id }: Pick<Person, 'client_id' | 'user_id'>,
  more: Partial<PolicyOperation> = {},
) =>
  transact(h.db, (tx) =>
    h.kernel.policies.decide(tx, {
      kind: 'send',
      op: 'a_test',
      operation: 'test',
      client_id,
      user_id,
      amount: { asset: 'USDC', units: 5_000_000n },
      recipient: { id: 'sepolia:0x1', kind: 'address' },
      ...more,
    }),
  );
