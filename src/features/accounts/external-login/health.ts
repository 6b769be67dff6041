import { setTimeout as wait } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExternalLogin } from '#providers/extauth/port.ts';
import type { HealthReply } from './schemas.ts';
import { touchMappings } from './statistics-store.ts';

type Health = Static<typeof HealthReply>['data'];
type State = Health['configuration']['app_id'];

export type HealthDeps = Pick<Kernel, 'clock' | 'config' | 'log'> & {
  readonly external: ExternalLogin;
};

const VERSION = '1.0';
/** How long the provider's answer stays valid, so that health checks put no load on it. */
const FRESH_MS = 30_000;
/** How long a health check waits for the provider. */
const TIMEOUT_MS = 3000;
/** An id that no user has: the check needs only the provider's answer that it is unknown. */
const NO_SUCH_USER = 'did:privy:health-check';

/** The health of the external log-in (contract part 1, External-login). */
export function healthCheck({ clock, config, log, external }: HealthDeps) {
  let asked: { at: number; issue: Promise<string | undefined> } | undefined;

  /** The fault of the provider or of our credentials there, as of a moment ago at most. */
  function providerIssue(): Promise<string | undefined> {
    const at = clock.now().getTime();
    if (!asked || at - asked.at > FRESH_MS) asked = { at, issue: askProvider(external) };
    return asked.issue;
  }

  return async (db: Db, endpoints: string[]): Promise<Health> => {
    await requireDatabase(db, log);
    const { EXTAUTH_APP_ID: id, EXTAUTH_APP_SECRET: secret } = config;
    const configuration = {
      app_id: given(id),
      app_secret: given(secret),
      // The app id finds the published keys, unless an address or the key itself is configured.
      verification_key: given(config.EXTAUTH_VERIFICATION_KEY ?? config.EXTAUTH_JWKS_URL ?? id),
      database_connection: 'active' as const,
    };
    const lacking = Object.entries(configuration)
      .filter(([, state]) => state === 'missing')
      .map(([name]) => `${name} is not configured`);
    const issue = lacking.length > 0 ? undefined : await providerIssue();
    const issues = issue === undefined ? lacking : [...lacking, issue];
    return {
      service: 'external-login',
      status: issues.length > 0 ? 'degraded' : 'operational',
      version: VERSION,
      environment: config.NODE_ENV,
      configuration,
      endpoints,
      ...(issues.length > 0 ? { issues } : {}),
      timestamp: clock.now().toISOString(),
    };
  };
}

const given = (setting: string): State => (setting === '' ? 'missing' : 'configured');

async function requireDatabase(db: Db, log: HealthDeps['log']): Promise<void> {
  try {
    await touchMappings(db);
  } catch (err) {
    log.error({ err }, 'external login cannot read its mappings');
    throw fail('HEALTH_CHECK_FAILED', 'Health check failed', {
      details: { database_connection: 'failed' },
    });
  }
}

async function askProvider(external: ExternalLogin): Promise<string | undefined> {
  const late = { kind: 'unknown', cause: 'late' } as const;
  const outcome = await Promise.race([
    external.user(NO_SUCH_USER),
    wait(TIMEOUT_MS, late, { ref: false }),
  ]);
  if (outcome.kind === 'unknown') return 'the provider cannot be reached';
  const refusal = outcome.kind === 'refused' ? outcome.code : undefined;
  return refusal === 'NOT_CONFIGURED' ? 'the provider refuses app_id and app_secret' : undefined;
}
