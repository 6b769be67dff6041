import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import {
  ALSO_GOOD,
  cardUser,
  DECLINED,
  GOOD,
  houseBalance,
  networkBalance,
  spoil,
} from '#test/cards.ts';
import { harness } from '#test/harness.ts';

/** Against the simulated network, whose records are compared with the books. */
const h = await harness({ mock: false });
const someone = async () => cardUser(h, await h.user());

const toppedUp = async (amount = 100) => {
  const user = await someone();
  const [status, { data }] = await user.topUp(amount);
  expect(status).toBe(200);
  return { user, data, reference: data.reference_id as string };
};
const inOrder = async () => {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await networkBalance(h, 'USD')).toBe(-(await houseBalance(h, 'card-settlement', 'USD')));
};

test('a whole refund leaves the wallet and the fee account as they were', async () => {
  const fees = await houseBalance(h, 'card-fees', 'USD');
  const { user, reference } = await toppedUp(100);
  const [status, answer] = await user.refund(reference, 100);
  expect([status, answer]).toEqual([
    200,
    {
      message: 'Refund processed successfully',
      data: {
        refund_id: expect.stringMatching(/^REFUND-[A-Z]{16}$/),
        original_reference: reference,
        amount: 100,
        currency: 'USD',
        status: 'REFUND_PROCESSED',
        refund_method: 'REVERSE_FUNDS',
        processed_at: expect.stringMatching(/Z$/),
      },
    },
  ]);
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await houseBalance(h, 'card-fees', 'USD')).toBe(fees);
  expect(await user.reference(answer.data.refund_id)).toMatchObject([
    200,
    { data: { type: 'REFUND', original_reference: reference, platform_fee: 3, net_amount: 97 } },
  ]);
  await inOrder();
});

test('of a partial refund the wallet pays its share and the platform its own', async () => {
  const { user, reference } = await toppedUp(100);
  expect((await user.refund(reference, '33.34'))[0]).toBe(200);
  // 1.0002 of the fee is the platform's share; it keeps the part below a cent.
  expect(await user.balance()).toEqual([97_00n - 32_34n, 0n]);
  await inOrder();
});

test('of twenty concurrent refunds one succeeds, and the network sees one', async () => {
  const { user, reference, data } = await toppedUp(100);
  const answers = await Promise.all(Array.from({ length: 20 }, () => user.refund(reference, 4)));
  const codes = answers.map(([status, body]) => [status, body.code ?? 'done']);
  expect(codes.filter(([, code]) => code === 'done')).toEqual([[200, 'done']]);
  expect(codes.filter(([, code]) => code === 'ALREADY_REFUNDED')).toHaveLength(19);
  const seen = (await h.sandbox('GET', '/cards')).filter(
    (row: { original?: string }) => row.original === data.transaction_identifier,
  );
  expect(seen).toHaveLength(1);
  expect(await user.balance()).toEqual([97_00n - 3_88n, 0n]);
  await inOrder();
});

test('an unknown original, another type, or another owner is 500 by the contract', async () => {
  const { user, reference } = await toppedUp(100);
  const unknown = [500, { error: 'Original transaction not found', code: 'ORIGINAL_NOT_FOUND' }];
  expect(await user.refund('TOPUP-NOTHING', 1)).toMatchObject(unknown);
  expect(await (await someone()).refund(reference, 1)).toMatchObject(unknown);
  const foreign = cardUser(h, await h.user({ role: 'admin' }));
  expect(await foreign.refund(reference, 1)).toMatchObject(unknown);
  const [, pushed] = await user.push(1);
  const number = { card_number: ALSO_GOOD };
  expect(await user.refund(pushed.data.push_id, 1, number)).toMatchObject(unknown);
  const [, refunded] = await user.refund(reference, 10);
  expect(await user.refund(reference, 10)).toMatchObject([
    500,
    { error: 'Original transaction was already refunded', code: 'ALREADY_REFUNDED' },
  ]);
  expect(await user.refund(refunded.data.refund_id, 1)).toMatchObject(unknown);
});

test('an unsettled top-up, or mock money out of mock mode, is no original', async () => {
  const { user, reference } = await toppedUp(100);
  const unknown = [500, { code: 'ORIGINAL_NOT_FOUND' }];
  await spoil(h, 'error', 2);
  const [, { details }] = await user.topUp(50);
  expect(await user.refund(details.reference_id, 50)).toMatchObject(unknown);
  await user.topUp(50, DECLINED);
  const [failed] = await run<{ reference_id: string }>(
    h.db,
    `select reference_id from card_transactions where user_id = $1 and state = 'FAILED'`,
    [user.as.user_id],
  );
  const card = { card_number: DECLINED };
  expect(await user.refund(failed?.reference_id ?? '', 50, card)).toMatchObject(unknown);
  const simulated = 'update card_transactions set simulated = $2 where reference_id = $1';
  await run(h.db, simulated, [reference, true]);
  expect(await user.refund(reference, 50)).toMatchObject(unknown);
  await run(h.db, simulated, [reference, false]);
  expect(await user.balance()).toEqual([97_00n, 0n]);
  expect((await user.refund(reference, 50))[0]).toBe(200);
});

