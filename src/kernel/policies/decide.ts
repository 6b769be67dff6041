import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';
import { dryRunNow } from '../dry-run.ts';
import type { AppError } from '../error.ts';
import type { Logger } from '../log.ts';
import { objectId } from '../object-id.ts';
import type { Vault } from '../secrets/vault.ts';
import { openApproval } from './approvals.ts';
import { type Assessed, assess, factsOf, limitUseOf } from './assess.ts';
import {
  insertDecision,
  type NewDecision,
  type OpenedDecision,
  openDecision,
} from './decision-store.ts';
import { countedParts, type PolicyOperation, usdCentsOf } from './operation.ts';
import {
  type Abilities,
  type AppliedPolicy,
  abilitiesOf,
  type PolicyRule,
  type PolicyVerdict,
  policyVerdictOf,
} from './policy.ts';
import { limitExceeded, policyDenied, stepUpRequired } from './refusals.ts';
import { isProven, stepUpChallenge } from './step-up.ts';
import { type SumTaking, takeFromLimit } from './sums-store.ts';

export interface PolicyDecideDeps {
  readonly clock: Clock;
  readonly vault: Pick<Vault, 'fingerprint'>;
  readonly log: Pick<Logger, 'warn'>;
  /** Counts an expression that could not be computed. */
  readonly faulty: () => void;
  /** Makes the month's partition, where this process has not done so. */
  provide(tx: Db, at: Date): Promise<void>;
  /** Keeps what was refused, beside the transaction that is rolled back. */
  keepRefused(decision: NewDecision): void;
}

/** What the operation waits for; nothing where it goes on at once. */
export interface PolicyDecision {
  readonly approval_id?: string;
  readonly held_until?: Date;
}

interface Deciding {
  readonly deps: PolicyDecideDeps;
  readonly tx: Db;
  readonly operation: PolicyOperation;
  readonly now: Date;
  readonly abilities: Abilities;
}

/** What the policies made of it so far. */
interface Weighed {
  readonly applied: AppliedPolicy[];
  readonly taken: SumTaking[];
  /** Of the policy that stops it by its limit. */
  readonly refusal?: AppError;
}

/**
 * Decides in the transaction that writes the operation, before the ledger. Throws POLICY_DENIED, LIMIT_EXCEEDED or
 * STEP_UP_REQUIRED; answers what else it has to wait for. What it takes from limits stays taken until `giveBack`.
 */
export async function decideByPolicies(
  deps: PolicyDecideDeps,
  tx: Db,
  operation: PolicyOperation,
): Promise<PolicyDecision> {
  const now = deps.clock.now();
  await deps.provide(tx, now);
  const opened = await openDecision(tx, operation, { now, cents: usdCentsOf(operation) });
  const facts = factsOf(operation, opened);
  const abilities = abilitiesOf(operation.kind, operation.object !== undefined);
  const deciding = { deps, tx, operation, now, abilities };
  const assessed = assess(opened.policies, facts, abilities);
  for (const one of assessed) warnOfFault(deps, one);
  const weighed = await weigh(deciding, assessed, opened);
  const { verdict, by } = policyVerdictOf(weighed.applied);
  const isRehearsed = noteDecision(assessed, verdict, by);
  const decision = { at: now, operation, verdict, by, facts, abilities, ...weighed };
  if (verdict === 'DENY' || verdict === 'LIMIT' || verdict === 'STEP_UP') {
    if (!isRehearsed) deps.keepRefused({ ...decision, taken: [] });
    throw refusalOf(deciding, opened, weighed, by as AppliedPolicy);
  }
  await insertDecision(tx, decision);
  return waitsFor(deciding, assessed, weighed.applied);
}

/** In a dry run it says how the policies decided, and keeps nothing. */
function noteDecision(
  assessed: readonly Assessed[],
  verdict: PolicyVerdict,
  by: AppliedPolicy | undefined,
): boolean {
  const run = dryRunNow();
  if (run === undefined) return false;
  const rule =
    by &&
    ruleOf(
      assessed.map(({ rule }) => rule),
      by,
    );
  run.notes.policy = {
    verdict,
    policy_id: rule ? objectId('pol', rule.policy_id) : null,
    name: rule?.name ?? null,
  };
  return true;
}

function warnOfFault({ log, faulty }: PolicyDecideDeps, { fault, rule }: Assessed): void {
  if (fault === undefined) return;
  faulty();
  log.warn({ policy_id: rule.policy_id, fault }, 'a policy cannot be computed, and denies');
}

