import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate } from './allocate.ts';

const jobOf = (job_id: number, amount: bigint, over: object = {}) => ({
  job_id,
  amount,
  reference_id: `R${job_id}`,
  paid_out_at: null,
  is_mine: true,
  reason: null,
  ...over,
});
const depositOf = (note: string, units: bigint) => ({
  id: `D-${note}`,
  note,
  units,
  at: new Date(0),
});
const paid = { paid_out_at: '2026-01-01T00:00:00.000Z' };
type Arrived = Parameters<typeof allocate>[1]['arrived'];
const whole = (arrived: Arrived) => ({ arrived, isWhole: true });
const ids = (
  jobs: Parameters<typeof allocate>[0],
  arrived: Arrived,
  unallocated: bigint,
  isWhole = true,
) => allocate(jobs, { arrived, isWhole }, unallocated).confirmations.map(({ job_id }) => job_id);

test('a deposit is reserved for the job of its reference before older jobs', () => {
  const jobs = [jobOf(1, 5n, paid), jobOf(2, 5n)];
  expect(ids(jobs, [depositOf('R2', 5n)], 5n)).toEqual([2]);
  expect(ids(jobs, [depositOf('R2', 5n)], 10n)).toEqual([1, 2]);
});

test('the balance alone proves only what the gateway has paid out', () => {
  expect(ids([jobOf(1, 5n)], [], 100n)).toEqual([]);
  expect(ids([jobOf(1, 5n, paid)], [], 4n)).toEqual([]);
  expect(ids([jobOf(1, 5n, paid)], [], 5n)).toEqual([1]);
});

test('the balance proves nothing where deposits are missing from the list', () => {
  const jobs = [jobOf(1, 5n, paid), jobOf(2, 5n, paid)];
  expect(ids(jobs, [depositOf('R2', 5n)], 100n, false)).toEqual([2]);
  expect(ids(jobs, [depositOf('R2', 5n)], 100n, true)).toEqual([1, 2]);
});

test('a deposit needs its balance, and a smaller one is a discrepancy', () => {
  expect(ids([jobOf(1, 5n)], [depositOf('R1', 5n)], 4n)).toEqual([]);
  const short = allocate([jobOf(1, 5n)], whole([depositOf('R1', 4n)]), 100n);
  expect(short).toEqual({ confirmations: [], differing: [expect.objectContaining({ job_id: 1 })] });
});

test('jobs out of scope keep their share', () => {
  const jobs = [jobOf(1, 5n, { ...paid, is_mine: false }), jobOf(2, 5n, paid)];
  expect(ids(jobs, [], 5n)).toEqual([]);
  expect(ids(jobs, [], 10n)).toEqual([2]);
});

test('allocations never exceed the balance, and no deposit counts twice', () => {
  const anyJob = fc.record({
    amount: fc.bigInt({ min: 1n, max: 50n }),
    isPaid: fc.boolean(),
    is_mine: fc.boolean(),
    arrived: fc.option(fc.bigInt({ min: 1n, max: 60n }), { nil: undefined }),
  });
  fc.assert(
    fc.property(
      fc.array(anyJob, { maxLength: 12 }),
      fc.bigInt({ min: -20n, max: 300n }),
      (given, unallocated) => {
        const jobs = given.map(({ amount, isPaid, is_mine }, i) =>
          jobOf(i, amount, { is_mine, ...(isPaid ? paid : {}) }),
        );
        const deposits = given.flatMap(({ arrived }, i) =>
          arrived === undefined ? [] : [depositOf(`R${i}`, arrived)],
        );
        const { confirmations } = allocate(jobs, whole(deposits), unallocated);
        const sum = confirmations.reduce(
          (all, { job_id }) => all + (jobs[job_id]?.amount ?? 0n),
          0n,
        );
        expect(sum === 0n || sum <= unallocated).toBe(true);
        expect(new Set(confirmations.map(({ job_id }) => job_id)).size).toBe(confirmations.length);
        for (const { job_id, deposit_id } of confirmations) {
          expect(jobs[job_id]?.is_mine).toBe(true);
          const isProven = deposit_id !== null || jobs[job_id]?.paid_out_at !== null;
          expect(isProven).toBe(true);
        }
      },
    ),
  );
});
