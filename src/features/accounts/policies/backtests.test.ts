import { expect, test } from 'vitest';
import type { PolicyOperation } from '#kernel/policies/operation.ts';
import { transact } from '#kernel/transact.ts';
import { type Body, harness, type Person } from '#test/harness.ts';
import { clientWithPolicies } from '#test/policies.ts';

const subject = { object: 'thing', approved: async () => {}, cancelled: async () => {} };
const h = await harness({
  features: () => [{ name: 'things', approvals: [subject] }],
  config: { JWT_TTL: '10000000' },
});
const { client_id, ada, ben, draft, publish: published } = await clientWithPolicies(h);
const users = [await h.user({ client_id }), await h.user({ client_id })] as const;

const begin = (as: Person, params: Body, days = 7): Promise<[number, Body]> =>
  h.call('POST /policies/{policy_id}/backtest', { as, params, body: { days } });
async function backtested(policy: Body, days = 7): Promise<Body> {
  const [status, { data }] = await begin(ada, policy, days);
  expect([status, data.status]).toEqual([202, 'PENDING']);
  await h.drain();
  const [, read] = await h.call('GET /policies/backtests/{backtest_id}', { as: ada, params: data });
  expect(read.data.status).toBe('READY');
  return read.data;
}

let serial = 0;
/** The verdict of an operation, as its caller sees it. */
async function decide(more: Partial<PolicyOperation> = {}): Promise<string> {
  serial += 1;
  const id = `op-${serial}`;
  const operation: PolicyOperation = {
    kind: 'withdrawal',
    op: 'a_test',
    operation: id,
    payment_id: id,
    client_id,
    user_id: users[0].user_id,
    amount: { asset: 'USD', units: 100n },
    object: { type: 'thing', id, summary: id, content: { id } },
    ...more,
  };
  const decided = transact(h.db, (tx) => h.kernel.policies.decide(tx, operation));
  return decided.then(
    () => 'done',
    ({ code }) => code as string,
  );
}

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

test('a published policy decides every recorded operation as it was decided', async () => {
  const per = (of: string, more: object) => ({ limit: { per: of, window: '1d', ...more } });
  const policies = [
    await published({
      applies_to: ['withdrawal'],
      when: 'usd_cents > 90000',
      then: { deny: { message: 'No' } },
    }),
    await published({
      applies_to: ['withdrawal'],
      when: '5 / (amount_minor % 7 - 3) > 50',
      then: { hold_s: 60 },
    }),
    await published({ applies_to: ['withdrawal'], then: per('user', { count: 30 }) }),
    await published({
      applies_to: ['withdrawal', 'send'],
      then: per('client', { amount: '9000' }),
    }),
    await published({ applies_to: ['withdrawal'], then: per('recipient', { amount: '1500' }) }),
    await published({ applies_to: ['withdrawal'], then: per('wallet', { count: 20 }) }),
    await published({
      applies_to: ['withdrawal'],
      when: 'usd_cents > 60000',
      then: { approve: { count: 1 } },
    }),
    await published({
      applies_to: ['withdrawal'],
      when: 'user.age_days == 0 && usd_cents < 2000',
      then: { hold_s: 60 },
    }),
    await published({
      applies_to: ['withdrawal'],
      when: 'recipient.is_new',
      then: { step_up: true },
    }),
  ];
  const below = numbers(7);
  const seen = new Map<string, number>();
  for (let n = 0; n < 120; n += 1) {
    const user = users[below(2)] as Person;
    const recipient = { id: `bank:${below(5)}`, kind: 'bank', is_new: below(10) === 0 };
    const more = {
      user_id: user.user_id,
      amount: { asset: 'USD', units: BigInt((100 + below(100_000) / (1 + below(9))) | 0) },
      recipient,
      ...(below(2) && { wallet: { id: 1 + below(3), currency: 'USD' } }),
    } as const;
    const code = await decide(more);
    seen.set(code, (seen.get(code) ?? 0) + 1);
    if (n === 60) await h.advance(24 * 3600);
  }
  expect([...seen.keys()].sort()).toEqual([
    'LIMIT_EXCEEDED',
    'POLICY_DENIED',
    'STEP_UP_REQUIRED',
    'done',
  ]);
  for (const policy of policies) {
    const result = await backtested(policy);
    expect(result, policy.when ?? JSON.stringify(policy.then)).toMatchObject({
      seen: 120,
      differing: 0,
      differences: [],
    });
    const refused = (seen.get('LIMIT_EXCEEDED') ?? 0) + (seen.get('POLICY_DENIED') ?? 0);
    expect(result.denied).toBe(refused);
    expect(result.to_prove).toBe(seen.get('STEP_UP_REQUIRED'));
  }
});

