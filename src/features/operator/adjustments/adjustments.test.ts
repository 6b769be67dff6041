import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { balanceByName } from '#kernel/ledger/accounts.ts';
import { hold } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { transact } from '#kernel/transact.ts';
import { correcting } from '#test/adjustments.ts';
import { cardUser, houseBalance } from '#test/cards.ts';
import { harness, type Person } from '#test/harness.ts';

const h = await harness();
const { ada, ben, propose, decide, balance, walletOf, give, logInAgain } = await correcting(h);
// Schedules are due from their first run on.
await h.drain();

const WEEK_S = 7 * 24 * 3600;

test('a second admin’s approval books a proposal, and the customer sees its reason', async () => {
  const user = await h.user();
  const { wallet_id } = await walletOf(user);
  const [status, { data: proposed }] = await propose(ada, {
    kind: 'adjustment',
    wallet_id,
    direction: 'credit',
    amount: '12.50',
    currency: 'USD',
    reason: 'Charged twice',
  });
  expect(status).toBe(201);
  expect(proposed).toMatchObject({
    kind: 'adjustment',
    status: 'PROPOSED',
    reason: 'Charged twice',
    amount: '12.50',
    currency: 'USD',
    direction: 'credit',
    wallet_id,
    user_id: user.user_id,
    of: null,
    entries: [
      { account: 'house adjustments', amount: '-12.50' },
      { account: `user:${user.user_id} wallet`, amount: '12.50' },
    ],
    proposed_by: ada.user_id,
    decided_by: null,
    reference: null,
  });
  expect(await balance(user)).toBe(0n);
  const house = await houseBalance(h, 'adjustments', 'USD');

  const reference = `adjustment:${proposed.adjustment_id}`;
  const [booked, { data }] = await decide(ben, 'approve', proposed);
  expect(booked).toBe(200);
  expect(data).toMatchObject({ status: 'BOOKED', decided_by: ben.user_id, reference });
  expect(await balance(user)).toBe(1250n);
  expect(await houseBalance(h, 'adjustments', 'USD')).toBe(house - 1250n);
  const params = { adjustment_id: proposed.adjustment_id };
  const read = await h.call('GET /adjustments/{adjustment_id}', { as: ben, params });
  expect(read[1].data).toEqual({ ...data, you_may: [] });

  const [, statement] = await h.call('GET /wallets/fiat/{wallet_id}/transactions', {
    as: user,
    params: { wallet_id },
  });
  expect(statement.data.transactions[0]).toMatchObject({
    type: 'adjustment',
    amount: '12.50',
    reference,
    description: 'Correction by the operator',
  });
  expect(JSON.stringify(statement)).not.toContain('Charged twice');

  await h.kernel.events.settle();
  for (const q of [reference, proposed.adjustment_id]) {
    const [, timeline] = await h.call('GET /desk/timeline', { as: ada, query: { q } });
    const types = timeline.data.moments.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['adjustment.proposed', 'adjustment.booked', 'adjustment']);
  }
});

test('a debit takes at most the balance', async () => {
  const user = await h.user();
  await give(user, '10.00');
  const taking = { kind: 'adjustment', direction: 'debit', currency: 'USD' };
  const { wallet_id } = await walletOf(user);
  const [, { data: all }] = await propose(ada, { ...taking, wallet_id, amount: '10.01' });
  const refused = await decide(ben, 'approve', all);
  expect(refused).toMatchObject([400, { error: { code: 'INSUFFICIENT_BALANCE' } }]);
  expect(await balance(user)).toBe(1000n);
  // It is still open: nothing of the approval is left.
  const params = { adjustment_id: all.adjustment_id };
  const [, { data: still }] = await h.call('GET /adjustments/{adjustment_id}', { as: ben, params });
  expect(still).toEqual({ ...all, you_may: ['approve', 'reject'] });
  const [, { data: some }] = await propose(ada, { ...taking, wallet_id, amount: '10' });
  expect((await decide(ben, 'approve', some))[0]).toBe(200);
  expect(await balance(user)).toBe(0n);
});

