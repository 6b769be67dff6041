import type { Outcome } from '#kernel/effects/outcome.ts';
import { AppError, fail } from '#kernel/error.ts';
import type { Logger } from '#kernel/log.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';

/** What a provider told. Throws PROVIDER_NOT_CONFIGURED, and PROVIDER_UNAVAILABLE where it told nothing. */
export function mustTell<T>(provider: string, told: Outcome<T>): T {
  if (told.kind === 'done') return told.value;
  if (isNotConfigured(told)) throw notConfigured(provider);
  const cause = told.kind === 'unknown' ? told.cause : told.code;
  throw fail('PROVIDER_UNAVAILABLE', `${provider} does not answer`, { cause });
}

/** What runs by itself has nothing to do where the operator has not set its providers up. */
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
