import { money } from '../money/money.ts';
import type { OpenedDecision } from './decision-store.ts';
import { type Condition, conditionOf } from './expression.ts';
import { factInt, type PolicyFacts } from './facts.ts';
import { type CountedPart, type PolicyOperation, usdCentsOf, worthIn } from './operation.ts';
import {
  type Abilities,
  type AppliedPolicy,
  askedBy,
  type Limit,
  type LimitSubject,
  type PolicyRule,
} from './policy.ts';
import { type LimitedTaking, windowAt } from './sums-store.ts';

/** All that expressions see of an operation, from what the caller and the database know of it. */
export function factsOf(operation: PolicyOperation, opened: OpenedDecision): PolicyFacts {
  const { kind, op, amount, wallet, recipient, key, metadata, user_id } = operation;
  const cents = usdCentsOf(operation);
  const before = (tally: string, of: 'amount' | 'count'): bigint => {
    const sum = opened.sums.find((one) => one.tally === tally);
    if (sum === undefined) return 0n;
    return factInt(of === 'amount' ? BigInt(sum.amount) - cents : BigInt(sum.count) - 1n);
  };
  const { role, country, is_verified, age_days, hour, weekday } = opened;
  return {
    op,
    kind,
    amount_minor: factInt(amount.units),
    usd_cents: factInt(cents),
    currency: amount.asset,
    user: { id: factInt(user_id), role, country, is_verified, age_days: factInt(age_days) },
    wallet: { id: factInt(wallet?.id ?? 0), currency: wallet?.currency ?? '' },
    recipient: {
      kind: recipient?.kind ?? '',
      country: recipient?.country ?? '',
      age_h: factInt(Math.floor(recipient?.age_h ?? 0)),
      verification: recipient?.verification ?? '',
      is_new: recipient?.is_new ?? false,
    },
    key: { scopes: key?.scopes ?? [] },
    time: { hour: factInt(hour), weekday: factInt(weekday) },
    sums: {
      count_1h: before('all:1h', 'count'),
      count_1d: before('all:1d', 'count'),
      usd_cents_1d: before('all:1d', 'amount'),
      usd_cents_30d: before('all:30d', 'amount'),
    },
    metadata: metadata ?? {},
  };
}

/** One policy against an operation. */
export interface Assessed {
  readonly rule: PolicyRule;
  readonly condition: Condition;
  /** Null where it does not apply. */
  readonly applied: AppliedPolicy | null;
  /** Why an expression could not be computed: its policy denies then. */
  readonly fault?: string;
}

/** Which policies apply, and what they ask for. A policy that cannot be computed is a denial. */
export const assess = (
  rules: readonly PolicyRule[],
  facts: PolicyFacts,
  abilities: Abilities,
): Assessed[] =>
  rules.map((rule) => {
    const condition = conditionOf(rule.condition);
    const match = condition.matches(facts);
    if (match === false) return { rule, condition, applied: null };
    if (match === true) return { rule, condition, applied: askedBy(rule, abilities) };
    const { policy_id, version } = rule;
    const why = 'A policy could not be computed for this operation';
    const applied = { policy_id, version, asks: 'DENY', stops: true, why } as const;
    return { rule, condition, applied, fault: match.fault };
  });

const subjectOf: Readonly<Record<LimitSubject, (of: PolicyOperation) => string | undefined>> = {
  user: ({ user_id }) => `user:${user_id}`,
  client: ({ client_id }) => `client:${client_id}`,
  wallet: ({ wallet }) => wallet && `wallet:${wallet.id}`,
  recipient: ({ recipient }) => recipient && `recipient:${recipient.id}`,
  card: ({ card_id }) => (card_id === undefined ? undefined : `card:${card_id}`),
  key: ({ key }) => (key ? `key:${key.key_id}` : undefined),
};

/** What an operation would take of a limit. */
export interface LimitUse {
  readonly taking: LimitedTaking;
  readonly ends: Date;
}

/**
 * What an operation takes of a limit; undefined where it has no such subject, and `unpriced` where no rate leads to
 * the limit's currency.
 */
export function limitUseOf(
  { policy_id }: Pick<PolicyRule, 'policy_id'>,
  limit: Limit,
  operation: CountedPart,
  now: Date,
): LimitUse | 'unpriced' | undefined {
  const subject = subjectOf[limit.per](operation);
  if (subject === undefined) return undefined;
  const { starts, ends } = windowAt(limit.window, now);
  const asset = limit.currency ?? 'USD';
  const worth = limit.amount === undefined ? 0n : worthIn(operation, asset);
  if (worth === undefined) return 'unpriced';
  const most =
    limit.amount === undefined ? BigInt(limit.count ?? 0) : money(asset, limit.amount).units;
  const taking = {
    tally: `policy:${policy_id}`,
    subject,
    starts: starts.toISOString(),
    amount: worth.toString(),
    count: operation.payments,
    most,
    of: limit.amount === undefined ? 'count' : 'amount',
  } as const;
  return { taking, ends };
}
