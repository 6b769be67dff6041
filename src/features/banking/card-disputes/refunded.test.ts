// What the shop gives back by itself, while its payment is disputed or after that was decided.

import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { cardDisputes } from '#test/card-disputes.ts';
import { type Body, harness } from '#test/harness.ts';

const h = await harness();
const c = cardDisputes(h);
type Holder = Awaited<ReturnType<typeof c.cardHolder>>;

/** A payment of 40.00 that is disputed so far, and credited. */
async function disputed(amount = '40.00') {
  const siti = await c.cardHolder('100.00');
  const { ctx, transaction } = await c.bought(siti, 40);
  const [, { data }] = await c.dispute(siti, ctx, { amount });
  const before = await houses();
  await c.act(siti, 'submit', data.dispute_id);
  return { siti, id: data.dispute_id as string, transaction, before };
}
const refund = (siti: Holder, transaction: Body, amount: number) =>
  c.play(siti, 'refund', { amount, transaction: transaction.preceding_related_transaction_token });

const HOUSES = ['issuing', 'card-disputes', 'card-surplus'];
const houses = () => Promise.all(HOUSES.map((purpose) => c.house(purpose)));
/** What the house’s accounts have got since then, in cents: issuing, card-disputes, card-surplus. */
const got = async (before: readonly bigint[]) =>
  (await houses()).map((posted, n) => posted - (before[n] ?? 0n));
const payment = async (of: Holder): Promise<Body> => (await c.paid(of))[0];
const credit = async (of: Holder, id: string): Promise<Body> =>
  (await c.read(of, id)).provisional_credit;

test('a refund of a disputed payment that is won then is paid once', async () => {
  const { siti, id, transaction, before } = await disputed();
  await refund(siti, transaction, 40);
  expect(await c.balance(siti)).toBe('100.00 0.00');
  expect(await payment(siti)).toMatchObject({ refunded: '40.00', credited: '0.00' });
  expect(await credit(siti, id)).toMatchObject({ amount: '40.00', refunded: '40.00' });
  expect(await got(before)).toEqual([-4000n, 0n, 0n]);
  await c.news(id, 'won');
  expect(await c.balance(siti)).toBe('100.00 0.00');
  // The network has paid for the same goods again: the house has it until it is given back.
  expect(await got(before)).toEqual([-8000n, 0n, 4000n]);
  expect(await payment(siti)).toMatchObject({ flagged: true, net: '0.00' });
  expect(await c.sums()).toEqual([]);
});

test('a refund of a part leaves the rest of the credit, which a loss takes back', async () => {
  const { siti, id, transaction, before } = await disputed();
  await refund(siti, transaction, 15);
  expect(await c.balance(siti)).toBe('100.00 0.00');
  expect(await payment(siti)).toMatchObject({ refunded: '15.00', credited: '25.00' });
  await c.news(id, 'lost');
  expect(await c.balance(siti)).toBe('75.00 0.00');
  expect(await credit(siti, id)).toMatchObject({ amount: '40.00', refunded: '15.00' });
  expect(await payment(siti)).toMatchObject({ credited: '0.00', net: '25.00', flagged: false });
  expect(await got(before)).toEqual([-1500n, 0n, 0n]);
});

test('a part that is disputed and another that is refunded are both paid', async () => {
  const { siti, id, transaction, before } = await disputed('25.00');
  await refund(siti, transaction, 15);
  await c.news(id, 'won');
  expect(await c.balance(siti)).toBe('100.00 0.00');
  expect(await credit(siti, id)).toMatchObject({ amount: '25.00', refunded: '0.00' });
  expect(await got(before)).toEqual([-4000n, 0n, 0n]);
});

test('a refund after a dispute was won stays with the house', async () => {
  const { siti, id, transaction, before } = await disputed();
  await c.news(id, 'won');
  expect(await payment(siti)).toMatchObject({ flagged: false, credited: '40.00' });
  await refund(siti, transaction, 30);
  expect(await c.balance(siti)).toBe('100.00 0.00');
  expect(await got(before)).toEqual([-7000n, 0n, 3000n]);
  expect(await payment(siti)).toMatchObject({ flagged: true, credited: '10.00' });
});

test('a refund after a dispute was given up is paid', async () => {
  const { siti, id, transaction, before } = await disputed();
  await c.act(siti, 'withdraw', id);
  await refund(siti, transaction, 30);
  expect(await c.balance(siti)).toBe('90.00 0.00');
  expect(await credit(siti, id)).toMatchObject({ amount: '40.00', refunded: '0.00' });
  expect(await got(before)).toEqual([-3000n, 0n, 0n]);
});

test('a draft of more than the shop has left is not submitted', async () => {
  const siti = await c.cardHolder('100.00');
  const { ctx, transaction } = await c.bought(siti, 40);
  const [, { data }] = await c.dispute(siti, ctx);
  await refund(siti, transaction, 15);
  const [status, { error }] = await c.act(siti, 'submit', data.dispute_id);
  expect([status, error.code, error.details]).toEqual([409, 'CONFLICT', { most: '25.00' }]);
  const params = { dispute_id: data.dispute_id };
  const body = { amount: '25.00' };
  await h.call('PATCH /cards/disputes/{dispute_id}', { as: siti, params, body });
  expect((await c.act(siti, 'submit', data.dispute_id))[0]).toBe(200);
  expect(await c.balance(siti)).toBe('100.00 0.00');
});

test('the database has no payment that comes back twice', async () => {
  const { siti, transaction } = await disputed();
  await refund(siti, transaction, 10);
  const set = (what: string) =>
    run(h.db, `update card_payments set ${what} where user_id = $1`, [siti.user_id]);
  await expect(set('claimed = 0')).rejects.toThrow(/claimed/);
  await expect(set('won = 100')).rejects.toThrow(/claimed/);
  const lose = `status = 'LOST', taken_back_at = now(), taken_back = 30`;
  await expect(
    run(h.db, `update card_disputes set ${lose} where user_id = $1`, [siti.user_id]),
  ).rejects.toThrow(/claimed/);
});