test('a proof that was given counts in a back-test, too', async () => {
  const rule = await published({
    applies_to: ['send'],
    when: 'usd_cents > 77',
    then: { step_up: true },
  });
  const user = users[1];
  const more = {
    kind: 'send',
    user_id: user.user_id,
    amount: { asset: 'USD', units: 78n },
  } as const;
  const asking = transact(h.db, (tx) =>
    h.kernel.policies.decide(tx, { ...more, op: 'x', operation: 'x', client_id }),
  );
  const { details } = await asking.then(
    () => ({}) as Body,
    (error) => error,
  );
  const body = { challenge_id: details.challenge_id, current_password: user.password };
  expect((await h.call('POST /step-up', { as: user, body }))[0]).toBe(200);
  expect(await decide({ ...more, stepUp: details.challenge_id })).toBe('done');
  expect(await backtested(rule)).toMatchObject({ seen: 2, to_prove: 1, differing: 0 });
});

test('a draft shows what it would have changed, and changes nothing', async () => {
  const user_id = users[0].user_id;
  for (let n = 0; n < 5; n += 1)
    expect(await decide({ kind: 'refund', user_id, amount: { asset: 'USD', units: 500n } })).toBe(
      'done',
    );
  const denying = await draft({
    applies_to: ['refund'],
    when: 'usd_cents > 499',
    then: { deny: { message: 'No' } },
  });
  const denied = await backtested(denying);
  expect(denied).toMatchObject({ seen: 5, denied: 5, held: 0, to_approve: 0, differing: 5 });
  expect(denied.differences[0]).toMatchObject({ then: 'ALLOW', now: 'DENY' });
  expect(denied.differences[0].payment_id).toMatch(/^op-/);
  const limit = { amount: '12', per: 'user', window: '1d' };
  const limited = await backtested(await draft({ applies_to: ['refund'], then: { limit } }));
  expect(limited).toMatchObject({ seen: 5, denied: 3, differing: 3 });
  const held = await backtested(
    await draft({ applies_to: ['refund'], when: 'usd_cents > 1', then: { hold_s: 60 } }),
  );
  expect(held).toMatchObject({ held: 5, denied: 0 });
  expect(await decide({ kind: 'refund', user_id, amount: { asset: 'USD', units: 500n } })).toBe(
    'done',
  );
});

test('one runs at a time of a policy, and only its own admins see it', async () => {
  const policy = await draft({
    applies_to: ['batch'],
    when: 'usd_cents > 1',
    then: { hold_s: 60 },
  });
  const tries = await Promise.all(Array.from({ length: 5 }, () => begin(ada, policy)));
  expect(tries.map(([status]) => status).sort()).toEqual([202, 409, 409, 409, 409]);
  const stranger = await h.user({ role: 'admin' });
  expect((await begin(stranger, policy))[0]).toBe(404);
  expect((await begin(users[0], policy))[0]).toBe(403);
  const [, { data }] = tries.find(([status]) => status === 202) as [number, Body];
  const path = 'GET /policies/backtests/{backtest_id}';
  expect((await h.call(path, { as: stranger, params: data }))[0]).toBe(404);
  await h.drain();
  expect((await h.call(path, { as: ben, params: data }))[1].data.status).toBe('READY');
  for (const days of [0, 91]) expect((await begin(ada, policy, days))[0]).toBe(400);
  expect((await begin(ada, policy))[0]).toBe(202);
});