test('an admin of the client refunds from the wallet of its owner', async () => {
  const { user, reference } = await toppedUp(100);
  const admin = cardUser(h, await h.user({ role: 'admin', client_id: user.as.client_id }));
  expect((await admin.refund(reference, 100))[0]).toBe(200);
  expect(await user.balance()).toEqual([0n, 0n]);
  const log = await h.db
    .selectFrom('activity_log')
    .select(['action', 'actor_user_id', 'ip'])
    .where('subject_user_id', '=', user.as.user_id)
    .orderBy('id')
    .execute();
  expect(log).toEqual([
    { action: 'CARD_TOPUP', actor_user_id: user.as.user_id, ip: '127.0.0.1' },
    { action: 'CARD_REFUND', actor_user_id: admin.as.user_id, ip: '127.0.0.1' },
  ]);
});

test('more than the original, another currency or another card is refused', async () => {
  const { user, reference } = await toppedUp(100);
  for (const [amount, over, field] of [
    ['100.01', {}, 'amount'],
    [1, { currency_code: 'SGD' }, 'currency_code'],
    [1, { card_number: ALSO_GOOD }, 'card_number'],
  ] as const) {
    expect(await user.refund(reference, amount, over)).toMatchObject([
      400,
      { code: 'VALIDATION_ERROR', details: [{ field }] },
    ]);
  }
  expect(await user.balance()).toEqual([97_00n, 0n]);
});

test('a refund that the wallet cannot pay is refused before the network is called', async () => {
  const { user, reference } = await toppedUp(100);
  expect((await user.push(50))[0]).toBe(200);
  const before = (await h.sandbox('GET', '/cards')).length;
  expect(await user.refund(reference, 100)).toMatchObject([400, { code: 'INSUFFICIENT_BALANCE' }]);
  expect(await user.push('47.01')).toMatchObject([400, { code: 'INSUFFICIENT_BALANCE' }]);
  expect((await h.sandbox('GET', '/cards')).length).toBe(before);
  expect((await user.refund(reference, 48))[0]).toBe(200);
  await inOrder();
});

test('a push debits exactly its amount', async () => {
  const { user } = await toppedUp(100);
  const pushed = await user.push('12.34');
  expect(pushed).toEqual([
    200,
    {
      message: 'Funds pushed to card successfully',
      data: {
        push_id: expect.stringMatching(/^PUSH-[A-Z]{16}$/),
        amount: 12.34,
        currency: 'USD',
        card_last4: '4444',
        recipient_name: 'Ada Lovelace',
        status: 'PUSH_PROCESSED',
        push_method: 'MANUAL_FUNDS',
        processed_at: expect.stringMatching(/Z$/),
      },
    },
  ]);
  expect(await user.balance()).toEqual([97_00n - 12_34n, 0n]);
  await inOrder();
  // The contract has two types; the status shows that it was a push.
  const push = { type: 'REFUND', status: 'PUSH_PROCESSED', amount: 12.34 };
  const [, { data }] = await user.reference(pushed[1].data.push_id);
  expect(data).toMatchObject(push);
  const [, { data: history }] = await user.history({ wallet_id: data.wallet_id });
  expect(history).toMatchObject([push, { type: 'TOPUP' }]);
});

test.each([
  GOOD,
  'Ada 4111 1111 1111 1111',
  '4111.1111.1111.1111',
  '4111  1111  1111  1111',
  '4111/1111/1111/1111 Ada',
  '４１１１１１１１１１１１１１１１',
])('%s is no recipient’s name, since names are stored', async (recipient_name) => {
  const { user } = await toppedUp(100);
  expect(await user.push(1, { recipient_name })).toMatchObject([
    400,
    { details: [{ field: 'recipient_name' }] },
  ]);
  expect((await user.push(1, { recipient_name: 'Ærøskøbing ApS 24 (1998)' }))[0]).toBe(200);
});

test('a declined push releases its held money', async () => {
  const { user } = await toppedUp(100);
  expect(await user.push(10, { card_number: DECLINED })).toMatchObject([
    400,
    { error: 'The card was declined', code: 'CARD_DECLINED' },
  ]);
  expect(await user.balance()).toEqual([97_00n, 0n]);
  await inOrder();
});

test('concurrent pushes never spend more than the balance', async () => {
  const { user } = await toppedUp(100);
  const answers = await Promise.all(Array.from({ length: 15 }, () => user.push(20)));
  expect(answers.filter(([status]) => status === 200)).toHaveLength(4);
  expect(await user.balance()).toEqual([17_00n, 0n]);
  await inOrder();
});

test('the database itself refuses a second refund, and one above its original', async () => {
  const { user, reference } = await toppedUp(100);
  await user.refund(reference, 10);
  const copy = (changes: string) =>
    run(
      h.db,
      `insert into card_transactions (operation, reference_id, type, wallet_id, user_id, client_id,
         card_last4, currency, amount, platform_fee, net_amount, state, status, simulated, rrn,
         traced_at, original_id, original_type, original_amount)
       select gen_random_uuid(), 'REFUND-FORGED', 'REFUND', wallet_id, user_id, client_id,
         card_last4, currency, amount, platform_fee, net_amount, 'PENDING', 'PENDING', false,
         '000000000000', now(), id, 'TOPUP', amount
       from (select id, wallet_id, user_id, client_id, card_last4, currency, ${changes}
             from card_transactions where reference_id = $1) t`,
      [reference],
    );
  const fresh = await toppedUp(100);
  await expect(copy('amount, platform_fee, net_amount')).rejects.toMatchObject({
    constraint: 'card_transactions_refunded_once',
  });
  await run(h.db, 'delete from card_transactions where original_id is not null', []);
  await expect(
    copy('amount + 1 as amount, platform_fee, net_amount + 1 as net_amount'),
  ).rejects.toMatchObject({ constraint: 'card_transactions_original' });
  expect((await fresh.user.refund(fresh.reference, GOOD))[0]).toBe(400);
});
