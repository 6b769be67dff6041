import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { PolicyOperation } from '#kernel/policies/operation.ts';
import { transact } from '#kernel/transact.ts';
import { testAuthenticator } from '#test/authenticator.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness();
const { client_id } = await h.client();
const ada = await h.user({ role: 'admin', client_id });
const ben = await h.user({ role: 'admin', client_id });
const [, { data: draft }] = await h.call('POST /policies', {
  as: ada,
  body: { name: 'Prove it', applies_to: ['send'], then: { step_up: true } },
});
const published = { as: ben, params: draft, body: { version: 1 } };
await h.call('POST /policies/{policy_id}/publish', published);

const { origin, hostname } = new URL(h.kernel.publicUrl());
async function owner() {
  const as = await h.user({ client_id });
  const key = testAuthenticator(origin);
  const [, { data }] = await h.call('POST /mobile/passkeys/registration-options', { as, body: {} });
  const { challenge_id, options } = data;
  const body = { challenge_id, response: key.register(options), name: 'x' };
  await h.call('POST /mobile/passkeys', { as, body });
  return { as, key };
}
const decide = ({ user_id }: Person, more: Partial<PolicyOperation> = {}) =>
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
const asked = (as: Person): Promise<Body> =>
  decide(as).then(
    () => undefined,
    ({ details }) => details,
  );
const prove = (as: Person, body: object): Promise<[number, Body]> =>
  h.call('POST /step-up', { as, body });
const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];

test('a passkey signs the hash of what is paid, and what it signed is kept', async () => {
  const { as, key } = await owner();
  const { challenge_id, challenge, options } = await asked(as);
  expect(options).toEqual(['response', 'current_password']);
  const response = key.sign({ challenge, rpId: hostname });
  expect((await prove(as, { challenge_id, response }))[0]).toBe(200);
  await decide(as, { stepUp: challenge_id });
  await expect(decide(as, { stepUp: challenge_id })).rejects.toMatchObject({
    code: 'STEP_UP_REQUIRED',
  });
  const [kept] = await run<Body>(h.db, 'select * from step_ups where challenge_id = $1', [
    challenge_id,
  ]);
  expect(kept).toMatchObject({ method: 'passkey', evidence: { response } });
  expect(kept.content_hash.toString('base64url')).toBe(challenge);
});

test('an answer proves its own operation, of its own user, once', async () => {
  const [{ as, key }, other] = [await owner(), await owner()];
  const [first, second] = [await asked(as), await asked(as)];
  const response = key.sign({ challenge: first.challenge, rpId: hostname });
  const { challenge_id } = second;
  expect(codeOf(await prove(as, { challenge_id, response }))).toEqual([401, 'PASSKEY_UNKNOWN']);
  const foreign = other.key.sign({ challenge: first.challenge, rpId: hostname });
  const wrong = { challenge_id: first.challenge_id, response: foreign };
  expect(codeOf(await prove(as, wrong))).toEqual([401, 'PASSKEY_UNKNOWN']);
  const right = { challenge_id: first.challenge_id, response };
  const answers = await Promise.all(Array.from({ length: 20 }, () => prove(as, right)));
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
  const both = { ...right, current_password: as.password };
  expect(codeOf(await prove(as, both))).toEqual([400, 'VALIDATION_ERROR']);
});
