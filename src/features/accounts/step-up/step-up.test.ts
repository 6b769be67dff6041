import { expect, test } from 'vitest';
import type { PolicyOperation } from '#kernel/policies/operation.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { clientWithPolicies, decideOnSend } from '#test/policies.ts';

const h = await harness();
const { client_id, ada, publish } = await clientWithPolicies(h);
const user = await h.user({ client_id });
await publish({ applies_to: ['send'], then: { step_up: true } });

const decide = (more: Partial<PolicyOperation> = {}) => decideOnSend(h, user, more);
const challenge = async (): Promise<Body> =>
  decide().then(
    () => undefined,
    ({ code, details }) => ({ code, ...details }),
  );
const prove = (as: Person, body: object): Promise<[number, Body]> =>
  h.call('POST /step-up', { as, body });

test('a proven challenge lets its operation through once, and no other one', async () => {
  const asked = await challenge();
  expect(asked).toMatchObject({
    code: 'STEP_UP_REQUIRED',
    options: ['current_password'],
    summary: { operation: 'send', amount: '5.000000', currency: 'USDC', recipient: 'sepolia:0x1' },
  });
  const { challenge_id } = asked;
  await expect(decide({ stepUp: challenge_id })).rejects.toMatchObject({
    code: 'STEP_UP_REQUIRED',
  });
  const [status, { data }] = await prove(user, {
    challenge_id,
    current_password: user.password,
  });
  expect([status, new Date(data.proven_until) > h.clock.now()]).toEqual([200, true]);
  const larger = { stepUp: challenge_id, amount: { asset: 'USDC', units: 5_000_001n } } as const;
  await expect(decide(larger)).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' });
  await decide({ stepUp: challenge_id });
  await expect(decide({ stepUp: challenge_id })).rejects.toMatchObject({
    code: 'STEP_UP_REQUIRED',
  });
});

test('a proof lapses after five minutes, and a challenge too', async () => {
  const { challenge_id } = await challenge();
  await prove(user, { challenge_id, current_password: user.password });
  const late = await challenge();
  await h.advance(301);
  await expect(decide({ stepUp: challenge_id })).rejects.toMatchObject({
    code: 'STEP_UP_REQUIRED',
  });
  const [status, { error }] = await prove(user, {
    challenge_id: late.challenge_id,
    current_password: user.password,
  });
  expect([status, error.code]).toEqual([400, 'CODE_EXPIRED']);
});

test('a wrong password proves nothing, nor does a challenge of another user', async () => {
  const { challenge_id } = await challenge();
  const wrong = await prove(user, { challenge_id, current_password: 'not it' });
  expect([wrong[0], wrong[1].error.code]).toEqual([400, 'INVALID_PASSWORD']);
  const other = await prove(ada, { challenge_id, current_password: ada.password });
  expect([other[0], other[1].error.code]).toEqual([400, 'VALIDATION_ERROR']);
  const none = await prove(user, { challenge_id });
  expect([none[0], none[1].error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect((await prove(user, { challenge_id: 'made-up', current_password: 'x' }))[0]).toBe(400);
});
