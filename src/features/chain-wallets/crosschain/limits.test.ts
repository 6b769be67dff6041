import { expect, it } from 'vitest';
import { mover, someHash, usedToday } from '#test/crosschain.ts';
import { harness } from '#test/harness.ts';
import { clientWithPolicies } from '#test/policies.ts';

const h = await harness();

it('fifty thousand a day and no more, however many begin at once', async () => {
  const person = mover(h, await h.user());
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => person.initiate({ amount: '6000' })),
  );
  const accepted = answers.filter(([status]) => status === 200);
  expect(accepted).toHaveLength(8);
  for (const answer of answers.filter(([status]) => status !== 200))
    expect(answer).toMatchObject([
      400,
      { code: 'LIMIT_EXCEEDED', error: 'Daily limit of 50,000.00 USDC exceeded' },
    ]);
  expect(await usedToday(h, person.as)).toBe(48_000_000_000n);
  expect((await person.initiate({ amount: '2000' }))[0]).toBe(200);
  expect((await person.initiate({ amount: '1' }))[0]).toBe(400);

  const [, { data }] = accepted[0] ?? [];
  const failures = await Promise.all(
    Array.from({ length: 10 }, () => person.confirm(data, 'FAILED', someHash())),
  );
  expect(failures.filter(([status]) => status === 200)).toHaveLength(1);
  expect(await usedToday(h, person.as)).toBe(44_000_000_000n);
  expect((await person.initiate({ amount: '6000' }))[0]).toBe(200);
});

it('another user has a limit of their own, and the next UTC day a new one', async () => {
  const person = mover(h, await h.user());
  for (let i = 0; i < 5; i += 1) await person.begun({ amount: '10000' });
  expect((await person.initiate({ amount: '1' }))[0]).toBe(400);
  expect((await mover(h, await h.user()).initiate({ amount: '10000' }))[0]).toBe(200);
  const now = h.clock.now();
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  await h.advance(Math.ceil((midnight - now.getTime()) / 1000));
  const again = mover(h, { ...person.as, ...(await renewed(person.as.user_id)) });
  expect((await again.initiate({ amount: '10000' }))[0]).toBe(200);
});

/** A log-in of the same user that is valid by the clock of the moment. */
const renewed = (user_id: number) => h.kernel.sessions.open(h.db, { user_id, method: 'password' });

it('policies decide about a transfer before it begins, and what they refuse takes nothing', async () => {
  const { client_id, publish } = await clientWithPolicies(h);
  const person = mover(h, await h.user({ client_id }));
  await publish({
    applies_to: ['bridge'],
    when: 'op == "crosschain_transfer" && amount_minor > 5000000',
    then: { deny: { message: 'Not so much at once' } },
  });
  await publish({
    applies_to: ['bridge'],
    then: { limit: { count: 2, per: 'user', window: '1d' } },
  });
  const refused = await person.initiate({ amount: '6' });
  expect(refused).toMatchObject([403, { code: 'POLICY_DENIED', error: 'Not so much at once' }]);
  expect(await usedToday(h, person.as)).toBe(0n);
  for (let n = 0; n < 2; n += 1) expect((await person.initiate({ amount: '5' }))[0]).toBe(200);
  expect(await person.initiate({ amount: '5' })).toMatchObject([400, { code: 'LIMIT_EXCEEDED' }]);
  expect(await usedToday(h, person.as)).toBe(10_000_000n);
});