test('a reversal undoes all of a transfer, once, and can be reversed itself', async () => {
  const user = await h.user();
  const first = await give(user, '30.00');
  const undo = (of: string) => propose(ada, { kind: 'reversal', of });
  const [status, { data: shown }] = await undo(first);
  expect(status).toBe(201);
  expect(shown).toMatchObject({
    of: first,
    amount: '30.00',
    currency: 'USD',
    user_id: user.user_id,
    wallet_id: null,
    entries: expect.arrayContaining([
      { account: `user:${user.user_id} wallet`, amount: '-30.00' },
      { account: 'house adjustments', amount: '30.00' },
    ]),
  });
  const [, { data: twin }] = await undo(first);
  const [, { data: second }] = await decide(ben, 'approve', shown);
  expect(second.reference).toBe(`reversal:${shown.adjustment_id}`);
  expect(await balance(user)).toBe(0n);
  // An open proposal for the same transfer, and a later one.
  expect(await decide(ben, 'approve', twin)).toMatchObject([
    409,
    { error: { code: 'ALREADY_REVERSED' } },
  ]);
  expect(await undo(first)).toMatchObject([409, { error: { code: 'ALREADY_REVERSED' } }]);
  const [, { data: back }] = await undo(second.reference);
  expect((await decide(ben, 'approve', back))[0]).toBe(200);
  expect(await balance(user)).toBe(3000n);
  expect(await undo(second.reference)).toMatchObject([
    409,
    { error: { code: 'ALREADY_REVERSED' } },
  ]);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});

test('a reversal takes a member’s points back, and the action is not rewarded again', async () => {
  const member = { phone: '+6281230009001' };
  const [, { user, token }] = await h.call('POST /xusers/login', { body: member });
  const account = { owner: `userx:${user.userx_id}`, purpose: 'points', asset: 'POINTS' } as const;
  const points = async () => (await balanceByName(h.db, account)).available;
  expect(await points()).toBe(50n);
  const of = `reward:${user.userx_id}:welcome`;
  const [, { data }] = await propose(ada, { kind: 'reversal', of });
  expect(data).toMatchObject({ amount: '50', currency: 'POINTS', user_id: null });
  expect((await decide(ben, 'approve', data))[0]).toBe(200);
  expect(await points()).toBe(0n);
  expect(token).toBeDefined();
  await h.call('POST /xusers/login', { body: member });
  expect(await points()).toBe(0n);
});

test('a transfer with another side is not reversible: the answer names its way back', async () => {
  const user = await h.user();
  const card = cardUser(h, user);
  const [, { data: top }] = await card.topUp('40.00');
  await card.push('5.00');
  const params = { wallet_id: (await walletOf(user)).wallet_id };
  const [, statement] = await h.call('GET /wallets/fiat/{wallet_id}/transactions', {
    as: user,
    params,
  });
  const [{ reference: push }] = statement.data.transactions;
  const refused = async (of: string) => {
    const [status, { error }] = await propose(ada, { kind: 'reversal', of });
    expect([of, status, error?.code]).toEqual([of, 409, 'NOT_REVERSIBLE']);
    return error.hint as string;
  };
  expect(await refused(`card:${top.reference_id}`)).toContain('POST /card-checkout/card/refund');
  expect(await refused(push)).toContain('adjustment of the wallet');
  const { account_id } = await walletOf(user);
  const held = { key: 'testing:hold', kind: 'card-hold', legs: hold(account_id, 100n) };
  await transact(h.db, (tx) => postWithin(tx, held));
  expect(await refused(held.key)).toContain('released');
  // The card can still refund all of it.
  expect((await card.refund(top.reference_id, '10.00'))[0]).toBe(200);
  const none = await propose(ada, { kind: 'reversal', of: 'card:nothing' });
  expect(none).toMatchObject([404, { error: { code: 'TRANSACTION_NOT_FOUND' } }]);
});

