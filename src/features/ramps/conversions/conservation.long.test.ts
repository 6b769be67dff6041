// Long: anything is done in any order.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  arrive,
  behave,
  converting,
  houseBooks,
  misbehave,
  saveAddress,
  strayAtExchange,
  TRON_ADDRESS,
  wrongBooks,
} from '#test/conversions.ts';
import { harness } from '#test/harness.ts';

const h = await harness({
  mock: false,
  config: { JWT_TTL: '100000000', EXCHANGE_SLIPPAGE: '100' },
});
await h.drain();
const operator = await h.operator();
const act = (path: string) => h.call(`POST /exchange/conversion/${path}`, { as: operator });

/** A book that a person could meet: prices that rise, now and then too little of it. */
const book = fc
  .array(
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1_000_000, max: 15_000_000 })),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((levels) => {
    let price = 15_000;
    return levels.map(([step, micro]) => {
      price += step;
      return [`${price}.37`, `${(micro / 1_000_000).toString()}`];
    });
  });

const plan = fc.record({
  rupiah: fc.integer({ min: 200_000, max: 400_000 }),
  told: fc.constantFrom('reference', 'nothing', 'unlisted'),
  hasWallet: fc.boolean(),
  fails: fc.boolean(),
});
const round = fc.record({
  asks: book,
  fee_points: fc.integer({ min: 0, max: 200 }),
  fee_asset: fc.constantFrom('USDC', 'IDR'),
  orders: fc.constantFrom('fill', 'fill', 'hold', 'reject'),
  withdrawals: fc.constantFrom('process', 'process', 'hold', 'reject'),
  fault: fc.constantFrom(undefined, 'drop', 'commit-then-drop', 'error'),
});

/** What people have in their wallets, at the exchange and on its way, in rupiah that were never spent. */
async function kept(users: readonly { wallet(): Promise<{ posted: bigint }> }[]): Promise<bigint> {
  const wallets = await Promise.all(users.map((user) => user.wallet()));
  const owed = (await houseBooks(h))['exchange-owed IDR'] ?? 0n;
  return wallets.reduce((sum, { posted }) => sum + posted, owed);
}

test('every rupiah and dollar is accounted for after any fills, fees and refusals', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: 1, maxLength: 4 }),
      fc.array(round, { minLength: 1, maxLength: 3 }),
      async (plans, rounds) => {
        const users = [];
        const references: string[] = [];
        for (const { rupiah, told, hasWallet, fails } of plans) {
          const network = hasWallet ? ('TRC20' as const) : null;
          const user = await converting(h, { rupiah: `${rupiah}`, network });
          users.push({ ...user, rupiah });
          const [, { data }] = await user.start(rupiah);
          references.push(data.reference_id);
          if (fails) await h.sandbox('POST', `/gateway/payouts/${data.reference_id}/fail`);
          else await arrive(h, data.reference_id, told);
        }
        for (const { fault, ...how } of rounds) {
          await behave(h, how);
          if (fault) await misbehave(h, 'exchange', fault, 1);
          await act('poll-balance');
          await act('run-trades');
          await h.drain();
          expect(await wrongBooks(h)).toEqual([]);
          await h.advance(2 * 3600);
        }
        await h.sandbox('DELETE', '/exchange/behaviour');
        await h.sandbox('DELETE', '/faults');
        for (const { as } of users) await saveAddress(h, as, 'TRC20', TRON_ADDRESS);
        for (let again = 0; again < 4; again += 1) {
          await act('poll-balance');
          await act('run-trades');
          await h.drain();
          await h.advance(2 * 3600);
        }
        const jobs = await h.db
          .selectFrom('conversion_jobs')
          .selectAll()
          .where('reference_id', 'in', references)
          .execute();
        expect(jobs.map(({ status }) => status).sort()).toEqual(
          plans.map(({ fails }) => (fails ? 'FAILED' : 'COMPLETED')).sort(),
        );
        const spent = jobs.reduce((sum, job) => sum + job.spent, 0n);
        const given = plans.reduce((sum, { rupiah }) => sum + BigInt(rupiah) * 100n, 0n);
        expect((await kept(users)) + spent).toBe(given);
        expect(await wrongBooks(h)).toEqual([]);
        expect(await strayAtExchange(h)).toEqual({ idr: 0n, usdc: 0n });
      },
    ),
    { numRuns: 4, endOnFailure: true },
  );
});
