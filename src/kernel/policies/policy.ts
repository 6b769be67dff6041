import type { Asset } from '../money/money.ts';

/** What an operation is refused for by policies, for its declaration; LIMIT_EXCEEDED beside the limits it has. */
export const POLICY_ERRORS = ['POLICY_DENIED', 'STEP_UP_REQUIRED', 'LIMIT_EXCEEDED'] as const;

/** What policies are about. */
export const POLICY_KINDS = [
  ...['transfer', 'request', 'withdrawal', 'batch', 'refund'],
  ...['conversion', 'card', 'bridge', 'send', 'agent'],
] as const satisfies readonly string[];
export type PolicyKind =
  | ('transfer' | 'request' | 'withdrawal' | 'batch' | 'refund')
  | ('conversion' | 'card' | 'bridge' | 'send' | 'agent');

export const SUBJECTS = ['user', 'client', 'wallet', 'recipient', 'card', 'key'] as const;
export type LimitSubject = (typeof SUBJECTS)[number];

/** Seconds of each window; they begin at whole hours, days, weeks (Monday) and thirties of days, in UTC. */
export const WINDOWS = { '1h': 3600, '1d': 86_400, '7d': 604_800, '30d': 2_592_000 } as const;
export type Window = keyof typeof WINDOWS;

/** Who may approve: the client's admins, the operator's. */
export const APPROVER_ROLES = ['admin', 'operator'] as const;
export type ApproverRole = (typeof APPROVER_ROLES)[number];

export interface Limit {
  /** Decimal text in `currency`; or `count`, how many. */
  readonly amount?: string;
  readonly count?: number;
  readonly currency?: Asset;
  readonly per: LimitSubject;
  readonly window: Window;
}

/** What happens to an operation that a policy applies to. */
export type PolicyOutcome =
  | { readonly deny: { readonly message: string } }
  | { readonly limit: Limit }
  | { readonly approve: { readonly count: number; readonly roles?: readonly ApproverRole[] } }
  | { readonly hold_s: number }
  | { readonly step_up: true };

/** A policy, as far as a decision needs it. */
export interface PolicyRule {
  /** A UUID. */
  readonly policy_id: string;
  readonly version: number;
  readonly name: string;
  /** CEL; null applies always. */
  readonly condition: string | null;
  readonly outcome: PolicyOutcome;
}

export type PolicyVerdict = 'ALLOW' | 'DENY' | 'LIMIT' | 'STEP_UP' | 'APPROVE' | 'HOLD';

/** What one policy that applies asked for, and whether that stops the operation. */
export interface AppliedPolicy {
  readonly policy_id: string;
  readonly version: number;
  readonly asks: Exclude<PolicyVerdict, 'ALLOW'>;
  /** A limit that is passed, a proof that is missing; deny, approve and hold always stop. */
  readonly stops: boolean;
  /** Of a limit: what had been used before, in its own units. */
  readonly used?: string;
  /** Why a denial is one, for the caller. */
  readonly why?: string;
}

/** The order in which they count: the first that stops decides. */
const ORDER = ['DENY', 'LIMIT', 'STEP_UP', 'APPROVE', 'HOLD'] as const;

/** The verdict of all that apply, and the one that decides it; without any that stops the operation is allowed. */
export function policyVerdictOf(applied: readonly AppliedPolicy[]): {
  readonly verdict: PolicyVerdict;
  readonly by: AppliedPolicy | undefined;
} {
  for (const verdict of ORDER) {
    const by = applied.find(({ asks, stops }) => stops && asks === verdict);
    if (by) return { verdict, by };
  }
  return { verdict: 'ALLOW', by: undefined };
}

/** Kinds that cannot wait: an answer has to be given at once. */
const CANNOT_WAIT: ReadonlySet<PolicyKind> = new Set(['conversion', 'card']);

/** What an operation can do about what a policy asks for. */
export interface Abilities {
  readonly canWait: boolean;
  readonly canProve: boolean;
}

export const abilitiesOf = (kind: PolicyKind, hasObject: boolean): Abilities => ({
  canWait: hasObject && !CANNOT_WAIT.has(kind),
  canProve: kind !== 'card',
});

/** What a policy that applies asks for of an operation with these abilities; a limit's use is not looked at. */
export function askedBy(
  { policy_id, version, outcome }: PolicyRule,
  { canWait, canProve }: Abilities,
): AppliedPolicy {
  const of = { policy_id, version };
  const deny = (why: string): AppliedPolicy => ({ ...of, asks: 'DENY', stops: true, why });
  if ('deny' in outcome) return deny(outcome.deny.message);
  if ('limit' in outcome) return { ...of, asks: 'LIMIT', stops: false };
  if ('step_up' in outcome)
    return canProve
      ? { ...of, asks: 'STEP_UP', stops: true }
      : deny('It needs a proof of the person, which cannot be given here');
  if (!canWait)
    return deny(
      'approve' in outcome
        ? 'It needs an approval, and this operation cannot wait for one'
        : 'It has to be held for a time, and this operation cannot wait',
    );
  return { ...of, asks: 'approve' in outcome ? 'APPROVE' : 'HOLD', stops: true };
}
