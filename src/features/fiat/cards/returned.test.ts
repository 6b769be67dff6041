import fc from 'fast-check';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { type CardUser, cardUser, houseBalance, networkBalance } from '#test/cards.ts';
import { harness } from '#test/harness.ts';

/** Against the simulated network, whose returns are compared with the books. */
const h = await harness({ mock: false });
const someone = async () => cardUser(h, await h.user());

async function toppedUp(amount = 100) {
  const user = await someone();
  const [status, { data }] = await user.topUp(amount);
  expect(status).toBe(200);
  return { user, reference: data.reference_id as string, name: data.transaction_identifier };
}
const network = (name: string, status: string, amount?: string) =>
  h.sandbox('POST', `/cards/${name}/status`, { status, ...(amount !== undefined && { amount }) });
const hint = (transactionIdentifier: string, status = 'CHARGEBACK') =>
  h.call('POST /card-checkout/card/callback', {
    as: 'nobody',
    body: { transactionIdentifier, status },
  });
async function inOrder() {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
  expect(await networkBalance(h, 'USD')).toBe(-(await houseBalance(h, 'card-settlement', 'USD')));
}
const shownTo = async (user: CardUser) => {
  const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', {
    as: user.as,
    params: { user_id: user.as.user_id },
  });
  return data.wallets.find(({ currency }: { currency: string }) => currency === 'USD');
};

test('a charge-back takes the money from the wallet and the fee from the platform, once', async () => {
  const fees = await houseBalance(h, 'card-fees', 'USD');
  const { user, name } = await toppedUp();
  await network(name, 'CHARGEBACK');
  await Promise.all(Array.from({ length: 20 }, () => hint(name)));
  await h.drain();
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await houseBalance(h, 'card-fees', 'USD')).toBe(fees);
  await inOrder();
});

test('a charged-back payment cannot be refunded', async () => {
  const { user, name, reference } = await toppedUp();
  await network(name, 'CHARGEBACK');
  const [status, { code, hint: way }] = await user.refund(reference, 100);
  expect([status, code]).toEqual([409, 'ALREADY_RETURNED']);
  expect(way).toContain('taken back');
  await inOrder();
});

test('a refund of a charge-back that we do not know of yet is refused as returned', async () => {
  const { user, name, reference } = await toppedUp();
  await h.sandbox('POST', '/faults', { provider: 'card-network', kind: 'reorder' });
  await network(name, 'CHARGEBACK');
  expect(await user.refund(reference, 40)).toMatchObject([409, { code: 'ALREADY_RETURNED' }]);
  await hint(name);
  expect(await user.balance()).toEqual([0n, 0n]);
  await inOrder();
});

test('after a partial charge-back only the rest can be refunded', async () => {
  const { user, name, reference } = await toppedUp();
  await network(name, 'CHARGEBACK', '30');
  expect(await user.balance()).toEqual([67_90n, 0n]);
  expect(await user.refund(reference, '70.01')).toMatchObject([409, { code: 'ALREADY_RETURNED' }]);
  await inOrder();
});

test('spent money becomes a debt, which the next money pays and cannot be spent', async () => {
  const { user, name } = await toppedUp();
  expect((await user.push(90))[0]).toBe(200);
  const owed = await houseBalance(h, 'card-owed', 'USD');
  await network(name, 'CHARGEBACK');
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await houseBalance(h, 'card-owed', 'USD')).toBe(owed - 90_00n);
  expect((await user.topUp(100))[0]).toBe(200);
  expect(await shownTo(user)).toMatchObject({ balance: '97.00', held: '0.00', available: '7.00' });
  expect(await user.push(8)).toMatchObject([400, { code: 'INSUFFICIENT_BALANCE' }]);
  expect((await user.push(7))[0]).toBe(200);
  await h.advance(3600);
  await h.drain();
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await houseBalance(h, 'card-owed', 'USD')).toBe(owed);
  await inOrder();
});

test('a won dispute restores the money once', async () => {
  const { user, name } = await toppedUp();
  await network(name, 'CHARGEBACK');
  await network(name, 'CHARGEBACK_REVERSED');
  await Promise.all(Array.from({ length: 20 }, () => hint(name, 'CHARGEBACK_REVERSED')));
  expect(await user.balance()).toEqual([97_00n, 0n]);
  await inOrder();
});