test('the proposer cannot approve, and no admin corrects a wallet of their own', async () => {
  const own = await walletOf(ada);
  const wish = { kind: 'adjustment', direction: 'credit', amount: '1', currency: own.currency };
  const forOne = (as: Person, wallet_id: number) => propose(as, { ...wish, wallet_id });
  const refused = [403, { error: { code: 'SECOND_PERSON_REQUIRED' } }];
  expect(await forOne(ada, own.wallet_id)).toMatchObject(refused);
  const [, { data: hers }] = await forOne(ben, own.wallet_id);
  expect(await decide(ben, 'approve', hers)).toMatchObject(refused);
  expect(await decide(ben, 'reject', hers, { reason: 'no' })).toMatchObject(refused);
  // It is about the wallet of the admin who would approve.
  expect(await decide(ada, 'approve', hers)).toMatchObject(refused);
  expect(await decide(ada, 'withdraw', hers)).toMatchObject([
    403,
    { error: { code: 'FORBIDDEN' } },
  ]);
  expect((await decide(ada, 'reject', hers, { reason: 'Not that much' }))[1].data).toMatchObject({
    status: 'REJECTED',
    decided_by: ada.user_id,
    decision_note: 'Not that much',
  });
  const [, { data: other }] = await forOne(ben, own.wallet_id);
  expect((await decide(ben, 'withdraw', other))[1].data.status).toBe('WITHDRAWN');
  expect(await balance(ada, own.currency)).toBe(0n);
});

test('only the operator’s admins see or decide proposals', async () => {
  const user = await h.user();
  const { wallet_id } = await walletOf(user);
  const wish = { kind: 'adjustment', direction: 'credit', amount: '1', currency: 'USD', wallet_id };
  const [, { data }] = await propose(ada, wish);
  const chief = await h.user({ role: 'admin', client_id: user.client_id });
  for (const as of [user, chief]) {
    expect((await propose(as, wish))[0]).toBe(403);
    for (const what of ['approve', 'withdraw'] as const)
      expect((await decide(as, what, data))[0]).toBe(403);
    expect((await decide(as, 'reject', data, { reason: 'x' }))[0]).toBe(403);
    expect((await h.call('GET /adjustments', { as }))[0]).toBe(403);
    const params = { adjustment_id: data.adjustment_id };
    expect((await h.call('GET /adjustments/{adjustment_id}', { as, params }))[0]).toBe(403);
    await h.kernel.events.settle();
    const told = await h.call('GET /events', { as, query: { type: 'adjustment.*' } });
    expect(told).toMatchObject([200, { data: { events: [] } }]);
  }
  const none = { adjustment_id: '00000000-0000-4000-8000-000000000000' };
  expect((await decide(ben, 'approve', none))[0]).toBe(404);
  expect((await h.call('GET /adjustments/{adjustment_id}', { as: ben, params: none }))[0]).toBe(
    404,
  );
});

const HOSTILE: readonly (readonly [string, object, string])[] = [
  ['nothing', { amount: '0' }, 'VALIDATION_ERROR'],
  ['less than nothing', { amount: '-1' }, 'VALIDATION_ERROR'],
  ['less than a cent', { amount: '0.001' }, 'VALIDATION_ERROR'],
  ['as much as a number holds', { amount: '9'.repeat(38) }, 'VALIDATION_ERROR'],
  ['an invalid amount', { amount: 'NaN' }, 'VALIDATION_ERROR'],
  ['a list', { amount: ['1'] }, 'VALIDATION_ERROR'],
  ['more than the limit by a cent', { amount: '10000.01' }, 'LIMIT_EXCEEDED'],
  ['the exponent of a fortune', { amount: 1e9 }, 'LIMIT_EXCEEDED'],
  ['another currency', { currency: 'SGD' }, 'VALIDATION_ERROR'],
  ['points', { currency: 'POINTS' }, 'VALIDATION_ERROR'],
  ['an unknown wallet', { wallet_id: 2_000_000_000 }, 'WALLET_NOT_FOUND'],
  ['no direction', { direction: undefined }, 'VALIDATION_ERROR'],
  ['both directions', { direction: 'credit,debit' }, 'VALIDATION_ERROR'],
  ['half a reversal', { of: 'reward:1:welcome' }, 'VALIDATION_ERROR'],
  ['a part of a transfer', { kind: 'reversal', of: 'reward:1:welcome' }, 'VALIDATION_ERROR'],
  ['no reason', { reason: '  ' }, 'VALIDATION_ERROR'],
  ['a novel', { reason: 'x'.repeat(501) }, 'VALIDATION_ERROR'],
];