/** A denial takes nothing; after a limit that is passed nothing more is asked for. */
async function weigh(
  deciding: Deciding,
  assessed: readonly Assessed[],
  { sums }: OpenedDecision,
): Promise<Weighed> {
  const applied = assessed.flatMap((one) => one.applied ?? []);
  if (applied.some(({ asks }) => asks === 'DENY')) return { applied, taken: [] };
  const rest = applied.filter(({ asks }) => asks !== 'LIMIT');
  const limits = await takeLimits(deciding, assessed);
  const all = [...limits.applied, ...rest];
  const taken = [...sums.map((sum) => ownPart(deciding.operation, sum)), ...limits.taken];
  if (limits.refusal) return { applied: all, taken, refusal: limits.refusal };
  if (!rest.some(({ asks }) => asks === 'STEP_UP')) return { applied: all, taken };
  const { deps, tx, operation, now } = deciding;
  const { stepUp } = operation;
  if (stepUp === undefined || !(await isProven(tx, { vault: deps.vault, now }, operation, stepUp)))
    return { applied: all, taken };
  const proven = all.map((one) => (one.asks === 'STEP_UP' ? { ...one, stops: false } : one));
  return { applied: proven, taken };
}

const ownPart = (operation: PolicyOperation, { tally, subject, starts }: SumTaking): SumTaking => ({
  tally,
  subject,
  starts,
  amount: usdCentsOf(operation).toString(),
  count: 1,
});

/** In the order of the sums, so that operations wait for each other in one direction. */
async function takeLimits(
  { tx, operation, now }: Deciding,
  assessed: readonly Assessed[],
): Promise<Weighed> {
  const applied: AppliedPolicy[] = [];
  const taken: SumTaking[] = [];
  const inOrder = [...assessed].sort((a, b) => (a.rule.policy_id < b.rule.policy_id ? -1 : 1));
  for (const { rule, applied: asked } of inOrder) {
    if (asked?.asks !== 'LIMIT' || !('limit' in rule.outcome)) continue;
    const { limit } = rule.outcome;
    const uses = countedParts(operation, limit).map((part) => limitUseOf(rule, limit, part, now));
    if (uses.includes('unpriced')) {
      const why = 'There is no rate to compare it with a limit';
      return { applied: [...applied, { ...asked, asks: 'DENY', stops: true, why }], taken };
    }
    const counted = uses.filter((use) => use !== undefined && use !== 'unpriced');
    const answers = await takeFromLimit(
      tx,
      counted.map(({ taking }) => taking),
    );
    const [use] = counted;
    if (!use) continue;
    const refused = answers.find((one) => !one.taken);
    const [highest = 0n] = answers.map(({ used }) => used).sort((a, b) => (a > b ? -1 : 1));
    const used = (refused?.used ?? highest).toString();
    applied.push({ ...asked, stops: refused !== undefined, used });
    if (refused) return { applied, taken, refusal: limitExceeded(rule, limit, use, refused.used) };
    taken.push(...answers.map(({ taking: { most, of, ...taking } }) => taking));
  }
  return { applied, taken };
}

const ruleOf = (rules: readonly PolicyRule[], { policy_id }: AppliedPolicy): PolicyRule => {
  const rule = rules.find((one) => one.policy_id === policy_id);
  if (!rule) throw new Error(`Policy ${policy_id} was not asked`);
  return rule;
};

function refusalOf(
  { deps, operation, now }: Deciding,
  { policies, ...has }: OpenedDecision,
  { refusal }: Weighed,
  by: AppliedPolicy,
): AppError {
  if (by.asks === 'LIMIT' && refusal) return refusal;
  if (by.asks !== 'STEP_UP') return policyDenied(ruleOf(policies, by), by);
  return stepUpRequired(stepUpChallenge(deps.vault, operation, has, now));
}

async function waitsFor(
  { deps, tx, operation, now }: Deciding,
  assessed: readonly Assessed[],
  applied: readonly AppliedPolicy[],
): Promise<PolicyDecision> {
  const stopping = (asks: AppliedPolicy['asks']) =>
    applied.flatMap((one) =>
      one.asks === asks && one.stops
        ? ruleOf(
            assessed.map(({ rule }) => rule),
            one,
          )
        : [],
    );
  const approvals = stopping('APPROVE').sort((a, b) => neededBy(b) - neededBy(a));
  const holds = stopping('HOLD').map(({ outcome }) => ('hold_s' in outcome ? outcome.hold_s : 0));
  const { object } = operation;
  const [strictest] = approvals;
  const approval =
    strictest && object && (await openApproval(deps, tx, strictest, { ...operation, object }));
  return {
    ...(approval && { approval_id: approval.approval_id }),
    ...(holds.length > 0 && { held_until: new Date(now.getTime() + Math.max(...holds) * 1000) }),
  };
}

/** Of several approvals the one that asks for the most people counts for all. */
const neededBy = ({ outcome }: PolicyRule): number =>
  'approve' in outcome ? outcome.approve.count : 0;
