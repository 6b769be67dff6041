import { forgetPartitions, providePartitions } from '#kernel/db/partition-store.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { forgetBacktests } from '#kernel/policies/backtest-store.ts';
import { duePolicies } from '#kernel/policies/policy-store.ts';
import { forgetStepUps } from '#kernel/policies/step-up-store.ts';
import { forgetSums } from '#kernel/policies/sums-store.ts';
import { transact } from '#kernel/transact.ts';
import { takeDuePolicy } from './publish.ts';

const AT_ONCE = 500;
const DAY_MS = 24 * 3600_000;
const DECISIONS = 'public.policy_decisions';
/** Decisions and proofs: longer than any dispute about a payment. */
const DECISIONS_KEPT_DAYS = 400;
/** Sums: longer than the longest window and the longest payment. */
const SUMS_KEPT_DAYS = 130;

const BACKTESTS_KEPT_DAYS = 90;

/** What takes effect by the clock, and what is forgotten. */
export const policySchedules = ({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Schedule[] => [
  defineSchedule({
    name: 'policies.take-effect',
    cron: '* * * * *',
    run: () =>
      transact(db, async (tx) => {
        for (const policy of await duePolicies(tx, AT_ONCE))
          await takeDuePolicy({ clock }, tx, policy);
      }),
  }),
  defineSchedule({
    name: 'policies.forget',
    cron: '23 * * * *',
    async run({ signal }) {
      const ago = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
      await transact(db, (tx) => providePartitions(tx, DECISIONS, clock.now()));
      await transact(db, (tx) => forgetPartitions(tx, DECISIONS, ago(DECISIONS_KEPT_DAYS)));
      const [proofs, sums] = [ago(DECISIONS_KEPT_DAYS), ago(SUMS_KEPT_DAYS)];
      for (let gone = AT_ONCE; gone === AT_ONCE && !signal.aborted; )
        gone = await transact(db, (tx) => forgetStepUps(tx, proofs, AT_ONCE));
      for (let gone = AT_ONCE; gone === AT_ONCE && !signal.aborted; )
        gone = await transact(db, (tx) => forgetSums(tx, sums, AT_ONCE));
      const tests = ago(BACKTESTS_KEPT_DAYS);
      for (let gone = AT_ONCE; gone === AT_ONCE && !signal.aborted; )
        gone = await transact(db, (tx) => forgetBacktests(tx, tests, AT_ONCE));
    },
  }),
];
