import { expect, test } from 'vitest';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { type CardUser, cardUser } from '#test/cards.ts';
import { harness } from '#test/harness.ts';

/** After a partial refund the status `REVERSED` of a top-up may mean that refund alone: a person decides. */
const h = await harness({ mock: false });
const operator = await h.operator();
const network = (name: string, status: string, amount?: string) =>
  h.sandbox('POST', `/cards/${name}/status`, { status, ...(amount !== undefined && { amount }) });
const decide = (payment: string, meant: string) =>
  h.call('POST /card-checkout/reversals/decide', { as: operator, body: { payment, meant } });
async function inQuestion(payment: string): Promise<object[]> {
  const [, { data }] = await h.call('GET /desk/work', { as: operator });
  return data.discrepancies.filter(({ id }: { id: string }) => id === payment);
}
async function inOrder() {
  expect((await verifyLedger(h.db)).broken).toEqual([]);
}

async function toppedUp() {
  const user: CardUser = cardUser(h, await h.user());
  const [, { data }] = await user.topUp(100);
  const { reference_id: reference, transaction_identifier: name } = data;
  return { user, reference, name, payment: `card:${reference}` };
}
/** A top-up of 100 of which 40 were refunded, and which the network reports as reversed. */
async function reversed() {
  const made = await toppedUp();
  expect((await made.user.refund(made.reference, 40))[0]).toBe(200);
  await network(made.name, 'REVERSED');
  return made;
}

test('a reversed top-up without a refund is taken back whole, without a decision', async () => {
  const { user, name, payment } = await toppedUp();
  await network(name, 'REVERSED');
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await inQuestion(payment)).toEqual([]);
  await inOrder();
});

test('after a refund a reversal takes and refunds nothing until a person decides', async () => {
  const { user, reference, name, payment } = await reversed();
  for (let n = 0; n < 3; n += 1) await network(name, 'REVERSED');
  expect(await user.balance()).toEqual([58_20n, 0n]);
  expect(await inQuestion(payment)).toMatchObject([
    { cause: 'REVERSED_AFTER_REFUND', currency: 'USD', ours: '40.00', theirs: '100.00' },
  ]);
  expect((await user.refund(reference, 10))[0]).not.toBe(200);
  await inOrder();
});

test('the decision ALL takes the rest, once', async () => {
  const { user, name, payment } = await reversed();
  const answers = await Promise.all(Array.from({ length: 5 }, () => decide(payment, 'ALL')));
  expect(answers.map(([status]) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  await network(name, 'REVERSED');
  expect(await user.balance()).toEqual([0n, 0n]);
  expect(await inQuestion(payment)).toEqual([]);
  await inOrder();
});

test('the decision REFUND leaves the rest in the wallet, however often REVERSED comes', async () => {
  const { user, name, payment } = await reversed();
  expect((await decide(payment, 'REFUND'))[0]).toBe(200);
  await network(name, 'REVERSED');
  expect(await inQuestion(payment)).toEqual([]);
  expect(await user.balance()).toEqual([58_20n, 0n]);
  await network(name, 'CHARGEBACK', '60');
  expect(await user.balance()).toEqual([0n, 0n]);
  await inOrder();
});

test('another status of the network answers the question', async () => {
  const { user, name, payment } = await reversed();
  await network(name, 'COMPLETED');
  expect(await inQuestion(payment)).toEqual([]);
  expect(await user.balance()).toEqual([58_20n, 0n]);
  expect(await decide(payment, 'ALL')).toMatchObject([404, { code: 'NOT_FOUND' }]);
  await inOrder();
});

test('only an admin of the operator decides', async () => {
  const { user, payment } = await reversed();
  const body = { payment, meant: 'REFUND' };
  for (const as of [user.as, await h.user({ role: 'admin' })])
    expect((await h.call('POST /card-checkout/reversals/decide', { as, body }))[0]).toBe(403);
  expect(await inQuestion(payment)).toHaveLength(1);
});
