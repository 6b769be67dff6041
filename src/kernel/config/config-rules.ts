import { badMnemonic, weakMasterKey, weakMnemonic, weakText } from '#kernel/config/weak-secrets.ts';
import { trustOf } from '#kernel/proxies.ts';
import { isHttps } from './public-url.ts';

/** Secrets that production must set; development generates these into DATA_DIR. */
export const PRODUCTION_SECRETS = ['MASTER_KEY', 'JWT_SECRET', 'EVM_MNEMONIC'] as const;

/** The settings that have to fit one another, said here so that they need not be read to be understood. */
type CheckedSettings = Partial<
  Readonly<
    Record<
      | (typeof PRODUCTION_SECRETS)[number]
      | `BOOTSTRAP_ADMIN_${'EMAIL' | 'PASSWORD'}`
      | 'DATABASE_URL'
      | 'DATABASE_DIRECT_URL'
      | 'DATABASE_REPLICA_URL'
      | 'PUBLIC_URL'
      | 'TRUST_PROXY',
      string | undefined
    >
  >
> & {
  readonly EMBEDDED_DATABASE?: 'allow' | 'refuse' | undefined;
  readonly WEBHOOK_PRIVATE?: 'allow' | 'refuse' | undefined;
  readonly CONSOLE?: 'on' | 'off' | undefined;
};

const NEW_ONES = '(npm run secrets prints new ones)';

/** What is wrong with settings that are each of the right form, in words for the operator. */
export function faultsBetween(
  given: CheckedSettings,
  production: boolean,
  mockMode: boolean,
): string[] {
  const faults = production ? productionFaults(given, mockMode) : [];
  // With half of it the service would start without the operator that was meant.
  if (
    (given.BOOTSTRAP_ADMIN_EMAIL === undefined) !==
    (given.BOOTSTRAP_ADMIN_PASSWORD === undefined)
  )
    faults.push('BOOTSTRAP_ADMIN_EMAIL and _PASSWORD need each other');
  const embedded = given.EMBEDDED_DATABASE ?? (production ? 'refuse' : 'allow');
  if (given.DATABASE_URL === undefined && embedded === 'refuse')
    faults.push(
      'DATABASE_URL is missing: name a PostgreSQL 15 or later that has backups; or, if it may be ' +
        'lost with this machine, say EMBEDDED_DATABASE=allow',
    );
  if (given.DATABASE_DIRECT_URL !== undefined && given.DATABASE_URL === undefined)
    faults.push('DATABASE_DIRECT_URL is of no use without DATABASE_URL, the pooler in front of it');
  if (given.DATABASE_REPLICA_URL !== undefined && given.DATABASE_URL === undefined)
    faults.push(
      'DATABASE_REPLICA_URL is of no use without DATABASE_URL, the leader that it follows',
    );
  const unusable = given.EVM_MNEMONIC === undefined ? undefined : badMnemonic(given.EVM_MNEMONIC);
  if (unusable) faults.push(`EVM_MNEMONIC ${unusable} ${NEW_ONES}`);
  return [...faults, ...proxyFault(given)];
}

function proxyFault({ TRUST_PROXY }: CheckedSettings): string[] {
  try {
    trustOf(TRUST_PROXY);
    return [];
  } catch (error) {
    return [
      `${(error as Error).message}; it must be how many proxies there are, or their addresses and ` +
        'networks, such as 1 or 10.0.0.0/8,192.0.2.7',
    ];
  }
}

function productionFaults(given: CheckedSettings, mockMode: boolean): string[] {
  const faults = mockMode ? ['MOCK_MODE must not be true with NODE_ENV=production'] : [];
  if (given.WEBHOOK_PRIVATE === 'allow')
    faults.push('WEBHOOK_PRIVATE must not be allow with NODE_ENV=production');
  if (given.CONSOLE === 'on' && !isHttps(given.PUBLIC_URL))
    faults.push('CONSOLE=on needs a PUBLIC_URL that begins with https:// with NODE_ENV=production');
  const missing = PRODUCTION_SECRETS.filter((name) => given[name] === undefined);
  if (missing.length > 0) faults.push(`production needs ${missing.join(', ')} ${NEW_ONES}`);
  const { MASTER_KEY, JWT_SECRET, EVM_MNEMONIC } = given;
  const weak = {
    MASTER_KEY: MASTER_KEY && weakMasterKey(MASTER_KEY),
    JWT_SECRET: JWT_SECRET && weakText(JWT_SECRET),
    EVM_MNEMONIC: EVM_MNEMONIC && weakMnemonic(EVM_MNEMONIC),
  };
  for (const name of PRODUCTION_SECRETS)
    if (weak[name]) faults.push(`${name} ${weak[name]} ${NEW_ONES}`);
  return faults;
}

/** The simulators' credentials are public, so production must not accept them. */
export function withoutSandboxCredentials<S extends object>(
  settings: S,
  usual: Readonly<Record<string, unknown>>,
): S {
  const kept = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === 'string' && usual[name] === value ? value.replace(/.*sandbox.*/, '') : value,
  ]);
  return Object.fromEntries(kept) as S;
}
