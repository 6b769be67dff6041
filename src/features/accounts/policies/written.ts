import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { money, SCALE } from '#kernel/money/money.ts';
import { assess } from '#kernel/policies/assess.ts';
import { compileCondition } from '#kernel/policies/expression.ts';
import {
  type ApproverRole,
  abilitiesOf,
  type PolicyKind,
  type PolicyOutcome,
} from '#kernel/policies/policy.ts';
import { countAdmins, countPolicies, type PolicyText } from '#kernel/policies/policy-store.ts';
import { SAMPLES } from './samples.ts';
import type { WrittenOutcome } from './shapes.ts';

/** A policy as people send it. */
export interface WrittenPolicy {
  readonly name: string;
  readonly applies_to: readonly PolicyKind[];
  readonly when?: string | null | undefined;
  readonly then: WrittenOutcome;
  readonly priority?: number | undefined;
}

/** Reads a policy; VALIDATION_ERROR names the field that is wrong, and of an expression the place. */
export async function readPolicy(
  db: Db,
  client_id: number | null,
  written: WrittenPolicy,
): Promise<PolicyText> {
  const { name, applies_to, when, priority = 0 } = written;
  const condition = when ?? null;
  if (condition !== null) compileCondition(condition);
  const outcome = outcomeOf(written.then);
  const policy = { name, applies_to, condition, outcome, priority };
  requireOpen(policy);
  if ('approve' in outcome) await requireApprovers(db, client_id, outcome.approve);
  return policy;
}

/** The one outcome of it. */
function outcomeOf(written: WrittenOutcome): PolicyOutcome {
  const named = Object.entries(written).filter(([, value]) => value !== undefined);
  const [only] = named;
  if (only === undefined || named.length > 1)
    throw wrongField('then', 'must have exactly one of deny, limit, approve, hold_s and step_up');
  const { limit } = written;
  if (limit) {
    const { amount, count, currency = 'USD' } = limit;
    if ((amount === undefined) === (count === undefined))
      throw wrongField('then.limit', 'must have either amount or count');
    if (count !== undefined && limit.currency !== undefined)
      throw wrongField('then.limit.currency', 'goes with an amount');
    if (amount !== undefined) {
      const [, fraction = ''] = amount.split('.');
      if (fraction.length > SCALE[currency] || money(currency, amount).units < 1n)
        throw wrongField('then.limit.amount', `has more digits than ${currency}`);
    }
    return { limit: { ...limit, ...(amount === undefined ? {} : { currency }) } as LimitOf };
  }
  return Object.fromEntries([only]) as unknown as PolicyOutcome;
}
type LimitOf = Extract<PolicyOutcome, { limit: unknown }>['limit'];

/**
 * A policy may stop some operations, never all of a kind: that would lock everybody out. It is tried on samples of
 * every combination that expressions look at.
 */
function requireOpen({ applies_to, condition, outcome, name }: PolicyText): void {
  const rule = { policy_id: '', version: 1, name, condition, outcome };
  for (const kind of applies_to) {
    const abilities = abilitiesOf(kind, true);
    const deniesAll = SAMPLES.every((facts) => {
      const [found] = assess([rule], { ...facts, kind, op: kind }, abilities);
      return found?.applied?.asks === 'DENY';
    });
    if (deniesAll)
      throw wrongField('when', `is met by every ${kind}: the policy would lock everybody out`, {
        hint: 'Name what it is about in `when`. A conversion and a card cannot wait: approve and hold deny them.',
      });
  }
}

/** Throws where there are not so many people as have to approve. */
async function requireApprovers(
  db: Db,
  client_id: number | null,
  { count, roles = ['admin', 'operator'] }: { count: number; roles?: readonly ApproverRole[] },
): Promise<void> {
  const { own, operators } = await countAdmins(db, client_id);
  const isOwn = roles.includes('admin');
  const isOperators = roles.includes('operator') && client_id !== null;
  const people = (isOwn ? own : 0) + (isOperators ? operators : 0);
  // The operator's policies are about all clients, whose admins are not known here.
  if (client_id === null && isOwn) return;
  const there = client_id === null ? operators : people;
  if (there < count)
    throw wrongField('then.approve.count', `is more than the ${there} who may approve`);
}

const OPEN_MAX = 500;
const PUBLISHED_MAX = 100;

/** Throws LIMIT_EXCEEDED where a client has as many as it may have. */
export async function requireRoom(
  db: Db,
  client_id: number | null,
  of: 'open' | 'published',
): Promise<void> {
  const most = of === 'open' ? OPEN_MAX : PUBLISHED_MAX;
  if ((await countPolicies(db, client_id))[of] < most) return;
  throw fail('LIMIT_EXCEEDED', `No more than ${most} policies`, {
    status: 409,
    hint: 'Retire or delete some that are not needed.',
  });
}
