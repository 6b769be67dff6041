import type { Outcome } from '#kernel/effects/outcome.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { Logger } from '#kernel/log.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';

/** The provider's answer. Throws PROVIDER_NOT_CONFIGURED, and PROVIDER_UNAVAILABLE where it gave none. */
export function requireProviderAnswer<T>(provider: string, outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.value;
  if (isNotConfigured(outcome)) throw notConfigured(provider);
  const cause = outcome.kind === 'unknown' ? outcome.cause : outcome.code;
  throw fail('PROVIDER_UNAVAILABLE', `${provider} does not answer`, { cause });
}

/** A schedule does nothing where the operator has not configured its providers. */
export async function whereConfigured(
  log: Pick<Logger, 'warn'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'PROVIDER_NOT_CONFIGURED') throw error;
    log.warn({ reason: error.message }, 'Conversions do not run');
  }
}