test('a charge-back after a refund takes nothing again, and waits for a person', async () => {
  const { user, name, reference } = await toppedUp();
  expect((await user.refund(reference, 100))[0]).toBe(200);
  const disputed = await houseBalance(h, 'card-disputed', 'USD');
  await network(name, 'CHARGEBACK');
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await houseBalance(h, 'card-disputed', 'USD')).toBe(disputed - 100_00n);
  const operator = await h.operator();
  const work = async () => (await h.call('GET /desk/work', { as: operator }))[1].data;
  const payment = `card:${reference}`;
  expect(await work()).toMatchObject({
    needs_person: true,
    returned_twice: [{ payment, currency: 'USD', amount: '100.00' }],
  });
  const [told] = await run<{ data: object }>(
    h.db,
    `select data from events.log where type = 'work.stalled' and object_id = $1
     union all select data from events.outbox where type = 'work.stalled' and object_id = $1`,
    [`return:${payment}`],
  );
  expect(told?.data).toMatchObject({ what: 'return', id: payment });
  await inOrder();
  await network(name, 'CHARGEBACK_REVERSED');
  expect((await work()).returned_twice).toEqual([]);
  await inOrder();
});

test('a failed refund’s claim passes to the charge-back, which the wallet pays', async () => {
  const { user, name, reference } = await toppedUp();
  const disputed = await houseBalance(h, 'card-disputed', 'USD');
  await h.sandbox('POST', '/faults', { provider: 'card-network', kind: 'drop', times: 9 });
  expect((await user.refund(reference, 40))[0]).toBe(503);
  await h.sandbox('DELETE', '/faults');
  await network(name, 'CHARGEBACK');
  expect(await houseBalance(h, 'card-disputed', 'USD')).toBe(disputed - 40_00n);
  for (let n = 0; n < 3; n += 1) {
    await h.advance(20 * 60);
    await h.drain();
  }
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await houseBalance(h, 'card-disputed', 'USD')).toBe(disputed);
  await inOrder();
  // The network repeats its report, and then gives all of it again.
  await hint(name);
  expect(await user.balance()).toEqual([0n, 0n]);
  await network(name, 'CHARGEBACK_REVERSED');
  expect(await user.balance()).toEqual([97_00n, 0n]);
  await inOrder();
});

test('a push that the network reverses comes back into the wallet, once', async () => {
  const { user } = await toppedUp();
  const [, { data }] = await user.push(40);
  const [row] = await run<{ transaction_identifier: string }>(
    h.db,
    'select transaction_identifier from card_transactions where reference_id = $1',
    [data.push_id],
  );
  const name = row?.transaction_identifier ?? '';
  await network(name, 'REVERSED');
  await hint(name, 'REVERSED');
  expect(await user.balance()).toEqual([97_00n, 0n]);
  await inOrder();
  await network(name, 'COMPLETED');
  expect(await user.balance()).toEqual([57_00n, 0n]);
  await inOrder();
});

test('a refund that the network sends back is in the wallet again, and frees its claim', async () => {
  const { user, name, reference } = await toppedUp();
  const [, { data }] = await user.refund(reference, 40);
  const refund = (await user.reference(data.refund_id))[1].data.transaction_identifier;
  await network(refund, 'REVERSED');
  expect(await user.balance()).toEqual([97_00n, 0n]);
  await inOrder();
  await network(refund, 'COMPLETED');
  expect(await user.balance()).toEqual([58_20n, 0n]);
  await network(name, 'CHARGEBACK', '60');
  expect(await user.balance()).toEqual([0n, 0n]);
  await inOrder();
});

test('any mix of refunds, charge-backs and won disputes returns at most the payment', async () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant('refund' as const), cents: fc.integer({ min: 1, max: 100_00 }) }),
    fc.record({ what: fc.constant('charge' as const), cents: fc.integer({ min: 1, max: 100_00 }) }),
    fc.record({ what: fc.constant('win' as const), cents: fc.constant(1) }),
    fc.record({ what: fc.constant('spend' as const), cents: fc.integer({ min: 1, max: 97_00 }) }),
    fc.record({ what: fc.constant('late' as const), cents: fc.constant(1) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 4 }),
      async (rounds) => {
        const { user, name, reference } = await toppedUp();
        const act = {
          refund: (amount: string) => user.refund(reference, amount),
          charge: (amount: string) => network(name, 'CHARGEBACK', amount),
          win: () => network(name, 'CHARGEBACK_REVERSED'),
          spend: (amount: string) => user.push(amount),
          late: () => hint(name),
        };
        for (const round of rounds)
          await Promise.all(round.map(({ what, cents }) => act[what]((cents / 100).toFixed(2))));
        await hint(name);
        await h.drain();
        const [sums] = await run<{ paid: bigint; back: bigint }>(
          h.db,
          `select paid, refunded + charged_back + reversed + returned as back
         from ledger.returns where payment = $1`,
          [`card:${reference}`],
        );
        expect((sums?.back ?? 0n) <= (sums?.paid ?? 0n)).toBe(true);
        await inOrder();
      },
    ),
    { numRuns: 12 },
  );
});
