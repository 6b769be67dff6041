import { expect, it } from 'vitest';
import { doneBy, payoutWish, testGateway } from '#test/gateway.ts';

const { sandbox, gateway, payment, pay, endPayout } = await testGateway();
const FAULTS = '/statements/gateway/faults';
const fault = (reference: string, kind: string) =>
  sandbox.control(`POST ${FAULTS}`, { reference, kind });

/** All of it, page by page. */
async function lines(from = new Date(0), to = new Date(sandbox.clock.now().getTime() + 1000)) {
  const all = [];
  for (let after: string | undefined; ; ) {
    const page = doneBy(await gateway.statement({ from, to }, after));
    all.push(...page.lines);
    if (page.next === undefined) return all;
    after = page.next;
  }
}
const linesOf = async (reference: string) =>
  (await lines()).filter((line) => line.reference === reference);
const paid = async () => {
  const { reference } = await payment();
  await pay(reference);
  return reference;
};

it('has payments and pay-outs at the time the money moved, and nothing else', async () => {
  await payment();
  const reference = await paid();
  const payout = doneBy(await gateway.createPayout(payoutWish()));
  expect(await linesOf(payout.reference)).toEqual([]);
  await endPayout(payout.reference, 'complete');
  const failed = doneBy(await gateway.createPayout(payoutWish()));
  await endPayout(failed.reference, 'fail');
  const all = await lines();
  expect(all).toMatchObject([
    { reference: payout.reference, kind: 'payout', asset: 'IDR', units: -payout.units },
    { reference, kind: 'payment', asset: 'IDR', units: 2_500_000n },
  ]);
  const sum = all.reduce((units, line) => units + line.units, 0n);
  expect(sum).toBe(doneBy(await gateway.balance()));
  const [newest] = all;
  const at = newest?.at ?? new Date(0);
  expect(await lines(at, new Date(at.getTime() + 1))).toMatchObject([{ line: newest?.line }]);
  expect(await lines(new Date(0), at)).not.toContainEqual(newest);
});

it('no longer has a returned pay-out', async () => {
  const { reference } = doneBy(await gateway.createPayout(payoutWish()));
  await endPayout(reference, 'complete');
  expect(await linesOf(reference)).toHaveLength(1);
  await endPayout(reference, 'reverse');
  expect(await linesOf(reference)).toEqual([]);
});

it('has each line once over all pages, also with lost or doubled ones', async () => {
  const references: string[] = [];
  for (let n = 0; n < 60; n += 1) references.push(await paid());
  const [lost = '', doubled = '', ...others] = references;
  await fault(lost, 'lose');
  await fault(doubled, 'double');
  const all = await lines();
  expect(new Set(all.map(({ line }) => line)).size).toBe(all.length);
  const count = (reference: string) => all.filter((line) => line.reference === reference).length;
  expect([count(lost), count(doubled)]).toEqual([0, 2]);
  expect(others.map(count)).toEqual(others.map(() => 1));
});

it('can lose, double or alter a line on request, and be right again', async () => {
  const before = doneBy(await gateway.balance());
  const reference = await paid();
  const [right] = await linesOf(reference);
  await fault(reference, 'alter');
  expect(await linesOf(reference)).toMatchObject([{ line: right?.line, units: 2_500_100n }]);
  await fault(reference, 'double');
  expect(await linesOf(reference)).toHaveLength(2);
  await fault(reference, 'lose');
  expect(await linesOf(reference)).toEqual([]);
  await sandbox.control(`DELETE ${FAULTS}?reference=${reference}`);
  expect(await linesOf(reference)).toEqual([right]);
  // Only what is said of it is wrong.
  expect(doneBy(await gateway.balance())).toBe(before + 2_500_000n);
});
