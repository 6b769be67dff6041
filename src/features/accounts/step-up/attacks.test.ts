import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { PolicyOperation } from '#kernel/policies/operation.ts';
import { transact } from '#kernel/transact.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { clientWithPolicies, decideOnSend } from '#test/policies.ts';

const h = await harness();
const { client_id, publish } = await clientWithPolicies(h);
const user = await h.user({ client_id });
const other = await h.user({ client_id });
await publish({ applies_to: ['send', 'agent'], then: { step_up: true } });

const decide = (stepUp?: string, more: Partial<PolicyOperation> = {}) =>
  decideOnSend(h, user, { stepUp, ...more });
const challenged = (more: Partial<PolicyOperation> = {}): Promise<string> =>
  decide(undefined, more).then(
    () => '',
    ({ details }) => details.challenge_id,
  );
const prove = (as: Person, challenge_id: string): Promise<[number, Body]> =>
  h.call('POST /step-up', { as, body: { challenge_id, current_password: as.password } });
const REFUSED = { code: 'STEP_UP_REQUIRED', status: 403 };

test('a proof lets no other kind, amount, currency, recipient or user through', async () => {
  const challenge_id = await challenged();
  expect((await prove(user, challenge_id))[0]).toBe(200);
  const others: Partial<PolicyOperation>[] = [
    { kind: 'agent' },
    { amount: { asset: 'USDC', units: 4_999_999n } },
    { amount: { asset: 'USD', units: 500n } },
    { recipient: { id: 'sepolia:0x2', kind: 'address' } },
    { user_id: other.user_id },
  ];
  for (const more of others)
    await expect(decide(challenge_id, more)).rejects.toMatchObject(REFUSED);
  await decide(challenge_id);
});

test('of twenty repetitions at once with one proof one goes on', async () => {
  const challenge_id = await challenged();
  await prove(user, challenge_id);
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => decide(challenge_id)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a proof that was rolled back with its operation is still there', async () => {
  const challenge_id = await challenged();
  await prove(user, challenge_id);
  const failing = transact(h.db, async (tx) => {
    await h.kernel.policies.decide(tx, {
      kind: 'send',
      op: 'a_test',
      operation: 'test',
      client_id,
      user_id: user.user_id,
      amount: { asset: 'USDC', units: 5_000_000n },
      recipient: { id: 'sepolia:0x1', kind: 'address' },
      stepUp: challenge_id,
    });
    throw new Error('the ledger refuses it');
  });
  await expect(failing).rejects.toThrow('the ledger refuses it');
  await decide(challenge_id);
});

test('a challenge is answered once, by its user, unchanged', async () => {
  const challenge_id = await challenged();
  expect((await prove(other, challenge_id))[1].error.code).toBe('VALIDATION_ERROR');
  const bytes = Buffer.from(challenge_id, 'base64url');
  for (const place of [0, 3, 5, 9, 30, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    const [status, { error }] = await prove(user, changed.toString('base64url'));
    expect([status, error.code]).toEqual([400, 'VALIDATION_ERROR']);
  }
  const answers = await Promise.all(Array.from({ length: 5 }, () => prove(user, challenge_id)));
  expect(answers.map(([status]) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  const [proof] = await run<{ method: string }>(
    h.db,
    'select method from step_ups where challenge_id = $1',
    [challenge_id],
  );
  expect(proof?.method).toBe('password');
});

test('without a second factor or password nothing is proven, nor by both', async () => {
  const challenge_id = await challenged();
  const bodies = [
    { challenge_id },
    { challenge_id, two_fa_token: '000000', current_password: user.password },
    { challenge_id, two_fa_token: '000000' },
  ];
  for (const body of bodies)
    expect((await h.call('POST /step-up', { as: user, body }))[0]).toBe(400);
  const { app, key } = h;
  const answer = await fetch(`${app.apiUrl()}/step-up`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ challenge_id, current_password: user.password }),
  });
  expect(answer.status).toBe(401);
  await expect(decide(challenge_id)).rejects.toMatchObject(REFUSED);
});
