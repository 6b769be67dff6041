import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { HoldOwner } from '#kernel/ledger/holds.ts';
import { keepKindSums } from '#kernel/ledger/kind-sums.ts';
import { verificationProgress, verifyOnward } from '#kernel/ledger/verify-onward.ts';

interface LedgerCheckDeps extends Pick<Kernel, 'db' | 'clock' | 'log' | 'metrics'> {
  /** Whose the money is that is set aside. */
  holds(): readonly HoldOwner[];
}

/** Verifies new postings soon after they are made, and reports the age and the result of the last run. */
export function createLedgerCheck(deps: LedgerCheckDeps): Feature {
  measure(deps);
  return {
    name: 'ledger-check',
    schedules: [
      defineSchedule({
        name: 'ledger.verify',
        cron: '*/10 * * * *',
        run: () => check(deps),
      }),
    ],
  };
}

async function check({ db, clock, log, holds }: LedgerCheckDeps): Promise<void> {
  const { broken } = await verifyOnward(db, clock.now(), holds());
  for (const { rule, breaks } of broken) log.error({ rule, breaks }, 'The ledger is broken');
  await keepKindSums(db);
}

function measure({ db, clock, metrics }: LedgerCheckDeps): void {
  const age = (at: string | null) =>
    at === null ? [] : [Math.max(0, clock.seconds() - Math.floor(Date.parse(at) / 1000))];
  metrics.gauge(
    'archipay_ledger_verified_seconds',
    'Age of the last verification of the ledger: of new postings, or of all',
    ['pass'],
    async () => {
      const { verified_at, whole_at } = await verificationProgress(db);
      const ages = { new: age(verified_at), whole: age(whole_at) };
      return Object.entries(ages).flatMap(([pass, found]) =>
        found.map((value) => ({ labels: { pass }, value })),
      );
    },
  );
  metrics.gauge(
    'archipay_ledger_broken',
    'Rules of the ledger that were found broken since a whole pass last found none',
    [],
    async () => {
      const { broken } = await verificationProgress(db);
      return [{ labels: {}, value: new Set(broken.map(({ rule }) => rule)).size }];
    },
  );
}
