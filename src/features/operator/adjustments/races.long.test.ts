// Long: does everything many times at once.

import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { sqlState } from '#kernel/db/sql-errors.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { transact } from '#kernel/transact.ts';
import { correcting } from '#test/adjustments.ts';
import { houseBalance } from '#test/cards.ts';
import { harness, type Person } from '#test/harness.ts';
import { untilLockAwaited } from '#test/waiting.ts';

const h = await harness();
const { ada, ben, propose, decide, balance, walletOf, give, logInAgain } = await correcting(h);

const credit = async (to: Person, amount: string, by = ada) => {
  const { wallet_id, currency } = await walletOf(to);
  const wish = { kind: 'adjustment', direction: 'credit', wallet_id, currency, amount };
  const [, { data }] = await propose(by, wish);
  return data as { adjustment_id: string };
};
const change = (of: Person, column: string, value: string) =>
  run(h.db, `update users set ${column} = $2 where user_id = $1`, [of.user_id, value]);
const codesOf = (answers: readonly [number, { error?: { code: string } }][]) =>
  answers.map(([status, body]) => (status === 200 ? 'done' : body.error?.code)).sort();
const WEEK_S = 7 * 24 * 3600;
const times = <T>(n: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));

test('twenty concurrent approvals by several admins book once', async () => {
  const user = await h.user();
  const people = [ben, await h.operator(), await h.operator()];
  const proposed = await credit(user, '7', await h.operator());
  const answers = await times(20, (n) => decide(people[n % 3] ?? ben, 'approve', proposed));
  expect(codesOf(answers)).toEqual([...Array(19).fill('INVALID_STATUS'), 'done']);
  expect(await balance(user)).toBe(700n);
});

test('twenty reversals of one transfer, approved at once, reverse it once', async () => {
  const user = await h.user();
  const of = await give(user, '9');
  const all = await times(20, async () => (await propose(ada, { kind: 'reversal', of }))[1].data);
  const answers = await times(20, (n) => decide(ben, 'approve', all[n]));
  expect(codesOf(answers)).toEqual([...Array(19).fill('ALREADY_REVERSED'), 'done']);
  expect(await balance(user)).toBe(0n);
});

test('of concurrent approval, rejection, withdrawal and expiry one happens', async () => {
  await h.drain();
  for (const isLate of [false, true, false, true]) {
    const user = await h.user();
    const proposed = await credit(user, '4');
    if (isLate) {
      await h.advance(WEEK_S + 60);
      await logInAgain();
    }
    const cleo = await h.operator();
    const [, ...answers] = await Promise.all([
      h.drain(),
      decide(ben, 'approve', proposed),
      decide(ada, 'withdraw', proposed),
      decide(cleo, 'reject', proposed, { reason: 'no' }),
    ]);
    // A proposal that is being decided expires at the next look.
    await h.advance(60);
    await h.drain();
    const [row] = await run<{ status: string }>(
      h.db,
      'select status from adjustments where adjustment_id = $1',
      [proposed.adjustment_id],
    );
    expect(answers.filter(([status]) => status === 200)).toHaveLength(isLate ? 0 : 1);
    expect(row?.status === 'EXPIRED').toBe(isLate);
    expect(await balance(user)).toBe(row?.status === 'BOOKED' ? 400n : 0n);
  }
});

test('concurrent debits are booked as far as the balance goes', async () => {
  const user = await h.user();
  await give(user, '10');
  const { wallet_id } = await walletOf(user);
  const wish = { kind: 'adjustment', direction: 'debit', wallet_id, currency: 'USD', amount: '3' };
  const all = await times(8, async () => (await propose(ada, wish))[1].data);
  const answers = await times(8, (n) => decide(ben, 'approve', all[n]));
  expect(codesOf(answers)).toEqual([
    ...Array(5).fill('INSUFFICIENT_BALANCE'),
    ...Array(3).fill('done'),
  ]);
  expect(await balance(user)).toBe(100n);
});

