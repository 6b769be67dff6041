import { AppError, fail } from '../error.ts';
import type { Asset } from '../money/money.ts';
import { format } from '../money/money.ts';
import { objectId } from '../object-id.ts';
import type { LimitUse } from './assess.ts';
import { type AppliedPolicy, type Limit, POLICY_ERRORS, type PolicyRule } from './policy.ts';

const CODES_OF_POLICIES: ReadonlySet<string> = new Set(POLICY_ERRORS);

/** Whether an error is the refusal of a policy. */
export const isPolicyRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && CODES_OF_POLICIES.has(error.code);

/** What a refusal by a policy says of it, on the wire. */
export const policyDenied = ({ policy_id, name }: PolicyRule, { why }: AppliedPolicy): AppError => {
  const unmet = why ?? 'A policy denies it';
  return fail('POLICY_DENIED', unmet, {
    details: { policy_id: objectId('pol', policy_id), name, unmet },
  });
};

/** The units of a limit as text: of its currency, or a count. */
const limitText = ({ amount, currency = 'USD' }: Limit, units: bigint): string =>
  amount === undefined ? units.toString() : format({ asset: currency as Asset, units });

/** How a limit stands, and when its window ends. */
export const limitExceeded = (
  { policy_id, name }: PolicyRule,
  limit: Limit,
  { taking, ends }: LimitUse,
  used: bigint,
): AppError =>
  fail('LIMIT_EXCEEDED', `It would pass the limit “${name}”`, {
    details: {
      limit_id: objectId('pol', policy_id),
      limit: limitText(limit, taking.most),
      used: limitText(limit, used),
      currency: limit.amount === undefined ? null : (limit.currency ?? 'USD'),
      resets_at: ends.toISOString(),
    },
  });

/** What has to be proven, and how. */
export const stepUpRequired = (challenge: {
  readonly challenge_id: string;
  readonly options: readonly string[];
  readonly summary: unknown;
}): AppError =>
  fail('STEP_UP_REQUIRED', 'Prove that it is you, and repeat the call with x-step-up', {
    details: challenge,
    hint: 'Answer the challenge by POST /step-up, then repeat the call within five minutes with the header x-step-up: <challenge_id>.',
  });
