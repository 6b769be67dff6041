import { type Allowance, chargesFor, DAY_MS, QUARTER_MS } from '#kernel/access/allowances.ts';
import { spendOfDay } from '#kernel/access/platform-day.ts';
import { type Requester, requesterOf } from '#kernel/access/requester.ts';
import type { KeyCaller, RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';

/** Each step asks a model, which is paid for, or fetches a page, and keys are free. */
const STEPS: readonly Allowance[] = [
  { per: 'network', withinMs: QUARTER_MS, approved: 3_000, unapproved: 100 },
  { per: 'client', withinMs: DAY_MS, approved: 200_000, unapproved: 2_000 },
];

/** For all callers together: what the platform pays the model for at most. */
const DAY = { name: 'purchase steps', most: 1_000_000, words: 'questions about products' };

/** Counts a step against its caller. Throws RATE_LIMITED. */
export async function admitStep(
  deps: Pick<Kernel, 'db' | 'config' | 'budgets'>,
  caller: KeyCaller | UserCaller,
  request: RequestFacts,
): Promise<void> {
  const by: Requester = requesterOf(caller, request);
  const charges = chargesFor(deps.config, 'purchase step', STEPS, by);
  await spendOfDay(deps.db, deps, DAY, { by, charges });
}