/** States that the second admin must not be in, or the first one any longer. */
const GONE: readonly (readonly [string, 'ada' | 'ben', string, string, string])[] = [
  ['proposed it was stopped', 'ada', 'user_status', 'INACTIVE', 'ACTIVE'],
  ['proposed it is no admin any longer', 'ada', 'role', 'user', 'admin'],
  ['approves was stopped', 'ben', 'user_status', 'INACTIVE', 'ACTIVE'],
  ['approves is no admin any longer', 'ben', 'role', 'user', 'admin'],
];

test.each(GONE)(
  'nothing is booked when the admin who %s meanwhile',
  async (_, who, column, now, then) => {
    const user = await h.user();
    const proposed = await credit(user, '5');
    const person = who === 'ada' ? ada : ben;
    // This process knows their session already: the database decides.
    expect((await h.call('GET /adjustments', { as: person }))[0]).toBe(200);
    await change(person, column, now);
    const [status] = await decide(ben, 'approve', proposed);
    expect(status).toBe(403);
    expect(await balance(user)).toBe(0n);
    const straight = run(
      h.db,
      `update adjustments set status = 'BOOKED', decided_by = $2, decided_at = service_now()
     where adjustment_id = $1`,
      [proposed.adjustment_id, ben.user_id],
    ).catch((error: { constraint?: string }) => error.constraint);
    expect(await straight).toBe('adjustments_two_admins');
    await change(person, column, then);
    h.kernel.credentials.forget('user', person.user_id);
    expect((await decide(ben, 'approve', proposed))[0]).toBe(200);
  },
);

test('an account created after the proposal cannot approve it', async () => {
  const proposed = await credit(await h.user(), '5');
  const late = await h.operator();
  const refused = await decide(late, 'approve', proposed);
  expect(refused).toMatchObject([403, { error: { code: 'SECOND_PERSON_REQUIRED' } }]);
  expect((await decide(late, 'reject', proposed, { reason: 'Unclear' }))[0]).toBe(200);
});

test('an approval waits for a concurrent suspension of its admin, and then books nothing', async () => {
  const dan = await h.operator();
  const user = await h.user();
  const proposed = await credit(user, '6');
  const { approval } = await transact(h.db, async (tx) => {
    await run(tx, "update users set user_status = 'INACTIVE' where user_id = $1", [dan.user_id]);
    const asked = decide(dan, 'approve', proposed);
    await untilLockAwaited(h);
    return { approval: asked };
  });
  const refused = [403, { error: { code: 'SECOND_PERSON_REQUIRED' } }];
  expect(await approval).toMatchObject(refused);
  expect(await balance(user)).toBe(0n);
});

test('the database itself enforces two people, the proposal and the decision', async () => {
  const proposed = await credit(await h.user(), '5');
  const of = await give(await h.user(), '5');
  const booked = of.slice('adjustment:'.length);
  const refusal = async (set: string, id = proposed.adjustment_id) => {
    const text = `update adjustments set ${set} where adjustment_id = $1`;
    const error = await run(h.db, text, [id]).then(
      () => undefined,
      (thrown: Error & { constraint?: string }) => thrown,
    );
    return [sqlState(error), error?.constraint];
  };
  const decided = (status: string, by: number | null) =>
    `status = '${status}', decided_by = ${by}, decided_at = service_now()`;
  const refused = (constraint: string) => ['23514', constraint];
  expect(await refusal(decided('BOOKED', ada.user_id))).toEqual(refused('adjustments_two_admins'));
  expect(await refusal(decided('BOOKED', null))).toEqual(refused('adjustments_two_admins'));
  const person = refused('adjustments_two_people');
  expect(await refusal(decided('REJECTED', ada.user_id))).toEqual(person);
  expect(await refusal(decided('WITHDRAWN', ben.user_id))).toEqual(person);
  expect(await refusal(decided('EXPIRED', ben.user_id))).toEqual(person);
  const stays = refused('adjustments_stay');
  expect(await refusal('units = 1')).toEqual(stays);
  expect(await refusal(`proposed_by = ${ben.user_id}`)).toEqual(stays);
  expect(await refusal(`expires_at = expires_at + interval '1 day'`)).toEqual(stays);
  expect(await refusal(`status = 'PROPOSED', decided_by = null`, booked)).toEqual(stays);
  const late = await credit(await h.user(), '5');
  await h.advance(WEEK_S);
  for (const status of ['BOOKED', 'REJECTED'])
    expect(await refusal(decided(status, ben.user_id), late.adjustment_id)).toEqual(
      refused('adjustments_in_time'),
    );
  await logInAgain();
  const inserted = run(
    h.db,
    `insert into adjustments (adjustment_id, kind, status, reason, wallet_id, direction, units, asset, entries,
       proposed_by, decided_by, decided_at)
     select gen_random_uuid(), kind, 'BOOKED', reason, wallet_id, direction, units, asset, entries, $2, $3, service_now()
     from adjustments where adjustment_id = $1`,
    [proposed.adjustment_id, ada.user_id, ben.user_id],
  ).catch((error: { constraint?: string }) => error.constraint);
  expect(await inserted).toBe('adjustments_begin');
  // The constraint holds by itself, also without the trigger.
  await run(h.db, 'alter table adjustments disable trigger adjustments_checked', []);
  try {
    expect(await refusal(decided('BOOKED', ada.user_id))).toEqual(person);
  } finally {
    await run(h.db, 'alter table adjustments enable trigger adjustments_checked', []);
  }
});

