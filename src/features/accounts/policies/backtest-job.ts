import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { replayOf } from '#kernel/policies/backtest.ts';
import {
  type Backtest,
  type BacktestDifference,
  endBacktest,
  findBacktest,
  readDecisions,
} from '#kernel/policies/backtest-store.ts';
import { findPolicy } from '#kernel/policies/policy-store.ts';
import { transact } from '#kernel/transact.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';

export interface BacktestDeps extends Pick<Kernel, 'clock' | 'db' | 'policies'> {
  readonly fx: ExchangeRates;
}

export interface Backtesting {
  readonly backtest_id: string;
}

const DAY_MS = 24 * 3600_000;
const AT_ONCE = 1000;
const DIFFERENCES_MAX = 1000;

/** Reads the recorded decisions once and keeps what the policy would have made of them. */
export const backtestJob = (deps: BacktestDeps): Job<Backtesting> =>
  defineJob({
    name: 'policies.backtest',
    concurrency: 1,
    attempts: 4,
    async run({ backtest_id }, { signal, last }) {
      const backtest = await findBacktest(deps.db, undefined, backtest_id);
      if (backtest?.status !== 'PENDING') return undefined;
      const ended_at = () => deps.clock.now().toISOString();
      try {
        const result = await backtested(deps, backtest, signal);
        await transact(deps.db, (tx) =>
          endBacktest(tx, backtest_id, { status: 'READY', ended_at: ended_at(), ...result }),
        );
      } catch (error) {
        if (last)
          await transact(deps.db, (tx) =>
            endBacktest(tx, backtest_id, { status: 'FAILED', ended_at: ended_at() }),
          );
        throw error;
      }
      return undefined;
    },
  });

type Result = Pick<
  Backtest,
  'seen' | 'denied' | 'held' | 'to_approve' | 'to_prove' | 'differing' | 'differences'
>;

const FIGURES = {
  ALLOW: undefined,
  DENY: 'denied',
  LIMIT: 'denied',
  HOLD: 'held',
  APPROVE: 'to_approve',
  STEP_UP: 'to_prove',
} as const;

async function backtested(
  { db, fx, policies }: BacktestDeps,
  { policy_id, days, created_at: to }: Backtest,
  signal: AbortSignal,
): Promise<Result> {
  // Refusals of the last second are written beside their transactions.
  await policies.flush();
  const policy = await findPolicy(db, undefined, policy_id);
  if (!policy) throw new Error(`Policy ${policy_id} is gone`);
  const market = await fx.read();
  const replay = replayOf(policy, market.kind === 'done' ? market.value : undefined);
  const from = new Date(new Date(to).getTime() - days * DAY_MS).toISOString();
  const { applies_to, client_id } = policy;
  const counts = { seen: 0, denied: 0, held: 0, to_approve: 0, to_prove: 0, differing: 0 };
  const differences: BacktestDifference[] = [];
  let found = AT_ONCE;
  for (let after = 0; found === AT_ONCE; ) {
    signal.throwIfAborted();
    const page = { after, limit: AT_ONCE };
    const decisions = await readDecisions(db, { applies_to, client_id, from, to }, page);
    for (const decision of decisions) {
      const { verdict: then, payment_id, at } = decision;
      const now = replay(decision);
      const figure = FIGURES[now];
      counts.seen += 1;
      if (figure) counts[figure] += 1;
      if (now === then) continue;
      counts.differing += 1;
      if (differences.length < DIFFERENCES_MAX) differences.push({ payment_id, at, then, now });
    }
    found = decisions.length;
    after = decisions.at(-1)?.decision_id ?? after;
  }
  return { ...counts, differences };
}
