import { requesterOf } from '#kernel/access/requester.ts';
import type { KeyCaller, RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { DAY_MS, QUARTER_MS, type QuotaRule } from '#kernel/quota/quota.ts';

/** Each step calls a model, which is paid for, or fetches a page, and keys are free. */
const STEPS: QuotaRule = {
  name: 'purchase steps',
  words: 'questions about products',
  limits: [
    { per: 'network', withinMs: QUARTER_MS, most: 3_000, strangers: 100 },
    { per: 'client', withinMs: DAY_MS, most: 200_000, strangers: 2_000 },
  ],
  day: 1_000_000,
};

/** Counts a step against its caller. Throws RATE_LIMITED. */
export const admitStep = (
  { db, quotas }: Pick<Kernel, 'db' | 'quotas'>,
  caller: KeyCaller | UserCaller,
  request: RequestFacts,
): Promise<void> => quotas.spend(db, STEPS, requesterOf(caller, request));