test('an approval that fails midway leaves nothing behind, and succeeds afterwards', async () => {
  const user = await h.user();
  const proposed = await credit(user, '8');
  // The ledger comes last: its refusal undoes the writes before.
  await run(h.db, 'alter table activity_log add constraint broken check (false) not valid', []);
  expect((await decide(ben, 'approve', proposed))[0]).toBe(500);
  await run(h.db, 'alter table activity_log drop constraint broken', []);
  expect(await balance(user)).toBe(0n);
  const [posted] = await run<{ count: number }>(
    h.db,
    'select count(*)::integer as count from ledger.transfers where operation_key = $1',
    [`adjustment:${proposed.adjustment_id}`],
  );
  expect(posted?.count).toBe(0);
  expect((await decide(ben, 'approve', proposed))[0]).toBe(200);
  expect(await balance(user)).toBe(800n);
});

test('any proposals and decisions leave the ledger balanced and no customer below zero', async () => {
  const users = [await h.user(), await h.user(), await h.user()];
  const before = await houseBalance(h, 'adjustments', 'USD');
  // The same numbers in every run.
  let state = 67n;
  const random = (below: number) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    return Number(state >> 33n) % below;
  };
  const references: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    const wishes = await times(6, async () => {
      const of = references[random(Math.max(1, references.length))];
      if (of !== undefined && random(3) === 0) return { kind: 'reversal', of };
      // All numbers before any wait, or the first answer would take them.
      const whose = users[random(3)] ?? ada;
      const direction = random(2) === 0 ? 'credit' : 'debit';
      const amount = `${random(30)}.${10 + random(90)}`;
      const { wallet_id } = await walletOf(whose);
      return { kind: 'adjustment', direction, wallet_id, currency: 'USD', amount };
    });
    const proposed = await Promise.all(wishes.map((wish) => propose(ada, wish)));
    const decided = await Promise.all(
      proposed
        .filter(([status]) => status === 201)
        .map(([, { data }]) => decide(random(5) === 0 ? ada : ben, 'approve', data)),
    );
    for (const [status, { data, error }] of decided)
      if (status === 200) references.push(data.reference);
      else
        expect(['INSUFFICIENT_BALANCE', 'ALREADY_REVERSED', 'SECOND_PERSON_REQUIRED']).toContain(
          error.code,
        );
    for (const user of users) expect(await balance(user)).toBeGreaterThanOrEqual(0n);
  }
  expect(references.length).toBeGreaterThan(20);
  expect(references.filter((one) => one.startsWith('reversal:')).length).toBeGreaterThan(3);
  const sums = await Promise.all(users.map((user) => balance(user)));
  const house = await houseBalance(h, 'adjustments', 'USD');
  expect(sums.reduce((sum, one) => sum + one, 0n)).toBe(before - house);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});
