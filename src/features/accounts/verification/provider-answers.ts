import { fail } from '#kernel/error.ts';
import type { Logger } from '#kernel/log.ts';
import { isNotConfigured, notConfigured, type Outcome } from '#kernel/provider-call.ts';

/** Refusals of our own access, not of the request. */
const OURS: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'RATE_LIMITED']);

/**
 * The identity provider's answer, or the contract's error: 400 `{error, description}` when it refused, 503 when the
 * outcome of the call is unknown. All calls may be repeated.
 */
export function requireAnswer<T>(outcome: Outcome<T>, log: Logger, fault: string): T {
  if (outcome.kind === 'done') return outcome.value;
  if (outcome.kind === 'refused' && !OURS.has(outcome.code))
    throw fail('PROVIDER_REJECTED', outcome.code, { extra: { description: outcome.message } });
  if (isNotConfigured(outcome)) throw notConfigured('The identity provider');
  log.warn({ outcome }, 'the identity provider did not answer');
  throw fail('PROVIDER_UNAVAILABLE', fault, {
    details: 'The identity provider cannot be reached at the moment',
    retryAfter: 5,
  });
}

export const refusedAs = (outcome: Outcome<unknown>, code: string): boolean =>
  outcome.kind === 'refused' && outcome.code === code;
