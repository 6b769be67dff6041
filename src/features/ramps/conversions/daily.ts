import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { isNotCovered } from '#kernel/ledger/batch.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import type { Market } from '#kernel/money/cost.ts';
import { isPolicyRefusal } from '#kernel/policies/refusals.ts';
import { transact } from '#kernel/transact.ts';
import { recordConversionSteps } from './audit.ts';
import { conversionPolicy } from './conversion-policy.ts';
import { dayInJakarta, type Eligible, insertDailyJobs, listEligible } from './daily-store.ts';
import type { ConversionDeps } from './deps.ts';
import { type PayoutEffect, recordPayouts } from './payout.ts';
import { conversionHoldOperation } from './postings.ts';
import { detailsOf, reconcile } from './reconcile.ts';
import type { ConversionJob } from './store.ts';
import { MIN_AMOUNT } from './terms.ts';

export interface DailyRun {
  readonly day: string;
  readonly users: number;
  readonly jobs: number;
  readonly units: bigint;
  readonly failures: number;
}

type Deps = ConversionDeps & { readonly payoutEffect: PayoutEffect };

const BATCH = 200;
/** A call by hand ends before its caller gives up; the next one goes on from there. */
const BY_HAND_MAX = 20_000;

/**
 * A job for every user in scope with enough rupiah and a primary wallet, of their whole balance (`MAX_AMOUNT` at most), once a
 * day, and its pay-out. Throws DAILY_CONVERSION_FAILED where ledger and gateway do not match: nothing is
 * held then.
 */
export async function runDaily(
  deps: Deps,
  scope: TenantScope,
  signal?: AbortSignal,
): Promise<DailyRun> {
  const { db } = deps;
  const found = await reconcile(deps);
  const { reconciliation_id } = found;
  if (found.status === 'MISMATCH')
    throw fail('DAILY_CONVERSION_FAILED', 'Ledger and gateway balance do not match', {
      details: detailsOf(found),
      extra: { reconciliation_id },
    });
  const market = await readPolicyMarket(deps.fx);
  const day = await dayInJakarta(db);
  const run = { day, users: 0, jobs: 0, units: 0n, failures: 0 };
  for (let after = 0; !signal?.aborted && (signal || run.users < BY_HAND_MAX); ) {
    const some = await listEligible(db, scope, { day, after, least: MIN_AMOUNT, limit: BATCH });
    const { jobs, failures } = await openAll(deps, some, { day, reconciliation_id, market });
    run.users += some.length;
    run.jobs += jobs.length;
    run.units += jobs.reduce((sum, { amount }) => sum + amount, 0n);
    run.failures += failures;
    const last = some.at(-1);
    if (!last || some.length < BATCH) break;
    after = last.user_id;
  }
  return run;
}

interface Terms {
  readonly market: Market | undefined;
  readonly day: string;
  readonly reconciliation_id: number;
}

/** All of them in one transaction; where a user has spent theirs meanwhile, each by itself. */
async function openAll(
  deps: Deps,
  users: readonly Eligible[],
  terms: Terms,
): Promise<{ jobs: ConversionJob[]; failures: number }> {
  if (users.length === 0) return { jobs: [], failures: 0 };
  const open = (some: readonly Eligible[]) =>
    transact(deps.db, (tx) => openWithin(deps, tx, some, terms));
  const together = await open(users).catch(notCovered);
  if (together) return { jobs: together, failures: 0 };
  const jobs: ConversionJob[] = [];
  let failures = 0;
  for (const user of users) {
    const opened = await open([user]).catch(notCovered);
    if (opened) jobs.push(...opened);
    else failures += 1;
  }
  return { jobs, failures };
}

/** Undefined where money is short or frozen, or a policy refuses it; other errors are thrown. */
function notCovered(error: unknown): undefined {
  if (isNotCovered(error) || isPolicyRefusal(error)) return undefined;
  throw error;
}

async function openWithin(
  { clock, effects, payoutEffect, policies }: Deps,
  tx: Db,
  users: readonly Eligible[],
  terms: Terms,
): Promise<ConversionJob[]> {
  const jobs = await insertDailyJobs(tx, users, { ...terms, at: clock.now() });
  if (jobs.length === 0) return jobs;
  for (const job of jobs) await policies.decide(tx, conversionPolicy(job, terms.market));
  const ids = jobs.map(({ job_id }) => String(job_id));
  await effects.beginAll(tx, payoutEffect, ids, { left: {} });
  await recordPayouts(tx, jobs);
  await recordConversionSteps(tx, 'CONVERSION_STARTED', jobs, { day: terms.day });
  await postAllWithin(tx, jobs.map(conversionHoldOperation));
  return jobs;
}
