import type { Market } from '../money/cost.ts';
import { convert, money } from '../money/money.ts';
import { assess } from './assess.ts';
import type { StoredDecision } from './decision-store.ts';
import { type PolicyFacts, readPolicyFacts } from './facts.ts';
import {
  type Abilities,
  type AppliedPolicy,
  type Limit,
  type PolicyVerdict,
  policyVerdictOf,
} from './policy.ts';
import type { Policy } from './policy-store.ts';
import { windowAt } from './sums-store.ts';

/** A decision as it was recorded. */
export type RecordedDecision = Pick<
  StoredDecision,
  'decision_id' | 'at' | 'client_id' | 'payment_id' | 'given_back_at'
> & {
  readonly verdict: PolicyVerdict;
  readonly observed: {
    readonly facts: unknown;
    readonly abilities: Abilities;
    readonly subjects?: Readonly<Record<string, string>>;
  };
  readonly matched: readonly AppliedPolicy[];
};

/** The same decision with the policy in it. */
export type PolicyReplay = (decision: RecordedDecision) => PolicyVerdict;

interface KeptSum {
  readonly starts: number;
  amount: bigint;
  count: number;
}

/**
 * Decides recorded operations again, as if the policy had been published before them. What a published one found then
 * counts as it was recorded: what its limit had been used, and whether a proof was there. They come in their order.
 */
export function replayOf(policy: Policy, market: Market | undefined): PolicyReplay {
  const sums = new Map<string, KeptSum>();
  return (decision) => {
    const { matched, observed } = decision;
    const others = matched.filter(({ policy_id }) => policy_id !== policy.policy_id);
    const recorded = matched.find(({ policy_id }) => policy_id === policy.policy_id);
    const facts = readPolicyFacts(observed.facts);
    const [found] = assess([policy], facts, observed.abilities);
    const applied = found?.applied;
    if (!applied) return policyVerdictOf(others).verdict;
    if (applied.asks === 'STEP_UP') return verdictWith(others, provenAs(matched, applied));
    if (applied.asks !== 'LIMIT' || !('limit' in policy.outcome))
      return verdictWith(others, applied);
    if (recorded) return verdictWith(others, recorded);
    // An earlier limit had refused it before this one was asked.
    if (wasInForce(policy, decision)) return policyVerdictOf(others).verdict;
    return limited({ decision, facts, market, sums, others }, policy.outcome.limit, applied);
  };
}

const verdictWith = (others: readonly AppliedPolicy[], one: AppliedPolicy): PolicyVerdict =>
  policyVerdictOf([...others, one]).verdict;

/** A proof of the operation counts for every policy that asks for one. */
const provenAs = (matched: readonly AppliedPolicy[], applied: AppliedPolicy): AppliedPolicy =>
  matched.some(({ asks, stops }) => asks === 'STEP_UP' && !stops)
    ? { ...applied, stops: false }
    : applied;

const wasInForce = ({ published_at, retired_at }: Policy, { at }: RecordedDecision): boolean =>
  published_at !== null && published_at <= at && (retired_at === null || at < retired_at);

interface Counting {
  readonly decision: RecordedDecision;
  readonly facts: PolicyFacts;
  readonly market: Market | undefined;
  readonly sums: Map<string, KeptSum>;
  readonly others: readonly AppliedPolicy[];
}

/** Of a limit that was not there: what went through would have been counted. */
function limited(counting: Counting, limit: Limit, applied: AppliedPolicy): PolicyVerdict {
  const { decision, others, sums } = counting;
  const subject = subjectAt(limit, counting);
  if (subject === undefined) return policyVerdictOf(others).verdict;
  const worth = limit.amount === undefined ? 0n : worthAt(limit, counting);
  if (worth === undefined) return 'DENY';
  const starts = windowAt(limit.window, new Date(decision.at)).starts.getTime();
  const kept = sums.get(subject);
  const sum = kept?.starts === starts ? kept : { starts, amount: 0n, count: 0 };
  const fits =
    limit.amount === undefined
      ? sum.count + 1 <= (limit.count ?? 0)
      : sum.amount + worth <= money(limit.currency ?? 'USD', limit.amount).units;
  const verdict = verdictWith(others, { ...applied, stops: !fits });
  const isRefused = verdict === 'DENY' || verdict === 'LIMIT' || verdict === 'STEP_UP';
  if (!isRefused && decision.given_back_at === null) {
    sum.amount += worth;
    sum.count += 1;
  }
  sums.set(subject, sum);
  return verdict;
}

function subjectAt({ per }: Limit, { decision, facts }: Counting): string | undefined {
  if (per === 'user') return `user:${facts.user.id}`;
  if (per === 'client') return `client:${decision.client_id}`;
  if (per === 'wallet') return facts.wallet.id === 0n ? undefined : `wallet:${facts.wallet.id}`;
  return decision.observed.subjects?.[per];
}

/** In the currency of the limit, at the rate of now where it is another one. */
function worthAt({ currency = 'USD' }: Limit, { facts, market }: Counting): bigint | undefined {
  if (facts.currency === currency) return facts.amount_minor;
  if (currency === 'USD') return facts.usd_cents;
  const rate = market?.rateOf('USD', currency);
  if (rate === undefined) return undefined;
  return convert({ asset: 'USD', units: facts.usd_cents }, rate, currency, 'up').units;
}