test.each(HOSTILE)('a proposal of %s is refused', async (_what, over, code) => {
  const { wallet_id } = await walletOf(await h.user());
  const wish = { kind: 'adjustment', direction: 'credit', amount: '1', currency: 'USD', wallet_id };
  const [status, body] = await propose(ada, { ...wish, ...over });
  expect([status < 500, body.error?.code]).toEqual([true, code]);
});

test('a repeated key makes one proposal, and one approval', async () => {
  const user = await h.user();
  const { wallet_id } = await walletOf(user);
  const wish = { kind: 'adjustment', direction: 'credit', amount: '2', currency: 'USD', wallet_id };
  const body = { reason: 'Once', ...wish };
  const headers = { 'idempotency-key': 'one-wish' };
  const once = await h.call('POST /adjustments', { as: ada, body, headers });
  expect(await h.call('POST /adjustments', { as: ada, body, headers })).toEqual(once);
  const params = { adjustment_id: once[1].data.adjustment_id };
  const approval = { as: ben, params, body: {}, headers: { 'idempotency-key': 'one-yes' } };
  const done = await h.call('POST /adjustments/{adjustment_id}/approve', approval);
  expect(done[0]).toBe(200);
  expect(await h.call('POST /adjustments/{adjustment_id}/approve', approval)).toEqual(done);
  expect(await balance(user)).toBe(200n);
});

test('a proposal expires after a week, in lists also before the schedule runs', async () => {
  const user = await h.user();
  const { wallet_id } = await walletOf(user);
  const wish = { kind: 'adjustment', direction: 'credit', amount: '3', currency: 'USD', wallet_id };
  const [, { data }] = await propose(ada, wish);
  await h.advance(WEEK_S + 1);
  await logInAgain();
  const listed = async (status: string) => {
    const [, answer] = await h.call('GET /adjustments', { as: ben, query: { status, limit: 200 } });
    const { adjustments } = answer.data;
    return adjustments.find((one: typeof data) => one.adjustment_id === data.adjustment_id);
  };
  for (const judged of ['at the act', 'by the schedule']) {
    if (judged === 'by the schedule') {
      await h.advance(60);
      await h.drain();
    }
    for (const [as, what] of [
      [ben, 'approve'],
      [ada, 'withdraw'],
    ] as const)
      expect(await decide(as, what, data), judged).toMatchObject([
        400,
        { error: { code: 'INVALID_STATUS', details: { status: 'EXPIRED' } } },
      ]);
    expect(await listed('PROPOSED'), judged).toBeUndefined();
    expect((await listed('EXPIRED'))?.status, judged).toBe('EXPIRED');
  }
  const rows = await run<{ status: string }>(
    h.db,
    'select status from adjustments where adjustment_id = $1',
    [data.adjustment_id],
  );
  expect(rows).toEqual([{ status: 'EXPIRED' }]);
  expect(await balance(user)).toBe(0n);
});

test('the list has pages, and the log has each decision with before and after', async () => {
  const user = await h.user();
  for (let n = 0; n < 3; n += 1) await give(user, '1');
  const seen: string[] = [];
  let before: number | undefined;
  do {
    const query = { status: 'BOOKED', limit: 2, ...(before && { before }) };
    const { body, headers } = await h.send('GET /adjustments', { as: ben, query });
    const { adjustments, pagination } = body.data;
    seen.push(...adjustments.map((one: { adjustment_id: string }) => one.adjustment_id));
    before = pagination.next_before ?? undefined;
    expect(headers.get('link')?.includes(`before=${before}`) ?? false).toBe(before !== undefined);
  } while (before !== undefined);
  const [{ count } = { count: 0 }] = await run<{ count: number }>(
    h.db,
    "select count(*)::integer as count from adjustments where status = 'BOOKED'",
    [],
  );
  expect([seen.length, new Set(seen).size]).toEqual([count, count]);
  const [, { entries }] = await h.call('GET /admins/audit', { as: ben });
  expect(entries.slice(0, 2)).toMatchObject([
    {
      action: 'ADJUSTMENT_BOOKED',
      actor_user_id: ben.user_id,
      subject_user_id: user.user_id,
      details: {
        before: { status: 'PROPOSED' },
        after: { status: 'BOOKED', reference: `adjustment:${seen[0]}` },
      },
    },
    { action: 'ADJUSTMENT_PROPOSED', details: { before: null, after: { status: 'PROPOSED' } } },
  ]);
});
