import { fail } from '#kernel/error.ts';
import type { Fault, RequestFacts } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';
import type { ExternalLogin, ExternalRefusal, VerifiedToken } from '#providers/extauth/port.ts';

export type ProveDeps = Pick<Kernel, 'log'> & { readonly external: ExternalLogin };

/** The answer to a token that is not accepted. */
const REASONS: Readonly<Partial<Record<ExternalRefusal, string>>> = {
  EXPIRED: 'External token has expired',
  NOT_YET_VALID: 'External token is not valid yet',
  NO_SUCH_USER: 'The external provider does not know this user',
};
const RETRY_S = 5;

/** The token of the body, or else of the Authorization header. Throws MISSING_TOKEN. */
export function sentToken(inBody: string | undefined, { headers }: RequestFacts): string {
  const token = inBody ?? headers.authorization?.replace(/^Bearer(\s+|$)/i, '').trim();
  if (!token) throw fail('MISSING_TOKEN', 'ext_token is required');
  return token;
}

/**
 * The holder of the token as the provider identifies them. Throws AUTHENTICATION_FAILED for an invalid token,
 * PROVIDER_UNAVAILABLE when the provider cannot verify it at the moment, and PROVIDER_NOT_CONFIGURED until an
 * operator has set it up.
 */
export async function proveExternalLogin(
  { external, log }: ProveDeps,
  token: string,
): Promise<VerifiedToken> {
  const outcome = await external.verify(token);
  if (outcome.kind === 'done') return outcome.value;
  if (isNotConfigured(outcome)) {
    log.error({ outcome }, 'external login is not set up');
    throw notConfigured('External login');
  }
  if (outcome.kind === 'unknown') {
    log.warn({ cause: outcome.cause }, 'external login cannot be reached');
    const message = 'The external login provider cannot be reached';
    throw fail('PROVIDER_UNAVAILABLE', message, { retryAfter: RETRY_S });
  }
  if (outcome.code === ('REFUSED' satisfies ExternalRefusal)) {
    log.error({ outcome }, 'the external login provider refuses us');
    throw fail('PROVIDER_UNAVAILABLE', 'External login is not available');
  }
  throw fail(
    'AUTHENTICATION_FAILED',
    REASONS[outcome.code as ExternalRefusal] ?? 'External token is invalid',
    { details: { reason: outcome.code } },
  );
}

/** The contract's code for a missing part of a request (contract part 1, External-login). */
export function invalidRequest(faults: readonly Fault[]) {
  const details = faults.map(({ field, message }) => ({ field, message }));
  // A deletion without its confirmation is reported as that before any other fault.
  const first = faults.find(({ field }) => field === 'confirmation') ?? faults[0];
  if (first?.field === 'ext_token')
    return fail('MISSING_TOKEN', 'ext_token is required', { details });
  if (first?.field === 'user_id')
    return fail('MISSING_USER_ID', 'user_id must be a positive integer', { details });
  if (first?.field === 'confirmation')
    return fail('CONFIRMATION_REQUIRED', 'Disconnecting a log-in method must be confirmed', {
      extra: { instruction: `Send "confirmation": "${CONFIRMATION}"` },
    });
  const message = first ? `${first.field} ${first.message}` : 'Invalid request';
  return fail('VALIDATION_ERROR', message, { details });
}

/** The text of `confirmation`, letter by letter. */
export const CONFIRMATION = 'disconnect';
