import { expect, test } from 'vitest';
import { doneBy } from '#test/gateway.ts';
import { testIdrx } from '#test/idrx.ts';

/** Each payment has a transaction of its own. */
let issued = 0;
const { gateway, wish, pay, expire } = await testIdrx(async () => {
  issued += 1;
  return `0x${issued.toString(16).padStart(64, '0')}`;
});
const ASKED = 2_500_000n;

async function begun() {
  const { reference } = wish();
  const { id } = doneBy(await gateway.createPayment(wish({ reference })));
  const receipts = async () => doneBy(await gateway.receipts(reference, id));
  const unitsOf = async () => (await receipts()).map(({ units }) => units);
  return { reference, id, receipts, unitsOf };
}

test('an unpaid or unknown reference has no receipts', async () => {
  const { unitsOf } = await begun();
  expect(await unitsOf()).toEqual([]);
  expect(doneBy(await gateway.receipts('MINT-0-0'))).toEqual([]);
});

test('a payment has one receipt, under its id', async () => {
  const { reference, id, receipts } = await begun();
  await pay(reference);
  expect(await receipts()).toMatchObject([{ id, units: ASKED }]);
  expect(await receipts()).toEqual(await receipts());
});

test.each([
  ['too little', 20_000],
  ['too much', 30_000],
])('%s has a receipt of the paid amount', async (_, amount) => {
  const { reference, id, receipts } = await begun();
  await pay(reference, { amount });
  expect(await receipts()).toMatchObject([{ id, units: BigInt(amount) * 100n }]);
});

test('a late payment has a receipt', async () => {
  const { reference, id, receipts, unitsOf } = await begun();
  await expire(reference);
  expect(await unitsOf()).toEqual([]);
  await pay(reference, { amount: 25_000 });
  expect(await receipts()).toMatchObject([{ id, units: ASKED }]);
});

test('a double payment has two receipts, with ids and lines of their own', async () => {
  const { reference, id, receipts } = await begun();
  await pay(reference);
  await pay(reference, { amount: 25_000 });
  await pay(reference, { amount: 20_000 });
  const found = await receipts();
  expect(found.map(({ units }) => units).toSorted()).toEqual([2_000_000n, ASKED, ASKED]);
  expect(found.map((one) => one.id)).toContain(id);
  expect(new Set(found.map((one) => one.id)).size).toBe(3);
  expect(new Set(found.map(({ line }) => line)).size).toBe(3);
});
