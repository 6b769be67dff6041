import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { closeAccount } from '#kernel/ledger/accounts.ts';
import { type CardUser, cardUser, DECLINED } from '#test/cards.ts';
import { type Harness, harness } from '#test/harness.ts';

/** The transaction that decides about a movement of money records the requester and their address. */
const auditOf = (h: Harness, { as }: CardUser) =>
  run(
    h.db,
    `select a.action, a.actor_user_id = $1 and a.client_id = $2 as is_theirs, a.ip, t.type, t.state,
       a.details ->> 'units' = t.amount::text and a.details ->> 'currency' = t.currency as is_sum,
       length(a.request_id) > 0 as has_request
     from activity_log a full join card_transactions t on t.reference_id = a.details ->> 'reference_id'
     where a.subject_user_id = $1 or t.user_id = $1 order by t.id`,
    [as.user_id, as.client_id],
  );
const noted = (type: string, state = 'SETTLED') => ({
  action: `CARD_${type}`,
  is_theirs: true,
  ip: '127.0.0.1',
  type,
  state,
  is_sum: true,
  has_request: true,
});

test.each([
  ['mock', true],
  ['live', false],
])(
  'in %s mode every top-up, push and refund records its requester and address',
  async (_, mock) => {
    const h = await harness({ mock });
    const user = cardUser(h, await h.user());
    const [, { data }] = await user.topUp(100);
    expect((await user.topUp(5, DECLINED))[0]).toBe(400);
    expect((await user.push(1))[0]).toBe(200);
    expect((await user.refund(data.reference_id, 50))[0]).toBe(200);
    expect(await auditOf(h, user)).toEqual([
      noted('TOPUP'),
      noted('TOPUP', 'FAILED'),
      noted('PUSH'),
      noted('REFUND'),
    ]);
  },
);

test.each([
  ['mock', true],
  ['live', false],
])('in %s mode concurrent top-ups are recorded once each', async (_, mock) => {
  const h = await harness({ mock });
  const user = cardUser(h, await h.user());
  const answers = await Promise.all(Array.from({ length: 40 }, () => user.topUp(1)));
  expect(answers.map(([status]) => status)).toEqual(Array(40).fill(200));
  expect(await auditOf(h, user)).toEqual(Array(40).fill(noted('TOPUP')));
});

test('a failed top-up and an uncovered push leave no record', async () => {
  const h = await harness();
  const user = cardUser(h, await h.user());
  expect((await user.push(1))[0]).toBe(400);
  const [wallet] = await run<{ account_id: number }>(
    h.db,
    'select account_id from fiat_wallets where user_id = $1',
    [user.as.user_id],
  );
  expect(await closeAccount(h.db, wallet?.account_id ?? 0)).toBe(true);
  expect((await user.topUp(10))[1].code).toBe('ACCOUNT_NOT_ACTIVE');
  expect(await auditOf(h, user)).toEqual([]);
});

test('mock mode calls no network and leaves no open effect', async () => {
  const h = await harness();
  const user = cardUser(h, await h.user());
  expect((await user.topUp(10))[0]).toBe(200);
  expect((await user.push(1))[0]).toBe(200);
  expect(await run(h.db, 'select id from effects', [])).toEqual([]);
});
